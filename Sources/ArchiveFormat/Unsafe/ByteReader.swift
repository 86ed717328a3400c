/// A cursor over borrowed bytes that never passes their end.
///
/// Every read compares what it needs with what remains; the position is never added to, so no count from the bytes can make
/// it wrap. The bytes must outlive the reader and everything it returns. Copying is cheap and gives an independent cursor.
@safe package struct ByteReader {
  @usableFromInline var current: UnsafeRawPointer
  @usableFromInline var end: UnsafeRawPointer
  /// The absolute offset of `end`, from which the current offset follows.
  @usableFromInline var endOffset: Int

  /// Reads `bytes`; `baseOffset` is where they stand in the archive and only serves error messages.
  @inlinable package init(_ bytes: UnsafeRawBufferPointer, at baseOffset: Int = 0) {
    let n = bytes.count
    // SAFETY: an empty buffer may have no address; any address will do because nothing is read from it.
    unsafe current = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    unsafe end = current + n
    endOffset = baseOffset &+ n
  }

  /// The number of bytes that are left.
  @inlinable package var remaining: Int {
    @inline(__always) get { unsafe end - current }
  }

  /// The absolute position of the next byte.
  @inlinable package var offset: Int { endOffset &- remaining }

  /// All bytes that are left.
  package var rest: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: current, count: remaining) }

  /// The address of the next byte, `remaining` bytes of which may be read.
  @inlinable package var pointer: UnsafePointer<UInt8>? {
    // SAFETY: the memory is only read as bytes.
    unsafe current.assumingMemoryBound(to: UInt8.self)
  }

  @inlinable @inline(__always) package mutating func readByte() throws(FormatError) -> UInt8 {
    guard remaining > 0 else { throw truncated(1) }
    // SAFETY: at least one byte remains.
    let byte = unsafe current.load(as: UInt8.self)
    unsafe current += 1
    return byte
  }

  /// Reads a LEB128 number.
  ///
  /// - Throws: `truncated` at the end of the bytes, `malformed` for more than ten bytes or more than 64 bits.
  @inlinable @inline(__always) package mutating func readVarint() throws(FormatError) -> UInt64 {
    if remaining > 0 {
      // SAFETY: at least one byte remains.
      let byte = unsafe current.load(as: UInt8.self)
      if byte < 0x80 {
        unsafe current += 1
        return UInt64(byte)
      }
    }
    return try readLongVarint()
  }

  @usableFromInline mutating func readLongVarint() throws(FormatError) -> UInt64 {
    let available = min(remaining, 10)
    var value: UInt64 = 0
    var i = 0
    while i < available {
      // SAFETY: `i` is below what remains.
      let byte = unsafe current.load(fromByteOffset: i, as: UInt8.self)
      if i == 9 && byte > 1 { break }
      value |= UInt64(byte & 0x7F) &<< UInt64(truncatingIfNeeded: 7 &* i)
      i &+= 1
      if byte < 0x80 {
        unsafe current += i
        return value
      }
    }
    if i == remaining && i < 10 { throw truncated(i &+ 1) }
    throw fail(.malformed, "a varint holds more than 64 bits")
  }

  /// Reads a varint that is used as a count or a length.
  ///
  /// - Throws: like `readVarint`, and `malformed` if the number does not fit `Int`.
  @inlinable package mutating func readCount() throws(FormatError) -> Int {
    let start = self
    let v = try readVarint()
    guard let count = Int(exactly: v) else { throw start.tooLarge(v) }
    return count
  }

  @inlinable @inline(__always) package mutating func readZigzag() throws(FormatError) -> Int64 { zigzagDecoded(try readVarint()) }

  @inlinable package mutating func readLE16() throws(FormatError) -> UInt16 {
    guard remaining >= 2 else { throw truncated(2) }
    // SAFETY: two bytes remain.
    let v = unsafe current.loadUnaligned(as: UInt16.self)
    unsafe current += 2
    return UInt16(littleEndian: v)
  }

  @inlinable package mutating func readLE32() throws(FormatError) -> UInt32 {
    guard remaining >= 4 else { throw truncated(4) }
    // SAFETY: four bytes remain.
    let v = unsafe current.loadUnaligned(as: UInt32.self)
    unsafe current += 4
    return UInt32(littleEndian: v)
  }

  @inlinable package mutating func readLE64() throws(FormatError) -> UInt64 {
    guard remaining >= 8 else { throw truncated(8) }
    // SAFETY: eight bytes remain.
    let v = unsafe current.loadUnaligned(as: UInt64.self)
    unsafe current += 8
    return UInt64(littleEndian: v)
  }

  /// Takes the next `n` bytes, which stay borrowed from the input.
  @inlinable package mutating func readBytes(_ n: Int) throws(FormatError) -> UnsafeRawBufferPointer {
    guard n >= 0 && n <= remaining else { throw truncated(n) }
    // SAFETY: `n` bytes remain.
    let bytes = unsafe UnsafeRawBufferPointer(start: current, count: n)
    unsafe current += n
    return unsafe bytes
  }

  /// Takes the next `n` bytes as a reader of their own that reports the same absolute offsets.
  @inlinable package mutating func slice(_ n: Int) throws(FormatError) -> ByteReader {
    let start = offset
    return unsafe ByteReader(try readBytes(n), at: start)
  }

  @inlinable package mutating func skip(_ n: Int) throws(FormatError) {
    guard n >= 0 && n <= remaining else { throw truncated(n) }
    // SAFETY: `n` bytes remain.
    unsafe current += n
  }

  /// Takes `n` bytes of UTF-8.
  ///
  /// - Throws: `truncated`, or `malformed` if the bytes are not UTF-8.
  package mutating func readString(_ n: Int) throws(FormatError) -> String {
    let start = self
    let bytes = unsafe try readBytes(n)
    // Names are mostly ASCII, which needs no validation and is made into a string several times faster.
    if unsafe isASCII(bytes) { return unsafe String(decoding: bytes, as: UTF8.self) }
    guard let string = unsafe String(validating: bytes, as: UTF8.self) else {
      throw start.fail(.malformed, "a name is not valid UTF-8")
    }
    return string
  }

  /// An error at the current offset.
  package func fail(_ code: FormatError.Code, _ message: @autoclosure () -> String) -> FormatError {
    FormatError(code: code, offset: offset, message: message())
  }

  @usableFromInline @inline(never) func truncated(_ n: Int) -> FormatError {
    if n < 0 { return fail(.malformed, "a length is negative") }
    return fail(.truncated, "\(n) bytes are needed and \(remaining) are left")
  }

  @usableFromInline @inline(never) func tooLarge(_ v: UInt64) -> FormatError { fail(.malformed, "the count \(v) is too large") }
}

/// Whether no byte has its top bit set.
@inline(__always) package func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let p = bytes.baseAddress else { return true }
  var gathered: UInt64 = 0
  var i = 0
  // SAFETY: every load ends within the bytes.
  while bytes.count &- i >= 8 {
    unsafe gathered |= RawAccess.load64(p, i)
    i &+= 8
  }
  while i < bytes.count {
    unsafe gathered |= UInt64(RawAccess.load8(p, i))
    i &+= 1
  }
  return gathered & 0x8080_8080_8080_8080 == 0
}
