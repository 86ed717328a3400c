import ArchiveFormat

/// What hand-written coding has stored: the bodies are looked into one at a time.
struct RecordChunk {
  private let shapes: [Int64]
  /// Where each body begins, and where the last one ends.
  private let starts: [Int]
  private let bodies: ByteReader

  init(_ rows: Int, _ source: CursorSource, _ reader: inout ByteReader) throws {
    var lengths: [Int64] = []
    var shapes: [Int64] = []
    bodies = try source.reading(&reader) { reader in
      var bodies = reader
      // SAFETY: the decoder fills as many shapes and lengths or throws.
      shapes = unsafe try ArchiveValueReader.filled(rows) { shapes throws(FormatError) in
        lengths = unsafe try ArchiveValueReader.filled(rows) { lengths throws(FormatError) in
          // SAFETY: the decoder fills as many shapes and lengths or throws.
          bodies = unsafe try RecordColumn.decode(count: rows, from: &reader, shapes: shapes, lengths: lengths)
        }
      }
      return bodies
    }
    self.shapes = shapes
    var starts = [0]
    starts.reserveCapacity(rows + 1)
    var total = 0
    for length in lengths {
      total += Int(length)
      starts.append(total)
    }
    self.starts = starts
  }

  func row(_ row: Int, _ column: ColumnCursor) throws -> ColumnCursor.Row {
    guard let members = column.source.types.shape(of: shapes[row]) else {
      throw bodies.fail(.malformed, "type \(shapes[row]) is not the shape of a record")
    }
    var reader = bodies
    try reader.skip(starts[row])
    let body = try reader.slice(starts[row + 1] - starts[row])
    guard members.count <= body.remaining else {
      throw body.fail(.truncated, "the values of a record do not fit its \(body.remaining) bytes")
    }
    return .node(.record(members), .members(column.group(members, 1, at: body), row: 0), count: members.count)
  }
}
