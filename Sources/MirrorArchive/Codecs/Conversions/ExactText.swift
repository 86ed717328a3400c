extension String: ExactScalar {
  static var family: ExactFamily { .text }

  /// The number whose decimal digits these are, in the one form that a number is printed in: without leading zeros, spaces or a plus sign,
  /// without an exponent, and without zeros at the end of decimals.
  var exact: ExactNumber? {
    var rest = utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    let whole = rest.prefix { $0 != UInt8(ascii: ".") }
    let decimals = rest.dropFirst(whole.count + 1)
    guard let first = whole.first, first != UInt8(ascii: "0") || whole.count == 1 else { return nil }
    if whole.count < rest.count, decimals.isEmpty || decimals.last == UInt8(ascii: "0") { return nil }
    var number = DecimalDigits()
    guard number.append(whole, isDecimal: false), number.append(decimals, isDecimal: true) else { return nil }
    if isNegative && number.digits == 0 { return nil }
    return ExactNumber(isNegative: isNegative, digits: number.digits, exponent: number.power)
  }

  init?(exact number: ExactNumber) {
    switch number {
    case .whole(let isNegative, let magnitude): self = isNegative ? "-\(magnitude)" : "\(magnitude)"
    case .decimal(let isNegative, let digits, let exponent): self = (isNegative ? "-" : "") + Self.plain(digits, exponent)
    case .floating: return nil
    }
  }

  /// Digits with a point among them or zeros behind.
  private static func plain(_ digits: UInt128, _ exponent: Int) -> String {
    let text = "\(digits)"
    if exponent >= 0 { return text + String(repeating: "0", count: exponent) }
    let padded = String(repeating: "0", count: Swift.max(0, 1 - exponent - text.count)) + text
    return padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
  }

  var shown: String {
    // One character may have any number of scalars.
    let start = unicodeScalars.prefix(40)
    return start.endIndex == endIndex ? "\"\(self)\"" : "\"\(String(start))…\""
  }
}

/// Decimal digits as they are met in a text.
struct DecimalDigits {
  private(set) var digits: UInt128 = 0
  private(set) var exponent = 0
  /// Zeros that count only if another digit follows.
  private var zeros = 0
  private var isFull = false

  /// Goes on with these digits; false if they are none, or more than a number here can have.
  ///
  /// - Parameter dropsExcess: Whether those beyond what a number can have count as zeros instead.
  mutating func append(_ text: Substring.UTF8View, isDecimal: Bool, dropsExcess: Bool = false) -> Bool {
    for digit in text {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return false }
      if isDecimal { exponent -= 1 }
      zeros += 1
      if digit == UInt8(ascii: "0") || isFull { continue }
      if let longer = Self.append(digit, to: digits, zeros) {
        (digits, zeros) = (longer, 0)
      } else {
        if !dropsExcess { return false }
        isFull = true
      }
    }
    return true
  }

  private static func append(_ digit: UInt8, to digits: UInt128, _ zeros: Int) -> UInt128? {
    if digits == 0 { return UInt128(digit &- UInt8(ascii: "0")) }
    var longer = digits
    for _ in 0..<zeros {
      let (product, overflow) = longer.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      longer = product
    }
    let (sum, overflow) = longer.addingReportingOverflow(UInt128(digit &- UInt8(ascii: "0")))
    return overflow ? nil : sum
  }

  /// The power of ten that the digits are to be multiplied by.
  var power: Int { exponent + zeros }
}

extension ExactNumber {
  /// The one form that a number with these digits has; nil if its power of ten is beyond what any type has.
  init?(isNegative: Bool, digits: UInt128, exponent: Int) {
    if digits == 0 {
      self = .whole(isNegative: false, magnitude: 0)
      return
    }
    var (digits, exponent) = (digits, exponent)
    while exponent != 0 || digits.isMultiple(of: 10) {
      let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { break }
      (digits, exponent) = (quotient, exponent + 1)
    }
    guard (-1_000...1_000).contains(exponent) else { return nil }
    var (whole, power) = (digits, exponent)
    while power > 0 {
      let (product, overflow) = whole.multipliedReportingOverflow(by: 10)
      if overflow { break }
      (whole, power) = (product, power - 1)
    }
    self =
      power == 0 ? .whole(isNegative: isNegative, magnitude: whole) : .decimal(isNegative: isNegative, digits: digits, exponent: exponent)
  }
}
