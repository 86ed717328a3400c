import ArchiveFormat

/// The keys and types of records of one kind, as the archive's type table has them once.
@safe
final class RecordShape {
  /// The key of each slot; empty for values without a key.
  let keys: [String]
  let types: [TypeID]
  /// Whether values of a slot may refer to objects.
  let mayRefer: [Bool]
  /// The slots of values without a key, in order.
  let unkeyed: [Int]
  private let isKeyed: [Bool]
  private var index: [String: Int] = [:]
  /// Per slot: how values of the type that was asked for last are read.
  @exclusivity(unchecked) private var storedReaders: [SlotReader?]

  /// The same for slots that refer to nothing, where a cursor finds them without looking at the shape.
  let plainSlots: UnsafeMutablePointer<PlainSlot>

  @safe
  struct PlainSlot {
    let key: String
    var type: ObjectIdentifier?
    /// Kept alive by the shape.
    var reader: Unmanaged<ColumnReader>?
  }

  final class SlotReader {
    let type: ObjectIdentifier
    let reader: ColumnReader
    /// What values of the type may refer to.
    let declared: DeclaredObjects
    /// What is admitted by naming the type.
    let list: Universe

    init(type: ObjectIdentifier, reader: ColumnReader, declared: DeclaredObjects, list: Universe) {
      self.type = type
      self.reader = reader
      self.declared = declared
      self.list = list
    }
  }

  /// What stands where a value has no key. Keys of the program that begin with it have it twice.
  static let mark = "\0"

  /// The key of the program for one that is stored. By code units: a mark may be followed by what forms one character with it.
  static func key(of stored: String) -> String { stored.utf8.first == 0 ? String(stored.unicodeScalars.dropFirst()) : stored }

  /// The same back again; nil for a value without a key.
  static func storedKey(of key: String?) -> String {
    guard let key else { return mark }
    return key.utf8.first == 0 ? mark + key : key
  }

  init(_ properties: [Property], in types: TypeTable) throws {
    keys = properties.map { Self.key(of: $0.key) }
    let isKeyed = properties.map { $0.key != Self.mark }
    self.isKeyed = isKeyed
    self.types = properties.map(\.type)
    mayRefer = properties.map { types.mayRefer($0.type) }
    unsafe storedReaders = Array(repeating: nil, count: properties.count)
    unkeyed = isKeyed.indices.filter { !isKeyed[$0] }
    unsafe plainSlots = Self.makePlainSlots(keys)
    try checkKeys()
  }

  /// The root keys of an archive.
  init(_ roots: [RootKey], in types: TypeTable) throws {
    keys = roots.map(\.key)
    isKeyed = Array(repeating: true, count: roots.count)
    self.types = roots.map(\.type)
    mayRefer = roots.map { types.mayRefer($0.type) }
    unsafe storedReaders = Array(repeating: nil, count: roots.count)
    unkeyed = []
    unsafe plainSlots = Self.makePlainSlots(keys)
    try checkKeys()
  }

  private static func makePlainSlots(_ keys: [String]) -> UnsafeMutablePointer<PlainSlot> {
    let slots = UnsafeMutablePointer<PlainSlot>.allocate(capacity: max(keys.count, 1))
    for i in keys.indices { unsafe (slots + i).initialize(to: PlainSlot(key: keys[i])) }
    return unsafe slots
  }

  deinit {
    // SAFETY: one for each key, as they were made.
    unsafe plainSlots.deinitialize(count: keys.count)
    unsafe plainSlots.deallocate()
  }

  /// A key that is there twice would be read at random.
  private func checkKeys() throws {
    var seen: [String: Int] = [:]
    for slot in keys.indices where isKeyed[slot] {
      if seen.updateValue(slot, forKey: keys[slot]) != nil {
        throw ArchiveError(.malformed, message: "the archive has the key '\(keys[slot])' twice in one object")
      }
    }
    if keys.count > 8 { index = seen }
  }

  /// The slot of a key. Most programs ask in the order in which they wrote, so the slot at `hint` is tried first.
  ///
  /// - Complexity: O(1).
  func slot(of key: String, near hint: Int) -> Int? {
    if hint < keys.count, isKeyed[hint], keys[hint] == key { return hint }
    if keys.count > 8 { return index[key] }
    return keys.indices.first { isKeyed[$0] && keys[$0] == key }
  }

  /// The keys in the order in which they were encoded.
  var allKeys: [String] { keys.indices.filter { isKeyed[$0] }.map { keys[$0] } }

  @inline(__always)
  func reader<T>(for _: T.Type, at slot: Int) -> SlotReader? {
    guard let known = unsafe storedReaders[slot], known.type == ObjectIdentifier(T.self) else { return nil }
    return known
  }

  func remember(_ known: SlotReader, at slot: Int) {
    unsafe storedReaders[slot] = known
    if mayRefer[slot] || !isKeyed[slot] { return }
    // SAFETY: there is one for every slot.
    unsafe plainSlots[slot].type = known.type
    unsafe plainSlots[slot].reader = Unmanaged.passUnretained(known.reader)
  }
}

/// A record that is being read: of one object, of a nested container, or of the archive's root.
@safe
struct RecordCursor {
  let shape: RecordShape
  /// The shape's.
  let plainSlots: UnsafeMutablePointer<RecordShape.PlainSlot>
  let slotCount: Int
  /// The bytes from the next slot in order on.
  var next: ByteReader
  /// The next slot in order.
  var position = 0
  /// The bytes from the first slot on.
  let start: ByteReader
  /// Where each slot begins; found out when one is asked for out of order.
  var starts: [ByteReader]?
  /// How many values without a key have been taken.
  var taken = 0
  let poolID: UInt64
  /// The number of the object whose keys these are; nil at the root.
  let object: Int64?
  /// The way here from the object or the root, such as `.style`.
  let place: String

  init(shape: RecordShape, body: ByteReader, starts: [ByteReader]? = nil, poolID: UInt64, object: Int64?, place: String = "") {
    self.shape = shape
    unsafe plainSlots = shape.plainSlots
    slotCount = shape.keys.count
    next = body
    start = body
    self.starts = starts
    self.poolID = poolID
    self.object = object
    self.place = place
  }
}
