import ArchiveFormat
import ArchiveReflection

/// A codec of collections that can be made of one element.
protocol CollectionCodec: ValueCodec {
  var elementCodec: ValueCodec { get }
  /// Moves an element into a new collection at `p`.
  func wrap(taking element: UnsafeMutableRawPointer, at p: UnsafeMutableRawPointer)
}

/// Reads single values into collections that hold one element each, and nil into empty ones.
final class WrappingReader: ColumnReader, @unchecked Sendable {
  private let element: ColumnReader
  private let collection: any CollectionCodec
  private let hasPresence: Bool
  private let altered: String?

  /// - Parameters:
  ///   - hasPresence: Whether the archived type is an Optional of what `element` reads.
  ///   - altered: What the report says of every value; nil where a rule has asked for it.
  init(_ collection: any CollectionCodec, _ element: ColumnReader, hasPresence: Bool, altered: String? = nil) {
    self.element = element
    self.collection = collection
    self.hasPresence = hasPresence
    self.altered = altered
    super.init(collection)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    if codec.ownTraits.needsCompleteGraph { try d.requireCompleteGraph("elements of a set", codec.type) }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let presence = try d.presence(rows.count, isStored: hasPresence)
    let witnesses = element.codec.witnesses
    // SAFETY: room for an element per row, and a flag that says whether it is there.
    let memory = unsafe d.scratch.bytes(presence.count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
    let values = unsafe Rows(base: memory, stride: witnesses.stride, count: presence.count)
    let isThere = unsafe d.scratch.allocate(UInt8.self, presence.count)
    let noticeCount = d.notices.count
    do {
      if presence.count > 0 { unsafe try element.readWherePossible(values, isThere, &d) }
    } catch let error as LocatedError {
      throw presence.moved(error, below: "[0]", rows: rows.count)
    }
    presence.moveNotices(since: noticeCount, below: "[0]", rows: rows.count, &d)
    var next = 0
    unsafe rows.visit { i, p in
      if unsafe presence.flags[i] == 0 { return unsafe codec.initializeBlank(p) }
      if unsafe isThere[next] != 0 {
        unsafe collection.wrap(taking: values[next], at: p)
        if let altered { d.notices.add(Notice(.altered, row: i, altered)) }
      } else {
        unsafe codec.initializeBlank(p)
      }
      next += 1
    }
  }
}

/// Which rows of a column hold a value.
@safe
struct Presence {
  /// One for each row.
  let flags: UnsafeMutablePointer<UInt8>
  /// How many hold one.
  let count: Int

  /// An error of the `error.row`-th value that is there, for the row it is in.
  func moved(_ error: LocatedError, below component: String = "", rows: Int) -> LocatedError {
    let moved = unsafe error.moved(toRowAmong: flags, count: rows)
    return moved.moved(to: moved.row, below: component)
  }

  /// The same for notices.
  func moveNotices(since mark: Int, below component: String = "", rows: Int, _ d: inout DecodingState) {
    if d.notices.count == mark { return }
    var places: [Int] = []
    for i in 0..<rows where unsafe flags[i] != 0 { places.append(i) }
    d.notices.move(since: mark) { $0.move(to: places.indices.contains($0.row) ? places[$0.row] : 0, below: component) }
  }
}

extension DecodingState {
  /// Reads which rows hold a value; all of them do where that is not stored.
  mutating func presence(_ rowCount: Int, isStored: Bool) throws -> Presence {
    // SAFETY: one flag per row.
    let flags = unsafe scratch.allocate(UInt8.self, rowCount)
    if !isStored {
      unsafe flags.initialize(repeating: 1, count: rowCount)
      return unsafe Presence(flags: flags, count: rowCount)
    }
    unsafe try BoolColumn.decode(count: rowCount, from: &reader, into: flags)
    var count = 0
    for i in 0..<rowCount { count += Int(unsafe flags[i]) }
    return unsafe Presence(flags: flags, count: count)
  }
}

extension ColumnReader {
  /// Reads a column into uninitialised rows, some of which may get nothing: their flag is 0 then, and 1 for all others.
  final func readWherePossible(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    // SAFETY: there is a flag for every row.
    if let partial = self as? PartialReader {
      unsafe present.initialize(repeating: 0, count: rows.count)
      return unsafe try partial.readPartially(rows, present, &d)
    }
    try read(rows, &d)
    unsafe present.initialize(repeating: 1, count: rows.count)
  }
}
