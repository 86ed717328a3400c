import ArchiveFormat
import Testing

@Suite("Bytes are written and read back")
struct ByteWriterAndReaderTests {
  @Test(
    "a varint takes one byte per seven bits",
    arguments: [
      (0, [0]), (1, [1]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]), (16_383, [0xFF, 0x7F]), (16_384, [0x80, 0x80, 1]),
      (UInt64.max, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
    ] as [(UInt64, [UInt8])])
  func varint(value: UInt64, bytes: [UInt8]) throws {
    #expect(written { $0.appendVarint(value) } == bytes)
    #expect(varintLength(value) == bytes.count)
    #expect(try readingAll(bytes) { try $0.readVarint() } == value)
  }

  @Test("varints of every length survive, and so do their lengths in front")
  func everyVarintLength() throws {
    for bit in 0..<64 {
      for value in [UInt64(1) << bit, (UInt64(1) << bit) - 1, (UInt64(1) << bit) | 1] {
        let bytes = written { $0.appendVarint(value) }
        #expect(bytes.count == varintLength(value))
        #expect(try readingAll(bytes) { try $0.readVarint() } == value)
        let inserted = written { w in
          w.append(7)
          w.append(all: [1, 2, 3])
          w.insertVarint(value, at: 1)
        }
        #expect(inserted == [7] + bytes + [1, 2, 3])
      }
    }
  }

  @Test(
    "zigzag keeps small magnitudes small",
    arguments: [(0, 1), (-1, 1), (63, 1), (-64, 1), (64, 2), (Int64.max, 10), (Int64.min, 10)] as [(Int64, Int)])
  func zigzag(value: Int64, length: Int) throws {
    let bytes = written { $0.appendZigzag(value) }
    #expect(bytes.count == length)
    #expect(try readingAll(bytes) { try $0.readZigzag() } == value)
  }

  @Test("fixed-width numbers are little endian")
  func littleEndian() throws {
    let bytes = written { w in
      w.appendLE16(0x0102)
      w.appendLE32(0x0304_0506)
      w.appendLE64(0x0708_090A_0B0C_0D0E)
    }
    #expect(bytes == [2, 1, 6, 5, 4, 3, 14, 13, 12, 11, 10, 9, 8, 7])
    let values = try readingAll(bytes) { r in (try r.readLE16(), try r.readLE32(), try r.readLE64()) }
    #expect(values == (0x0102, 0x0304_0506, 0x0708_090A_0B0C_0D0E))
  }

  @Test("a writer grows, is cut and is used again")
  func writerLifeCycle() {
    var w = ByteWriter()
    for i in 0..<10_000 { w.append(UInt8(truncatingIfNeeded: i)) }
    #expect(w.count == 10_000)
    w.truncate(to: 3)
    #expect(unsafe [UInt8](w.bytes) == [0, 1, 2])
    w.removeAll()
    #expect(w.count == 0)
    w.append("ä")
    #expect(unsafe [UInt8](w.bytes) == [0xC3, 0xA4])
  }

  @Test(
    "varints that are cut or too long are refused",
    arguments: [
      ([], .truncated), ([0x80], .truncated), ([UInt8](repeating: 0xFF, count: 9), .truncated),
      ([UInt8](repeating: 0xFF, count: 9) + [2], .malformed), ([UInt8](repeating: 0x80, count: 10), .malformed),
      ([UInt8](repeating: 0x80, count: 10) + [1], .malformed),
    ] as [([UInt8], FormatError.Code)])
  func badVarint(bytes: [UInt8], code: FormatError.Code) {
    #expect(formatError { _ = try reading(bytes) { try $0.readVarint() } }?.code == code)
  }

  @Test("a count that does not fit Int is refused")
  func hugeCount() throws {
    let bytes = written { $0.appendVarint(UInt64(Int.max) + 1) }
    #expect(formatError { _ = try reading(bytes) { try $0.readCount() } }?.code == .malformed)
    let largest = written { $0.appendVarint(UInt64(Int.max)) }
    #expect(try readingAll(largest) { try $0.readCount() } == Int.max)
  }

  @Test("reads beyond the end are refused and report where", arguments: [4, 5, Int.max])
  func beyondTheEnd(n: Int) {
    let error = formatError {
      try reading([1, 2, 3, 4]) { r in
        _ = try r.readByte()
        _ = unsafe try r.readBytes(n)
      }
    }
    #expect(error?.code == .truncated)
    #expect(error?.offset == 1)
  }

  @Test("negative lengths are refused", arguments: [-1, Int.min])
  func negativeLength(n: Int) {
    #expect(formatError { try reading([1]) { try $0.skip(n) } }?.code == .malformed)
    #expect(formatError { _ = try reading([1]) { try $0.slice(n) } }?.code == .malformed)
  }

  @Test("a slice keeps absolute offsets")
  func sliceOffsets() throws {
    try reading([1, 2, 3, 4, 5]) { r in
      try r.skip(2)
      var slice = try r.slice(2)
      #expect(slice.offset == 2)
      #expect(slice.remaining == 2)
      #expect(try slice.readByte() == 3)
      #expect(slice.offset == 3)
      #expect(r.offset == 4)
      try slice.skip(1)
      #expect(formatError { _ = try slice.readByte() }?.offset == 4)
    }
  }

  @Test("strings have to be UTF-8")
  func strings() throws {
    #expect(try readingAll([0xC3, 0xA4]) { try $0.readString(2) } == "ä")
    #expect(try readingAll([]) { try $0.readString(0) } == "")
    #expect(formatError { _ = try reading([0xC3]) { try $0.readString(1) } }?.code == .malformed)
  }
}

extension ByteWriter {
  fileprivate mutating func append(all bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) } }
}
