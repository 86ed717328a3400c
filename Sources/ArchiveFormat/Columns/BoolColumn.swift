/// A chunk of truth values, one byte of 0 or 1 each in memory.
///
/// 1...7 rows are such bytes; longer chunks are all false (0), all true (1) or bits (2), least significant first.
package enum BoolColumn {
  private static let allFalse: UInt8 = 0
  private static let allTrue: UInt8 = 1
  private static let bits: UInt8 = 2

  package static func encode(_ v: UnsafeBufferPointer<UInt8>, into w: inout ByteWriter) {
    let count = v.count
    guard count > 0, let base = v.baseAddress else { return }
    guard count >= firstEncodedRowCount else {
      unsafe w.append(contentsOf: UnsafeRawBufferPointer(v))
      return
    }
    let trues = unsafe countTrue(base, count)
    if trues == 0 || trues == count {
      w.append(trues == 0 ? allFalse : allTrue)
      return
    }
    w.append(bits)
    let out = unsafe w.appendUninitialized((count &+ 7) &>> 3)
    let whole = count &>> 3
    // SAFETY: eight rows are loaded for each whole byte, the remaining ones one by one.
    for k in 0..<whole {
      // The product moves the lowest bit of byte i to bit 56 + i.
      let rows = unsafe RawAccess.load64(UnsafeRawPointer(base), k &<< 3)
      unsafe out[k] = UInt8(truncatingIfNeeded: (rows &* 0x0102_0408_1020_4080) &>> 56)
    }
    if count & 7 != 0 {
      var last: UInt8 = 0
      for k in 0..<(count & 7) { unsafe last |= base[whole &<< 3 &+ k] &<< UInt8(truncatingIfNeeded: k) }
      unsafe out[whole] = last
    }
  }

  /// How many rows are 1.
  private static func countTrue(_ rows: UnsafePointer<UInt8>, _ count: Int) -> Int {
    let whole = count &>> 3
    var trues = 0
    var k = 0
    // SAFETY: eight rows are loaded for each whole word, the remaining ones one by one.
    while k < whole {
      // Eight sums in the bytes of a word, none of which can exceed a byte.
      let end = min(k &+ 255, whole)
      var sums: UInt64 = 0
      while k < end {
        unsafe sums &+= RawAccess.load64(UnsafeRawPointer(rows), k &<< 3)
        k &+= 1
      }
      let pairs = (sums & 0x00FF_00FF_00FF_00FF) &+ ((sums &>> 8) & 0x00FF_00FF_00FF_00FF)
      trues &+= Int(truncatingIfNeeded: (pairs &* 0x0001_0001_0001_0001) &>> 48)
    }
    for i in (whole &<< 3)..<count { unsafe trues &+= Int(truncatingIfNeeded: rows[i]) }
    return trues
  }

  /// Reads `count` rows into uninitialized memory as bytes of 0 and 1.
  ///
  /// - Throws: `truncated`, or `malformed` for anything but 0 and 1.
  package static func decode(
    count: Int, from r: inout ByteReader, into out: UnsafeMutablePointer<UInt8>
  ) throws(FormatError) {
    guard count > 0 else { return }
    let start = r
    guard count >= firstEncodedRowCount else {
      let bytes = unsafe try r.readBytes(count)
      for i in 0..<count {
        let byte = unsafe bytes[i]
        guard byte <= 1 else { throw start.fail(.malformed, "a truth value is neither 0 nor 1") }
        unsafe out[i] = byte
      }
      return
    }
    switch try r.readByte() {
    case allFalse: unsafe out.update(repeating: 0, count: count)
    case allTrue: unsafe out.update(repeating: 1, count: count)
    case bits:
      let bytes = unsafe try readBits(count, &r)
      unsafe expand(bytes, count, out)
    default: throw start.fail(.malformed, "unknown encoding of a truth column")
    }
  }

  /// Writes a chunk of one row.
  @inlinable package static func encodeOne(_ value: Bool, into w: inout ByteWriter) { w.append(value ? 1 : 0) }

  /// Reads a chunk of one row.
  ///
  /// - Throws: as `decode` does.
  @inlinable package static func decodeOne(from r: inout ByteReader) throws(FormatError) -> Bool {
    let start = r
    let byte = try r.readByte()
    guard byte <= 1 else { throw start.fail(.malformed, "a truth value is neither 0 nor 1") }
    return byte == 1
  }

  /// Passes over `count` rows and checks them as `decode` does.
  package static func skip(count: Int, from r: inout ByteReader) throws(FormatError) { _ = try countTrue(count: count, from: &r) }

  /// Passes over `count` rows and returns how many of them are true.
  package static func countTrue(count: Int, from r: inout ByteReader) throws(FormatError) -> Int {
    guard count > 0 else { return 0 }
    let start = r
    guard count >= firstEncodedRowCount else {
      var trues = 0
      for _ in 0..<count {
        let byte = try r.readByte()
        guard byte <= 1 else { throw start.fail(.malformed, "a truth value is neither 0 nor 1") }
        trues &+= Int(byte)
      }
      return trues
    }
    switch try r.readByte() {
    case allFalse: return 0
    case allTrue: return count
    case bits:
      let bytes = unsafe try readBits(count, &r)
      var trues = 0
      for i in 0..<bytes.count { unsafe trues &+= bytes[i].nonzeroBitCount }
      return trues
    default: throw start.fail(.malformed, "unknown encoding of a truth column")
    }
  }

  @unsafe private static func readBits(_ count: Int, _ r: inout ByteReader) throws(FormatError) -> UnsafeRawBufferPointer {
    let start = r
    let bytes = unsafe try r.readBytes(BitPacking.byteCount(count, width: 1))
    guard unsafe BitPacking.hasCleanTail(bytes, count: count, width: 1) else {
      throw start.fail(.malformed, "bits are set after the last truth value")
    }
    return unsafe bytes
  }

  @unsafe private static func expand(_ bytes: UnsafeRawBufferPointer, _ count: Int, _ out: UnsafeMutablePointer<UInt8>) {
    let whole = count &>> 3
    let rows = UnsafeMutableRawPointer(out)
    // SAFETY: eight rows are stored for each whole byte, the remaining ones one by one.
    for k in 0..<whole {
      // Byte i of the product keeps bit i; adding 0x7F carries any bit into the top one.
      let spread = unsafe (UInt64(bytes[k]) &* 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201
      unsafe RawAccess.store64(((spread &+ 0x7F7F_7F7F_7F7F_7F7F) &>> 7) & 0x0101_0101_0101_0101, rows, k &<< 3)
    }
    for k in 0..<(count & 7) { unsafe out[whole &<< 3 &+ k] = (bytes[whole] &>> UInt8(truncatingIfNeeded: k)) & 1 }
  }
}
