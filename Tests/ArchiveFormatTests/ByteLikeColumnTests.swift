import ArchiveFormat
import Testing

@Suite("Columns of truth values, fixed-width values and byte strings")
struct ByteLikeColumnTests {
  @Test("truth values survive at every length", arguments: 0...70)
  func bools(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    for pattern in 0..<5 {
      let values = (0..<count).map { i in
        switch pattern {
        case 0: false
        case 1: true
        case 2: i == count - 1
        case 3: i != 0
        default: Bool.random(using: &generator)
        }
      }
      let bytes = Bools.encode(values)
      let trues = values.count { $0 }
      if count >= 8 { #expect(bytes.first == (trues == 0 ? 0 : trues == count ? 1 : 2)) }
      #expect(bytes.count == (count < 8 ? count : trues == 0 || trues == count ? 1 : 1 + (count + 7) / 8))
      #expect(try readingAll(bytes) { try Bools.decode(count, &$0) } == values)
      #expect(try readingAll(bytes) { try BoolColumn.countTrue(count: count, from: &$0) } == trues)
      try readingAll(bytes) { try BoolColumn.skip(count: count, from: &$0) }
    }
  }

  @Test("bits are stored least significant first")
  func bitOrder() {
    #expect(Bools.encode([true, false, false, false, false, false, false, false, false, true]) == [2, 1, 2])
  }

  @Test(
    "malformed truth columns are refused",
    arguments: [
      (1, [2], .malformed), (8, [3], .malformed), (8, [2], .truncated), (9, [2, 0, 2], .malformed), (9, [2, 1], .truncated),
      (3, [0, 1], .truncated),
    ] as [(Int, [UInt8], FormatError.Code)])
  func malformedBools(count: Int, bytes: [UInt8], code: FormatError.Code) {
    #expect(formatError { _ = try reading(bytes) { try Bools.decode(count, &$0) } }?.code == code)
    #expect(formatError { try reading(bytes) { try BoolColumn.skip(count: count, from: &$0) } }?.code == code)
  }

  @Test("fixed-width values survive", arguments: [1, 2, 16, 20], [0, 1, 7, 8, 1024])
  func fixed(width: Int, count: Int) throws {
    var generator = SeededGenerator(seed: 1)
    let distinct = (0..<(width * count)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let one = (0..<width).map { UInt8($0) }
    let same = [[UInt8]](repeating: one, count: count).flatMap { $0 }
    for (values, size) in [(distinct, width * count), (same, width)] {
      let bytes = Fixed.encode(values, width: width)
      #expect(bytes.count == (count < 8 ? width * count : 1 + size))
      #expect(try readingAll(bytes) { try Fixed.decode(count, width: width, &$0) } == values)
      try readingAll(bytes) { try FixedColumn.skip(count: count, width: width, from: &$0) }
    }
  }

  @Test("values without bytes take one zero byte per chunk", arguments: [1, 7, 8, 1024])
  func widthZero(count: Int) throws {
    #expect(Fixed.encode([], width: 0) == [0])
    #expect(try readingAll([0]) { try Fixed.decode(count, width: 0, &$0) } == [])
    try readingAll([0]) { try FixedColumn.skip(count: count, width: 0, from: &$0) }
    #expect(formatError { try reading([1]) { try FixedColumn.skip(count: count, width: 0, from: &$0) } }?.code == .malformed)
    #expect(formatError { _ = try reading([]) { try Fixed.decode(count, width: 0, &$0) } }?.code == .truncated)
  }

  @Test("impossible widths are refused without arithmetic that wraps")
  func hugeWidth() {
    #expect(formatError { try reading([1, 2]) { try FixedColumn.skip(count: 8, width: .max / 2, from: &$0) } }?.code == .truncated)
  }

  @Test("byte strings survive", arguments: [0, 1, 7, 8, 9, 1024])
  func byteStrings(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    for lengths in [[0], [1], [15], [16], [0, 1, 15, 16], [3, 70_000, 0], [5, 6, 7, 8, 200]] {
      let values = (0..<min(count, 1024)).map { i in
        (0..<(i < 8 || lengths[i % lengths.count] < 1000 ? lengths[i % lengths.count] : 1)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
      }
      let bytes = Strings.encode(values)
      if count >= 8 { #expect(bytes.first == BytesColumn.plainEncoding) }
      #expect(try readingAll(bytes) { try Strings.decode(count, &$0) } == values)
      try readingAll(bytes) { try BytesColumn.skip(count: count, from: &$0) }
      try readingAll(bytes) { try BytesColumn.skipPlain(count: count, from: &$0) }
    }
  }

  @Test("few byte strings are all lengths, then all contents")
  func plainLayout() { #expect(Strings.encode([[1], [], [2, 3]]) == [1, 0, 2, 1, 2, 3]) }

  @Test("a pooled column is skipped as its indices and not decoded")
  func pooled() throws {
    let bytes = [BytesColumn.pooledEncoding] + Integers.encode((0..<20).map { Int64($0 % 3) })
    try readingAll(bytes) { try BytesColumn.skip(count: 20, from: &$0) }
    #expect(formatError { _ = try reading(bytes) { try Strings.decode(20, &$0) } }?.code == .malformed)
    #expect(formatError { try reading(bytes) { try BytesColumn.skipPlain(count: 20, from: &$0) } }?.code == .malformed)
    #expect(formatError { try reading([3] + bytes) { try BytesColumn.skip(count: 20, from: &$0) } }?.code == .malformed)
  }

  @Test("lengths that are negative, too large or wrap around are refused")
  func hostileLengths() {
    let columns: [[Int64]] = [
      [-1] + [Int64](repeating: 1, count: 7), [Int64](repeating: 0, count: 7) + [100], [Int64](repeating: .max, count: 8),
      [.max, .max, 2] + [Int64](repeating: 0, count: 5), [Int64](repeating: 1 << 61, count: 8), [.min, .min, 0, 0, 0, 0, 0, 0],
      [Int64](repeating: 2, count: 8),
    ]
    for lengths in columns {
      let bytes = [BytesColumn.plainEncoding] + Integers.encode(lengths) + [1, 2, 3]
      #expect(formatError { _ = try reading(bytes) { try Strings.decode(8, &$0) } }?.code == .truncated, "\(lengths)")
      #expect(formatError { try reading(bytes) { try BytesColumn.skip(count: 8, from: &$0) } }?.code == .truncated, "\(lengths)")
    }
    #expect(
      formatError { _ = try reading([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]) { try Strings.decode(1, &$0) } }?.code
        == .truncated)
  }
}
