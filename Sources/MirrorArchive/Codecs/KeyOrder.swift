import ArchiveFormat
import ArchiveReflection

/// The order of a dictionary's keys, or a set's elements, that depends on nothing but the keys: that of their encoded bytes.
///
/// Each key is encoded alone, as a column of one row; the bytes are compared one by one, and of two that agree the shorter ones come first.
/// In `AnyHashable` the description of the key's own type stands in front of them.
///
/// Keys that refer to objects have no bytes of their own, only numbers that this order would have to be known for: they keep their order of
/// iteration. So do keys that differ for `==` and not in what is archived of them.
struct KeyOrder {
  private let codec: ValueCodec
  /// The described types of keys in `AnyHashable`, and how they are encoded; nil for what cannot be put in order.
  private var openTypes: [ObjectIdentifier: OpenType?] = [:]

  private struct OpenType {
    let codec: ValueCodec
    let description: [UInt8]
  }

  /// Nil for keys that keep their order of iteration.
  init?(_ codec: ValueCodec) {
    if codec.type != AnyHashable.self && Self.lookAtObjects(codec) { return nil }
    self.codec = codec
  }

  /// Whether values refer to objects, be it weakly.
  private static func lookAtObjects(_ codec: ValueCodec) -> Bool { codec.traits.hasReferences || codec.traits.hasConditional }

  /// Which key comes first, which second, and so on; nil if the order of iteration stays.
  ///
  /// The archive's strings, types and objects are not touched. What cannot be encoded is left to whoever encodes the keys in earnest.
  /// - Complexity: O(n log n) comparisons, and encoding each key once.
  mutating func places<Key>(of keys: ArraySlice<Key>, _ e: inout EncodingState) -> [Int]? {
    if keys.count < 2 { return nil }
    let start = e.writer.count
    let usesPools = e.pools.isOn
    e.pools.isOn = false
    defer {
      e.writer.truncate(to: start)
      e.pools.isOn = usesPools
    }
    var places: [Int] = []
    var rest: [Int] = []
    var ends = [start]
    for (place, key) in keys.enumerated() {
      do {
        if try encode(key, &e) { places.append(place) } else { rest.append(place) }
      } catch {
        return nil
      }
      ends.append(e.writer.count)
    }
    // SAFETY: the writer is not changed while its bytes are looked at, and every key's bytes lie between its ends.
    let bytes = unsafe e.writer.bytes
    places.sort { left, right in
      let (one, other) = unsafe (bytes[ends[left]..<ends[left + 1]], bytes[ends[right]..<ends[right + 1]])
      if unsafe one.lexicographicallyPrecedes(other) { return true }
      return unsafe left < right && !other.lexicographicallyPrecedes(one)
    }
    return places + rest
  }

  /// Appends the bytes that a key is compared by. False if it has none.
  private mutating func encode<Key>(_ key: Key, _ e: inout EncodingState) throws -> Bool {
    if Key.self == AnyHashable.self, let key = key as? AnyHashable { return try encode(open: key.base, &e) }
    // SAFETY: the copy lives while it is encoded.
    try unsafe withUnsafePointer(to: key) { key in
      try codec.encode(unsafe Rows(base: UnsafeMutableRawPointer(mutating: key), stride: MemoryLayout<Key>.stride, count: 1), &e)
    }
    return true
  }

  private mutating func encode(open key: Any, _ e: inout EncodingState) throws -> Bool {
    let type = Swift.type(of: key)
    let found: OpenType?
    if let known = openTypes[ObjectIdentifier(type)] {
      found = known
    } else {
      found = try Self.openType(type)
      openTypes[ObjectIdentifier(type)] = .some(found)
    }
    guard let found else { return false }
    unsafe found.description.withUnsafeBytes { unsafe e.writer.append(contentsOf: $0) }
    let witnesses = found.codec.witnesses
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: the memory is as large and aligned as the type asks; the copy is destroyed before it is given back.
    let memory = unsafe e.scratch.bytes(witnesses.stride, alignmentMask: witnesses.alignmentMask)
    unsafe ExistentialAccess.copyValue(key, to: memory)
    defer { unsafe witnesses.destroy(memory) }
    try found.codec.encode(unsafe Rows(base: memory, stride: witnesses.stride, count: 1), &e)
    return true
  }

  private static func openType(_ type: Any.Type) throws -> OpenType? {
    if type is AnyClass { return nil }
    let codec = try PlanRegistry.shared.codec(for: type)
    if lookAtObjects(codec) { return nil }
    // By a description of its own: the archive's one grows as types are met, which would be in the order of iteration.
    var types = TypeTableBuilder()
    let id = try types.exactly { try codec.describe(&$0) }
    var writer = ByteWriter()
    writer.appendVarint(UInt64(id.rawValue))
    types.table.encode(into: &writer)
    return unsafe OpenType(codec: codec, description: Array(writer.bytes))
  }
}
