import Foundation
import MirrorArchive

/// Decimals in plain digits.
enum DecimalText {
  /// Without an exponent and superfluous zeros.
  static func text(_ decimal: Decimal) -> String {
    if decimal.isNaN { return "nan" }
    let (isNegative, digits, exponent) = decimal.parts
    if digits == 0 { return "0" }
    var text = String(digits)
    if exponent >= 0 {
      text += String(repeating: "0", count: exponent)
    } else {
      text = String(repeating: "0", count: max(0, 1 - exponent - text.count)) + text
      text.insert(".", at: text.index(text.endIndex, offsetBy: exponent))
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return isNegative ? "-\(text)" : text
  }
}
