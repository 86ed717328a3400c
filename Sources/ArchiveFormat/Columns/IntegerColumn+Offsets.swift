/// Offsets of whole bytes: one loop per width, each simple enough to be vectorised.
extension IntegerColumn {
  @unsafe static func encodeOffsets<Value: ColumnInteger>(
    _ values: UnsafePointer<Value>, _ count: Int, _ base: Value, _ encoding: IntegerEncoding, into w: inout ByteWriter
  ) {
    // SAFETY: each loop stores `count` numbers of the width that was just reserved.
    switch encoding {
    case .offset8:
      w.appendZigzag(Int64(base))
      let out = unsafe w.appendUninitialized(count)
      for i in 0..<count { unsafe out[i] = UInt8(truncatingIfNeeded: values[i] &- base) }
    case .offset16:
      w.appendZigzag(Int64(base))
      let out = unsafe UnsafeMutableRawPointer(w.appendUninitialized(count &* 2))
      for i in 0..<count { unsafe RawAccess.store16(UInt16(truncatingIfNeeded: values[i] &- base), out, i &* 2) }
    case .offset32:
      w.appendZigzag(Int64(base))
      let out = unsafe UnsafeMutableRawPointer(w.appendUninitialized(count &* 4))
      for i in 0..<count { unsafe RawAccess.store32(UInt32(truncatingIfNeeded: values[i] &- base), out, i &* 4) }
    default:
      let out = unsafe UnsafeMutableRawPointer(w.appendUninitialized(count &* 8))
      for i in 0..<count { unsafe RawAccess.store64(UInt64(bitPattern: Int64(values[i])), out, i &* 8) }
    }
  }

  @unsafe static func decodeOffset8<Value: ColumnInteger>(
    _ count: Int, _ base: Value, _ r: inout ByteReader, _ out: UnsafeMutablePointer<Value>
  ) throws(FormatError) {
    let bytes = unsafe try r.readBytes(count)
    // SAFETY: `count` bytes were read.
    guard let p = bytes.baseAddress else { return }
    for i in 0..<count { unsafe out[i] = base &+ Value(truncatingIfNeeded: RawAccess.load8(p, i)) }
  }

  @unsafe static func decodeOffset16<Value: ColumnInteger>(
    _ count: Int, _ base: Value, _ r: inout ByteReader, _ out: UnsafeMutablePointer<Value>
  ) throws(FormatError) {
    let bytes = unsafe try r.readBytes(byteCount(count, 2))
    // SAFETY: `2 * count` bytes were read.
    guard let p = bytes.baseAddress else { return }
    for i in 0..<count { unsafe out[i] = base &+ Value(truncatingIfNeeded: RawAccess.load16(p, i &* 2)) }
  }

  @unsafe static func decodeOffset32<Value: ColumnInteger>(
    _ count: Int, _ base: Value, _ r: inout ByteReader, _ out: UnsafeMutablePointer<Value>
  ) throws(FormatError) {
    let bytes = unsafe try r.readBytes(byteCount(count, 4))
    // SAFETY: `4 * count` bytes were read.
    guard let p = bytes.baseAddress else { return }
    for i in 0..<count { unsafe out[i] = base &+ Value(truncatingIfNeeded: RawAccess.load32(p, i &* 4)) }
  }

  @unsafe static func decodeRaw(
    _ count: Int, _ r: inout ByteReader, _ out: UnsafeMutablePointer<Int64>
  ) throws(FormatError) {
    let bytes = unsafe try r.readBytes(byteCount(count, 8))
    // SAFETY: `8 * count` bytes were read.
    guard let p = bytes.baseAddress else { return }
    unsafe RawAccess.copy64(from: p, to: UnsafeMutableRawPointer(out), count: count)
  }

  static func skipOffsets(_ count: Int, _ width: Int, _ r: inout ByteReader) throws(FormatError) {
    _ = try r.readVarint()
    try r.skip(byteCount(count, width))
  }
}
