import Foundation

/// The ratios to hand as an SVG image: a panel for each operation, a group of bars for each workload, on a logarithmic scale.
///
/// Bars begin at hand's own time: to the left is faster, to the right slower. A background of its own and a style sheet for both colour
/// schemes keep it readable wherever it is shown.
struct Chart: CustomStringConvertible {
  /// A contender that has bars, and its colours. hand is the line at 1, memcpy is off the scale.
  private struct Series {
    var name: String
    var style: String
    var light: String
    var dark: String
  }

  private static let series = [
    Series(name: ContenderName.mirrorArchive, style: "mirror", light: "#0b66d6", dark: "#58a6ff"),
    Series(name: ContenderName.json, style: "json", light: "#c9780a", dark: "#f0a840"),
    Series(name: ContenderName.propertyList, style: "plist", light: "#8250df", dark: "#bc8cff"),
    Series(name: ContenderName.keyedArchiver, style: "keyed", light: "#6e7781", dark: "#8b949e"),
  ]

  /// What a README is wide: texts have the size that they say.
  private static let width = 800.0
  private static let top = 80.0
  private static let labelWidth = 100.0
  private static let panelGap = 12.0
  private static let barHeight = 11.0
  private static let barGap = 2.0
  private static let groupGap = 14.0
  /// Beside the outermost bars, for their figures.
  private static let figureWidth = 40.0
  private static let panelWidth = (width - labelWidth - panelGap - 8) / 2

  private struct Group {
    var workload: String
    var series: [Series]
    var y: Double

    var height: Double { Double(series.count) * (Chart.barHeight + Chart.barGap) - Chart.barGap }
  }

  private let rows: [Row]
  private let groups: [Group]
  /// The powers of ten at both ends of the scale.
  private let decades: ClosedRange<Int>

  init(rows: [Row]) {
    self.rows = rows.filter { row in
      row.ratioToHand.map { $0 > 0 } ?? false && !row.isOfGrowingGraph && Self.series.contains { $0.name == row.contender }
    }
    var names: [String] = []
    for row in self.rows where !names.contains(row.workload) {
      names.append(row.workload)
    }
    var groups: [Group] = []
    var y = Self.top + Self.groupGap / 2
    for name in names {
      let present = self.rows.filter { $0.workload == name }.map(\.contender)
      let group = Group(workload: name, series: Self.series.filter { present.contains($0.name) }, y: y)
      groups.append(group)
      y += group.height + Self.groupGap
    }
    self.groups = groups
    let exponents = self.rows.compactMap(\.ratioToHand).map(log10)
    // Within the range of what a measurement can be: a file could say anything.
    let lowest = max(exponents.min() ?? -1, -9).rounded(.down)
    let highest = min(exponents.max() ?? 1, 9).rounded(.up)
    decades = Int(min(lowest, -1))...Int(max(highest, 1))
  }

  private var bottom: Double { (groups.last.map { $0.y + $0.height } ?? Self.top) + Self.groupGap / 2 }

  var description: String {
    let height = bottom + 44
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(number(Self.width))" height="\(number(height))" viewBox="0 0 \(number(Self.width)) \(number(height))" role="img" aria-labelledby="title">
      <title id="title">Time of each contender as a multiple of hand-written code, for each workload</title>
      \(style)
      <rect class="ground" width="100%" height="100%" rx="6"/>
      \(label("Time, as a multiple of hand-written code (logarithmic; shorter or further left is better)", "heading", x: 16, y: 26))

      """
    text += legend
    for (index, operation) in Operation.coding.enumerated() {
      text += panel(operation, left: Self.labelWidth + Double(index) * (Self.panelWidth + Self.panelGap))
    }
    for group in groups {
      text += label(group.workload, "workload", x: Self.labelWidth - 8, y: group.y + group.height / 2 + 4, anchor: "end")
    }
    return text + "</svg>\n"
  }

  private var style: String {
    """
    <style>
    text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-size: 11px; fill: #57606a; }
    .ground { fill: #ffffff; }
    .figure, .best { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
    .heading { font-size: 14px; font-weight: 600; fill: #1f2328; }
    .panel, .workload { font-size: 12px; font-weight: 600; fill: #1f2328; }
    .best { font-weight: 600; fill: #1f2328; }
    .grid { stroke: #d8dee4; stroke-width: 1; }
    .hand { stroke: #1f2328; stroke-width: 1.5; }
    \(Self.series.map { ".\($0.style) { fill: \($0.light); }" }.joined(separator: "\n"))
    @media (prefers-color-scheme: dark) {
    text { fill: #9198a1; }
    .ground { fill: #0d1117; }
    .figure, .best { stroke: #0d1117; }
    .heading, .panel, .workload, .best { fill: #f0f6fc; }
    .grid { stroke: #2a313c; }
    .hand { stroke: #f0f6fc; }
    \(Self.series.map { ".\($0.style) { fill: \($0.dark); }" }.joined(separator: "\n"))
    }
    </style>
    """
  }

  private var legend: String {
    var text = ""
    var x = 16.0
    for series in Self.series where rows.contains(where: { $0.contender == series.name }) {
      text += "<rect class=\"\(series.style)\" x=\"\(number(x))\" y=\"37\" width=\"11\" height=\"11\" rx=\"2\"/>\n"
      text += label(series.name, "legend", x: x + 16, y: 46.5)
      x += 34 + 6.6 * Double(series.name.count)
    }
    text += "<line class=\"hand\" x1=\"\(number(x + 5))\" x2=\"\(number(x + 5))\" y1=\"36\" y2=\"49\"/>\n"
    return text + label("hand", "legend", x: x + 13, y: 46.5)
  }

  private func panel(_ operation: Operation, left: Double) -> String {
    let scaleWidth = Self.panelWidth - 2 * Self.figureWidth
    func position(_ exponent: Double) -> Double {
      let limited = min(max(exponent, Double(decades.lowerBound)), Double(decades.upperBound))
      return left + Self.figureWidth + scaleWidth * (limited - Double(decades.lowerBound)) / Double(decades.count - 1)
    }
    var text = label(operation.rawValue, "panel", x: position(0), y: Self.top - 8, anchor: "middle")
    for decade in decades {
      let x = number(position(Double(decade)))
      text += "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(number(Self.top))\" y2=\"\(number(bottom))\"/>\n"
      text += label(power(decade), "tick", x: position(Double(decade)), y: bottom + 18, anchor: "middle")
    }
    for group in groups {
      for (index, series) in group.series.enumerated() {
        let row = rows.first { $0.workload == group.workload && $0.contender == series.name && $0.operation == operation }
        guard let ratio = row?.ratioToHand else { continue }
        let y = group.y + Double(index) * (Self.barHeight + Self.barGap)
        let ends = [position(0), position(log10(ratio))].sorted()
        text += "<rect class=\"\(series.style)\" x=\"\(number(ends[0]))\" y=\"\(number(y))\" width=\"\(number(max(ends[1] - ends[0], 1)))\""
        text += " height=\"\(number(Self.barHeight))\"/>\n"
        text += label(
          (ratio < 1_000 ? Figures.ratio(ratio) : Figures.grouped(Int(min(ratio, 1e9)))) + "×",
          series.name == ContenderName.mirrorArchive ? "best" : "figure",
          x: ratio < 1 ? ends[0] - 4 : ends[1] + 4, y: y + 9, anchor: ratio < 1 ? "end" : "start")
      }
    }
    let x = number(position(0))
    return text + "<line class=\"hand\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(number(Self.top))\" y2=\"\(number(bottom))\"/>\n"
  }

  private func label(_ text: String, _ style: String, x: Double, y: Double, anchor: String = "start") -> String {
    let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    return "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">\(escaped)</text>\n"
  }

  private func power(_ exponent: Int) -> String {
    switch exponent {
    case ..<0: "0." + String(repeating: "0", count: -exponent - 1) + "1"
    case 3..<6: Figures.grouped(Int(pow(10, Double(exponent - 3)))) + "k"
    case 6...: Figures.grouped(Int(pow(10, Double(exponent - 6)))) + "M"
    default: "\(Int(pow(10, Double(exponent))))"
    }
  }

  private func number(_ value: Double) -> String {
    value == value.rounded() ? String(format: "%.0f", value) : String(format: "%.1f", value)
  }
}
