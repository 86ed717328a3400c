import ArchiveFormat

/// What hand-written coding has stored: body by body.
extension ArchiveValueReader {
  mutating func records(_ rows: Int, _ depth: Int) throws {
    let start = reader
    var lengths: [Int64] = []
    var bodies = start
    let shapes = unsafe try Self.filled(rows) { shapes throws(FormatError) in
      lengths = unsafe try Self.filled(rows) { lengths throws(FormatError) in
        // SAFETY: the decoder fills as many shapes and lengths or throws.
        bodies = unsafe try RecordColumn.decode(count: rows, from: &reader, shapes: shapes, lengths: lengths)
      }
    }
    // Back to the first body.
    reader = start
    try reader.skip(bodies.offset &- start.offset)
    tasks.append(.make(.records(rows: rows)))
    for row in (0..<rows).reversed() { tasks.append(.body(shape: shapes[row], length: Int(lengths[row]), depth: depth)) }
  }

  mutating func beginBody(_ number: Int64, _ length: Int, _ depth: Int) throws {
    guard let members = types.shape(of: number) else { throw reader.fail(.malformed, "type \(number) is not the shape of a record") }
    var behind = reader
    let inside = try behind.slice(length)
    enclosing.append((reader: behind, waiting: waiting))
    waiting = 0
    reader = inside
    tasks.append(.endOfBody(members: members))
    try push(members, 1, depth + 1)
  }

  mutating func endBody(_ members: [Property]) throws {
    guard let outer = enclosing.popLast() else { return }
    guard reader.remaining == 0 else { throw reader.fail(.malformed, "\(reader.remaining) bytes of a record belong to nothing") }
    reader = outer.reader
    waiting = outer.waiting
    let values = results.suffix(members.count)
    var made: [ArchiveValue.Member] = []
    made.reserveCapacity(members.count)
    for (member, column) in zip(members, values) {
      guard let value = column.first else { continue }
      let key = member.key == RecordShape.mark ? nil : RecordShape.key(of: member.key)
      made.append(ArchiveValue.Member(key, value, ArchiveType(member.type, in: table)))
    }
    results.removeLast(members.count)
    results.append([.container(made)])
  }
}
