/// The figures of one contest of caches, for people: a line for each operation and contender.
struct StoreTable: CustomStringConvertible {
  let result: Race.Result

  var description: String {
    var lines = [["operation", "contender", "bytes", "time", "spread", "x " + result.yardstick, "rounds"]]
    for operation in Operation.allCases {
      let rows = result.rows.filter { $0.operation == operation }
      let yardstick = rows.first { $0.contender == result.yardstick }?.medianNanoseconds
      for row in rows {
        lines.append([
          operation.rawValue, row.contender, row.bytes > 0 ? Figures.grouped(row.bytes) : "",
          Figures.time(nanoseconds: row.medianNanoseconds), Figures.percent(row.spreadNanoseconds / row.medianNanoseconds),
          yardstick.map { Figures.ratio(row.medianNanoseconds / $0) } ?? "", "\(row.rounds)",
        ])
      }
    }
    return lines.count > 1 ? Figures.aligned(lines, textColumns: 2) : ""
  }
}
