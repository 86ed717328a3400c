import ArchiveFormat
import MirrorArchive

/// A column of any type, read by everything that reads columns by their type alone: all have to find the same end.
enum AnyColumn {
  static func run(_ type: TypeID, _ rows: Int, _ column: ByteReader) throws(FuzzFailure) {
    let types = SampleTypes.table
    let skipper = ColumnSkipper(types: types)
    let skipped = end { r throws(FormatError) in try skipper.skip(type, count: rows, from: &r) }(column)
    var numbers = 0
    let visited = end { r throws(FormatError) in
      unsafe try skipper.visitReferences(type, count: rows, from: &r) { numbers += $0.count }
    }(column)
    if let visited {
      try require(visited == skipped, "visiting ends at \(visited), skipping at \(skipped.map(String.init) ?? "an error")")
    } else if skipped != nil, !hasRecords(type, column) {
      throw FuzzFailure("visiting fails where skipping does not, and there are no records")
    }
    for object in [0, 1_024] {
      var r = column
      let found = try? ReferenceSearch(for: object, in: types).find(type, count: rows, in: &r)
      if let found = found.flatMap(\.self) { try require(found.row >= 0 && found.row < rows, "an object is found in row \(found.row)") }
    }
    try readByMap(type, rows, column, skipped: skipped, visited: visited)
  }

  private static func readByMap(_ type: TypeID, _ rows: Int, _ column: ByteReader, skipped: Int?, visited: Int?) throws(FuzzFailure) {
    var map = ColumnMap(SampleTypes.table)
    var r = column
    do throws(ColumnMap.Stop) {
      try map.walk(type, rows, &r)
    } catch {
      if error == .bounds { return }
      // A map looks into records, as visiting does.
      try require(visited == nil, "a column that is visited up to \(visited ?? 0) makes no sense to the other reading")
      return
    }
    try require(visited == r.offset, "the other reading ends at \(r.offset), visiting at \(visited.map(String.init) ?? "an error")")
    try readValues(type, rows, column, end: r.offset)
  }

  /// Reads the column as values without types, which looks at more than where it ends.
  private static func readValues(_ type: TypeID, _ rows: Int, _ column: ByteReader, end: Int) throws(FuzzFailure) {
    var r = column
    let values: [ArchiveValue]
    do {
      values = try ArchiveValues(types: SampleTypes.table, objectCounts: [maximumChunkRows, 3], length: column.remaining).values(
        type, count: rows, from: &r, poolID: 0)
    } catch {
      try require(error is ArchiveError, "reading values throws \(error)")
      return
    }
    try require(values.count == rows, "\(values.count) values were read for \(rows) rows")
    try require(r.offset == end, "the values end at \(r.offset), the column at \(end)")
  }

  /// Whether somewhere in the column may be records, of which skipping knows less than visiting.
  private static func hasRecords(_ type: TypeID, _ column: ByteReader) -> Bool {
    if (type.wrappedScalar ?? type) == .record { return true }
    // Any may hold everything, and so may what holds Any.
    return type == .any || type.wrappedScalar == .any || type.entryIndex.map { recordEntries.contains($0) } ?? false
  }

  private static let recordEntries: Set<Int> = [4, 16, 18, 19]

  private static func end(
    _ body: @escaping (inout ByteReader) throws(FormatError) -> Void
  ) -> (ByteReader) -> Int? {
    { column in
      var r = column
      do throws(FormatError) { try body(&r) } catch { return nil }
      return r.offset
    }
  }
}
