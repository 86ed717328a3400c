import ArchiveFormat

/// Columns that follow one another, each found when it is asked for.
@safe final class ColumnGroup {
  struct Slot {
    let type: TypeID
    let rows: Int
    var poolID: UInt64
  }

  let slots: [Slot]
  private let source: CursorSource
  private let depth: Int
  /// Whether its length stands in front of each column.
  private let isFramed: Bool
  /// Where the columns begin, as far as that is known.
  private var starts: [ByteReader]
  private var cursors: [Int: ColumnCursor] = [:]

  /// - Parameters:
  ///   - depth: How many types the columns are nested in.
  ///   - reader: At the first column.
  init(_ slots: [Slot], depth: Int, at reader: ByteReader, isFramed: Bool = false, _ source: CursorSource) {
    self.slots = slots
    self.depth = depth
    self.source = source
    self.isFramed = isFramed
    starts = [reader]
  }

  /// One column.
  convenience init(_ type: TypeID, rows: Int, poolID: UInt64, depth: Int, at reader: ByteReader, _ source: CursorSource) {
    self.init([Slot(type: type, rows: rows, poolID: poolID)], depth: depth, at: reader, source)
  }

  /// Columns of the members of the same rows.
  convenience init(
    _ members: [Property], rows: Int, poolID: UInt64, depth: Int, at reader: ByteReader, _ source: CursorSource
  ) {
    self.init(members.map { Slot(type: $0.type, rows: rows, poolID: poolID) }, depth: depth, at: reader, source)
  }

  func cursor(_ index: Int) throws -> ColumnCursor {
    if let cursor = cursors[index] { return cursor }
    let slot = slots[index]
    let cursor = try ColumnCursor(slot.type, rows: slot.rows, poolID: slot.poolID, depth: depth, at: try column(index), source)
    cursors[index] = cursor
    return cursor
  }

  /// Where all of the columns end.
  func end() throws -> ByteReader { try start(of: slots.count) }

  /// Checks that the columns are all there is.
  ///
  /// - Parameter hasMark: Whether a zero byte stands for no columns.
  /// - Throws: `malformed` if bytes are left over.
  func checkEnd(hasMark: Bool) throws {
    for (index, slot) in slots.enumerated() where isFramed {
      var reader = try column(index)
      try source.skip(slot.type, rows: slot.rows, depth: depth, &reader)
      try Self.checkEnd(reader, "the column")
    }
    var end = try end()
    if slots.isEmpty, hasMark { try source.reading(&end) { try FixedColumn.skip(count: 1, width: 0, from: &$0) } }
    try Self.checkEnd(end, "the columns")
  }

  private static func checkEnd(_ reader: ByteReader, _ what: String) throws(FormatError) {
    if reader.remaining > 0 { throw reader.fail(.malformed, "\(reader.remaining) bytes are left over behind \(what)") }
  }

  /// At a column.
  private func column(_ index: Int) throws -> ByteReader {
    var reader = try start(of: index)
    if !isFramed { return reader }
    let length = try source.reading(&reader) { try $0.readCount() }
    return try reader.slice(length)
  }

  private func start(of index: Int) throws -> ByteReader {
    while starts.count <= index {
      let slot = slots[starts.count - 1]
      var reader = starts[starts.count - 1]
      if isFramed {
        try reader.skip(try source.reading(&reader) { try $0.readCount() })
      } else {
        try source.skip(slot.type, rows: slot.rows, depth: depth, &reader)
      }
      starts.append(reader)
    }
    return starts[index]
  }
}
