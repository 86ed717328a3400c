#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Decimal: ExactScalar {
  static var family: ExactFamily { .decimal }

  /// Digits and exponent, read from the bits: an archive may hold digits that no arithmetic leaves behind, and Foundation need not be ready
  /// for them.
  /// The number is `digits` times 10 to the `exponent`; of NaN that says nothing.
  package var parts: (isNegative: Bool, digits: UInt128, exponent: Int) {
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
    let (isNegative, digits, exponent) = parts
    return ExactNumber(isNegative: isNegative, digits: digits, exponent: exponent)
  }

  init?(exact number: ExactNumber) {
    switch number {
    case .whole(let isNegative, let magnitude): self.init(isNegative, magnitude, 0)
    case .decimal(let isNegative, let digits, let exponent):
      guard let value = Self.fitting(isNegative, digits, exponent) else { return nil }
      self = value
    case .floating(let value):
      guard let (digits, exponent) = value.exactDecimal, let decimal = Self.fitting(value < 0, digits, exponent) else { return nil }
      self = decimal
    }
  }

  /// A Decimal has 128 bits for its digits and a signed byte for the power of ten.
  private static func fitting(_ isNegative: Bool, _ digits: UInt128, _ exponent: Int) -> Decimal? {
    var (digits, exponent) = (digits, exponent)
    while exponent > 127 {
      let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      (digits, exponent) = (product, exponent - 1)
    }
    while exponent < -128 {
      let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { return nil }
      (digits, exponent) = (quotient, exponent + 1)
    }
    return Decimal(isNegative, digits, exponent)
  }

  /// - Parameter exponent: -128...127.
  private init(_ isNegative: Bool, _ digits: UInt128, _ exponent: Int) {
    self = 0
    if digits == 0 { return }
    // SAFETY: as in `parts`; any digits and any exponent make a Decimal, and the flag that says there are no zeros at the end stays off.
    unsafe withUnsafeMutableBytes(of: &self) { bytes in
      var (rest, length) = (digits, 0)
      while rest != 0 {
        unsafe bytes.storeBytes(of: UInt16(truncatingIfNeeded: rest), toByteOffset: 4 + 2 * length, as: UInt16.self)
        rest >>= 16
        length += 1
      }
      unsafe bytes[0] = UInt8(bitPattern: Int8(truncatingIfNeeded: exponent))
      let count = UInt8(truncatingIfNeeded: length)
      #if canImport(Darwin)
        unsafe bytes[1] = count | (isNegative ? 0x10 : 0)
      #else
        unsafe bytes[1] = count << 4 | (isNegative ? 0x08 : 0)
      #endif
    }
  }

  var shown: String {
    if isNaN { return "NaN" }
    let (isNegative, digits, exponent) = parts
    return (isNegative ? "-" : "") + "\(digits)" + (exponent == 0 ? "" : "e\(exponent)")
  }
}
