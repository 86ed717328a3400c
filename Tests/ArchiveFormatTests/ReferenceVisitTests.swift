import ArchiveFormat
import Testing

@Suite("References are visited in the order of the bytes")
struct ReferenceVisitTests {
  private static func visit(
    _ type: TypeID, _ count: Int, _ bytes: [UInt8], types: [TypeEntry] = [], depth: Int = 0
  ) throws -> (chunks: [[Int64]], remaining: Int) {
    var chunks: [[Int64]] = []
    let remaining = try reading(bytes) { r in
      unsafe try ColumnSkipper(types: TypeTable(entries: types)).visitReferences(type, count: count, depth: depth, from: &r) {
        unsafe chunks.append([Int64]($0))
      }
      return r.remaining
    }
    return (chunks, remaining)
  }

  private static func code(_ type: TypeID, _ count: Int, _ bytes: [UInt8], types: [TypeEntry], depth: Int = 0) -> FormatError.Code? {
    formatError { _ = try visit(type, count, bytes, types: types, depth: depth) }?.code
  }

  /// One of each kind of type, several of them recursive.
  static let types: [TypeEntry] = [
    SampleFrames.point, .optional(.reference), .array(TypeID(entry: 0)), .set(TypeID(entry: 1)),
    .dictionary(key: .reference, value: TypeID(entry: 2)), .inlineArray(TypeID(entry: 1), count: 3), .inlineArray(.reference, count: 0),
    .tuple([]),
    .tuple([
      Property(key: "a", type: .record), Property(key: "b", type: .reference), Property(key: "c", type: TypeID(entry: 4)),
      Property(key: "d", type: .string),
    ]),
    .structure(name: "S", version: 0, fields: [Property(key: "x", type: .any), Property(key: "y", type: TypeID(entry: 3))]),
    .enumeration(
      name: "E", version: 0,
      cases: [
        EnumCase(name: "a", payload: .reference), EnumCase(name: "b"), EnumCase(name: "c", payload: TypeID(entry: 8)),
        EnumCase(name: "d", payload: .int),
      ]),
    .array(TypeID(entry: 10)), .tuple([Property(key: "", type: TypeID(entry: 11)), Property(key: "", type: .any)]),
    .optional(.record),
  ]

  @Test("chunks of numbers come one after another")
  func chunks() throws {
    let numbers = (0..<2100).map { Int64($0 * $0 % 77) }
    let bytes =
      Integers.encode(Array(numbers[..<1024])) + Integers.encode(Array(numbers[1024..<2048])) + Integers.encode(Array(numbers[2048...]))
    let visited = try Self.visit(.reference, 2100, bytes + [1])
    #expect(visited.chunks.map(\.count) == [1024, 1024, 52])
    #expect(visited.chunks.flatMap { $0 } == numbers)
    #expect(visited.remaining == 1)
    #expect(try Self.visit(.reference, 0, []).chunks == [])
    #expect(try Self.visit(.int, 3, [2, 4, 6]).chunks == [])
  }

  @Test("keys and values of a dictionary take turns chunk by chunk")
  func dictionaries() throws {
    let types: [TypeEntry] = [.dictionary(key: .reference, value: .reference)]
    let bytes =
      Integers.encode([1026]) + Integers.encode([Int64](repeating: 1, count: 1024)) + Integers.encode([Int64](repeating: 2, count: 1024))
      + Integers.encode([3, 3]) + Integers.encode([4, 4])
    let visited = try Self.visit(TypeID(entry: 0), 1, bytes, types: types)
    #expect(visited.chunks.map(\.count) == [1024, 1024, 2, 2])
    #expect(visited.chunks.map { $0[0] } == [1, 2, 3, 4])
  }

  @Test("the bodies of records are looked into, one after another")
  func records() throws {
    let types: [TypeEntry] = [
      .tuple([Property(key: "a", type: .reference), Property(key: "b", type: .string), Property(key: "c", type: .reference)]),
      .tuple([Property(key: "inner", type: .record), Property(key: "after", type: .reference)]), .tuple([]),
    ]
    let leaf: [UInt8] = [2, 1, 0x7A, 4]
    let inner = Records.encode([64], [leaf])
    let nested = inner + [6]
    let bytes = Records.encode([65, 66, 64, 66], [nested, [], [8, 0, 10], []])
    let visited = try Self.visit(.record, 4, bytes + [7], types: types)
    #expect(visited.chunks == [[1], [2], [3], [4], [5]])
    #expect(visited.remaining == 1)
    #expect(try Self.visit(.record, 3, Records.encode([66, 66, 66], [[], [], []]), types: types).chunks == [])
    #expect(try Self.visit(.record, 0, [1], types: types).remaining == 1)
  }

  @Test("numbers are found wherever they stand, and skipping ends at the same place", arguments: 0..<60)
  func everywhere(seed: UInt64) throws {
    var maker = ColumnMaker(types: Self.types, seed: seed)
    for type in [.any, .record] + Self.types.indices.map({ TypeID(entry: $0) }) {
      let rows = [1, 3, 8, 20].randomElement(using: &maker.generator) ?? 1
      maker.references = []
      let bytes = maker.column(type, rows)
      let visited = try Self.visit(type, rows, bytes + [1, 2, 3], types: Self.types)
      #expect(visited.chunks.flatMap { $0 } == maker.references, "seed \(seed), type \(type.rawValue)")
      #expect(visited.remaining == 3, "seed \(seed), type \(type.rawValue)")
      try reading(bytes + [1, 2, 3]) { r in
        try ColumnSkipper(types: TypeTable(entries: Self.types)).skip(type, count: rows, from: &r)
        #expect(r.remaining == 3, "seed \(seed), type \(type.rawValue)")
      }
    }
  }

  @Test("prefixes throw, and damaged bytes throw or are visited", arguments: 0..<20)
  func damage(seed: UInt64) {
    var maker = ColumnMaker(types: Self.types, seed: seed &+ 500)
    for type in [TypeID.record, .any, TypeID(entry: 8), TypeID(entry: 12)] {
      let bytes = Array(maker.column(type, 9).prefix(2000))
      let whole = formatError { _ = try Self.visit(type, 9, bytes, types: Self.types) } == nil
      for length in 0..<bytes.count where length < 300 || length % 7 == 0 {
        let code = Self.code(type, 9, [UInt8](bytes[..<length]), types: Self.types)
        if whole { #expect(code == .truncated, "seed \(seed), type \(type.rawValue), \(length) bytes") }
      }
      for _ in 0..<200 where !bytes.isEmpty {
        var damaged = bytes
        damaged[Int.random(in: damaged.indices, using: &maker.generator)] =
          [0, 1, 7, 8, 0x40, 0x7F, 0x80, 0xFF].randomElement(using: &maker.generator) ?? 0
        _ = Self.code(type, 9, damaged, types: Self.types)
      }
    }
  }

  @Test("what the closure throws ends the visit")
  func throwing() throws {
    var seen = 0
    let error = formatError {
      try reading([2, 4, 6, 8]) { r in
        unsafe try ColumnSkipper(
          types: TypeTable(entries: [.tuple([Property(key: "", type: .reference), Property(key: "", type: .reference)])])
        )
        .visitReferences(TypeID(entry: 0), count: 2, from: &r) { numbers throws(FormatError) in
          seen += numbers.count
          throw FormatError(code: .limitExceeded, offset: 77, message: "enough")
        }
      }
    }
    #expect(error == FormatError(code: .limitExceeded, offset: 77, message: "enough"))
    #expect(seen == 2)
  }

  @Test("shapes that are none and bodies of another length are refused")
  func hostileRecords() {
    let types: [TypeEntry] = [
      .tuple([Property(key: "a", type: .int), Property(key: "b", type: .string)]), .tuple([]),
      .structure(name: "S", version: 0, fields: []),
    ]
    func code(_ shapes: [Int64], _ bodies: [[UInt8]]) -> FormatError.Code? {
      Self.code(.record, shapes.count, Records.encode(shapes, bodies), types: types)
    }
    #expect(code([64], [[2, 0]]) == nil)
    for shape in [66, 67, 63, 30, 0, -1, .max, .min, 64 + 1 << 32] as [Int64] {
      #expect(code([shape], [[2, 0]]) == .malformed, "\(shape)")
    }
    #expect(code([64], [[]]) == .truncated)
    #expect(code([64], [[2]]) == .truncated)
    #expect(code([64], [[2, 3]]) == .truncated)
    // The bytes of the next body are no part of this one.
    #expect(code([64, 64], [[2, 3], [0x61, 0x61, 0x61]]) == .truncated)
    #expect(code([64], [[2, 0, 0]]) == .malformed)
    #expect(code([65], [[0]]) == .malformed)
    #expect(code([65], [[]]) == nil)
    // By their lengths they are passed over all the same.
    let bytes = Records.encode([.max, 0], [[1, 2, 3], []])
    #expect(
      formatError {
        try readingAll(bytes) { r in try ColumnSkipper(types: TypeTable(entries: types)).skip(.record, count: 2, from: &r) }
      } == nil)
  }

  @Test("records in records are nested up to the limit")
  func depth() {
    let types: [TypeEntry] = [.tuple([Property(key: "r", type: .record)]), .tuple([])]
    func nested(_ levels: Int) -> [UInt8] {
      // From the inside out; each level has its shape and the length in front.
      var bytes = Records.encode([65], [[]])
      for _ in 0..<levels { bytes = Records.encode([64], [bytes]) }
      return bytes
    }
    #expect(Self.code(.record, 1, nested(1_600), types: types) == nil)
    #expect(Self.code(.record, 1, nested(1_601), types: types) == .limitExceeded)
    #expect(Self.code(.record, 1, nested(1), types: types, depth: 1_600) == .limitExceeded)
  }

  @Test("what waits outside of a record does not count against its bytes")
  func outerTasks() throws {
    let many = (0..<40).map { Property(key: "m\($0)", type: .int) }
    let types: [TypeEntry] = [
      .tuple([Property(key: "r", type: .record)] + many), .tuple([Property(key: "", type: TypeID(entry: 2))]),
      .tuple([Property(key: "", type: .reference), Property(key: "", type: .reference)]),
    ]
    let bytes = Records.encode([65], [[2, 4]]) + [UInt8](repeating: 0, count: 40)
    let visited = try Self.visit(TypeID(entry: 0), 1, bytes, types: types)
    #expect(visited.chunks == [[1], [2]])
    #expect(visited.remaining == 0)
  }
}
