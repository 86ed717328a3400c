import Foundation

/// The figures of one contest, for people.
struct Table: CustomStringConvertible {
  let result: Race.Result

  private static let header = [
    "contender", "bytes", "x hand", "encode", "spread", "ns/each", "x hand", "x memcpy", "rounds", "decode", "spread", "ns/each",
    "x hand",
    "x memcpy", "rounds",
  ]

  var description: String {
    var lines = [Self.header]
    var names: [String] = []
    for row in result.rows where !names.contains(row.contender) {
      names.append(row.contender)
    }
    let handBytes = result.rows.first { $0.contender == ContenderName.hand }?.bytes
    for name in names {
      let rows = result.rows.filter { $0.contender == name }
      guard let first = rows.first else { continue }
      var line = [name, grouped(first.bytes), handBytes.map { ratio(Double(first.bytes) / Double($0)) } ?? ""]
      for operation in Operation.allCases {
        line += cells(rows.first { $0.operation == operation })
      }
      lines.append(line)
    }
    var text = "\(result.workload): \(grouped(result.objects)) \(result.objects == 1 ? "object" : result.unit)\n"
    if lines.count > 1 {
      text += Self.aligned(lines)
    }
    for note in result.notes {
      text += "  \(note)\n"
    }
    for absence in result.absences {
      text += "  \(absence.contender): \(absence.operation.map { "\($0.rawValue) " } ?? "")not run, \(absence.reason)\n"
    }
    for failure in result.failures {
      text += "  \(failure.contender): FAILED, \(failure.reason)\n"
    }
    return text
  }

  private func cells(_ row: Row?) -> [String] {
    guard let row else { return Array(repeating: "", count: 6) }
    return [
      time(row.medianNanoseconds), String(format: "%.0f%%", 100 * row.spreadNanoseconds / row.medianNanoseconds),
      figure(row.medianNanoseconds / Double(row.objects)), row.ratioToHand.map(ratio) ?? "", row.ratioToMemcpy.map(ratio) ?? "",
      "\(row.rounds)",
    ]
  }

  private func time(_ nanoseconds: Double) -> String {
    nanoseconds < 10_000 ? String(format: "%.0f ns", nanoseconds) : "\(figure(nanoseconds / 1e6)) ms"
  }

  /// Three digits that say something.
  private func figure(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value)
  }

  private func ratio(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
  }

  private func grouped(_ number: Int) -> String {
    var digits = "\(number)"
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
      index -= 3
    }
    return digits
  }

  /// The first column to the left, figures to the right.
  private static func aligned(_ lines: [[String]]) -> String {
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = line.enumerated().map { column, text in
        column == 0 ? text.padded(to: widths[column]) : String(repeating: " ", count: widths[column] - text.count) + text
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
