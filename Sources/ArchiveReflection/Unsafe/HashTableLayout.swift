/// Where `Dictionary` and `Set` keep what they hold, so that it can be read in place, without knowing the types and without copying.
@usableFromInline @safe package struct HashTableLayout {
  private struct Wide: Hashable { var lanes: SIMD8<Double> }

  private static let word = MemoryLayout<UInt>.size
  /// Behind the object's header: the count and the capacity, 8 bytes for the scale and the age, the seed, and the keys' address.
  private static let scaleOffset = 4 * word
  private static let keysOffset = 4 * word + 8 + word

  /// Whether dictionaries and sets have the layout that is relied on here, found out by looking at some.
  ///
  /// False where one may be a bridged Objective-C object; use the types themselves then.
  package static let isKnown: Bool = {
    #if canImport(ObjectiveC)
      return false
    #else
      let few = [7: "seven", 8: "eight", 9: "a text that is longer than fifteen bytes"]
      let many = Dictionary(uniqueKeysWithValues: (0..<300).map { ("key \($0)", UInt16($0)) })
      var holes = many
      for i in stride(from: 0, to: 300, by: 3) { holes["key \(i)"] = nil }
      let wide = [Wide(lanes: .zero): true, Wide(lanes: .one): false]
      return agrees(few) && agrees(many) && agrees(holes) && agrees(wide) && agrees([:] as [Int: Int]) && agrees(Set(few.keys))
        && agrees(Set(many.keys)) && agrees(Set(holes.keys)) && agrees(Set(wide.keys)) && agrees([] as Set<Int>)
    #endif
  }()

  /// The object that holds it all, which several dictionaries may share.
  package let storage: UnsafeRawPointer
  package let count: Int
  private let keys: UnsafeMutableRawPointer?
  private let values: UnsafeMutableRawPointer?
  /// One bit per place, which tells that something is there.
  private let bits: UnsafePointer<UInt>
  private let wordCount: Int
  private var wordIndex = 0
  private var rest: UInt = 0

  // SAFETY: the caller of the initializer passes the address of a dictionary, or a set, that is neither changed nor released while this is in
  // use; `isKnown` says that its storage looks like this. No place beyond the table's size is handed out.

  /// Looks at the dictionary, or the set, at this address. Only meaningful while `isKnown`.
  package init(of field: UnsafeRawPointer, hasValues: Bool) {
    let storage = unsafe field.load(as: UnsafeRawPointer.self)
    unsafe self.storage = storage
    count = unsafe storage.load(fromByteOffset: 2 * Self.word, as: Int.self)
    unsafe keys = storage.load(fromByteOffset: Self.keysOffset, as: UnsafeMutableRawPointer?.self)
    unsafe values = hasValues ? storage.load(fromByteOffset: Self.keysOffset + Self.word, as: UnsafeMutableRawPointer?.self) : nil
    unsafe bits = (storage + Self.keysOffset + (hasValues ? 2 : 1) * Self.word).assumingMemoryBound(to: UInt.self)
    let places = 1 << Int(unsafe storage.load(fromByteOffset: Self.scaleOffset, as: Int8.self))
    wordCount = (places + UInt.bitWidth - 1) / UInt.bitWidth
    if count > 0 {
      // Where there are fewer places than bits the ones that are left over are set.
      rest = unsafe places < UInt.bitWidth ? bits[0] & (1 << UInt(places) - 1) : bits[0]
    }
  }

  /// The addresses of the next key, or element, and of its value, in the order of iteration. Nil at the end.
  ///
  /// - Parameters:
  ///   - keyStride: Bytes from one key, or element, to the next.
  ///   - valueStride: Bytes from one value to the next; 0 for sets.
  @inline(__always)
  package mutating func next(
    keyStride: Int, valueStride: Int
  ) -> (key: UnsafeMutableRawPointer, value: UnsafeMutableRawPointer)? {
    while rest == 0 {
      wordIndex &+= 1
      if count == 0 || wordIndex >= wordCount { return nil }
      rest = unsafe bits[wordIndex]
    }
    let place = wordIndex &* UInt.bitWidth &+ rest.trailingZeroBitCount
    rest &= rest &- 1
    let key = unsafe keys.unsafelyUnwrapped + place &* keyStride
    return unsafe (key, values.map { unsafe $0 + place &* valueStride } ?? key)
  }

  private static func agrees<Key: Hashable, Value: Equatable>(_ dictionary: [Key: Value]) -> Bool {
    guard MemoryLayout<[Key: Value]>.size == word else { return false }
    return unsafe withUnsafePointer(to: dictionary) { field in
      var table = unsafe HashTableLayout(of: field, hasValues: true)
      if table.count != dictionary.count { return false }
      for (key, value) in dictionary {
        guard let found = unsafe table.next(keyStride: MemoryLayout<Key>.stride, valueStride: MemoryLayout<Value>.stride),
          unsafe found.key.assumingMemoryBound(to: Key.self).pointee == key,
          unsafe found.value.assumingMemoryBound(to: Value.self).pointee == value
        else { return false }
      }
      return unsafe table.next(keyStride: 1, valueStride: 1) == nil
    }
  }

  private static func agrees<Element: Hashable>(_ set: Set<Element>) -> Bool {
    guard MemoryLayout<Set<Element>>.size == word else { return false }
    return unsafe withUnsafePointer(to: set) { field in
      var table = unsafe HashTableLayout(of: field, hasValues: false)
      if table.count != set.count { return false }
      for element in set {
        guard let found = unsafe table.next(keyStride: MemoryLayout<Element>.stride, valueStride: 0),
          unsafe found.key.assumingMemoryBound(to: Element.self).pointee == element
        else { return false }
      }
      return unsafe table.next(keyStride: 1, valueStride: 0) == nil
    }
  }
}
