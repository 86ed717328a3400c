import ArchiveReflection

/// The bits by which nil differs from every value of an Optional type, where one word or byte tells.
///
/// Found by trying: nil is stored over different contents; a place that always gets the same bits, and that makes the type's own test say
/// nil whatever lies around it, is such a mark.
enum NoneMark {
  case word(offset: Int, none: UInt)
  case byte(offset: Int, none: UInt8)

  /// Whether the mark is there in all of these rows.
  func fits(_ rows: Rows) -> Bool {
    var fits = true
    // SAFETY: a mark lies within the values it is for.
    switch self {
    case .word(let offset, let none):
      unsafe rows.visit { _, p in unsafe fits = p.load(fromByteOffset: offset, as: UInt.self) == none && fits }
    case .byte(let offset, let none):
      unsafe rows.visit { _, p in unsafe fits = p.load(fromByteOffset: offset, as: UInt8.self) == none && fits }
    }
    return fits
  }

  /// The one word of a collection that is empty.
  static func empty<Collection>(_ collection: Collection) -> NoneMark? {
    guard MemoryLayout<Collection>.size == MemoryLayout<UInt>.size else { return nil }
    // SAFETY: the word is read as bits and never turned back into a reference. Empty collections of the standard library share storage that
    // lives for ever, so an equal word needs no release.
    return unsafe .word(offset: 0, none: withUnsafeBytes(of: collection) { unsafe $0.load(as: UInt.self) })
  }

  static func find(wrapped: ValueWitnesses, optionalSize size: Int) -> NoneMark? {
    guard size > 0, size <= 64 else { return nil }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: max(16, wrapped.alignmentMask + 1))
    defer { unsafe memory.deallocate() }
    // SAFETY: only the test for nil looks at these bits; no value is ever copied or destroyed.
    func tells<T: BitwiseCopyable & Equatable>(_ offset: Int, as: T.Type) -> T? {
      var mark: T?
      for fill: UInt8 in [0, 0x5A, 0xFF] {
        unsafe memory.initializeMemory(as: UInt8.self, repeating: fill, count: size)
        unsafe wrapped.storeNone(memory)
        let found = unsafe memory.load(fromByteOffset: offset, as: T.self)
        if mark != nil && mark != found { return nil }
        mark = found
      }
      guard let mark else { return nil }
      for fill: UInt8 in [0, 0x11, 0x5A, 0x80, 0xFF] {
        unsafe memory.initializeMemory(as: UInt8.self, repeating: fill, count: size)
        unsafe memory.storeBytes(of: mark, toByteOffset: offset, as: T.self)
        if unsafe wrapped.isSome(memory) { return nil }
      }
      return mark
    }
    let hasTagByte = size == wrapped.size + 1
    if !hasTagByte && size.isMultiple(of: 8) {
      for offset in stride(from: 0, to: size, by: 8) {
        if let none = tells(offset, as: UInt.self) { return .word(offset: offset, none: none) }
      }
    }
    return tells(size - 1, as: UInt8.self).map { .byte(offset: size - 1, none: $0) }
  }
}
