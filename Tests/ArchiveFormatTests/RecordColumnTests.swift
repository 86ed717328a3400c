import ArchiveFormat
import Testing

@Suite("Columns of records")
struct RecordColumnTests {
  @Test("a short column is shapes, lengths and bodies; a longer one has encodings")
  func bytes() throws {
    #expect(Records.encode([], []) == [])
    #expect(Records.encode([64, 65], [[1, 2], [3]]) == [0x80, 1, 0x82, 1, 2, 1, 1, 2, 3])
    let eight = Records.encode([Int64](repeating: 64, count: 8), [[UInt8]](repeating: [9], count: 8))
    #expect(eight == [0, 0x80, 1] + [0] + [0, 2] + [UInt8](repeating: 9, count: 8))
  }

  @Test("shapes and bodies survive, at the offsets where they stand", arguments: [0, 1, 2, 7, 8, 9, 100, 1023, 1024])
  func roundTrip(count: Int) throws {
    let shapes = (0..<count).map { Int64(64 + $0 % 3) }
    let bodies = (0..<count).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: $0 % 5) }
    let column = Records.encode(shapes, bodies)
    try reading([7, 7] + column + [1, 2, 3]) { r in
      try r.skip(2)
      let read = try Records.decode(count, &r)
      #expect(read.shapes == shapes)
      #expect(try read.bodies.map(rest) == bodies)
      #expect(r.remaining == 3)
      #expect(read.bodies.last.map { $0.offset + $0.remaining } ?? r.offset == r.offset)
    }
    try reading(column + [1, 2, 3]) { r in
      try RecordColumn.skip(count: count, from: &r)
      #expect(r.remaining == 3)
    }
  }

  @Test("every prefix of a column throws", arguments: [1, 5, 8, 40])
  func prefixes(count: Int) {
    let column = Records.encode((0..<count).map { Int64(64 + $0 % 3) }, (0..<count).map { [UInt8](repeating: 1, count: $0 % 5 + 1) })
    for length in 0..<column.count {
      let prefix = [UInt8](column[..<length])
      #expect(formatError { _ = try reading(prefix) { try Records.decode(count, &$0) } }?.code == .truncated, "\(length)")
      #expect(formatError { try reading(prefix) { try RecordColumn.skip(count: count, from: &$0) } }?.code == .truncated, "\(length)")
    }
  }

  @Test(
    "lengths that cannot be and bodies in a pool are refused",
    arguments: [
      (1, [0x80, 1, 2, 9], .truncated),
      (1, [0x80, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], .truncated),
      // 2^63 - 1 twice, which add up to -2.
      (2, [0x80, 1, 0x80, 1] + ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F] as [UInt8]) * 2, .truncated),
      // Eight lengths of -1.
      (8, [0, 0x80, 1, 0, 0, 1] + [0] * 8, .truncated), (8, [0, 0x80, 1, BytesColumn.pooledEncoding, 0, 0] + [0] * 8, .malformed),
      (8, [9, 0x80, 1, 0, 0, 0], .malformed),
    ] as [(Int, [UInt8], FormatError.Code)])
  func hostileLengths(count: Int, bytes: [UInt8], code: FormatError.Code) {
    #expect(formatError { _ = try reading(bytes) { try Records.decode(count, &$0) } }?.code == code)
    #expect(formatError { try reading(bytes) { try RecordColumn.skip(count: count, from: &$0) } }?.code == code)
  }

  @Test("records with members of every scalar type and its optional survive", arguments: 0..<30)
  func everyScalar(seed: UInt64) throws {
    let scalars = (0..<32).map { TypeID($0) }.flatMap { [$0, $0.optionalOfScalar ?? $0] }
    var generator = SeededGenerator(seed: seed)
    // A shape of all types, one of a few of them, one without members.
    let orders = [scalars.shuffled(using: &generator), Array(scalars.shuffled(using: &generator).prefix(3)), []]
    let entries = orders.map { TypeEntry.tuple($0.map { Property(key: "k\($0.rawValue)", type: $0) }) }
    let table = TypeTable(entries: entries)
    #expect(try readingAll(written { table.encode(into: &$0) }) { try TypeTable(from: &$0) } == table)
    var maker = ColumnMaker(types: entries, seed: seed &+ 1000)
    let count = Int.random(in: 1...20, using: &generator)
    let shapes = (0..<count).map { _ in Int.random(in: 0..<3, using: &generator) }
    let columns = shapes.map { orders[$0].map { maker.column($0, 1) } }
    let bytes = Records.encode(shapes.map { Int64(64 + $0) }, columns.map { Array($0.joined()) })
    let skipper = ColumnSkipper(types: table)
    try readingAll(bytes) { r in
      let read = try Records.decode(count, &r)
      #expect(read.shapes == shapes.map { Int64(64 + $0) }, "seed \(seed)")
      for (row, body) in read.bodies.enumerated() {
        var body = body
        let members = try #require(table.shape(of: read.shapes[row]))
        #expect(members.map(\.type) == orders[shapes[row]])
        for (member, column) in zip(members, columns[row]) {
          var value = body
          try skipper.skip(member.type, count: 1, from: &body)
          #expect(unsafe [UInt8](try value.readBytes(value.remaining - body.remaining)) == column, "seed \(seed), row \(row)")
        }
        #expect(body.remaining == 0, "seed \(seed), row \(row)")
      }
    }
    var visited: [Int64] = []
    try readingAll(bytes) { r in
      unsafe try skipper.visitReferences(.record, count: count, from: &r) { unsafe visited += $0 }
    }
    #expect(visited == maker.references, "seed \(seed)")
  }
}

private func * (bytes: [UInt8], times: Int) -> [UInt8] { (0..<times).flatMap { _ in bytes } }
