/// A small piece of JSON, its members in their order.
package enum JSON {
  case string(String)
  case number(Int)
  case unsigned(UInt64)
  /// What is JSON already.
  case literal(String)
  case array([JSON])
  case object([(String, JSON)])

  /// On one line.
  package var text: String {
    switch self {
    case .string(let text): return Self.quoted(text)
    case .number(let number): return "\(number)"
    case .unsigned(let number): return "\(number)"
    case .literal(let text): return text
    case .array(let elements): return "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .object(let members): return "{" + members.map { "\(Self.quoted($0)): \($1.text)" }.joined(separator: ", ") + "}"
    }
  }

  /// A text in quotes, escaped.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars { result += escaped(scalar) }
    return result + "\""
  }

  /// The scalar as it stands in a text: quotes, backslashes and what must not reach a terminal are escaped, and nothing else.
  static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where Text.isHarmless(scalar): String(scalar)
    default:
      UTF16.encode(scalar).map { units in
        units.map { "\\u" + String(repeating: "0", count: min(3, $0.leadingZeroBitCount / 4)) + String($0, radix: 16) }.joined()
      } ?? ""
    }
  }
}
