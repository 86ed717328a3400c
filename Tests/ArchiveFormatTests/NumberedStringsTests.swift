import ArchiveFormat
import Testing

@Suite("Numbered strings")
struct NumberedStringsTests {
  /// Encodes by what the first and the last string have in common; nil if a string has another form.
  private static func encode(_ strings: [String]) -> [UInt8]? {
    let text = Array(strings.joined().utf8)
    let lengths = strings.map { Int64($0.utf8.count) }
    var isWritten = false
    let bytes = written { w in
      let numbers = UnsafeMutablePointer<Int64>.allocate(capacity: strings.count)
      defer { unsafe numbers.deallocate() }
      unsafe text.withUnsafeBytes { text in
        var place = 0
        let rows = unsafe lengths.map { length in
          defer { place += Int(length) }
          return unsafe UnsafeRawBufferPointer(rebasing: text[place..<(place + Int(length))])
        }
        let starts = unsafe rows.map { unsafe $0.baseAddress.unsafelyUnwrapped }
        let (first, last) = unsafe (rows[0], rows[rows.count - 1])
        guard let shape = unsafe NumberedStrings(first, last) else { return }
        #expect(unsafe NumberedStrings.mayFit(first, last))
        isWritten = unsafe shape.encode(starts: starts, lengths: lengths, count: rows.count, numbers: numbers, into: &w)
      }
    }
    #expect(isWritten == !bytes.isEmpty)
    return isWritten ? bytes : nil
  }

  private static func decode(_ count: Int, _ r: inout ByteReader) throws -> [String] {
    try #require(try r.readByte() == BytesColumn.numberedEncoding)
    let numbered = try NumberedStrings(from: &r)
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: numbered.maximumByteCount(count), alignment: 1)
    defer { unsafe room.deallocate() }
    var contents: [UInt8] = []
    let lengths = unsafe try [Int64](unsafeUninitializedCapacity: count) { buffer, n in
      guard let base = buffer.baseAddress, let text = room.baseAddress else { return }
      contents = unsafe [UInt8](try numbered.decode(count: count, from: &r, lengths: base, text: text))
      n = count
    }
    var place = 0
    return try lengths.map { length in
      defer { place += Int(length) }
      let bytes = contents[place..<(place + Int(length))]
      #expect(!numbered.hasOnlyASCII || bytes.allSatisfy { $0 < 0x80 })
      return try #require(String(validating: bytes, as: UTF8.self))
    }
  }

  private static func roundTrip(_ strings: [String], _ comment: Comment? = nil) throws -> [UInt8] {
    let bytes = try #require(encode(strings), comment)
    #expect(try readingAll(bytes) { try decode(strings.count, &$0) } == strings, comment)
    try readingAll(bytes) { try BytesColumn.skip(count: strings.count, from: &$0) }
    return bytes
  }

  @Test("two texts, the number of digits and the numbers are the bytes")
  func exactBytes() throws {
    #expect(try Self.roundTrip((7...16).map { "a\($0)." }) == [2, 1, 0x61, 1, 0x2E, 0, 6, 14, 2, 0])
    #expect(try Self.roundTrip((10...19).map { "\($0)" }) == [2, 0, 0, 2, 6, 20, 2, 0])
    #expect(
      try Self.roundTrip((95...104).map { "IMG_\($0 < 100 ? "0" : "")\($0).jpg" }).prefix(11) == [
        2, 4, 73, 77, 71, 95, 4, 46, 106, 112, 103,
      ])
    #expect(try Self.roundTrip((0..<1_024).map { "node-\($0)" }).count == 13)
  }

  @Test("numbers of every width survive, with and without leading zeros", arguments: 1...18)
  func widths(digits: Int) throws {
    var generator = SeededGenerator(seed: UInt64(digits))
    var power: UInt64 = 1
    for _ in 0..<digits { power *= 10 }
    var numbers = [0, power - 1, power / 10, power / 10 - 1, power / 2]
    while numbers.count < 100 {
      numbers.append(UInt64.random(in: 0..<power, using: &generator) >> UInt64.random(in: 0..<40, using: &generator))
    }
    let needed = try Self.roundTrip(["ö0µ"] + numbers.map { "ö\($0)µ" } + ["ö1µ"], "\(digits) digits")
    #expect(needed[7] == (digits == 1 ? 1 : 0))
    let padded = numbers.map { number in
      let text = "\(number)"
      return "z" + String(repeating: "0", count: digits - text.count) + text
    }
    #expect(try Self.roundTrip(padded, "\(digits) digits")[4] == UInt8(digits))
  }

  @Test("texts of up to 255 bytes stand around the numbers")
  func longTexts() throws {
    let (front, back) = (String(repeating: "f", count: 255), String(repeating: "b", count: 255))
    #expect(try Self.roundTrip((0..<20).map { front + "\($0)" + back }).count == 518)
    #expect(Self.encode((0..<20).map { front + "f\($0)" + back }) == nil)
    #expect(Self.encode((0..<20).map { front + "\($0)b" + back }) == nil)
  }

  @Test(
    "strings of another form are refused",
    arguments: [
      ["a1", "a02", "a3", "a4", "a5", "a6", "a7", "a8"], ["a1", "a2", "b3", "a4", "a5", "a6", "a7", "a8"],
      ["a1", "a2", "a", "a4", "a5", "a6", "a7", "a8"], ["a1", "a2", "", "a4", "a5", "a6", "a7", "a8"],
      ["a1.", "a2.", "a3", "a4.", "a5.", "a6.", "a7.", "a8."], ["a1", "a-2", "a3", "a4", "a5", "a6", "a7", "a8"],
      ["a", "a2", "a3", "a4", "a5", "a6", "a7", "a8"], ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "b"],
      ["1", "2", "3", "4", "5", "6", "7", "1000000000000000000"], ["a1", "a٢", "a3", "a4", "a5", "a6", "a7", "a8"],
      ["", "", "", "", "", "", "", ""],
    ])
  func refused(strings: [String]) { #expect(Self.encode(strings) == nil) }

  @Test("what no writer writes is malformed, and what is not all there truncated")
  func hostile() {
    func code(_ bytes: [UInt8], _ count: Int = 8) -> FormatError.Code? {
      formatError { _ = try reading(bytes) { try Self.decode(count, &$0) } }?.code
    }
    let constant: (Int64) -> [UInt8] = { Integers.encode([Int64](repeating: $0, count: 8)) }
    #expect(code([2, 1, 0x61, 0, 0] + constant(5)) == nil)
    #expect(code([2, 1, 0x61, 0, 0] + constant(-5)) == .malformed)
    #expect(code([2, 1, 0x61, 0, 2] + constant(99)) == nil)
    #expect(code([2, 1, 0x61, 0, 2] + constant(100)) == .malformed)
    #expect(code([2, 0, 0, 0] + constant(999_999_999_999_999_999)) == nil)
    #expect(code([2, 0, 0, 0] + constant(1_000_000_000_000_000_000)) == .malformed)
    #expect(code([2, 0, 0, 0] + constant(.max)) == .malformed)
    #expect(code([2, 0, 0, 0] + constant(.min)) == .malformed)
    #expect(code([2, 0, 0, 19] + constant(5)) == .malformed)
    #expect(code([2, 9, 0x61, 0, 0] + constant(5)) == .truncated)
    #expect(code([2, 0, 9, 0x61]) == .truncated)
    #expect(code([2, 0, 0]) == .truncated)
    #expect(formatError { try reading([2, 0, 0, 19] + constant(5)) { try BytesColumn.skip(count: 8, from: &$0) } }?.code == .malformed)
    #expect(formatError { try reading([2, 0, 0, 0] + constant(5)) { try BytesColumn.skipPlain(count: 8, from: &$0) } }?.code == .malformed)
    #expect(formatError { _ = try reading([2, 0, 0, 0] + constant(5)) { try Strings.decode(8, &$0) } }?.code == .malformed)
  }

  @Test("damaged bytes are read as something or refused", arguments: 0..<4)
  func damaged(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bytes = try #require(Self.encode((0..<100).map { "prefix \($0 * $0 * Int(seed + 1)) suffix" }))
    for _ in 0..<2_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        damaged[Int.random(in: damaged.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) { damaged.removeLast(Int.random(in: 0..<damaged.count, using: &generator)) }
      try? reading(damaged) { r in
        guard try r.readByte() == BytesColumn.numberedEncoding else { return }
        let numbered = try NumberedStrings(from: &r)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: numbered.maximumByteCount(100) + 800, alignment: 8)
        defer { unsafe room.deallocate() }
        guard let base = room.baseAddress else { return }
        let lengths = unsafe base.bindMemory(to: Int64.self, capacity: 100)
        let text = unsafe try numbered.decode(count: 100, from: &r, lengths: lengths, text: base + 800)
        #expect(unsafe UnsafeBufferPointer(start: lengths, count: 100).reduce(0, +) == Int64(text.count), "seed \(seed)")
      }
    }
  }
}
