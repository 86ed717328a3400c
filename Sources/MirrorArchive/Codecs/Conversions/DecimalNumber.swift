#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Decimal: ExactScalar {
  static var family: ExactFamily { .decimal }

  /// Digits and exponent, read from the bits: an archive may hold digits that no arithmetic leaves behind, and Foundation need not be ready
  /// for them.
  private var parts: (isNegative: Bool, digits: UInt128, exponent: Int) {
    // SAFETY: a Decimal has 20 bytes: the exponent, the number of 16-bit digits with the flags, two reserved bytes, eight digits.
    unsafe withUnsafeBytes(of: self) { bytes in
      let flags = unsafe bytes[1]
      #if canImport(Darwin)
        let (length, isNegative) = (Int(flags & 0xF), flags & 0x10 != 0)
      #else
        let (length, isNegative) = (Int(flags >> 4), flags & 0x08 != 0)
      #endif
      var digits: UInt128 = 0
      for i in (0..<min(length, 8)).reversed() {
        digits = unsafe digits << 16 | UInt128(bytes.loadUnaligned(fromByteOffset: 4 + 2 * i, as: UInt16.self))
      }
      return unsafe (isNegative, digits, Int(Int8(bitPattern: bytes[0])))
    }
  }

  var exact: ExactNumber? {
    if isNaN { return nil }
    var (isNegative, digits, exponent) = parts
    if digits == 0 { return .whole(isNegative: false, magnitude: 0) }
    while exponent > 0 {
      let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      digits = product
      exponent -= 1
    }
    while exponent < 0 {
      let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { return nil }
      digits = quotient
      exponent += 1
    }
    return .whole(isNegative: isNegative, magnitude: digits)
  }

  init?(exact number: ExactNumber) {
    guard case .whole(let isNegative, let magnitude) = number else { return nil }
    // A Decimal has 128 bits for its digits, so nothing is rounded.
    let high = Decimal(UInt64(truncatingIfNeeded: magnitude >> 64))
    let low = Decimal(UInt64(truncatingIfNeeded: magnitude))
    let value = high * (Decimal(UInt64.max) + 1) + low
    self = isNegative ? -value : value
  }

  var shown: String {
    if isNaN { return "NaN" }
    let (isNegative, digits, exponent) = parts
    return (isNegative ? "-" : "") + "\(digits)" + (exponent == 0 ? "" : "e\(exponent)")
  }
}
