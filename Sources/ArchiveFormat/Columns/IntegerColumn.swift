/// A chunk of 64-bit integers.
///
/// Numbers are two's complement; unsigned 64-bit ones travel as their bit pattern, so all arithmetic wraps. No rows take no
/// bytes, 1...7 rows are zigzag varints, and longer chunks begin with an `IntegerEncoding`.
package enum IntegerColumn {
  package static func encode(_ v: UnsafeBufferPointer<Int64>, into w: inout ByteWriter) {
    if let values = v.baseAddress { unsafe encode(values, v.count, into: &w) }
  }

  /// Writes the same column as for the same values in 64 bits.
  package static func encode(_ v: UnsafeBufferPointer<Int32>, into w: inout ByteWriter) {
    if let values = v.baseAddress { unsafe encode(values, v.count, into: &w) }
  }

  private static func encode<Value: ColumnInteger>(_ values: UnsafePointer<Value>, _ count: Int, into w: inout ByteWriter) {
    guard count >= firstEncodedRowCount else {
      unsafe encodePlain(values, count, into: &w)
      return
    }
    if let step = unsafe step(of: values, count) {
      w.append(step == 0 ? IntegerEncoding.constant.rawValue : IntegerEncoding.delta.rawValue)
      unsafe w.appendZigzag(Int64(values[0]))
      if step != 0 {
        w.appendZigzag(step)
        w.append(0)
      }
      return
    }
    let statistics = unsafe IntegerStatistics(values, count)
    let encoding = unsafe IntegerEncoding.choose(values, count, statistics)
    w.append(encoding.rawValue)
    let base = Value(truncatingIfNeeded: statistics.base)
    switch encoding {
    case .constant:
      unsafe w.appendZigzag(Int64(values[0]))
    case .offset8, .offset16, .offset32, .raw:
      unsafe encodeOffsets(values, count, base, encoding, into: &w)
    case .packed:
      let width = BitPacking.width(of: statistics.range)
      w.appendZigzag(statistics.base)
      w.append(UInt8(truncatingIfNeeded: width))
      unsafe BitPacking.pack(values, count: count, base: base, width: width, into: &w)
    case .delta:
      unsafe encodeDeltas(values, count, statistics, into: &w)
    case .runs:
      unsafe encodeRuns(values, count, statistics.runs, into: &w)
    }
  }

  /// Reads `count` values into uninitialized memory.
  ///
  /// - Throws: `truncated`, or `malformed` for a chunk no encoder writes. The memory may then be partly filled.
  package static func decode(
    count: Int, from r: inout ByteReader, into out: UnsafeMutablePointer<Int64>
  ) throws(FormatError) {
    guard count >= firstEncodedRowCount else {
      // A local cursor stays in registers.
      var cursor = r
      var i = 0
      while i < count {
        unsafe out[i] = try cursor.readZigzag()
        i &+= 1
      }
      r = cursor
      return
    }
    switch try readEncoding(&r) {
    case .constant:
      let value = try r.readZigzag()
      unsafe out.update(repeating: value, count: count)
    case .offset8: unsafe try decodeOffset8(count, try r.readZigzag(), &r, out)
    case .offset16: unsafe try decodeOffset16(count, try r.readZigzag(), &r, out)
    case .offset32: unsafe try decodeOffset32(count, try r.readZigzag(), &r, out)
    case .raw: unsafe try decodeRaw(count, &r, out)
    case .packed:
      let base = try r.readZigzag()
      let width = try readWidth(&r, minimum: 1)
      let bytes = unsafe try readPacked(&r, count: count, width: width)
      unsafe BitPacking.unpack(bytes, count: count, width: width, base: base, into: out)
    case .delta: unsafe try decodeDeltas(count, &r, out)
    case .runs:
      try forEachRun(count, &r) { start, length, value in
        unsafe (out + start).update(repeating: value, count: length)
      }
    }
  }

  /// Reads a chunk whose head tells that every value fits 32 bits, whatever the values are.
  ///
  /// - Returns: false, with nothing read, for other chunks: those have to be read as 64 bits and looked at.
  /// - Throws: as the other `decode` does.
  package static func decodeNarrow(
    count: Int, from r: inout ByteReader, into out: UnsafeMutablePointer<Int32>
  ) throws(FormatError) -> Bool {
    guard count >= firstEncodedRowCount else { return false }
    var head = r
    let encoding = try readEncoding(&head)
    let width: Int
    switch encoding {
    case .constant, .packed: width = 0
    case .offset8: width = 8
    case .offset16: width = 16
    case .offset32, .raw, .delta, .runs: return false
    }
    guard let base = Int32(exactly: try head.readZigzag()) else { return false }
    if encoding == .constant {
      unsafe out.update(repeating: base, count: count)
    } else if encoding == .packed {
      let width = try readWidth(&head, minimum: 1)
      guard fits(base, width) else { return false }
      let bytes = unsafe try readPacked(&head, count: count, width: width)
      unsafe BitPacking.unpack(bytes, count: count, width: width, base: base, into: out)
    } else {
      guard fits(base, width) else { return false }
      if width == 8 { unsafe try decodeOffset8(count, base, &head, out) } else { unsafe try decodeOffset16(count, base, &head, out) }
    }
    r = head
    return true
  }

  /// Whether every number of `width` bits on top of `base` has 32 bits.
  private static func fits(_ base: Int32, _ width: Int) -> Bool {
    width < 32 && Int64(base) &+ (1 &<< Int64(width)) &- 1 <= Int64(Int32.max)
  }

  /// Writes a chunk of one value.
  @inlinable package static func encodeOne(_ value: Int64, into w: inout ByteWriter) { w.appendZigzag(value) }

  /// Reads a chunk of one value.
  ///
  /// - Throws: as `decode` does.
  @inlinable package static func decodeOne(from r: inout ByteReader) throws(FormatError) -> Int64 { try r.readZigzag() }

  /// Passes over `count` values and checks them as `decode` does.
  package static func skip(count: Int, from r: inout ByteReader) throws(FormatError) {
    guard count >= firstEncodedRowCount else {
      var i = 0
      while i < count {
        _ = try r.readVarint()
        i &+= 1
      }
      return
    }
    switch try readEncoding(&r) {
    case .constant:
      _ = try r.readVarint()
    case .offset8: try skipOffsets(count, 1, &r)
    case .offset16: try skipOffsets(count, 2, &r)
    case .offset32: try skipOffsets(count, 4, &r)
    case .raw: try r.skip(byteCount(count, 8))
    case .packed:
      _ = try r.readVarint()
      let width = try readWidth(&r, minimum: 1)
      _ = unsafe try readPacked(&r, count: count, width: width)
    case .delta:
      _ = try r.readVarint()
      _ = try r.readVarint()
      let width = try readWidth(&r, minimum: 0)
      _ = unsafe try readPacked(&r, count: count &- 1, width: width)
    case .runs:
      try forEachRun(count, &r) { _, _, _ in }
    }
  }

  /// The difference of all neighbours if it is the same everywhere, as in object numbers and equal values.
  ///
  /// These columns are so frequent that they are found first, in a loop that can be vectorised and that others leave early.
  private static func step<Value: ColumnInteger>(of values: UnsafePointer<Value>, _ count: Int) -> Int64? {
    let step = unsafe Int64(values[1]) &- Int64(values[0])
    // Most columns show with their third value already that they have none.
    if unsafe Int64(values[2]) &- Int64(values[1]) != step { return nil }
    // Differences of narrow values may wrap around. Where they do, all of them together do not make up the distance of the last value.
    if unsafe Int64(values[count &- 1]) &- Int64(values[0]) != step &* Int64(count &- 1) { return nil }
    let narrowStep = Value(truncatingIfNeeded: step)
    var i = 1
    // SAFETY: indices stay below `count`, which is at least 8.
    while i < count {
      let end = min(i &+ 32, count)
      var different: Value = 0
      for k in i..<end { unsafe different |= (values[k] &- values[k &- 1]) ^ narrowStep }
      if different != 0 { return nil }
      i = end
    }
    return step
  }

  private static func encodePlain<Value: ColumnInteger>(_ values: UnsafePointer<Value>, _ count: Int, into w: inout ByteWriter) {
    let start = w.count
    // SAFETY: ten bytes are reserved for each of the numbers, which take no more.
    let out = unsafe UnsafeMutableRawPointer(w.appendUninitialized(count &* 10))
    var length = 0
    for i in 0..<count {
      let u = unsafe zigzagEncoded(Int64(values[i]))
      if u < 0x80 {
        unsafe RawAccess.store8(UInt8(truncatingIfNeeded: u), out, length)
        length &+= 1
      } else {
        unsafe length &+= ByteWriter.storeVarint(u, at: out + length)
      }
    }
    w.truncate(to: start &+ length)
  }

  @inline(__always) private static func readEncoding(_ r: inout ByteReader) throws(FormatError) -> IntegerEncoding {
    let start = r
    guard let encoding = IntegerEncoding(rawValue: try r.readByte()) else {
      throw start.fail(.malformed, "unknown encoding of an integer column")
    }
    return encoding
  }

  /// `count * width`, which for a count that cannot be is larger than any buffer instead of wrapping around.
  @inline(__always) static func byteCount(_ count: Int, _ width: Int) -> Int {
    let (n, overflow) = count.multipliedReportingOverflow(by: width)
    return overflow ? Int.max : n
  }
}
