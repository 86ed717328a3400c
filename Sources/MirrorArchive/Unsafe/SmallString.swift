/// Strings of at most 15 ASCII characters, which the standard library keeps in the string itself: put together without a call of the runtime.
enum SmallString {
  /// Whether such strings are the bits that `make` puts together, found out by looking at some.
  private static let isKnown: Bool = {
    #if _endian(big)
      return false
    #else
      guard MemoryLayout<String>.size == 16 else { return false }
      return (0...15).allSatisfy { count in
        let ascii = (0..<count).map { UInt8(($0 &* 37 &+ count) & 0x7f) }
        let string = String(decoding: ascii, as: UTF8.self)
        return unsafe ascii.withUnsafeBytes { bytes in
          guard let made = unsafe bits(of: bytes) else { return false }
          return unsafe withUnsafeBytes(of: string) { unsafe $0.load(as: (UInt64, UInt64).self) } == made
        }
      }
    #endif
  }()

  /// The string with these bytes; nil if they are too many or not all ASCII.
  @inline(__always)
  static func make(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard isKnown, let bits = unsafe bits(of: bytes) else { return nil }
    // SAFETY: `isKnown` says that a string of these bits holds these characters; it refers to no memory.
    return unsafe unsafeBitCast(bits, to: String.self)
  }

  @inline(__always)
  private static func bits(of bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64)? {
    let count = bytes.count
    var low: UInt64 = 0
    var high: UInt64 = 0
    // SAFETY: each case reads within `count` bytes, some of them twice.
    if count >= 8 {
      if count > 15 { return nil }
      unsafe low = bytes.loadUnaligned(as: UInt64.self)
      // Moved in two steps, because eight bytes leave nothing and a shift by 64 is none.
      let end = unsafe bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      high = (end &>> 8) &>> UInt64(truncatingIfNeeded: (15 &- count) &* 8)
    } else if count >= 4 {
      let start = unsafe bytes.loadUnaligned(as: UInt32.self)
      let end = unsafe bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      low = UInt64(start) | UInt64(end) &<< UInt64(truncatingIfNeeded: (count &- 4) &* 8)
    } else if count > 0 {
      let middle = count &>> 1
      let last = count &- 1
      unsafe low =
        UInt64(bytes[0]) | UInt64(bytes[middle]) &<< UInt64(truncatingIfNeeded: middle &* 8)
        | UInt64(bytes[last]) &<< UInt64(truncatingIfNeeded: last &* 8)
    }
    if (low | high) & 0x8080_8080_8080_8080 != 0 { return nil }
    return (low, high | (0xe0 | UInt64(truncatingIfNeeded: count)) &<< 56)
  }
}
