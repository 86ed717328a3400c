/// An earlier report against this one: what has become slower comes first.
struct Comparison: CustomStringConvertible {
  private struct Line {
    var before: Row
    var now: Row

    /// 2 is twice as fast.
    var gain: Double { before.medianNanoseconds / now.medianNanoseconds }
    /// The same against hand in the same run, which leaves the mood of the machine out.
    var gainOnHand: Double? {
      guard let then = before.ratioToHand, let ratio = now.ratioToHand else { return nil }
      return then / ratio
    }
    /// What the medians may differ by without anything having changed, as a share of them.
    var spread: Double {
      max(before.spreadNanoseconds / before.medianNanoseconds, now.spreadNanoseconds / now.medianNanoseconds)
    }
    /// Empty within the spread.
    var verdict: String {
      if gain > 1 + spread { return "faster" }
      return 1 / gain > 1 + spread ? "SLOWER" : ""
    }
  }

  /// One measured cell is the same cell when all of these are.
  private struct Cell: Hashable {
    var workload: String
    var contender: String
    var operation: Operation
    var objects: Int
  }

  private let lines: [Line]
  private let onlyBefore: Int
  private let onlyNow: Int
  private let instructions: [(before: InstructionCount, now: InstructionCount)]

  init(before: Report, now: Report) {
    let earlier = Dictionary(before.rows.map { (Self.cell($0), $0) }) { first, _ in first }
    let lines = now.rows.compactMap { row in earlier[Self.cell(row)].map { Line(before: $0, now: row) } }
    self.lines = lines.sorted { $0.gain < $1.gain }
    onlyBefore = before.rows.count - lines.count
    onlyNow = now.rows.count - lines.count
    let earlierCounts = Dictionary(before.instructions.map { (Self.cell($0), $0) }) { first, _ in first }
    instructions = now.instructions.compactMap { count in earlierCounts[Self.cell(count)].map { ($0, count) } }
  }

  private static func cell(_ row: Row) -> Cell {
    Cell(workload: row.workload, contender: row.contender, operation: row.operation, objects: row.objects)
  }

  private static func cell(_ count: InstructionCount) -> Cell {
    Cell(workload: count.workload, contender: count.contender, operation: count.operation, objects: count.objects)
  }

  var description: String {
    var text = """
      Before / now, the slowest first: 2 is twice as fast, or half as large. x hand: the same for the ratios to hand. spread: the larger of the
      two runs; a change beyond it is called faster or slower.

      """
    var table = [["workload", "contender", "operation", "change", "before", "now", "before/now", "x hand", "spread", "bytes", "peak"]]
    for line in lines {
      table.append([
        line.now.workload, line.now.contender, line.now.operation.rawValue, line.verdict,
        Figures.time(nanoseconds: line.before.medianNanoseconds), Figures.time(nanoseconds: line.now.medianNanoseconds),
        Figures.ratio(line.gain), line.gainOnHand.map(Figures.ratio) ?? "", Figures.percent(line.spread),
        ratio(line.before.bytes, line.now.bytes), ratio(line.before.peakBytes, line.now.peakBytes),
      ])
    }
    if !lines.isEmpty { text += Figures.aligned(table, textColumns: 4) }
    if onlyBefore > 0 { text += "  \(onlyBefore) of the earlier rows have nothing to be compared with\n" }
    if onlyNow > 0 { text += "  \(onlyNow) of these rows have nothing to be compared with\n" }
    if !instructions.isEmpty { text += "\n" + instructionTable }
    return text
  }

  private var instructionTable: String {
    var table = [["workload", "contender", "operation", "instructions before", "now", "before/now"]]
    for (before, now) in instructions {
      table.append([
        now.workload, now.contender, now.operation.rawValue, Figures.grouped(before.instructions), Figures.grouped(now.instructions),
        ratio(before.instructions, now.instructions, Figures.fine),
      ])
    }
    return Figures.aligned(table, textColumns: 3)
  }

  private func ratio(_ before: Int?, _ now: Int?, _ format: (Double) -> String = Figures.ratio) -> String {
    guard let now, let before, now > 0 else { return "" }
    return format(Double(before) / Double(now))
  }
}
