/// Texts as they can be shown.
///
/// What an archive or a file name says must not reach a terminal as anything but characters: control characters could rewrite what stands
/// there, and marks of direction make a text look like another one.
package enum Text {
  /// The text with all that is no visible character or space escaped: `\n`, `\u{1B}`.
  package static func safe(_ text: String) -> String {
    text.unicodeScalars.allSatisfy(isHarmless) ? text : escaped(text, quotes: false)
  }

  /// The text in quotes, escaped as in Swift's source, and shortened.
  ///
  /// - Parameter limit: The most characters; beyond it an ellipsis stands behind the quotes.
  package static func quoted(_ text: String, limit: Int = .max) -> String {
    guard limit < .max, let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex), end < text.endIndex else {
      return "\"\(escaped(text, quotes: true))\""
    }
    return "\"\(escaped(String(text[..<end]), quotes: true))\"…"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\"", "\\": result += quotes ? "\\\(scalar)" : "\(scalar)"
      case _ where isHarmless(scalar): result.unicodeScalars.append(scalar)
      default: result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return result
  }

  /// Whether the scalar is shown as it is.
  static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: true
    case 0..<0xA0: false
    case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: false
    default: true
    }
  }

  /// `a, b or c`.
  package static func list(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }

  /// The number with commas between thousands.
  package static func grouped(_ number: some BinaryInteger) -> String {
    var digits = String(number.magnitude)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    return number < 0 ? "-\(digits)" : digits
  }

  /// `1 object`, `2 objects`.
  package static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }
}
