#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A growable byte buffer that the encoders append to.
///
/// It owns raw memory instead of an array so that appending costs one comparison and a store, and so that a column can be
/// filled in place. Capacity doubles or more, which keeps appending amortised O(1).
@safe package struct ByteWriter: ~Copyable {
  @usableFromInline var base: UnsafeMutableRawPointer
  @usableFromInline var used: Int
  @usableFromInline var capacity: Int

  /// - Parameter capacity: With 0 there is no memory before the first byte is written.
  package init(capacity: Int = 0) {
    // SAFETY: owned by this value alone and freed in deinit.
    unsafe base = capacity > 0 ? Self.allocate(capacity) : Self.nothing
    used = 0
    self.capacity = capacity
  }

  /// What stands for the memory of a writer that has none.
  private static var nothing: UnsafeMutableRawPointer {
    // SAFETY: nothing is read or written there, because its capacity is 0.
    unsafe UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
  }

  /// The C library's memory can grow without being copied: a large buffer gets further pages.
  private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer {
    guard let memory = unsafe malloc(capacity) else { fatalError("there is no memory for \(capacity) bytes") }
    return unsafe memory
  }

  /// Frees a buffer that was handed over by `takeBuffer`.
  package static func free(_ buffer: UnsafeMutableRawPointer) { unsafe releaseMemory(buffer) }

  deinit {
    // SAFETY: allocated by this value, and nothing else frees it.
    if capacity > 0 { unsafe releaseMemory(base) }
  }

  /// How many bytes there is memory for.
  package var allocatedCount: Int { capacity }

  /// The number of bytes written.
  @inlinable package var count: Int {
    @inline(__always) get { used }
  }

  /// The bytes written; valid until the next mutation.
  @inlinable package var bytes: UnsafeRawBufferPointer {
    // SAFETY: the first `used` bytes are initialized.
    unsafe UnsafeRawBufferPointer(start: base, count: used)
  }

  /// From this many bytes on the capacity grows fourfold.
  private static var largeCapacity: Int { 1 << 20 }

  /// Hands over the buffer, which the caller frees with `free`, and begins without one. There must be bytes in it.
  package mutating func takeBuffer() -> UnsafeMutableRawBufferPointer {
    precondition(used > 0, "an empty writer may have no buffer")
    // SAFETY: the buffer is this value's own; what is given back is behind the bytes that were written.
    if capacity >= Self.largeCapacity, let fitting = unsafe realloc(base, used) { unsafe base = fitting }
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: base, count: used)
    // SAFETY: the old buffer now belongs to the caller alone.
    unsafe base = Self.nothing
    used = 0
    capacity = 0
    return unsafe buffer
  }

  /// Replaces bytes that were written before.
  package mutating func overwrite(at position: Int, with bytes: UnsafeRawBufferPointer) {
    precondition(position >= 0 && position <= used - bytes.count, "only written bytes can be replaced")
    guard let start = bytes.baseAddress else { return }
    // SAFETY: the bytes lie within those that were written.
    unsafe (base + position).copyMemory(from: start, byteCount: bytes.count)
  }

  /// Makes room for `extra` more bytes.
  @inlinable @inline(__always) package mutating func reserve(_ extra: Int) {
    if extra > capacity &- used { grow(extra) }
  }

  @usableFromInline @inline(never) mutating func grow(_ extra: Int) {
    precondition(extra >= 0, "a negative number of bytes cannot be reserved")
    let needed = used + extra
    // A large buffer may have to be copied when it grows; memory that nobody touches costs less than that.
    let newCapacity = max(needed, capacity >= Self.largeCapacity ? capacity * 4 : capacity * 2, 16)
    // SAFETY: the buffer is this value's own; its bytes are trivial.
    let old = unsafe capacity > 0 ? base : nil
    if let new = unsafe realloc(old, newCapacity) {
      unsafe base = new
      capacity = newCapacity
    } else if let new = unsafe realloc(old, needed) {
      unsafe base = new
      capacity = needed
    } else {
      // Bytes that are written exist already as values: no input can ask for more than the program has made itself.
      fatalError("there is no memory for \(needed) bytes")
    }
  }
}

extension ByteWriter {
  @inlinable @inline(__always) package mutating func append(_ byte: UInt8) {
    reserve(1)
    // SAFETY: one byte was reserved.
    unsafe base.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
    used &+= 1
  }

  package mutating func appendZeros(_ count: Int) {
    if count <= 0 { return }
    // SAFETY: as many bytes were made room for.
    unsafe appendUninitialized(count).initialize(repeating: 0, count: count)
  }

  /// Appends `v` as a minimal LEB128 varint, 1...10 bytes.
  @inlinable @inline(__always) package mutating func appendVarint(_ v: UInt64) {
    if v < 0x80 { append(UInt8(truncatingIfNeeded: v)) } else { appendLongVarint(v) }
  }

  @usableFromInline mutating func appendLongVarint(_ v: UInt64) {
    reserve(10)
    // SAFETY: a varint takes at most the 10 bytes reserved.
    unsafe used &+= Self.storeVarint(v, at: base + used)
  }

  /// Appends a signed number as the varint of its zigzag form.
  @inlinable @inline(__always) package mutating func appendZigzag(_ v: Int64) { appendVarint(zigzagEncoded(v)) }

  @inlinable package mutating func appendLE16(_ v: UInt16) {
    reserve(2)
    // SAFETY: two bytes were reserved.
    unsafe base.storeBytes(of: v.littleEndian, toByteOffset: used, as: UInt16.self)
    used &+= 2
  }

  @inlinable package mutating func appendLE32(_ v: UInt32) {
    reserve(4)
    // SAFETY: four bytes were reserved.
    unsafe base.storeBytes(of: v.littleEndian, toByteOffset: used, as: UInt32.self)
    used &+= 4
  }

  @inlinable package mutating func appendLE64(_ v: UInt64) {
    reserve(8)
    // SAFETY: eight bytes were reserved.
    unsafe base.storeBytes(of: v.littleEndian, toByteOffset: used, as: UInt64.self)
    used &+= 8
  }

  /// Appends a copy of `source`, which must not be this writer's own `bytes`.
  @inlinable package mutating func append(contentsOf source: UnsafeRawBufferPointer) {
    let n = source.count
    guard n > 0, let start = source.baseAddress else { return }
    reserve(n)
    // SAFETY: `n` bytes were reserved and `start` has `n` readable bytes.
    unsafe (base + used).copyMemory(from: start, byteCount: n)
    used &+= n
  }

  /// Appends `n` bytes for the caller to fill before the next call; the pointer is valid until the next mutation.
  @inlinable package mutating func appendUninitialized(_ n: Int) -> UnsafeMutablePointer<UInt8> {
    reserve(n)
    // SAFETY: `n` bytes were reserved.
    let start = unsafe (base + used).bindMemory(to: UInt8.self, capacity: max(n, 1))
    used &+= n
    return unsafe start
  }

  /// Puts a varint in front of what was written from `position` on: the length of something, once it is known.
  ///
  /// - Complexity: O(number of bytes after `position`).
  package mutating func insertVarint(_ v: UInt64, at position: Int) {
    precondition(position >= 0 && position <= used, "the position lies outside of what was written")
    let length = varintLength(v)
    reserve(length)
    // SAFETY: `length` more bytes were reserved, so the tail fits after the move; memmove allows the overlap.
    let place = unsafe base + position
    unsafe (place + length).copyMemory(from: place, byteCount: used &- position)
    _ = unsafe Self.storeVarint(v, at: place)
    used &+= length
  }

  /// Leaves room for the length of what follows, a varint. Returns where it is, for `endLength`.
  @inlinable package mutating func beginLength() -> Int {
    let position = used
    _ = unsafe appendUninitialized(Self.expectedLength)
    return position
  }

  /// Most lengths of columns take as many bytes.
  @usableFromInline static var expectedLength: Int { 2 }

  /// Puts the number of bytes that were written since `beginLength` in front of them.
  ///
  /// - Complexity: O(1) if the number takes as many bytes as most, else O(number of bytes).
  package mutating func endLength(at position: Int) {
    precondition(position >= 0 && position <= used - Self.expectedLength, "the position lies outside of what was written")
    let count = used &- position &- Self.expectedLength
    let length = varintLength(UInt64(count))
    if length != Self.expectedLength {
      reserve(length)
      // SAFETY: as many more bytes as the number takes were reserved, so the bytes fit after the move; memmove allows the overlap.
      let place = unsafe base + position
      unsafe (place + length).copyMemory(from: place + Self.expectedLength, byteCount: count)
    }
    _ = unsafe Self.storeVarint(UInt64(count), at: base + position)
    used = position &+ length &+ count
  }

  /// Forgets everything after the first `count` bytes.
  package mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= used, "a writer can only be truncated to what it holds")
    used = count
  }

  /// Forgets the contents and keeps the capacity.
  @inlinable package mutating func removeAll() { used = 0 }

  /// Stores a varint and returns its length; the memory must have room for it.
  @usableFromInline @unsafe static func storeVarint(_ v: UInt64, at place: UnsafeMutableRawPointer) -> Int {
    var v = v
    var n = 0
    // SAFETY: the caller reserved as many bytes as the number takes.
    while v >= 0x80 {
      unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: v) | 0x80, toByteOffset: n, as: UInt8.self)
      v &>>= 7
      n &+= 1
    }
    unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: v), toByteOffset: n, as: UInt8.self)
    return n &+ 1
  }
}

/// `free` of the C library, which `ByteWriter.free` hides.
private func releaseMemory(_ memory: UnsafeMutableRawPointer) { unsafe free(memory) }
