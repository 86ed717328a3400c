/// Where `Array` keeps its elements, so that they can be read without knowing the element type.
@usableFromInline package enum ArrayLayout {
  private struct Wide { var lanes: SIMD8<Double> }

  /// Whether arrays have the layout that `elements` relies on, found out by looking at some.
  ///
  /// False where an array may be a bridged Objective-C object; use `Array` itself then.
  package static let isKnown: Bool = {
    #if canImport(ObjectiveC)
      return false
    #else
      return agrees([1, 2, 3]) && agrees(["a", "b"]) && agrees([UInt8](7...90)) && agrees([1, "x"] as [Any])
        && agrees([Wide(lanes: .zero), Wide(lanes: .one)]) && agrees([] as [Int])
    #endif
  }()

  /// The elements of the array stored at `arrayField`. They stay valid as long as the array is neither changed nor released.
  ///
  /// Only meaningful while `isKnown`.
  /// - Parameter elementAlignmentMask: The alignment of the element type in bytes, minus one.
  @inlinable @inline(__always)
  package static func elements(of arrayField: UnsafeRawPointer, elementAlignmentMask: Int) -> (base: UnsafeRawPointer, count: Int) {
    // SAFETY: the caller passes the address of an array; `isKnown` says that the storage looks like this.
    let storage = unsafe arrayField.load(as: UnsafeRawPointer.self)
    let count = unsafe storage.load(fromByteOffset: 2 * MemoryLayout<UInt>.size, as: Int.self)
    let offset = (4 * MemoryLayout<UInt>.size + elementAlignmentMask) & ~elementAlignmentMask
    return unsafe (storage + offset, count)
  }

  private static func agrees<Element>(_ array: [Element]) -> Bool {
    guard MemoryLayout<[Element]>.size == MemoryLayout<UInt>.size else { return false }
    return unsafe withUnsafePointer(to: array) { field in
      let found = unsafe elements(of: field, elementAlignmentMask: MemoryLayout<Element>.alignment - 1)
      return unsafe array.withUnsafeBytes { bytes in
        unsafe found.count == array.count && (array.isEmpty || found.base == bytes.baseAddress)
      }
    }
  }
}
