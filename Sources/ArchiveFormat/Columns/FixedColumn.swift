/// A chunk of values of a fixed number of bytes, such as UUIDs.
///
/// 1...7 rows are their bytes; longer chunks are one value for all (0) or all values (1). Values without bytes take one zero
/// byte per chunk, so that no chunk is free.
package enum FixedColumn {
  static let constant: UInt8 = 0
  static let raw: UInt8 = 1

  /// Writes the values in `bytes`; with a width of 0 call it with an empty buffer only for a chunk that has rows.
  package static func encode(_ bytes: UnsafeRawBufferPointer, width: Int, into w: inout ByteWriter) {
    guard width > 0 else {
      w.append(0)
      return
    }
    guard bytes.count > 0, let base = bytes.baseAddress else { return }
    let count = bytes.count / width
    if count >= firstEncodedRowCount {
      let same = unsafe isConstant(bytes, width)
      w.append(same ? constant : raw)
      if same {
        unsafe w.append(contentsOf: UnsafeRawBufferPointer(start: base, count: width))
        return
      }
    }
    unsafe w.append(contentsOf: bytes)
  }

  /// Reads `count` values of `width` bytes each.
  ///
  /// - Throws: `truncated` or `malformed`.
  package static func decode(
    count: Int, width: Int, from r: inout ByteReader, into out: UnsafeMutableRawPointer
  ) throws(FormatError) {
    guard count > 0 else { return }
    guard width > 0 else { return try skipEmpty(&r) }
    if count >= firstEncodedRowCount, try readIsConstant(&r) {
      let bytes = unsafe try r.readBytes(width)
      guard let base = bytes.baseAddress else { return }
      // SAFETY: the caller provides `count * width` bytes.
      for i in 0..<count { unsafe (out + i &* width).copyMemory(from: base, byteCount: width) }
      return
    }
    let bytes = unsafe try r.readBytes(IntegerColumn.byteCount(count, width))
    guard let base = bytes.baseAddress else { return }
    unsafe out.copyMemory(from: base, byteCount: bytes.count)
  }

  /// Passes over `count` values and checks them as `decode` does.
  package static func skip(count: Int, width: Int, from r: inout ByteReader) throws(FormatError) {
    guard count > 0 else { return }
    guard width > 0 else { return try skipEmpty(&r) }
    if count >= firstEncodedRowCount, try readIsConstant(&r) { return try r.skip(width) }
    try r.skip(IntegerColumn.byteCount(count, width))
  }

  private static func isConstant(_ bytes: UnsafeRawBufferPointer, _ width: Int) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    // Every value equals the first exactly if every byte equals the one a width before it.
    var i = width
    // SAFETY: every load ends within the bytes.
    while bytes.count &- i >= 8 {
      if unsafe RawAccess.load64(base, i) != RawAccess.load64(base, i &- width) { return false }
      i &+= 8
    }
    while i < bytes.count {
      if unsafe RawAccess.load8(base, i) != RawAccess.load8(base, i &- width) { return false }
      i &+= 1
    }
    return true
  }

  private static func skipEmpty(_ r: inout ByteReader) throws(FormatError) {
    let start = r
    guard try r.readByte() == 0 else { throw start.fail(.malformed, "a column without content is not a zero byte") }
  }

  static func readIsConstant(_ r: inout ByteReader) throws(FormatError) -> Bool {
    let start = r
    switch try r.readByte() {
    case constant: return true
    case raw: return false
    default: throw start.fail(.malformed, "unknown encoding of a fixed-width column")
    }
  }
}
