/// A chunk of 32-bit floating-point numbers; every bit pattern survives.
///
/// 1...7 rows are 4 bytes each; longer chunks are one value for all (0) or all values (1).
package enum FloatColumn {
  package static func encode(_ v: UnsafeBufferPointer<Float>, into w: inout ByteWriter) {
    let count = v.count
    guard count > 0, let values = v.baseAddress else { return }
    if count >= firstEncodedRowCount {
      let first = unsafe values[0].bitPattern
      var same = true
      for i in 1..<count where unsafe values[i].bitPattern != first {
        same = false
        break
      }
      w.append(same ? FixedColumn.constant : FixedColumn.raw)
      if same {
        w.appendLE32(first)
        return
      }
    }
    let out = unsafe UnsafeMutableRawPointer(w.appendUninitialized(count &* 4))
    // SAFETY: four bytes per row were reserved.
    if let values = v.baseAddress { unsafe RawAccess.copy32(from: values, to: out, count: count) }
  }

  /// Reads `count` values into uninitialized memory.
  ///
  /// - Throws: `truncated` or `malformed`.
  package static func decode(
    count: Int, from r: inout ByteReader, into out: UnsafeMutablePointer<Float>
  ) throws(FormatError) {
    guard count > 0 else { return }
    if count >= firstEncodedRowCount, try FixedColumn.readIsConstant(&r) {
      let value = Float(bitPattern: try r.readLE32())
      unsafe out.update(repeating: value, count: count)
      return
    }
    let bytes = unsafe try r.readBytes(IntegerColumn.byteCount(count, 4))
    guard let p = bytes.baseAddress else { return }
    // SAFETY: `4 * count` bytes were read.
    unsafe RawAccess.copy32(from: p, to: UnsafeMutableRawPointer(out), count: count)
  }

  /// Passes over `count` values and checks them as `decode` does.
  package static func skip(count: Int, from r: inout ByteReader) throws(FormatError) {
    try FixedColumn.skip(count: count, width: 4, from: &r)
  }
}
