import ArchiveFormat
import Testing

@Suite("Floating-point columns")
struct FloatingPointColumnTests {
  private static func roundTrip(_ values: [Double], _ comment: Comment? = nil) throws -> [UInt8] {
    let bytes = Doubles.encode(values)
    let decoded = try readingAll(bytes) { try Doubles.decode(values.count, &$0) }
    #expect(decoded.map(\.bitPattern) == values.map(\.bitPattern), comment)
    try readingAll(bytes) { try DoubleColumn.skip(count: values.count, from: &$0) }
    return bytes
  }

  private static let special: [Double] = [
    0, -0.0, .nan, .signalingNaN, Double(bitPattern: 0xFFF8_0000_0000_1234), .infinity, -.infinity, .leastNonzeroMagnitude,
    -.leastNonzeroMagnitude, .greatestFiniteMagnitude, .leastNormalMagnitude, 0.1, 1e22, 1e300,
  ]

  @Test("few rows are their bytes")
  func plain() throws {
    #expect(try Self.roundTrip([]) == [])
    #expect(try Self.roundTrip([1]) == [0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
    for value in Self.special { #expect(try Self.roundTrip([Double](repeating: value, count: 7)).count == 56) }
  }

  @Test("equal bit patterns are stored once")
  func constant() throws {
    for value in Self.special {
      let bytes = try Self.roundTrip([Double](repeating: value, count: 1024))
      #expect(bytes.first == 0)
      #expect(bytes.count == 9)
    }
    // Equal numbers with different bits are not the same.
    #expect(try Self.roundTrip([0, -0.0, 0, 0, 0, 0, 0, 0]).first == 1)
  }

  @Test("one special value keeps a decimal column raw and whole", arguments: special)
  func specials(value: Double) throws {
    for place in [0, 1, 63, 64, 500, 1023] {
      var values = (0..<1024).map { Double($0) / 100 }
      values[place] = value
      let encoding = try #require(try Self.roundTrip(values).first)
      let isDecimal = value == 0 && value.sign == .plus || value == 0.1
      #expect(encoding == (isDecimal ? 2 : 1))
    }
  }

  @Test("money is stored as integers", arguments: 0...9)
  func decimal(scale: Int) throws {
    var generator = SeededGenerator(seed: UInt64(scale))
    let power = (0..<scale).reduce(1.0) { power, _ in power * 10 }
    for count in [8, 9, 64, 65, 1024] {
      // An odd last digit makes the scale necessary.
      let values = (0..<count).map { _ in Double(Int.random(in: -50_000...50_000, using: &generator) * 10 + 1) / power }
      let bytes = try Self.roundTrip(values, "scale \(scale)")
      #expect(bytes.first == 2)
      #expect(bytes[1] == UInt8(scale))
      #expect(bytes.count < count * 5)
    }
  }

  @Test("the scale rises when a later value needs it")
  func risingScale() throws {
    var values = (0..<1024).map { Double($0) }
    for (place, value) in [(3, 0.5), (100, 0.25), (700, 0.125), (1001, 0.0001)] { values[place] = value }
    let bytes = try Self.roundTrip(values)
    #expect(bytes[0] == 2)
    #expect(bytes[1] == 4)
  }

  @Test("a larger scale is not used where values in front do not fit it", arguments: [46: 2, 47: 2, 48: 1, 49: 1] as [Int: UInt8])
  func risingBeyondTheLimit(bit: Int, encoding: UInt8) throws {
    let base = Double(sign: .plus, exponent: bit, significand: 1)
    for sign in [1.0, -1.0] {
      var values = (0..<1024).map { sign * (base + Double($0 * 37 % 100)) }
      // Looked at neither first nor in the first 64 values.
      values[700] = 0.5
      #expect(try Self.roundTrip(values).first == encoding)
    }
  }

  @Test("whole numbers near the limit survive", arguments: [51, 52, 53, 62, 63])
  func largeWholes(bit: Int) throws {
    let base = Double(sign: .plus, exponent: bit, significand: 1)
    _ = try Self.roundTrip((0..<64).map { base + Double($0 - 32) })
    _ = try Self.roundTrip((0..<64).map { -base + Double($0 - 32) })
    _ = try Self.roundTrip((0..<64).map { base / 100 + Double($0) / 100 })
  }

  @Test("integers that would take more than the values are not used")
  func decimalsThatDoNotPay() throws {
    let values = (0..<8).map { Double((Int64($0) * 0x0003_9E37_79B9_7F4A) % (1 << 50)) * ($0 % 2 == 0 ? 1 : -1) }
    let bytes = try Self.roundTrip(values)
    #expect(bytes.first == 1)
    #expect(bytes.count == 65)
  }

  @Test("random bits are raw")
  func raw() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<100 {
      let values = (0..<64).map { _ in Double(bitPattern: generator.next()) }
      let bytes = try Self.roundTrip(values)
      #expect(bytes.first == 1)
      #expect(bytes.count == 513)
    }
  }

  @Test("random decimals survive", arguments: 0..<50)
  func randomDecimals(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let digits = Int.random(in: 0...12, using: &generator)
    let bits = UInt64.random(in: 1...53, using: &generator)
    let power = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    let values = (0..<Int.random(in: 1...1024, using: &generator)).map { _ in
      Double(generator.next() >> (64 - bits)) / power * (Bool.random(using: &generator) ? 1 : -1)
    }
    _ = try Self.roundTrip(values, "seed \(seed)")
  }

  @Test("a decimal column with integers beyond 2^53 is read as rounded numbers")
  func largeDecimals() throws {
    let integers = (0..<8).map { Int64.max - Int64($0 * $0 * 1_000_003) }
    let bytes = [2, 3] + Integers.encode(integers)
    #expect(try readingAll(bytes) { try Doubles.decode(8, &$0) } == integers.map { Double($0) / 1000 })
  }

  @Test(
    "malformed columns are refused",
    arguments: [
      ([3], .malformed), ([], .truncated), ([0, 1, 2], .truncated), ([1, 0, 0, 0], .truncated), ([2], .truncated),
      ([2, 10, 0, 0], .malformed), ([2, 0], .truncated), ([2, 0, 9], .malformed),
    ] as [([UInt8], FormatError.Code)])
  func malformed(bytes: [UInt8], code: FormatError.Code) {
    #expect(formatError { _ = try reading(bytes) { try Doubles.decode(8, &$0) } }?.code == code)
    #expect(formatError { try reading(bytes) { try DoubleColumn.skip(count: 8, from: &$0) } }?.code == code)
  }

  @Test("floats survive bit by bit", arguments: [0, 1, 7, 8, 1024])
  func floats(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    for constant in [true, false] {
      let bits = generator.next()
      let values = (0..<count).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: constant ? bits : generator.next())) }
      let bytes = Floats.encode(values)
      let size = count < 8 ? 4 * count : 1 + 4 * (constant ? 1 : count)
      #expect(bytes.count == size)
      #expect(try readingAll(bytes) { try Floats.decode(count, &$0) }.map(\.bitPattern) == values.map(\.bitPattern))
      try readingAll(bytes) { try FloatColumn.skip(count: count, from: &$0) }
    }
    #expect(formatError { _ = try reading([2, 0, 0, 0, 0]) { try Floats.decode(8, &$0) } }?.code == .malformed)
  }
}
