import ArchiveFormat
import Testing

@Suite("Integer columns of 32 bits")
struct NarrowIntegerTests {
  private static func encode(_ values: [Int32]) -> [UInt8] {
    written { w in unsafe values.withUnsafeBufferPointer { unsafe IntegerColumn.encode($0, into: &w) } }
  }

  /// Nil if the chunk does not tell in its head that all values fit.
  private static func decode(_ count: Int, _ r: inout ByteReader) throws -> [Int32]? {
    let start = r
    var isRead = false
    let values = unsafe try [Int32](unsafeUninitializedCapacity: count) { buffer, n in
      guard let base = buffer.baseAddress else { return }
      isRead = unsafe try IntegerColumn.decodeNarrow(count: count, from: &r, into: base)
      n = isRead ? count : 0
    }
    if !isRead { #expect(r.offset == start.offset, "nothing is read") }
    return isRead ? values : nil
  }

  @Test("the bytes are those of the same values in 64 bits, and both ways to read give them back", arguments: 0...32)
  func sameBytes(width: Int) throws {
    var generator = SeededGenerator(seed: UInt64(width))
    for count in [0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 1_023, 1_024] {
      let base = Int32(truncatingIfNeeded: generator.next())
      let step = Int32.random(in: 0...3, using: &generator)
      let shapes: [(Int) -> Int32] = [
        { _ in Int32(truncatingIfNeeded: Int64(base) + Int64(generator.next() & (1 << UInt64(width) - 1))) },
        { i in Int32(truncatingIfNeeded: generator.next() & (1 << UInt64(width) - 1)) &- (i & 1 == 0 ? 0 : .max) },
        { i in base &+ Int32(i) &* step }, { i in Int32(i / 50) &* base }, { i in i == count / 2 ? .min : .max }, { _ in base },
      ]
      for shape in shapes {
        let values = (0..<count).map(shape)
        let bytes = Self.encode(values)
        #expect(bytes == Integers.encode(values.map { Int64($0) }), "seed \(width), \(count) rows")
        #expect(try readingAll(bytes) { try Integers.decode(count, &$0) } == values.map { Int64($0) }, "seed \(width), \(count) rows")
        if let narrow = try reading(bytes, { try Self.decode(count, &$0) }) { #expect(narrow == values, "seed \(width), \(count) rows") }
      }
    }
  }

  @Test("chunks that may hold values of more bits are left alone")
  func wide() throws {
    let limit = Int64(Int32.max)
    let columns: [(Int64, [Int64])] = [
      (0, [Int64](repeating: limit + 1, count: 8)), (1, (0..<40).map { limit - 200 + $0 * 77 % 200 }),
      (2, (0..<20).map { limit - 60_000 + $0 * 7919 % 65_000 }), (5, (0..<64).map { limit - 3 + $0 * $0 % 8 }),
      (6, (0..<20).map { $0 }), (4, (0..<20).map { $0 * $0 * $0 &* 0x1E37_79B9_7F4A_7C15 }),
    ]
    for (encoding, values) in columns {
      let bytes = Integers.encode(values)
      #expect(bytes.first == UInt8(encoding))
      #expect(try reading(bytes) { try Self.decode(values.count, &$0) } == nil, "\(values)")
    }
  }

  @Test("values at both ends of 32 bits are read without a look at each")
  func ends() throws {
    for base in [Int64(Int32.min), Int64(Int32.max) - 255] {
      let values = (0..<200).map { base + $0 * 77 % 256 }
      #expect(try readingAll(Integers.encode(values)) { try Self.decode(200, &$0) } == values.map { Int32($0) })
    }
  }

  @Test("malformed and truncated chunks are refused")
  func hostile() {
    func code(_ bytes: [UInt8]) -> FormatError.Code? { formatError { _ = try reading(bytes) { try Self.decode(8, &$0) } }?.code }
    #expect(code([8]) == .malformed)
    #expect(code([]) == .truncated)
    #expect(code([0]) == .truncated)
    #expect(code([1, 0, 1, 2, 3]) == .truncated)
    #expect(code([2, 0, 1, 2, 3]) == .truncated)
    #expect(code([5, 0, 0]) == .malformed)
    #expect(code([5, 0, 58]) == .malformed)
    #expect(code([5, 0, 3, 1, 2]) == .truncated)
  }
}
