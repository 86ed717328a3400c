/// One line for each size and contender: what an object costs, and how much more than in the smallest graph.
struct GrowthTable: CustomStringConvertible {
  private let rows: [Row]

  /// - Parameter rows: others than those of growing graphs are left out.
  init(rows: [Row]) {
    self.rows = rows.filter(\.isOfGrowingGraph)
  }

  private static let header =
    ["workload", "contender", "objects", "bytes/each"]
    + Operation.coding.flatMap { ["\($0.rawValue) ns/each", "x first", "x hand", "peak B/each"] }

  var description: String {
    var lines = [Self.header]
    for row in sorted where row.operation == .encode && row.contender != ContenderName.memoryCopy {
      var line = [
        String(row.workload.prefix { $0 != "/" }), row.contender, Figures.grouped(row.objects),
        Figures.short(Double(row.bytes) / Double(row.objects)),
      ]
      for operation in Operation.coding {
        line += cells(rows.first { $0.workload == row.workload && $0.contender == row.contender && $0.operation == operation })
      }
      lines.append(line)
    }
    return Figures.aligned(lines, textColumns: 2) + "\n" + Figures.aligned(flatness, textColumns: 2)
  }

  private var flatness: [[String]] {
    var lines = [["workload", "contender"] + Operation.coding.flatMap { ["\($0.rawValue) flat within", "rises by"] }]
    for row in sorted where row.operation == .encode && row.contender != ContenderName.memoryCopy {
      let workload = String(row.workload.prefix { $0 != "/" })
      guard !lines.contains(where: { $0[0] == workload && $0[1] == row.contender }) else { continue }
      let figures = Operation.coding.flatMap { operation in
        let growth = Measured(rows: rows).growth(workload, row.contender, operation)
        return growth.map { [Figures.percent($0.range - 1), Figures.percent($0.rise - 1)] } ?? ["", ""]
      }
      lines.append([workload, row.contender] + figures)
    }
    return lines
  }

  /// By workload and contender, the way the sizes of one are read.
  private var sorted: [Row] {
    var keys: [String] = []
    func key(_ row: Row) -> String { row.workload.prefix { $0 != "/" } + " " + row.contender }
    for row in rows where !keys.contains(key(row)) {
      keys.append(key(row))
    }
    return keys.flatMap { wanted in rows.filter { key($0) == wanted } }
  }

  private func cells(_ row: Row?) -> [String] {
    guard let row else { return Array(repeating: "", count: 4) }
    return [
      Figures.short(row.nanosecondsPerObject),
      smallest(row).map { Figures.ratio(row.nanosecondsPerObject / $0.nanosecondsPerObject) } ?? "",
      row.ratioToHand.map(Figures.ratio) ?? "",
      row.peakBytes.map { Figures.short(Double($0) / Double(row.objects)) } ?? "",
    ]
  }

  /// The same cell with the fewest objects.
  private func smallest(_ row: Row) -> Row? {
    let kind = row.workload.prefix { $0 != "/" }
    return rows.filter { $0.workload.prefix { $0 != "/" } == kind && $0.contender == row.contender && $0.operation == row.operation }
      .min { $0.objects < $1.objects }
  }
}
