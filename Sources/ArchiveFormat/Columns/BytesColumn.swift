/// A chunk of byte strings of any length: strings and data.
///
/// 1...7 rows are all lengths as varints, then all contents. Longer chunks begin with an encoding byte: plain is a column of
/// lengths, then all contents; pooled is a column of indices into a pool that the caller keeps; numbered is what `NumberedStrings` says.
/// Whether contents are UTF-8 is for the caller to check.
package enum BytesColumn {
  package static let plainEncoding: UInt8 = 0
  package static let pooledEncoding: UInt8 = 1
  package static let numberedEncoding: UInt8 = 2

  /// Writes strings of the given `lengths`, whose contents follow one another in `bytes`.
  package static func encode(
    lengths: UnsafeBufferPointer<Int64>, bytes: UnsafeRawBufferPointer, into w: inout ByteWriter
  ) {
    if lengths.count >= firstEncodedRowCount { w.append(plainEncoding) }
    unsafe encodeBody(lengths: lengths, bytes: bytes, into: &w)
  }

  /// Writes everything but the contents, which the caller appends one after another.
  package static func encodeLengths(_ lengths: UnsafeBufferPointer<Int64>, into w: inout ByteWriter) {
    if lengths.count >= firstEncodedRowCount { w.append(plainEncoding) }
    unsafe encodeBody(lengths: lengths, bytes: UnsafeRawBufferPointer(start: nil, count: 0), into: &w)
  }

  /// Like `encode` for a caller that wrote the encoding byte of a chunk of 8 or more rows.
  package static func encodeBody(
    lengths: UnsafeBufferPointer<Int64>, bytes: UnsafeRawBufferPointer, into w: inout ByteWriter
  ) {
    let count = lengths.count
    guard count > 0 else { return }
    if count >= firstEncodedRowCount {
      unsafe IntegerColumn.encode(lengths, into: &w)
    } else {
      for i in 0..<count { unsafe w.appendVarint(UInt64(bitPattern: lengths[i])) }
    }
    unsafe w.append(contentsOf: bytes)
  }

  /// Writes a chunk of one string.
  @inlinable package static func encodeOne(_ bytes: UnsafeRawBufferPointer, into w: inout ByteWriter) {
    w.appendVarint(UInt64(bytes.count))
    unsafe w.append(contentsOf: bytes)
  }

  /// Reads a chunk of one string, borrowed from the input.
  ///
  /// - Throws: as `decode` does.
  @inlinable package static func decodeOne(from r: inout ByteReader) throws(FormatError) -> UnsafeRawBufferPointer {
    let start = r
    guard let length = Int(exactly: try r.readVarint()), length <= r.remaining else {
      throw start.fail(.truncated, "the lengths of byte strings exceed the bytes that are left")
    }
    return unsafe try r.readBytes(length)
  }

  /// Reads the lengths of `count` strings into uninitialized memory and returns their contents, borrowed from the input.
  ///
  /// The lengths are not negative and add up to the bytes returned.
  ///
  /// - Throws: `truncated`, or `malformed`, also for chunks of the other encodings.
  package static func decode(
    count: Int, from r: inout ByteReader, lengths: UnsafeMutablePointer<Int64>
  ) throws(FormatError) -> UnsafeRawBufferPointer {
    if count >= firstEncodedRowCount {
      let start = r
      guard try r.readByte() == plainEncoding else { throw start.fail(.malformed, "unknown encoding of a byte string column") }
    }
    return unsafe try decodeBody(count: count, from: &r, lengths: lengths)
  }

  /// Like `decode` for a caller that read the encoding byte of a chunk of 8 or more rows and found it plain.
  package static func decodeBody(
    count: Int, from r: inout ByteReader, lengths: UnsafeMutablePointer<Int64>
  ) throws(FormatError) -> UnsafeRawBufferPointer {
    let start = r
    if count >= firstEncodedRowCount {
      unsafe try IntegerColumn.decode(count: count, from: &r, into: lengths)
    } else {
      var i = 0
      while i < count {
        unsafe lengths[i] = Int64(bitPattern: try r.readVarint())
        i &+= 1
      }
    }
    let available = Int64(r.remaining)
    var total: Int64 = 0
    // The sign bit gathers every negative length and every total beyond what is left. Up to the first of them all sums are
    // below twice what is left, so nothing can wrap before it is noticed.
    var wrong: Int64 = 0
    var i = 0
    while i < count {
      let length = unsafe lengths[i]
      total &+= length
      wrong |= length | (available &- length) | (available &- total)
      i &+= 1
    }
    guard wrong >= 0 else { throw start.fail(.truncated, "the lengths of byte strings exceed the bytes that are left") }
    return unsafe try r.readBytes(Int(total))
  }

  /// Passes over `count` strings; of a pooled chunk the indices are not compared with any pool.
  package static func skip(count: Int, from r: inout ByteReader) throws(FormatError) {
    guard count > 0 else { return }
    if count >= firstEncodedRowCount {
      let start = r
      switch try r.readByte() {
      case plainEncoding: break
      case pooledEncoding: return try IntegerColumn.skip(count: count, from: &r)
      case numberedEncoding: return try NumberedStrings.skip(count: count, from: &r)
      default: throw start.fail(.malformed, "unknown encoding of a byte string column")
      }
    }
    try skipBody(count: count, from: &r)
  }

  /// Like `skip` for a column that may not be pooled.
  package static func skipPlain(count: Int, from r: inout ByteReader) throws(FormatError) {
    guard count > 0 else { return }
    if count >= firstEncodedRowCount {
      let start = r
      guard try r.readByte() == plainEncoding else { throw start.fail(.malformed, "unknown encoding of a byte string column") }
    }
    try skipBody(count: count, from: &r)
  }

  private static func skipBody(count: Int, from r: inout ByteReader) throws(FormatError) {
    guard count <= maximumChunkRows else { throw r.fail(.malformed, "a chunk has more than \(maximumChunkRows) rows") }
    unsafe try withUnsafeTemporaryAllocation(of: Int64.self, capacity: count) { lengths throws(FormatError) in
      guard let base = lengths.baseAddress else { return }
      _ = unsafe try decodeBody(count: count, from: &r, lengths: base)
    }
  }
}
