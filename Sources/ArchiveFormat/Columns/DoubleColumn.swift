/// A chunk of 64-bit floating-point numbers; every bit pattern survives.
///
/// 1...7 rows are 8 bytes each. Longer chunks are one value for all (0), all values (1), or decimal (2): a byte with a scale
/// s of 0...9 and a column of integers that become the values when divided by 10^s.
package enum DoubleColumn {
  private static let constant: UInt8 = 0
  private static let raw: UInt8 = 1
  private static let decimal: UInt8 = 2

  package static func encode(_ v: UnsafeBufferPointer<Double>, into w: inout ByteWriter) {
    let count = v.count
    guard count > 0, let values = v.baseAddress else { return }
    if count >= firstEncodedRowCount {
      if unsafe isConstant(values, count) {
        w.append(constant)
        unsafe w.appendLE64(values[0].bitPattern)
        return
      }
      if unsafe encodeDecimal(values, count, into: &w) { return }
      w.append(raw)
    }
    let out = unsafe UnsafeMutableRawPointer(w.appendUninitialized(count &* 8))
    // SAFETY: eight bytes per row were reserved.
    unsafe RawAccess.copy64(from: values, to: out, count: count)
  }

  /// Reads `count` values into uninitialized memory.
  ///
  /// - Throws: `truncated` or `malformed`. The memory may then be partly filled.
  package static func decode(
    count: Int, from r: inout ByteReader, into out: UnsafeMutablePointer<Double>
  ) throws(FormatError) {
    guard count > 0 else { return }
    if count >= firstEncodedRowCount {
      let start = r
      switch try r.readByte() {
      case constant:
        let value = Double(bitPattern: try r.readLE64())
        unsafe out.update(repeating: value, count: count)
        return
      case raw: break
      case decimal:
        let scale = try readScale(&r)
        // SAFETY: both types are trivial and of one size, alignment and number; the memory is bound to one at a time.
        let integers = unsafe UnsafeMutableRawPointer(out).bindMemory(to: Int64.self, capacity: count)
        defer { _ = unsafe UnsafeMutableRawPointer(out).bindMemory(to: Double.self, capacity: count) }
        unsafe try IntegerColumn.decode(count: count, from: &r, into: integers)
        unsafe DecimalScaling.restore(integers, count: count, scale: scale)
        return
      default: throw start.fail(.malformed, "unknown encoding of a floating-point column")
      }
    }
    let bytes = unsafe try r.readBytes(IntegerColumn.byteCount(count, 8))
    guard let p = bytes.baseAddress else { return }
    // SAFETY: `8 * count` bytes were read.
    unsafe RawAccess.copy64(from: p, to: UnsafeMutableRawPointer(out), count: count)
  }

  /// Passes over `count` values and checks them as `decode` does.
  package static func skip(count: Int, from r: inout ByteReader) throws(FormatError) {
    guard count > 0 else { return }
    if count >= firstEncodedRowCount {
      let start = r
      switch try r.readByte() {
      case constant: return try r.skip(8)
      case raw: break
      case decimal:
        _ = try readScale(&r)
        return try IntegerColumn.skip(count: count, from: &r)
      default: throw start.fail(.malformed, "unknown encoding of a floating-point column")
      }
    }
    try r.skip(IntegerColumn.byteCount(count, 8))
  }

  private static func readScale(_ r: inout ByteReader) throws(FormatError) -> Int {
    let start = r
    let scale = Int(try r.readByte())
    guard scale <= DecimalScaling.maximumScale else { throw start.fail(.malformed, "\(scale) is no decimal scale") }
    return scale
  }

  private static func isConstant(_ values: UnsafePointer<Double>, _ count: Int) -> Bool {
    let first = unsafe values[0].bitPattern
    for i in 1..<count where unsafe values[i].bitPattern != first { return false }
    return true
  }

  /// Writes a decimal chunk if that restores every value and is smaller than the values themselves.
  private static func encodeDecimal(_ values: UnsafePointer<Double>, _ count: Int, into w: inout ByteWriter) -> Bool {
    guard let guess = unsafe DecimalScaling.guessScale(values, count: count) else { return false }
    return unsafe withUnsafeTemporaryAllocation(of: Int64.self, capacity: count) { buffer in
      guard let integers = buffer.baseAddress else { return false }
      guard let scale = unsafe DecimalScaling.convert(values, count: count, from: guess, into: integers) else { return false }
      let start = w.count
      w.append(decimal)
      w.append(UInt8(truncatingIfNeeded: scale))
      unsafe IntegerColumn.encode(UnsafeBufferPointer(start: integers, count: count), into: &w)
      if w.count &- start < 1 &+ count &* 8 { return true }
      w.truncate(to: start)
      return false
    }
  }
}
