import ArchiveFormat
import Testing

@Suite("Columns are skipped by their type alone")
struct ColumnSkipperTests {
  private static func remaining(
    _ type: TypeID, _ count: Int, _ bytes: [UInt8], types: [TypeEntry] = [], depth: Int = 0
  ) throws -> Int {
    try reading(bytes) { r in
      try ColumnSkipper(types: TypeTable(entries: types)).skip(type, count: count, depth: depth, from: &r)
      return r.remaining
    }
  }

  private static func code(_ type: TypeID, _ count: Int, _ bytes: [UInt8], types: [TypeEntry] = [], depth: Int = 0) -> FormatError.Code? {
    formatError { _ = try remaining(type, count, bytes, types: types, depth: depth) }?.code
  }

  /// A column of `count` rows of each scalar.
  static func scalarColumn(_ type: TypeID, _ count: Int) -> [UInt8] {
    let integers = (0..<count).map { Int64(($0 * 37) % 11) }
    switch type {
    case .bool: return Bools.encode(integers.map { $0 > 5 })
    case .double, .date, .cgFloat: return Doubles.encode(integers.map { Double($0) / 8 })
    case .string, .data, .character, .substring: return Strings.encode(integers.map { [UInt8](repeating: 0x61, count: Int($0)) })
    case .uuid: return Fixed.encode((0..<(16 * count)).map { UInt8(truncatingIfNeeded: $0) }, width: 16)
    case .float: return Floats.encode(integers.map { Float($0) })
    case .int128, .uint128, .duration: return Integers.encode(integers) + Integers.encode(integers.map { $0 * 1000 })
    case .float16: return Fixed.encode((0..<(2 * count)).map { UInt8(truncatingIfNeeded: $0) }, width: 2)
    case .decimal: return Fixed.encode((0..<(20 * count)).map { UInt8(truncatingIfNeeded: $0) }, width: 20)
    case .void: return count == 0 ? [] : [0]
    case .record: return Records.encode(integers.map { _ in 64 }, integers.map { [UInt8](repeating: 0x61, count: Int($0)) })
    case .any: return count == 0 ? [] : [1, 1] + Integers.encode([Int64](repeating: 0, count: count)) + Integers.encode(integers)
    default: return Integers.encode(integers)
    }
  }

  @Test("every scalar and its optional end where they should", arguments: 0..<32)
  func scalars(raw: UInt32) throws {
    let type = TypeID(raw)
    let optional = try #require(type.optionalOfScalar)
    for count in [0, 1, 7, 8, 100, 1024] {
      let bytes = Self.scalarColumn(type, count)
      #expect(count == 0 ? bytes.isEmpty : !bytes.isEmpty)
      #expect(try Self.remaining(type, count, bytes + [1, 2, 3]) == 3)
      if !bytes.isEmpty { #expect(Self.code(type, count, bytes.dropLast()) == .truncated) }
      let presence = (0..<count).map { $0 % 3 != 0 }
      let present = Self.scalarColumn(type, presence.count { $0 })
      #expect(try Self.remaining(optional, count, Bools.encode(presence) + present + [9]) == 1)
    }
  }

  @Test("more rows than a chunk holds are chunks of 1,024")
  func chunks() throws {
    let bytes = Self.scalarColumn(.string, 1024) + Self.scalarColumn(.string, 1024) + Self.scalarColumn(.string, 5)
    #expect(try Self.remaining(.string, 2053, bytes + [1]) == 1)
  }

  @Test("collections are their counts, then their elements in chunks")
  func collections() throws {
    let counts = Integers.encode([0, 2000, 3])
    let elements = Self.scalarColumn(.uuid, 1024) + Self.scalarColumn(.uuid, 979)
    #expect(try Self.remaining(TypeID(64), 3, counts + elements + [7], types: [.array(.uuid)]) == 1)
    #expect(try Self.remaining(TypeID(64), 3, counts + elements + [7], types: [.set(.uuid)]) == 1)
    let entries =
      Self.scalarColumn(.string, 1024) + Self.scalarColumn(.int, 1024) + Self.scalarColumn(.string, 979) + Self.scalarColumn(.int, 979)
    #expect(try Self.remaining(TypeID(64), 3, counts + entries + [7], types: [.dictionary(key: .string, value: .int)]) == 1)
    #expect(try Self.remaining(TypeID(64), 3, Integers.encode([0, 0, 0]) + [7], types: [.array(.uuid)]) == 1)
  }

  @Test("inline arrays are flattened, and take a zero byte if they hold nothing")
  func inlineArrays() throws {
    let types: [TypeEntry] = [.inlineArray(.int, count: 300), .inlineArray(.int, count: 0)]
    let bytes = Self.scalarColumn(.int, 1024) + Self.scalarColumn(.int, 176)
    #expect(try Self.remaining(TypeID(64), 4, bytes + [7], types: types) == 1)
    #expect(try Self.remaining(TypeID(65), 4, [0, 7], types: types) == 1)
    #expect(try Self.remaining(TypeID(65), 0, [7], types: types) == 1)
  }

  @Test("structures and tuples are their fields, and take a zero byte without any")
  func structures() throws {
    let members = [Property(key: "a", type: .int), Property(key: "b", type: TypeID(65)), Property(key: "c", type: .string)]
    let types: [TypeEntry] = [.structure(name: "S", version: 0, fields: members), .tuple([])]
    let bytes = Self.scalarColumn(.int, 9) + [0] + Self.scalarColumn(.string, 9)
    #expect(try Self.remaining(TypeID(64), 9, bytes + [7], types: types) == 1)
    #expect(try Self.remaining(TypeID(65), 1024, [0, 7], types: types) == 1)
    #expect(Self.code(TypeID(65), 1, [1], types: types) == .malformed)
  }

  @Test("enumerations are case indices, then the payloads of the cases that occur")
  func enumerations() throws {
    let cases = [
      EnumCase(name: "a", payload: .string), EnumCase(name: "b"), EnumCase(name: "c", payload: .int), EnumCase(name: "d", payload: .uuid),
    ]
    let types: [TypeEntry] = [.enumeration(name: "E", version: 0, cases: cases)]
    let indices = (0..<20).map { Int64([2, 0, 1][$0 % 3]) }
    let bytes = Integers.encode(indices) + Self.scalarColumn(.string, 7) + Self.scalarColumn(.int, 7)
    #expect(try Self.remaining(TypeID(64), 20, bytes + [7], types: types) == 1)
    #expect(Self.code(TypeID(64), 1, [8, 0], types: types) == .malformed)
    #expect(Self.code(TypeID(64), 1, [1, 0], types: types) == .malformed)
    #expect(Self.code(TypeID(64), 1, [0, 0], types: [.enumeration(name: "Never", version: 0, cases: [])]) == .malformed)
    // Many more cases than rows.
    let many: [TypeEntry] = [.enumeration(name: "M", version: 0, cases: (0..<5000).map { EnumCase(name: "\($0)", payload: .int) })]
    #expect(try Self.remaining(TypeID(64), 3, Integers.encode([4000, 7, 4000]) + [2] + [4, 6] + [7], types: many) == 1)
  }

  @Test("Any is types, indices into them, then one column per type")
  func anyValues() throws {
    let bytes = [2, 1, 3] + Integers.encode([1, 0, 1]) + [10] + Self.scalarColumn(.string, 2)
    #expect(try Self.remaining(.any, 3, bytes + [7]) == 1)
    #expect(Self.code(.any, 3, [0, 0, 0, 0]) == .malformed)
    #expect(Self.code(.any, 3, [4, 1, 1, 1, 1, 0, 0, 0]) == .malformed)
    #expect(Self.code(.any, 1, [1, 100, 0, 0]) == .malformed)
    #expect(try Self.remaining(.any, 1, [1, 64, 0, 0], types: [SampleFrames.point]) == 0)
    #expect(Self.code(.any, 1, [1, 1, 2, 0]) == .malformed)
  }

  @Test("the type of a class stands for a reference") func objects() throws {
    #expect(try Self.remaining(TypeID(64), 2, [0, 2, 7], types: [SampleFrames.point]) == 1)
  }

  @Test("what does not exist is no type of values", arguments: [65, 66] as [UInt32])
  func noValues(raw: UInt32) { #expect(Self.code(TypeID(raw), 1, [0, 0, 0], types: [SampleFrames.point]) == .malformed) }

  @Test("nesting is bounded")
  func depth() throws {
    #expect(Self.code(.int, 1, [0], depth: 1_601) == .limitExceeded)
    #expect(try Self.remaining(.int, 1, [0], depth: 1_600) == 0)
    let chain: [TypeEntry] = (0..<1_700).map { .optional($0 < 1_699 ? TypeID(entry: $0 + 1) : .int) }
    #expect(Self.code(TypeID(64), 1, [UInt8](repeating: 1, count: 2000), types: chain) == .limitExceeded)
    #expect(try Self.remaining(TypeID(entry: 200), 1, [UInt8](repeating: 1, count: 1_501), types: chain) == 0)
    // Any in Any in Any.
    #expect(Self.code(.any, 1, (0..<2000).flatMap { _ in [1, 23, 0] as [UInt8] }) == .limitExceeded)
  }

  @Test("hostile counts are refused")
  func hostileCounts() {
    let types: [TypeEntry] = [
      .array(.int), .dictionary(key: .int, value: .int), .inlineArray(.int, count: .max), .inlineArray(.void, count: 1 << 40),
      .array(.void),
    ]
    #expect(Self.code(TypeID(64), 1, [1], types: types) == .malformed)
    #expect(Self.code(TypeID(64), 2, Integers.encode([.max, .max]), types: types) == .truncated)
    #expect(Self.code(TypeID(64), 8, Integers.encode([Int64](repeating: .max, count: 8)), types: types) == .truncated)
    #expect(Self.code(TypeID(65), 1, Integers.encode([1 << 40]) + [0, 0], types: types) == .truncated)
    #expect(Self.code(TypeID(66), 2, [0, 0], types: types) == .truncated)
    #expect(Self.code(TypeID(67), 1, [0, 0], types: types) == .truncated)
    #expect(Self.code(TypeID(68), 1, Integers.encode([1 << 20]) + [UInt8](repeating: 0, count: 1023), types: types) == .truncated)
    #expect(Self.code(TypeID(68), 1, Integers.encode([1 << 20]) + [UInt8](repeating: 0, count: 1024), types: types) == nil)
    #expect(Self.code(.int, -1, [0]) == .malformed)
  }

  /// A frame with a block of every scalar, every optional scalar and one of each kind of type.
  static let everything: [UInt8] = {
    let count = 12
    let presence = (0..<count).map { $0 % 3 != 0 }
    var properties: [Property] = []
    var block: [UInt8] = []
    for raw in 0..<32 as Range<UInt32> {
      properties.append(Property(key: "s\(raw)", type: TypeID(raw)))
      block += scalarColumn(TypeID(raw), count)
      properties.append(Property(key: "o\(raw)", type: TypeID(raw + 32)))
      block += Bools.encode(presence) + scalarColumn(TypeID(raw), presence.count { $0 })
    }
    let pair = [Property(key: "l", type: .int), Property(key: "r", type: TypeID(entry: 1))]
    let types = TypeTable(entries: [
      .object(
        name: "All", version: 0, superclass: nil, properties: properties + (1...7).map { Property(key: "t\($0)", type: TypeID(entry: $0)) }),
      .optional(.string), .array(TypeID(entry: 1)), .dictionary(key: .string, value: .int), .inlineArray(.int16, count: 3), .tuple(pair),
      .structure(name: "Empty", version: 0, fields: []),
      .enumeration(name: "E", version: 0, cases: [EnumCase(name: "none"), EnumCase(name: "some", payload: TypeID(entry: 5))]),
    ])
    let optionals = Bools.encode(presence) + scalarColumn(.string, 8)
    block += optionals + Integers.encode([Int64](repeating: 1, count: count)) + optionals
    block += Integers.encode((0..<Int64(count)).map { $0 % 2 }) + scalarColumn(.string, 6) + scalarColumn(.int, 6)
    block += scalarColumn(.int16, 36) + scalarColumn(.int, count) + optionals + [0]
    block += Integers.encode((0..<Int64(count)).map { $0 % 2 }) + scalarColumn(.int, 6)
    block += Bools.encode([true, true, false, false, false, false]) + scalarColumn(.string, 2)
    return assemble(types, roots: [("everything", .reference, [0])], blocks: [(TypeID(entry: 0), count, block)])
  }()
}
