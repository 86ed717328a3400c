import ArchiveFormat
import ArchiveReflection

/// A codec of collections that can be made of one element.
protocol CollectionCodec: ValueCodec {
  var elementCodec: ValueCodec { get }
  /// Moves an element into a new collection at `p`.
  func wrap(taking element: UnsafeMutableRawPointer, at p: UnsafeMutableRawPointer)
}

/// Reads single values into collections that hold one element each, and nil into empty ones.
final class WrappingReader: PartialReader, @unchecked Sendable {
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

  override func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
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
      if unsafe presence.flags[i] == 0 {
        unsafe codec.initializeBlank(p)
        unsafe present[i] = 1
        return
      }
      if unsafe isThere[next] != 0 {
        unsafe collection.wrap(taking: values[next], at: p)
        unsafe present[i] = 1
        if let altered { d.notices.add(Notice(.altered, row: i, altered)) }
      }
      next += 1
    }
  }
}
