extension ExactScalar where Self: BinaryFloatingPoint {
  static var family: ExactFamily { .floating }
  init?(exact number: ExactNumber) {
    switch number {
    case .whole(let isNegative, let magnitude):
      // What a narrower type has exactly, Double has too.
      guard let value = Double(exactly: magnitude).flatMap(Self.init(exactly:)) else { return nil }
      self = isNegative ? -value : value
    case .floating(let value):
      // A NaN equals nothing, not even what it is converted to.
      if value.isNaN { self.init(value) } else { self.init(exactly: value) }
    case .decimal(let isNegative, let digits, let exponent):
      guard let value = Double(exactly: digits, timesTenTo: exponent).flatMap(Self.init(exactly:)) else { return nil }
      self = isNegative ? -value : value
    }
  }
}

extension Double: ExactScalar {
  var exact: ExactNumber? { .floating(self) }
}
extension Float: ExactScalar {
  var exact: ExactNumber? { .floating(Double(self)) }
}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: ExactScalar {
    var exact: ExactNumber? { .floating(Double(self)) }
  }
#endif

extension Double {
  /// The Double that is exactly `digits` times a power of ten, if there is one. Ten is five times two, and only the five takes digits.
  init?(exactly digits: UInt128, timesTenTo exponent: Int) {
    let twos = digits.trailingZeroBitCount
    var odd = digits >> UInt128(twos)
    for _ in 0..<exponent.magnitude {
      if exponent > 0 {
        let (product, overflow) = odd.multipliedReportingOverflow(by: 5)
        if overflow { return nil }
        odd = product
      } else {
        let (quotient, remainder) = odd.quotientAndRemainder(dividingBy: 5)
        if remainder != 0 { return nil }
        odd = quotient
      }
    }
    guard let significand = Double(exactly: odd) else { return nil }
    // A Decimal's powers of two are all within the range of Double.
    self.init(sign: .plus, exponent: exponent + twos, significand: significand)
  }

  /// The digits and the power of ten that are exactly the magnitude of this number, if there are any.
  var exactDecimal: (digits: UInt128, exponent: Int)? {
    if !isFinite { return nil }
    if self == 0 { return (0, 0) }
    var digits = UInt128(significandBitPattern)
    if isNormal { digits |= 1 << 52 }
    let zeros = digits.trailingZeroBitCount
    digits >>= UInt128(zeros)
    // The value is `digits`, an odd number, times two to the power of `power`.
    var power = (isNormal ? Int(exponentBitPattern) - 1_023 : -1_022) - 52 + zeros
    var exponent = 0
    while power < 0 {
      // Half of a number is five tenths of it.
      let (product, overflow) = digits.multipliedReportingOverflow(by: 5)
      if overflow { return nil }
      (digits, exponent, power) = (product, exponent - 1, power + 1)
    }
    while power > 0 {
      if digits.isMultiple(of: 5) {
        (digits, exponent, power) = (digits / 5, exponent + 1, power - 1)
      } else if digits.leadingZeroBitCount > 0 {
        (digits, power) = (digits << 1, power - 1)
      } else {
        return nil
      }
    }
    return (digits, exponent)
  }
}
