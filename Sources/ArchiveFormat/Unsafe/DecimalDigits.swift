/// Numbers as decimal digits, eight at a time.
enum DecimalDigits {
  /// 10 to the power of 0...18.
  static func power(_ exponent: Int) -> UInt64 {
    var result: UInt64 = 1
    for _ in 0..<exponent { result &*= 10 }
    return result
  }

  private static let eight: UInt64 = 100_000_000
  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  /// The eight digits of a number below 10^8, the first one in the lowest byte, as numbers of 0...9.
  ///
  /// Halves the groups of digits three times, for all groups at once: division by 10,000, 100 and 10 is multiplication by what is
  /// close enough to the inverse for numbers this small.
  @inline(__always) static func spread(_ number: UInt64) -> UInt64 {
    let fours = number / 10_000 | (number % 10_000) &<< 32
    let hundreds = ((fours &* 10_486) &>> 20) & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = ((twos &* 103) &>> 10) & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) &<< 8
  }

  /// Stores a number below 10^18 with the digits it needs, and returns how many; up to 8 bytes more are touched.
  @inline(__always) static func store(_ number: UInt64, at place: UnsafeMutableRawPointer) -> Int {
    if number >= eight { return unsafe storeLong(number, at: place) }
    let word = spread(number)
    let unused = min(word.trailingZeroBitCount &>> 3, 7)
    // SAFETY: the caller has room for 18 digits and 8 bytes more.
    unsafe RawAccess.store64((word | zeros) &>> UInt64(truncatingIfNeeded: unused &<< 3), place)
    return 8 &- unused
  }

  /// Stores a number with exactly as many digits, 1...18, leading zeros among them; up to 8 bytes more are touched.
  @inline(__always) static func store(_ number: UInt64, digits: Int, at place: UnsafeMutableRawPointer) -> Int {
    if digits > 8 { return unsafe storeLong(number, digits: digits, at: place) }
    // SAFETY: the caller has room for the digits and 8 bytes more.
    unsafe RawAccess.store64((spread(number) | zeros) &>> UInt64(truncatingIfNeeded: (8 &- digits) &<< 3), place)
    return digits
  }

  private static func storeLong(_ number: UInt64, at place: UnsafeMutableRawPointer) -> Int {
    // SAFETY: as above; each group of eight covers what the one in front of it has touched.
    let length = unsafe number / eight < eight ? store(number / eight, at: place) : storeLong(number / eight, at: place)
    unsafe RawAccess.store64(spread(number % eight) | zeros, place, length)
    return length &+ 8
  }

  private static func storeLong(_ number: UInt64, digits: Int, at place: UnsafeMutableRawPointer) -> Int {
    let front = digits &- 8
    // SAFETY: as above.
    _ = unsafe front > 8 ? storeLong(number / eight, digits: front, at: place) : store(number / eight, digits: front, at: place)
    unsafe RawAccess.store64(spread(number % eight) | zeros, place, front)
    return digits
  }
}
