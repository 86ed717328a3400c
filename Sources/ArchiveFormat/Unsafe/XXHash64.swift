/// The 64-bit xxHash: the checksum of archives that were written before XXH3 was taken for it.
///
/// Not a defence against forgery; it finds damage, at several bytes per clock cycle.
package enum XXHash64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// Hashes `bytes`.
  ///
  /// - Complexity: O(bytes.count).
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    let length = bytes.count
    guard length > 0, var p = bytes.baseAddress else { return avalanche(seed &+ prime5) }
    var left = length
    var h: UInt64
    if left >= 32 {
      var a = seed &+ prime1 &+ prime2
      var b = seed &+ prime2
      var c = seed
      var d = seed &- prime1
      // SAFETY: `left` counts the readable bytes at `p` and is compared before each load.
      repeat {
        unsafe a = round(a, RawAccess.load64(p))
        unsafe b = round(b, RawAccess.load64(p, 8))
        unsafe c = round(c, RawAccess.load64(p, 16))
        unsafe d = round(d, RawAccess.load64(p, 24))
        unsafe p += 32
        left &-= 32
      } while left >= 32
      h = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
      h = merge(merge(merge(merge(h, a), b), c), d)
    } else {
      h = seed &+ prime5
    }
    h = h &+ UInt64(truncatingIfNeeded: length)
    // SAFETY: as above, every load is preceded by a comparison with `left`.
    while left >= 8 {
      unsafe h = rotate(h ^ round(0, RawAccess.load64(p)), 27) &* prime1 &+ prime4
      unsafe p += 8
      left &-= 8
    }
    if left >= 4 {
      unsafe h = rotate(h ^ (UInt64(RawAccess.load32(p)) &* prime1), 23) &* prime2 &+ prime3
      unsafe p += 4
      left &-= 4
    }
    while left > 0 {
      unsafe h = rotate(h ^ (UInt64(RawAccess.load8(p)) &* prime5), 11) &* prime1
      unsafe p += 1
      left &-= 1
    }
    return avalanche(h)
  }

  @inline(__always) private static func rotate(_ v: UInt64, _ n: UInt64) -> UInt64 { (v &<< n) | (v &>> (64 &- n)) }

  @inline(__always) private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }

  @inline(__always) private static func merge(_ h: UInt64, _ lane: UInt64) -> UInt64 {
    (h ^ round(0, lane)) &* prime1 &+ prime4
  }

  @inline(__always) private static func avalanche(_ h: UInt64) -> UInt64 {
    var h = h
    h ^= h &>> 33
    h = h &* prime2
    h ^= h &>> 29
    h = h &* prime3
    h ^= h &>> 32
    return h
  }
}
