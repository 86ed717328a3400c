/// Differences of neighbours, and runs of equal values.
extension IntegerColumn {
  @unsafe static func encodeDeltas<Value: ColumnInteger>(
    _ values: UnsafePointer<Value>, _ count: Int, _ s: IntegerStatistics, into w: inout ByteWriter
  ) {
    let width = BitPacking.width(of: s.deltaRange)
    unsafe w.appendZigzag(Int64(values[0]))
    w.appendZigzag(s.minimumDelta)
    w.append(UInt8(truncatingIfNeeded: width))
    guard width > 0 else { return }
    let rest = count &- 1
    unsafe withUnsafeTemporaryAllocation(of: Int64.self, capacity: rest) { deltas in
      // SAFETY: `rest` values are written before they are read; index `i + 1` stays below `count`.
      guard let out = deltas.baseAddress else { return }
      for i in 0..<rest { unsafe (out + i).initialize(to: Int64(values[i &+ 1]) &- Int64(values[i])) }
      unsafe BitPacking.pack(out, count: rest, base: s.minimumDelta, width: width, into: &w)
    }
  }

  @unsafe static func decodeDeltas(
    _ count: Int, _ r: inout ByteReader, _ out: UnsafeMutablePointer<Int64>
  ) throws(FormatError) {
    var value = try r.readZigzag()
    let minimum = try r.readZigzag()
    let width = try readWidth(&r, minimum: 0)
    // SAFETY: `count` is at least 8, and every index is below it.
    unsafe out[0] = value
    if width == 0 {
      for i in 1..<count {
        value &+= minimum
        unsafe out[i] = value
      }
      return
    }
    let bytes = unsafe try readPacked(&r, count: count &- 1, width: width)
    unsafe BitPacking.unpack(bytes, count: count &- 1, width: width, base: minimum, into: out + 1)
    for i in 1..<count {
      unsafe value &+= out[i]
      unsafe out[i] = value
    }
  }

  @unsafe static func encodeRuns<Value: ColumnInteger>(
    _ values: UnsafePointer<Value>, _ count: Int, _ runs: Int, into w: inout ByteWriter
  ) {
    w.appendVarint(UInt64(truncatingIfNeeded: runs))
    var start = 0
    // SAFETY: indices are compared with `count` first.
    while start < count {
      let value = unsafe values[start]
      var end = start &+ 1
      while unsafe end < count && values[end] == value { end &+= 1 }
      w.appendVarint(UInt64(truncatingIfNeeded: end &- start))
      w.appendZigzag(Int64(value))
      start = end
    }
  }

  /// Reads runs and hands each one out once it is known to lie inside of the `count` rows.
  @inline(__always) static func forEachRun(
    _ count: Int, _ r: inout ByteReader, _ body: (_ start: Int, _ length: Int, _ value: Int64) -> Void
  ) throws(FormatError) {
    let start = r
    var runs = try r.readCount()
    var row = 0
    while runs > 0 {
      let length = try r.readCount()
      guard length > 0 && length <= count &- row else {
        throw start.fail(.malformed, "the runs of an integer column do not add up to its rows")
      }
      body(row, length, try r.readZigzag())
      row &+= length
      runs &-= 1
    }
    guard row == count else { throw start.fail(.malformed, "the runs of an integer column do not add up to its rows") }
  }

  static func readWidth(_ r: inout ByteReader, minimum: Int) throws(FormatError) -> Int {
    let start = r
    let width = Int(try r.readByte())
    guard width >= minimum && width <= BitPacking.maximumWidth else {
      throw start.fail(.malformed, "\(width) is no width of packed integers")
    }
    return width
  }

  @unsafe static func readPacked(
    _ r: inout ByteReader, count: Int, width: Int
  ) throws(FormatError) -> UnsafeRawBufferPointer {
    let start = r
    let bytes = unsafe try r.readBytes(BitPacking.byteCount(count, width: width))
    guard unsafe BitPacking.hasCleanTail(bytes, count: count, width: width) else {
      throw start.fail(.malformed, "bits are set after the last packed integer")
    }
    return unsafe bytes
  }
}
