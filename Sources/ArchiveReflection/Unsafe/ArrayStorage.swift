/// Makes arrays of one element type by the known layout of their storage.
///
/// The standard library looks up the class of the storage for every array that is made where the element type is not known when the code is
/// compiled, which costs more than allocating it. Here it is looked up once.
package struct ArrayStorage: Sendable {
  private let storageClass: AnyClass
  private let stride: Int
  private let alignmentMask: Int

  @inlinable package static var countOffset: Int { 2 * MemoryLayout<UInt>.size }
  private static var capacityOffset: Int { 3 * MemoryLayout<UInt>.size }
  @inlinable package static var elementsOffset: Int { 4 * MemoryLayout<UInt>.size }

  /// Nil where arrays are not known to look like that.
  package init?<Element>(of _: Element.Type) {
    guard Self.isKnown, MemoryLayout<Element>.alignment <= 16 else { return nil }
    let array = unsafe [Element](unsafeUninitializedCapacity: 1) { _, done in done = 0 }
    // SAFETY: `isKnown` says that an array is one reference to its storage.
    storageClass = type(of: unsafe unsafeBitCast(array, to: AnyObject.self))
    stride = MemoryLayout<Element>.stride
    alignmentMask = runtimeAlignmentMask(for: MemoryLayout<Element>.alignment - 1)
  }

  /// Makes an array of `count` elements, at least one, in uninitialised memory at `field`.
  ///
  /// - Parameter body: Gets the place of the elements and initialises them, counting what is there, also when it throws: then that is destroyed,
  ///   and the memory stays uninitialised.
  @inlinable @inline(__always)
  package func make(
    count: Int, at field: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer, inout Int) throws -> Void
  ) rethrows {
    // SAFETY: nobody looks at the storage before it knows how many of its elements are initialised.
    let storage = unsafe allocate(count)
    var done = 0
    do {
      unsafe try body(storage + Self.elementsOffset, &done)
    } catch {
      unsafe storage.storeBytes(of: done, toByteOffset: Self.countOffset, as: Int.self)
      unsafe Unmanaged<AnyObject>.fromOpaque(storage).release()
      throw error
    }
    unsafe storage.storeBytes(of: done, toByteOffset: Self.countOffset, as: Int.self)
    unsafe field.storeBytes(of: storage, as: UnsafeMutableRawPointer.self)
  }

  @usableFromInline
  package func allocate(_ capacity: Int) -> UnsafeMutableRawPointer {
    let size = Self.elementsOffset &+ capacity &* stride
    // SAFETY: elements are aligned to at most 16 bytes, so they follow the four words of the header.
    let storage = unsafe Unmanaged.passRetained(runtimeAllocate(bufferType: storageClass, size: size, alignmentMask: alignmentMask))
      .toOpaque()
    unsafe storage.storeBytes(of: UInt(bitPattern: capacity) &<< 1, toByteOffset: Self.capacityOffset, as: UInt.self)
    return unsafe storage
  }

  /// Whether storages begin with the words that are written here, found out by looking at some.
  package static let isKnown: Bool = {
    ArrayLayout.isKnown && agrees([1, 2, 3]) && agrees(["a", "b"]) && agrees([UInt8](7...90)) && agrees([1, "x"] as [Any])
      && agrees((0..<9).map { _ in Probe() })
  }()

  private final class Probe {}

  private static func agrees<Element>(_ array: [Element]) -> Bool {
    // SAFETY: `ArrayLayout.isKnown` says that the array is the address of a storage with four words before its elements.
    unsafe withUnsafeBytes(of: array) { field in
      let storage = unsafe field.load(as: UnsafeRawPointer.self)
      return unsafe storage.load(fromByteOffset: countOffset, as: Int.self) == array.count
        && storage.load(fromByteOffset: capacityOffset, as: UInt.self) == UInt(bitPattern: array.capacity) << 1
    }
  }
}
