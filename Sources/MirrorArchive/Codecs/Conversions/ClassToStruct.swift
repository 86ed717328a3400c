import ArchiveFormat
import ArchiveReflection

extension Binder {
  /// A reader that makes values of a struct from the archived objects of the class that it was; nil for other pairs.
  mutating func objectValueReader(_ codec: ValueCodec, _ id: TypeID) throws -> ColumnReader? {
    guard let structure = codec as? StructCodec, !structure.isTuple, id == .reference || types[id]?.isObject ?? false else { return nil }
    var readers: [Int: ColumnReader] = [:]
    for (index, entry) in types.entries.enumerated() {
      guard case .object(let name, let version, _, _) = entry, isName(name, of: structure.name) else { continue }
      let entryID = TypeID(entry: index)
      let (reader, columns) = try structure.makeReader(ofObjects: types.columns(of: entryID), entryID, name, version, &self)
      readers[index] = reader
      valueEntries[index, default: []].formUnion(columns)
    }
    // An archive of a program without such objects may hold nothing but nil.
    return ObjectValueReader(structure, readers)
  }
}

/// The values that were made of the objects of one block.
@safe
final class ObjectValues: @unchecked Sendable {
  /// Which block, and as what.
  struct Key: Hashable {
    let block: Int
    let codec: ObjectIdentifier
  }

  let rows: Rows
  private let codec: ValueCodec
  private let memory: UnsafeMutableRawPointer
  fileprivate var isComplete = false

  fileprivate init(_ codec: ValueCodec, count: Int) {
    self.codec = codec
    let witnesses = codec.witnesses
    // SAFETY: room for `count` values, which are destroyed with it if they are there.
    unsafe memory = .allocate(byteCount: max(1, count &* witnesses.stride), alignment: max(16, witnesses.alignmentMask + 1))
    rows = unsafe Rows(base: memory, stride: witnesses.stride, count: count)
  }

  deinit {
    if isComplete { codec.destroy(rows) }
    unsafe memory.deallocate()
  }
}

/// Reads references to objects of a class that is a struct today: each reference gets a value of its own.
private final class ObjectValueReader: ColumnReader, @unchecked Sendable {
  /// By type-table entry.
  private let readers: [Int: ColumnReader]

  init(_ codec: StructCodec, _ readers: [Int: ColumnReader]) {
    self.readers = readers
    super.init(codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: every number is checked before its row is looked at; a row of a block is a value.
    let numbers = unsafe d.scratch.allocate(Int64.self, rows.count)
    unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: numbers)
    var blocks: [Int: ObjectValues] = [:]
    for i in 0..<rows.count {
      let number = unsafe numbers[i]
      guard d.objects.index(of: number) != nil else {
        throw d.malformed("a reference points to object \(number), which does not exist", row: i)
      }
      let block = Int(number >> 10)
      if blocks[block] != nil { continue }
      let notices = d.notices.count
      // What is said of an object is said of the first reference to it.
      func row(of place: Int) -> Int? { (i..<rows.count).first { unsafe numbers[$0] == Int64(block << 10 | place) } }
      do {
        blocks[block] = try values(ofBlock: block, row: i, &d)
      } catch let error as LocatedError {
        if let row = row(of: error.row) { throw error.moved(to: row, below: "") }
        // Somebody else refers to it.
        throw ObjectError(error: error.error, object: block << 10 | error.row, place: error.suffix)
      }
      if d.notices.count > notices { d.notices.move(since: notices) { $0.move(to: row(of: $0.row) ?? i, below: "") } }
    }
    let witnesses = codec.witnesses
    unsafe rows.visit { i, p in
      let number = unsafe numbers[i]
      if let values = blocks[Int(number >> 10)] { unsafe witnesses.initializeWithCopy(p, values.rows[Int(number & 1023)]) }
    }
  }

  private func values(ofBlock block: Int, row: Int, _ d: inout DecodingState) throws -> ObjectValues {
    let key = ObjectValues.Key(block: block, codec: ObjectIdentifier(codec))
    // Whoever binds such a reader provides for it.
    guard let converted = d.converted, converted.blockReaders.indices.contains(block) else {
      throw d.malformed("block \(block) does not exist", row: 0)
    }
    if let known = converted.values[key] {
      if !known.isComplete { throw LocatedError(.cycle, row: 0, "an object that became a \(codec.type) contains itself") }
      return known
    }
    guard let reader = readers[d.objects.entry(ofBlock: block)] else {
      d.objects.holdAll()  // What was read so far is about to be given up.
      throw LocatedError(
        .typeMismatch, row: 0, offset: d.reader.offset,
        "the archive holds an object of another class than the one that became the struct \(codec.type)")
    }
    let values = ObjectValues(codec, count: d.objects.count(ofBlock: block))
    converted.values[key] = values
    try d.enter()
    defer { d.leave() }
    let (outer, poolID) = (d.reader, d.poolID)
    d.reader = converted.blockReaders[block]
    try reader.read(values.rows, &d)
    values.isComplete = true
    if d.reader.remaining > 0 { throw d.malformed("\(d.reader.remaining) bytes are left over behind the properties", row: 0) }
    (d.reader, d.poolID) = (outer, poolID)
    return values
  }
}
