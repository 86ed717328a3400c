/// Earlier rows against these: what has become slower comes first.
struct Comparison: CustomStringConvertible {
  private struct Line {
    var before: Row
    var now: Row

    var change: Double { now.medianNanoseconds / before.medianNanoseconds }
    /// The same against hand in the same run, which leaves the mood of the machine out.
    var changeToHand: Double? {
      guard let then = before.ratioToHand, let ratio = now.ratioToHand else { return nil }
      return ratio / then
    }
    /// What the medians may differ by without anything having changed.
    var spread: Double {
      max(before.spreadNanoseconds / before.medianNanoseconds, now.spreadNanoseconds / now.medianNanoseconds)
    }
  }

  /// One measured cell is the same cell when all of these are.
  private struct Cell: Hashable {
    var workload: String
    var contender: String
    var operation: Operation
    var objects: Int

    init(_ row: Row) {
      workload = row.workload
      contender = row.contender
      operation = row.operation
      objects = row.objects
    }
  }

  private let lines: [Line]
  private let onlyBefore: Int
  private let onlyNow: Int

  init(before: [Row], now: [Row]) {
    let earlier = Dictionary(before.map { (Cell($0), $0) }) { first, _ in first }
    let lines = now.compactMap { row in earlier[Cell(row)].map { Line(before: $0, now: row) } }
    self.lines = lines.sorted { $0.change > $1.change }
    onlyBefore = before.count - lines.count
    onlyNow = now.count - lines.count
  }

  var description: String {
    var text =
      "Medians now / before, the slowest first. change x hand: the ratios to hand now / before; spread: the larger of the two runs.\n"
    var table = [
      ["workload", "contender", "operation", "before", "now", "change", "change x hand", "spread", "bytes", "peak"]
    ]
    for line in lines {
      table.append([
        line.now.workload, line.now.contender, line.now.operation.rawValue, Figures.time(nanoseconds: line.before.medianNanoseconds),
        Figures.time(nanoseconds: line.now.medianNanoseconds), Figures.ratio(line.change), line.changeToHand.map(Figures.ratio) ?? "",
        Figures.percent(line.spread), ratio(line.now.bytes, line.before.bytes), ratio(line.now.peakBytes, line.before.peakBytes),
      ])
    }
    if !lines.isEmpty { text += Figures.aligned(table, textColumns: 3) }
    if onlyBefore > 0 { text += "  \(onlyBefore) of the earlier rows have nothing to be compared with\n" }
    if onlyNow > 0 { text += "  \(onlyNow) of these rows have nothing to be compared with\n" }
    return text
  }

  private func ratio(_ now: Int?, _ before: Int?) -> String {
    guard let now, let before, before > 0 else { return "" }
    return Figures.ratio(Double(now) / Double(before))
  }
}
