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

  /// A text in quotes; quotes, backslashes and control characters are escaped, and nothing else.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        result += "\\u00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
