import ArchiveFormat
import Testing

/// However the smallest and the largest value of a chunk are found, they are the ones that a look at each finds.
@Suite("Ranges of integer chunks")
struct IntegerRangeTests {
  /// What the head of a chunk of offsets says; nil for other chunks.
  private static func head(_ bytes: [UInt8]) throws -> (base: Int64, width: Int?)? {
    try reading(bytes) { r in
      switch try r.readByte() {
      case 1, 2, 3: (try r.readZigzag(), nil)
      case 5: (try r.readZigzag(), Int(try r.readByte()))
      default: nil
      }
    }
  }

  private static func check(_ values: [Int64], _ comment: Comment) throws {
    let bytes = Integers.encode(values)
    #expect(try readingAll(bytes) { try Integers.decode(values.count, &$0) } == values, comment)
    if let head = try head(bytes), let low = values.min(), let high = values.max() {
      #expect(head.base == low, comment)
      if let width = head.width { #expect(width == 64 - UInt64(bitPattern: high &- low).leadingZeroBitCount, comment) }
    }
    if values.allSatisfy({ Int32(exactly: $0) != nil }) {
      let narrow = values.map { Int32($0) }
      let same = written { w in unsafe narrow.withUnsafeBufferPointer { unsafe IntegerColumn.encode($0, into: &w) } }
      #expect(same == bytes, comment)
    }
  }

  /// Values around the limits of the ways to find a range.
  private static let limits: [Int64] = [
    0, 0x7FFF, 0x8000, 0xFFFF, 1 << 31, 1 << 32, 1 << 51, 1 << 52, 1 << 53, 0x7FF0 << 48, .max, -1, -0x8000, -(1 << 31), -(1 << 51), .min,
  ]

  @Test("random values up to any limit", arguments: limits.indices)
  func random(limit: Int) throws {
    var generator = SeededGenerator(seed: UInt64(limit))
    let limit = Self.limits[limit]
    for count in [64, 65, 67, 68, 71, 72, 79, 80, 81, 96, 127, 128, 129, 1_023, 1_024] {
      let range = min(limit, 0)...max(limit, 0)
      try Self.check((0..<count).map { _ in Int64.random(in: range, using: &generator) }, "limit \(limit), \(count) rows")
    }
  }

  @Test("one value among small ones that is none of them, at any place", arguments: limits)
  func outlier(value: Int64) throws {
    var generator = SeededGenerator(seed: UInt64(bitPattern: value))
    let small = (0..<200).map { _ in Int64.random(in: 100...900, using: &generator) }
    for row in small.indices {
      for other in [value, value &+ 1, value &- 1] {
        var values = small
        values[row] = other
        try Self.check(values, "\(other) in row \(row)")
      }
    }
  }

  @Test("the smallest and the largest may stand anywhere", arguments: [70, 100, 131])
  func places(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    for base: Int64 in [1_000, 40_000, -5_000, 1 << 40, -(1 << 40)] {
      let middle = (0..<count).map { _ in base + Int64.random(in: 100...900, using: &generator) }
      for row in middle.indices {
        var values = middle
        values[row] = base
        values[(row + count / 2) % count] = base + 1_000
        try Self.check(values, "base \(base), row \(row)")
      }
    }
  }

  @Test("steps that wrap around in 32 bits are no steps")
  func wrappingSteps() throws {
    for count in [8, 33, 64, 1_024] {
      for start in 3..<count {
        let values = (0..<count).map { Int32.max &- Int32(start) &* 5 &+ Int32($0) &* 5 }
        try Self.check(values.map { Int64($0) }, "\(count) rows, beginning \(start) steps in front of the end")
      }
    }
  }

  @Test("chunks of truth values are told apart whatever their length", arguments: [8, 2_039, 2_040, 2_041, 2_048, 5_000, 65_536])
  func truths(count: Int) throws {
    #expect(Bools.encode([Bool](repeating: true, count: count)) == [1])
    #expect(Bools.encode([Bool](repeating: false, count: count)) == [0])
    for row in [0, 7, count / 2, count - 1] {
      for value in [true, false] {
        var rows = [Bool](repeating: !value, count: count)
        rows[row] = value
        let bytes = Bools.encode(rows)
        #expect(bytes.first == 2)
        #expect(try readingAll(bytes) { try Bools.decode(count, &$0) } == rows)
      }
    }
  }

  @Test("a length that was left room for stands in front as an inserted one does", arguments: [0, 1, 127, 128, 16_383, 16_384, 2_097_152])
  func lengths(count: Int) {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let left = written { w in
      w.append(9)
      let place = w.beginLength()
      for byte in content { w.append(byte) }
      w.endLength(at: place)
      w.append(7)
    }
    let inserted = written { w in
      w.append(9)
      for byte in content { w.append(byte) }
      w.insertVarint(UInt64(count), at: 1)
      w.append(7)
    }
    #expect(left == inserted)
  }
}
