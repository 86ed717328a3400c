/// The 64-bit XXH3: the checksum of an archive, and the hash wherever bytes are looked up.
///
/// Not a defence against forgery; it finds damage. Its long form needs only multiplications of 32 bits, two of which every processor of today
/// does at once, so that a large archive is hashed nearly as fast as it is read.
///
/// Source: the xxHash specification 0.2.0, "XXH3", 64 bits, with seed 0 and the default secret.
package enum XXH3 {
  private static let prime32x1: UInt64 = 0x9E37_79B1
  private static let prime32x2: UInt64 = 0x85EB_CA77
  private static let prime32x3: UInt64 = 0xC2B2_AE3D
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
  private static let mix1: UInt64 = 0x1656_6791_9E37_79F9
  private static let mix2: UInt64 = 0x9FB2_1C65_1E98_DF25

  /// Hashes `bytes`.
  ///
  /// - Complexity: O(bytes.count).
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let length = bytes.count
    // SAFETY: each of the functions reads nothing but the `length` bytes at `p`, for the lengths it is called for.
    guard length > 0, let p = bytes.baseAddress else { return avalanche64(word(7) ^ word(8)) }
    if length > 240 { return unsafe long(p, length) }
    if length > 128 { return unsafe upTo240(p, length) }
    if length > 16 { return unsafe upTo128(p, length) }
    return unsafe upTo16(p, length)
  }

  // MARK: Short input

  private static func upTo16(_ p: UnsafeRawPointer, _ length: Int) -> UInt64 {
    // SAFETY: the loads lie within `length` bytes, which are at least 1, 4 and 9 in the three cases.
    if length > 8 {
      let low = unsafe (word(3) ^ word(4)) ^ RawAccess.load64(p)
      let high = unsafe (word(5) ^ word(6)) ^ RawAccess.load64(p, length &- 8)
      return avalanche(UInt64(truncatingIfNeeded: length) &+ low.byteSwapped &+ high &+ folded(low, high))
    }
    if length >= 4 {
      let combined = unsafe UInt64(RawAccess.load32(p, length &- 4)) | UInt64(RawAccess.load32(p)) &<< 32
      var value = (word(1) ^ word(2)) ^ combined
      value ^= (value &<< 49 | value &>> 15) ^ (value &<< 24 | value &>> 40)
      value = value &* mix2
      value ^= (value &>> 35) &+ UInt64(truncatingIfNeeded: length)
      value = value &* mix2
      return value ^ value &>> 28
    }
    let first = unsafe UInt64(RawAccess.load8(p))
    let middle = unsafe UInt64(RawAccess.load8(p, length &>> 1))
    let last = unsafe UInt64(RawAccess.load8(p, length &- 1))
    let combined = last | UInt64(truncatingIfNeeded: length) &<< 8 | first &<< 16 | middle &<< 24
    let secret = word(0)
    return avalanche64((secret & 0xFFFF_FFFF ^ secret &>> 32) ^ combined)
  }

  /// Pairs of sixteen bytes, from both ends towards the middle, where they overlap.
  private static func upTo128(_ p: UnsafeRawPointer, _ length: Int) -> UInt64 {
    var sum = UInt64(truncatingIfNeeded: length) &* prime1
    var i = 0
    // SAFETY: `length` is 17 or more, and `i` at most half of it, so that both sixteen bytes lie within it.
    repeat {
      unsafe sum = sum &+ mixed(p + i, secret: i &* 2)
      unsafe sum = sum &+ mixed(p + (length &- i &- 16), secret: i &* 2 &+ 16)
      i &+= 16
    } while i &* 2 < length
    return avalanche(sum)
  }

  private static func upTo240(_ p: UnsafeRawPointer, _ length: Int) -> UInt64 {
    var sum = UInt64(truncatingIfNeeded: length) &* prime1
    // SAFETY: `length` is 129 or more, and each sixteen bytes end within it.
    for i in 0..<8 { unsafe sum = sum &+ mixed(p + i &* 16, secret: i &* 16) }
    sum = avalanche(sum)
    for i in 8..<(length &>> 4) { unsafe sum = sum &+ mixed(p + i &* 16, secret: (i &- 8) &* 16 &+ 3) }
    return unsafe avalanche(sum &+ mixed(p + (length &- 16), secret: 119))
  }

  @inline(__always) private static func mixed(_ p: UnsafeRawPointer, secret offset: Int) -> UInt64 {
    // SAFETY: the caller guarantees sixteen bytes at `p` and in the secret at `offset`.
    unsafe folded(
      RawAccess.load64(p) ^ RawAccess.load64(secret, offset), RawAccess.load64(p, 8) ^ RawAccess.load64(secret, offset &+ 8))
  }

  // MARK: Long input

  /// Eight sums, two to a vector.
  private typealias Pair = SIMD2<UInt64>

  private static let stripe = 64
  /// Stripes between two scrambles.
  private static let stripesPerBlock = 16

  private static func long(_ p: UnsafeRawPointer, _ length: Int) -> UInt64 {
    var a = Pair(prime32x3, prime1)
    var b = Pair(prime2, prime3)
    var c = Pair(prime4, prime32x2)
    var d = Pair(prime5, prime32x1)
    // SAFETY: the stripes in front of the last byte lie within the `length` bytes, and the last one are the last 64 of them; the secret is read
    // at 8 for each stripe, at 121 and at 128, and has 192 bytes.
    let key = unsafe secret
    let stripes = (length &- 1) / stripe
    var n = 0
    while n < stripes {
      let end = min(n &+ stripesPerBlock, stripes)
      var offset = 0
      let isWhole = end &- n == stripesPerBlock
      while n < end {
        unsafe accumulate(&a, &b, &c, &d, p + n &* stripe, key + offset)
        offset &+= 8
        n &+= 1
      }
      if isWhole {
        unsafe scramble(&a, key, 128)
        unsafe scramble(&b, key, 144)
        unsafe scramble(&c, key, 160)
        unsafe scramble(&d, key, 176)
      }
    }
    unsafe accumulate(&a, &b, &c, &d, p + (length &- stripe), key + 121)
    var result = UInt64(truncatingIfNeeded: length) &* prime1
    result = result &+ merged(a, 11) &+ merged(b, 27) &+ merged(c, 43) &+ merged(d, 59)
    return avalanche(result)
  }

  @inline(__always) private static func accumulate(
    _ a: inout Pair, _ b: inout Pair, _ c: inout Pair, _ d: inout Pair, _ p: UnsafeRawPointer, _ key: UnsafeRawPointer
  ) {
    // SAFETY: the caller guarantees 64 bytes at both.
    unsafe accumulate(&a, p, key, 0)
    unsafe accumulate(&b, p, key, 16)
    unsafe accumulate(&c, p, key, 32)
    unsafe accumulate(&d, p, key, 48)
  }

  @inline(__always) private static func accumulate(
    _ sum: inout Pair, _ p: UnsafeRawPointer, _ key: UnsafeRawPointer, _ offset: Int
  ) {
    // SAFETY: the caller guarantees sixteen bytes at `offset`.
    let data = unsafe pair(p, offset)
    let value = unsafe data ^ pair(key, offset)
    sum = sum &+ Pair(data.y, data.x) &+ (value & 0xFFFF_FFFF) &* (value &>> 32)
  }

  @inline(__always) private static func scramble(_ sum: inout Pair, _ key: UnsafeRawPointer, _ offset: Int) {
    // SAFETY: the caller guarantees sixteen bytes of the secret at `offset`.
    unsafe sum = (sum ^ (sum &>> 47) ^ pair(key, offset)) &* prime32x1
  }

  @inline(__always) private static func merged(_ sum: Pair, _ offset: Int) -> UInt64 {
    // SAFETY: the caller guarantees sixteen bytes of the secret at `offset`.
    unsafe folded(sum.x ^ RawAccess.load64(secret, offset), sum.y ^ RawAccess.load64(secret, offset &+ 8))
  }

  @inline(__always) private static func pair(_ p: UnsafeRawPointer, _ offset: Int) -> Pair {
    // SAFETY: the caller guarantees sixteen bytes at `offset`.
    let raw = unsafe p.loadUnaligned(fromByteOffset: offset, as: Pair.self)
    #if _endian(little)
      return raw
    #else
      return Pair(raw.x.byteSwapped, raw.y.byteSwapped)
    #endif
  }

  // MARK: Mixing

  @inline(__always) private static func folded(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  @inline(__always) private static func avalanche(_ x: UInt64) -> UInt64 {
    var x = x
    x ^= x &>> 37
    x = x &* mix1
    return x ^ x &>> 32
  }

  /// The last step of the older xxHash64, which very short input still takes.
  @inline(__always) private static func avalanche64(_ x: UInt64) -> UInt64 {
    var x = x
    x ^= x &>> 33
    x = x &* prime2
    x ^= x &>> 29
    x = x &* prime3
    return x ^ x &>> 32
  }

  // MARK: The secret

  @inline(__always) private static func word(_ index: Int) -> UInt64 {
    // SAFETY: the secret has 24 words.
    unsafe RawAccess.load64(secret, index &* 8)
  }

  /// 192 bytes that the specification gives. They live as long as the program.
  nonisolated(unsafe) private static let secret: UnsafeRawPointer = {
    let words: [UInt64] = [
      0xBE4B_A423_396C_FEB8, 0x1CAD_21F7_2C81_017C, 0xDB97_9083_E96D_D4DE, 0x1F67_B3B7_A4A4_4072, 0x78E5_C0CC_4EE6_79CB,
      0x2172_FFCC_7DD0_5A82, 0x8E24_43F7_7446_08B8, 0x4C26_3A81_E690_35E0, 0xCB00_C391_BB52_283C, 0xA32E_531B_8B65_D088,
      0x4EF9_0DA2_9748_6471, 0xD8AC_DEA9_46EF_1938, 0x3F34_9CE3_3F76_FAA8, 0x1D4F_0BC7_C7BB_DCF9, 0x3159_B4CD_4BE0_518A,
      0x6473_78D9_C97E_9FC8, 0xC3EB_D334_83AC_C5EA, 0xEB63_13FA_FFA0_81C5, 0x49DA_F0B7_51DD_0D17, 0x9E68_D429_2655_16D3,
      0xFCA1_477D_58BE_162B, 0xCE31_D07A_D1B8_F88F, 0x2804_1695_8F3A_CB45, 0x7E40_4BBB_CAFB_D7AF,
    ]
    // SAFETY: as many words are allocated as are stored.
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: words.count * 8, alignment: 16)
    for (i, word) in words.enumerated() { unsafe RawAccess.store64(word, bytes, i * 8) }
    return UnsafeRawPointer(bytes)
  }()
}
