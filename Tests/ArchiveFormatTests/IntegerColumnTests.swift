import ArchiveFormat
import Testing

@Suite("Integer columns")
struct IntegerColumnTests {
  private static func roundTrip(_ values: [Int64], _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> [UInt8]
  {
    let bytes = Integers.encode(values)
    let decoded = try readingAll(bytes) { try Integers.decode(values.count, &$0) }
    #expect(decoded == values, comment, sourceLocation: sourceLocation)
    try readingAll(bytes) { try IntegerColumn.skip(count: values.count, from: &$0) }
    return bytes
  }

  @Test("no rows take no bytes")
  func empty() throws { #expect(try Self.roundTrip([]) == []) }

  @Test("few rows are plain zigzag varints")
  func plain() throws {
    #expect(try Self.roundTrip([5]) == [10])
    #expect(try Self.roundTrip([0, -1, 1, 300]) == [0, 1, 2, 0xD8, 4])
    #expect(try Self.roundTrip([.min, .max, 0, 0, 0, 0, 0]).count == 25)
  }

  struct Shape: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var encoding: UInt8
    var size: Int?
    var values: [Int64]

    init(_ name: String, encoding: UInt8, size: Int? = nil, _ value: (Int64) -> Int64) {
      testDescription = name
      self.encoding = encoding
      self.size = size
      values = (0..<1024).map(value)
    }

    static let all: [Shape] = [
      Shape("constant", encoding: 0, size: 2) { _ in -7 },
      Shape("bytes", encoding: 1, size: 1027) { 1000 + ($0 * 7919) % 250 },
      Shape("16 bits", encoding: 2) { ($0 * 7919 + $0 * $0 * 31) % 65_000 },
      Shape("32 bits", encoding: 3) { $0 * 2_654_435_761 % 4_000_000_000 },
      Shape("raw", encoding: 4, size: 8193) { $0 &* $0 &* $0 &* 0x1E37_79B9_7F4A_7C15 },
      Shape("three bits", encoding: 5, size: 387) { ($0 * 5 + $0 / 3) % 8 },
      Shape("consecutive", encoding: 6, size: 5) { 500 + $0 },
      Shape("descending by 3", encoding: 6, size: 4) { -3 * $0 },
      Shape("timestamps", encoding: 6) { 1_700_000_000_000 + $0 * 1000 + ($0 * 7919) % 61 },
      Shape("runs", encoding: 7) { ($0 / 100) * ($0 / 100) * 77_777 % 1_000_003 },
    ]
  }

  @Test("each shape of data gets its encoding", arguments: Shape.all)
  func choice(shape: Shape) throws {
    let bytes = try Self.roundTrip(shape.values)
    #expect(bytes.first == shape.encoding)
    if let size = shape.size { #expect(bytes.count == size) }
  }

  @Test("every width of packed bits survives at every length that changes the tail", arguments: 1...64)
  func everyWidth(width: Int) throws {
    var generator = SeededGenerator(seed: UInt64(width))
    let mask = ~UInt64(0) >> UInt64(64 - width)
    for count in [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 23, 31, 63, 64, 65, 1000, 1023, 1024] {
      var values = (0..<count).map { _ in Int64(bitPattern: generator.next() & mask) }
      // Both ends of the range, in positions that make differences wide.
      values[0] = 0
      values[count - 1] = Int64(bitPattern: mask)
      let bytes = try Self.roundTrip(values, "width \(width), count \(count), seed \(width)")
      // Whole bytes are preferred to packed bits that save less than 15 %; encoding, base and width are a byte each.
      #expect(bytes.count * 85 <= (3 + (count * width + 7) / 8) * 100)
    }
  }

  @Test("every width of packed differences survives", arguments: 0...62)
  func everyDeltaWidth(width: Int) throws {
    var generator = SeededGenerator(seed: UInt64(width))
    let mask = width == 0 ? 0 : ~UInt64(0) >> UInt64(64 - width)
    for count in [8, 9, 15, 16, 17, 64, 1023, 1024] {
      var value = Int64(bitPattern: generator.next())
      let values = (0..<count).map { _ in
        value &+= Int64(bitPattern: generator.next() & mask) &+ 12_345_678
        return value
      }
      let bytes = try Self.roundTrip(values, "width \(width), count \(count), seed \(width)")
      if width <= 40 && count >= 64 { #expect(bytes.first == 6) }
    }
  }

  @Test(
    "the ends of every integer type survive",
    arguments: [
      (Int64(Int8.min), Int64(Int8.max)), (Int64(Int16.min), Int64(Int16.max)), (Int64(Int32.min), Int64(Int32.max)), (.min, .max),
      (0, Int64(UInt8.max)), (0, Int64(UInt16.max)), (0, Int64(UInt32.max)), (0, -1), (.min, .min + 1), (.max - 1, .max),
    ] as [(Int64, Int64)])
  func ends(low: Int64, high: Int64) throws {
    for count in [1, 7, 8, 1024] {
      _ = try Self.roundTrip((0..<count).map { $0 % 2 == 0 ? low : high })
      _ = try Self.roundTrip((0..<count).map { $0 < count / 2 ? low : high })
      _ = try Self.roundTrip((0..<count).map { low &+ Int64($0 % 3) &* (high &- low) })
    }
  }

  @Test("unsigned numbers on both sides of 2^63 are neighbours")
  func unsignedNeighbours() throws {
    let values = (0..<1024).map { Int64(bitPattern: (UInt64(1) << 63) - 100 + UInt64(($0 * 7919) % 200)) }
    let bytes = try Self.roundTrip(values)
    #expect(bytes.first == 1)
    #expect(bytes.count == 1 + 10 + 1024)
  }

  @Test("random shapes survive", arguments: 0..<200)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...1024, using: &generator)
    let width = UInt64.random(in: 0...63, using: &generator)
    let repeats = Int.random(in: 1...(Bool.random(using: &generator) ? 1 : 40), using: &generator)
    let base = Int64(bitPattern: generator.next() >> UInt64.random(in: 0...63, using: &generator))
    var values: [Int64] = []
    while values.count < count {
      let value = base &+ Int64(bitPattern: generator.next() >> (63 - width))
      values += [Int64](repeating: value, count: min(repeats, count - values.count))
    }
    if Bool.random(using: &generator) { values.sort() }
    _ = try Self.roundTrip(values, "seed \(seed)")
  }

  @Test(
    "malformed columns of eight rows are refused",
    arguments: [
      ("unknown encoding", [8, 0], .malformed), ("no encoding", [], .truncated), ("no value", [0], .truncated),
      ("one byte short", [1, 0, 1, 2, 3, 4, 5, 6, 7], .truncated), ("width 0", [5, 0, 0], .malformed),
      ("width 58", [5, 0, 58] + [UInt8](repeating: 0, count: 58), .malformed), ("packed short", [5, 0, 2, 0], .truncated),
      ("set bits after the last", [6, 0, 0, 1, 0x80], .malformed), ("delta width 58", [6, 0, 0, 58], .malformed),
      ("no runs", [7, 0], .malformed), ("an empty run", [7, 2, 8, 0, 0, 0], .malformed), ("runs too short", [7, 1, 7, 0], .malformed),
      ("runs too long", [7, 1, 9, 0], .malformed), ("more runs than rows", [7, 2, 8, 0, 1, 0], .malformed),
      ("an enormous run", [7, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0], .malformed),
      ("raw short", [4, 0, 0, 0, 0], .truncated), ("16 bits short", [2, 0] + [UInt8](repeating: 0, count: 15), .truncated),
      ("32 bits short", [3, 0] + [UInt8](repeating: 0, count: 31), .truncated),
    ] as [(String, [UInt8], FormatError.Code)])
  func malformed(name: String, bytes: [UInt8], code: FormatError.Code) {
    #expect(formatError { _ = try reading(bytes) { try Integers.decode(8, &$0) } }?.code == code)
    #expect(formatError { try reading(bytes) { try IntegerColumn.skip(count: 8, from: &$0) } }?.code == code)
  }

  @Test("decoding and skipping agree on damaged columns", arguments: 0..<60)
  func damage(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...40, using: &generator)
    let step = Int64.random(in: 0...20, using: &generator)
    let values = (0..<count).map { Int64($0 / 7) * step + Int64.random(in: 0...(step * 3), using: &generator) }
    for var bytes in [Integers.encode(values), Integers.encode(values.sorted()), Integers.encode(values.map { $0 / 30 })] {
      for _ in 0..<50 {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
        let decoded = try? reading(bytes) { r in
          _ = try Integers.decode(count, &r)
          return r.remaining
        }
        let skipped = try? reading(bytes) { r in
          try IntegerColumn.skip(count: count, from: &r)
          return r.remaining
        }
        #expect(decoded == skipped, "seed \(seed), \(bytes)")
      }
    }
  }
}
