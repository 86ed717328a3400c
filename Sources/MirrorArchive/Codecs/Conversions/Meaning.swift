#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a value means to types that do not have the very same one.
enum Meaning {
  case truth(Bool)
  case number(ExactNumber)
  case text(String)
  /// No number, as NaN.
  case nothing

  /// The number that it is or stands for. Text counts as a whole.
  var number: ExactNumber? {
    switch self {
    case .truth(let isTrue): .whole(isNegative: false, magnitude: isTrue ? 1 : 0)
    case .number(let number): number
    case .text(let text): Numeral(text)?.number
    case .nothing: nil
    }
  }
}

extension ExactScalar {
  var meaning: Meaning { exact.map { .number($0) } ?? .nothing }
  var plainText: String { "\(self)" }
}

extension ExactScalar where Self: FixedWidthInteger {
  init?(leniently value: some ExactScalar) {
    switch value.meaning.number {
    case .floating(let number)? where number.isFinite: self.init(exactly: number.rounded(.towardZero))
    case .decimal(let isNegative, let digits, let exponent)?:
      // What is not whole by now is beyond any integer.
      if exponent >= 0 { return nil }
      var whole = digits
      for _ in 0..<exponent.magnitude where whole > 0 { whole /= 10 }
      self.init(exact: .whole(isNegative: isNegative, magnitude: whole))
    case let number?: self.init(exact: number)
    case nil: return nil
    }
  }
}

extension ExactScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  init?(leniently value: some ExactScalar) {
    // Rounded once, from all digits.
    let rounded: Self? =
      switch value.meaning {
      case .text(let text): Numeral(text) == nil ? nil : Self(text)
      case .number(.floating(let number)):
        if number.isFinite { Self(number) } else { Self(exact: .floating(number)) }
      case let meaning: meaning.number.flatMap { String(exact: $0) }.flatMap { Self($0) }
      }
    guard let rounded else { return nil }
    if rounded.isInfinite, case .number(.floating(let number)) = value.meaning, number.isInfinite {
      self = rounded
      return
    }
    if rounded.isInfinite { return nil }
    self = rounded
  }
}

extension Bool {
  var meaning: Meaning { .truth(self) }

  init?(leniently value: some ExactScalar) {
    if case .text(let text) = value.meaning, let isTrue = Bool(text) {
      self = isTrue
      return
    }
    switch value.meaning.number {
    case .whole(_, let magnitude)?: self = magnitude != 0
    case .floating(let number)? where !number.isNaN: self = number != 0
    case .decimal?: self = true
    default: return nil
    }
  }
}

extension Decimal {
  var plainText: String { exact.flatMap { String(exact: $0) } ?? "NaN" }

  init?(leniently value: some ExactScalar) {
    var number = value.meaning.number
    // The shortest text of a binary fraction is the number that was meant.
    if case .floating(let value)? = number { number = Numeral("\(value)")?.number }
    guard let number, let decimal = Self(exact: number) else { return nil }
    self = decimal
  }
}

extension String {
  var meaning: Meaning { .text(self) }
  var plainText: String { self }

  init?(leniently value: some ExactScalar) { self = value.plainText }
}

/// A number as people and programs write it: digits, at most one point among them, at most one power of ten behind. Nothing before or after.
struct Numeral {
  let number: ExactNumber

  init?(_ text: String) {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    let mantissa = rest.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }
    let decimals = mantissa.dropFirst(whole.count + 1)
    if whole.isEmpty || (whole.count < mantissa.count && decimals.isEmpty) { return nil }
    var power = 0
    if mantissa.count < rest.count {
      guard let found = Self.power(rest.dropFirst(mantissa.count + 1)) else { return nil }
      power = found
    }
    var digits = DecimalDigits()
    guard digits.append(whole, isDecimal: false, dropsExcess: true), digits.append(decimals, isDecimal: true, dropsExcess: true) else {
      return nil
    }
    guard let number = ExactNumber(isNegative: isNegative, digits: digits.digits, exponent: digits.power + power) else { return nil }
    self.number = number
  }

  /// The power of ten behind the letter; nil for one that no type has, which is as good as no number.
  private static func power(_ text: Substring.UTF8View) -> Int? {
    var digits = text
    let sign = digits.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { digits.removeFirst() }
    if digits.isEmpty { return nil }
    var power = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      power = power * 10 + Int(digit &- UInt8(ascii: "0"))
      if power > 10_000 { return nil }
    }
    return sign == UInt8(ascii: "-") ? -power : power
  }
}
