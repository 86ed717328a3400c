import Foundation

/// Numbers as people read them.
enum Figures {
  /// Three digits that say something.
  static func short(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value)
  }

  static func ratio(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
  }

  /// Where a thousandth is no noise.
  static func fine(_ ratio: Double) -> String {
    String(format: "%.3f", ratio)
  }

  /// A limit as it was set, without digits that nobody has set.
  static func limit(_ value: Double) -> String {
    String(format: value == value.rounded() ? "%.0f" : "%.2f", value)
  }

  static func time(nanoseconds: Double) -> String {
    nanoseconds < 10_000 ? String(format: "%.0f ns", nanoseconds) : "\(short(nanoseconds / 1e6)) ms"
  }

  static func memory(bytes: Int) -> String {
    bytes < 1_000_000 ? "\((bytes + 500) / 1_000) kB" : "\(short(Double(bytes) / 1e6)) MB"
  }

  static func percent(_ share: Double) -> String {
    String(format: "%.0f%%", 100 * share)
  }

  static func grouped(_ number: Int) -> String {
    var digits = "\(number)"
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
      index -= 3
    }
    return digits
  }

  /// Lines of equal length: the first `textColumns` columns to the left, figures to the right.
  static func aligned(_ lines: [[String]], textColumns: Int = 1) -> String {
    guard let header = lines.first else { return "" }
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = line.enumerated().map { column, text in
        column < textColumns ? text.padded(to: widths[column]) : String(repeating: " ", count: widths[column] - text.count) + text
      }
      return "  " + cells.joined(separator: "  ") + "\n"
    }.joined()
  }
}

extension String {
  /// With spaces after it, for a column of text.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - count, 0))
  }
}
