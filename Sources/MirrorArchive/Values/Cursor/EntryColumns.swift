import ArchiveFormat

/// The entries of dictionaries: for each chunk of them a column of keys and a column of values.
final class EntryColumns {
  private let key: TypeID
  private let value: TypeID
  private let rows: Int
  private let poolID: UInt64
  private let depth: Int
  private let source: CursorSource
  private let origin: ByteReader
  /// The first entry of the chunk.
  private var base = 0
  private var chunk: ColumnGroup

  init(key: TypeID, value: TypeID, rows: Int, poolID: UInt64, depth: Int, at reader: ByteReader, _ source: CursorSource) {
    self.key = key
    self.value = value
    self.rows = rows
    self.poolID = poolID
    self.depth = depth
    self.source = source
    origin = reader
    chunk = Self.chunk(key, value, rows, poolID, depth, reader, source)
  }

  private static func chunk(
    _ key: TypeID, _ value: TypeID, _ rows: Int, _ poolID: UInt64, _ depth: Int, _ reader: ByteReader, _ source: CursorSource
  ) -> ColumnGroup {
    let rows = min(rows, maximumChunkRows)
    return ColumnGroup(
      [ColumnGroup.Slot(type: key, rows: rows, poolID: poolID), ColumnGroup.Slot(type: value, rows: rows, poolID: poolID)], depth: depth,
      at: reader, source)
  }

  /// The columns of the key and the value of an entry, and its row in them.
  func columns(of entry: Int) throws -> (keys: ColumnCursor, values: ColumnCursor, row: Int) {
    if entry < base { open(0, at: origin) }
    while entry - base >= maximumChunkRows { open(base + maximumChunkRows, at: try chunk.end()) }
    return (try chunk.cursor(0), try chunk.cursor(1), entry - base)
  }

  private func open(_ first: Int, at reader: ByteReader) {
    base = first
    chunk = Self.chunk(key, value, rows - first, poolID, depth, reader, source)
  }
}
