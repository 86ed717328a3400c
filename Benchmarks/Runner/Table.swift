/// The figures of one contest, for people.
struct Table: CustomStringConvertible {
  let result: Race.Result

  private var hasPeaks: Bool { result.rows.contains { $0.peakBytes != nil } }

  private var header: [String] {
    var header = ["contender", "bytes", "x hand"]
    for operation in Operation.coding {
      header += [operation.rawValue, "spread", "ns/each", "x hand", "x memcpy", "rounds"] + (hasPeaks ? ["peak"] : [])
    }
    return header
  }

  var description: String {
    if let reason = result.skipReason { return "\(result.workload): skipped, \(reason)\n" }
    var lines = [header]
    var names: [String] = []
    for row in result.rows where !names.contains(row.contender) {
      names.append(row.contender)
    }
    let handBytes = result.rows.first { $0.contender == ContenderName.hand }?.bytes
    for name in names {
      let rows = result.rows.filter { $0.contender == name }
      guard let first = rows.first else { continue }
      var line = [name, Figures.grouped(first.bytes), handBytes.map { Figures.ratio(Double(first.bytes) / Double($0)) } ?? ""]
      for operation in Operation.coding {
        line += cells(rows.first { $0.operation == operation })
      }
      lines.append(line)
    }
    var text = "\(result.workload): \(Figures.grouped(result.objects)) \(result.objects == 1 ? "object" : result.unit)\n"
    if result.isOfStores {
      text += StoreTable(result: result).description
    } else if lines.count > 1 {
      text += Figures.aligned(lines)
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
    guard let row else { return Array(repeating: "", count: hasPeaks ? 7 : 6) }
    return [
      Figures.time(nanoseconds: row.medianNanoseconds), Figures.percent(row.spreadNanoseconds / row.medianNanoseconds),
      Figures.short(row.medianNanoseconds / Double(row.objects)), row.ratioToHand.map(Figures.ratio) ?? "",
      row.ratioToMemcpy.map(Figures.ratio) ?? "", "\(row.rounds)",
    ] + (hasPeaks ? [row.peakBytes.map { Figures.memory(bytes: $0) } ?? ""] : [])
  }
}
