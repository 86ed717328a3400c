/// Unaligned little-endian access to raw memory.
///
/// The one place that knows about byte order. None of these check bounds: each caller has compared with what remains.
enum RawAccess {
  @inline(__always) static func load64(_ p: UnsafeRawPointer, _ offset: Int = 0) -> UInt64 {
    // SAFETY: the caller guarantees 8 readable bytes at `offset`.
    unsafe UInt64(littleEndian: p.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always) static func load32(_ p: UnsafeRawPointer, _ offset: Int = 0) -> UInt32 {
    // SAFETY: the caller guarantees 4 readable bytes at `offset`.
    unsafe UInt32(littleEndian: p.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always) static func load16(_ p: UnsafeRawPointer, _ offset: Int = 0) -> UInt16 {
    // SAFETY: the caller guarantees 2 readable bytes at `offset`.
    unsafe UInt16(littleEndian: p.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  @inline(__always) static func load8(_ p: UnsafeRawPointer, _ offset: Int = 0) -> UInt8 {
    // SAFETY: the caller guarantees a readable byte at `offset`.
    unsafe p.load(fromByteOffset: offset, as: UInt8.self)
  }

  @inline(__always) static func store64(_ v: UInt64, _ p: UnsafeMutableRawPointer, _ offset: Int = 0) {
    // SAFETY: the caller guarantees 8 writable bytes at `offset`.
    unsafe p.storeBytes(of: v.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  @inline(__always) static func store32(_ v: UInt32, _ p: UnsafeMutableRawPointer, _ offset: Int = 0) {
    // SAFETY: the caller guarantees 4 writable bytes at `offset`.
    unsafe p.storeBytes(of: v.littleEndian, toByteOffset: offset, as: UInt32.self)
  }

  @inline(__always) static func store16(_ v: UInt16, _ p: UnsafeMutableRawPointer, _ offset: Int = 0) {
    // SAFETY: the caller guarantees 2 writable bytes at `offset`.
    unsafe p.storeBytes(of: v.littleEndian, toByteOffset: offset, as: UInt16.self)
  }

  @inline(__always) static func store8(_ v: UInt8, _ p: UnsafeMutableRawPointer, _ offset: Int = 0) {
    // SAFETY: the caller guarantees a writable byte at `offset`.
    unsafe p.storeBytes(of: v, toByteOffset: offset, as: UInt8.self)
  }

  /// Copies `count` numbers of 64 bits between memory and bytes, in either direction.
  @inline(__always) static func copy64(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    // SAFETY: the caller guarantees `8 * count` bytes on both sides.
    #if _endian(little)
      unsafe target.copyMemory(from: source, byteCount: count &* 8)
    #else
      for i in 0..<count { unsafe target.storeBytes(of: load64(source, i &* 8), toByteOffset: i &* 8, as: UInt64.self) }
    #endif
  }

  /// The same for numbers of 32 bits.
  @inline(__always) static func copy32(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    // SAFETY: the caller guarantees `4 * count` bytes on both sides.
    #if _endian(little)
      unsafe target.copyMemory(from: source, byteCount: count &* 4)
    #else
      for i in 0..<count { unsafe target.storeBytes(of: load32(source, i &* 4), toByteOffset: i &* 4, as: UInt32.self) }
    #endif
  }
}

/// Maps a signed integer to an unsigned one so that numbers of small magnitude stay small.
@inlinable @inline(__always) package func zigzagEncoded(_ v: Int64) -> UInt64 { UInt64(bitPattern: (v &<< 1) ^ (v &>> 63)) }

/// The inverse of `zigzagEncoded`.
@inlinable @inline(__always) package func zigzagDecoded(_ u: UInt64) -> Int64 { Int64(bitPattern: (u &>> 1) ^ (0 &- (u & 1))) }

/// How many bytes `v` takes as a varint, 1...10.
@inlinable @inline(__always) package func varintLength(_ v: UInt64) -> Int {
  // Every byte carries seven bits; zero takes one byte too.
  (70 &- (v | 1).leadingZeroBitCount) / 7
}
