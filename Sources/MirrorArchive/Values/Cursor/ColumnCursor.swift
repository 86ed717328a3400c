import ArchiveFormat

/// A column whose rows are read when they are asked for: at most a chunk of 1,024 of them is held, and nothing of the columns inside but what
/// has been asked for.
///
/// Meant to be gone through forwards; going back begins again at the first row.
final class ColumnCursor {
  /// What a row is.
  enum Row {
    case scalar(ArchiveValue)
    /// The nil of an Optional.
    case absent
    /// An Optional that is there.
    case present(ColumnCursor, row: Int)
    case node(ValueNode, Parts, count: Int)
  }

  /// Where the parts of a value are.
  enum Parts {
    case none
    /// Rows of one column.
    case rows(ColumnGroup, column: Int, first: Int)
    /// The same row of one column each.
    case members(ColumnGroup, row: Int)
    case entries(EntryColumns, first: Int)
  }

  let type: TypeID
  private let rows: Int
  let poolID: UInt64
  let depth: Int
  let source: CursorSource
  private let origin: ByteReader
  /// The first row of the chunk.
  private var base = 0
  /// Where the chunk begins.
  private var start: ByteReader
  /// Where the chunk ends, if that is known.
  private var behind: ByteReader?
  /// What is known of the chunk; nil if it has not been read.
  private var chunk: ColumnChunk?

  /// - Throws: `limitExceeded` if there are too many types in types.
  init(_ type: TypeID, rows: Int, poolID: UInt64, depth: Int, at reader: ByteReader, _ source: CursorSource) throws(FormatError) {
    guard depth <= ArchiveValueReader.maximumDepth else {
      throw reader.fail(.limitExceeded, "values are nested more than \(ArchiveValueReader.maximumDepth) levels deep")
    }
    self.type = type
    self.rows = rows
    self.poolID = poolID
    self.depth = depth
    self.source = source
    origin = reader
    start = reader
  }

  /// What a row is.
  ///
  /// - Complexity: O(1) in the chunk that was read last, else O(bytes up to the chunk of the row).
  func row(_ row: Int) throws -> Row {
    guard row >= 0, row < rows else { throw start.fail(.malformed, "there is no row \(row)") }
    if row < base { move(0, to: origin) }
    while row - base >= maximumChunkRows {
      var end = start
      if let behind { end = behind } else { try source.skip(type, rows: min(rows - base, maximumChunkRows), depth: depth, &end) }
      move(base + maximumChunkRows, to: end)
    }
    if let chunk { return try chunk.row(row - base, self) }
    var reader = start
    let chunk = try ColumnChunk(min(rows - base, maximumChunkRows), of: self, &reader)
    if chunk.isPassed { behind = reader }
    self.chunk = chunk
    return try chunk.row(row - base, self)
  }

  private func move(_ row: Int, to reader: ByteReader) {
    base = row
    start = reader
    behind = nil
    chunk = nil
  }
}
