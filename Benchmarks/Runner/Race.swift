/// Runs one contest: verification, warm-up, then rounds in which everybody takes a turn, so that a machine that slows down slows all of them.
struct Race {
  /// What came of it.
  struct Result {
    var workload: String
    var objects = 0
    var unit = ""
    var yardstick = ContenderName.hand
    var rows: [Row] = []
    var absences: [Contest.Absence] = []
    var failures: [Contest.Absence] = []
    var notes: [String] = []
    /// Why there is nothing else in it.
    var skipReason: String?

    /// Whether it is about caches and not about coders.
    var isOfStores: Bool { rows.contains { !$0.operation.isCoding } }
  }

  private struct Cell {
    var operation: Operation
    var rounds: Int
    /// Whether an untimed lap goes before each timed one.
    var startsWarm: Bool
    var laps: [Double] = []
  }

  private struct Lane {
    var contender: any Contender
    var cells: [Cell]
  }

  private let contest: Contest
  private let options: Options
  private let progress: Progress

  init(_ contest: Contest, options: Options, progress: Progress) {
    self.contest = contest
    self.options = options
    self.progress = progress
  }

  func run() -> Result {
    defer { contest.finish() }
    var absences = contest.absences.filter { options.includes($0.contender, in: contest.name) }
    var failures: [Contest.Absence] = []
    var lanes: [Lane] = []
    for contender in contest.contenders where options.includes(contender.name, in: contest.name) {
      progress.show("\(contest.name): checking \(contender.name)")
      do {
        let durations = try contender.verify(clock: options.clock)
        if options.isQuick, durations.values.reduce(0, +) > Options.quickLimit {
          absences.append(.init(contender: contender.name, reason: "it is too slow for --quick"))
          continue
        }
        lanes.append(try lane(contender, durations))
        if let floor = contender.floor(), options.includes(floor.name, in: contest.name) {
          lanes.append(try lane(floor, floor.verify(clock: options.clock)))
        }
      } catch {
        failures.append(.init(contender: contender.name, reason: "\(error)"))
      }
    }
    var generator = SeededGenerator(seed: 0x4ace)
    let total = lanes.flatMap(\.cells).map(\.rounds).max() ?? 0
    for round in 0..<total {
      progress.show("\(contest.name): round \(round + 1) of \(total)")
      // Shuffled: in a fixed order everybody would always find the caches as the same neighbour leaves them.
      for index in lanes.indices.shuffled(using: &generator) {
        for cell in lanes[index].cells.indices {
          let rounds = lanes[index].cells[cell].rounds
          // Those who run fewer rounds run them spread over the whole time.
          guard round * rounds / total != (round + 1) * rounds / total else { continue }
          let operation = lanes[index].cells[cell].operation
          do {
            if lanes[index].cells[cell].startsWarm {
              _ = try lanes[index].contender.lap(operation, iterations: contest.iterations, clock: options.clock)
            }
            let lap = try lanes[index].contender.lap(operation, iterations: contest.iterations, clock: options.clock)
            lanes[index].cells[cell].laps.append(lap)
          } catch {
            failures.append(.init(contender: lanes[index].contender.name, reason: "\(operation.rawValue): \(error)"))
          }
        }
      }
    }
    let rows = rows(lanes)
    return Result(
      workload: contest.name, objects: contest.objects, unit: contest.unit, yardstick: contest.yardstick, rows: rows, absences: absences,
      failures: failures,
      notes: contest.notes + contest.ratios.compactMap { note($0, rows) })
  }

  private func lane(_ contender: any Contender, _ durations: [Operation: Double]) throws -> Lane {
    let cells = try contender.operations.map { operation in
      var warmUp = durations[operation] ?? 0
      // For a slow one the verification was warm-up enough.
      if warmUp < 100e6 {
        warmUp = try contender.lap(operation, iterations: contest.iterations, clock: options.clock) * Double(contest.iterations)
      }
      return Cell(operation: operation, rounds: options.rounds(lapNanoseconds: warmUp), startsWarm: warmUp < 30e6)
    }
    return Lane(contender: contender, cells: cells)
  }

  private func note(_ ratio: Contest.Ratio, _ rows: [Row]) -> String? {
    func median(_ name: String) -> Double? {
      rows.first { $0.contender == name && $0.operation == ratio.operation }?.medianNanoseconds
    }
    guard let time = median(ratio.contender), let yardstick = median(ratio.yardstick) else { return nil }
    return "\(ratio.contender), \(ratio.operation.rawValue): \(Figures.ratio(time / yardstick)) times \(ratio.yardstick)."
  }

  private func rows(_ lanes: [Lane]) -> [Row] {
    var rows: [Row] = []
    for lane in lanes {
      for cell in lane.cells {
        guard let statistics = Statistics(cell.laps) else { continue }
        rows.append(
          Row(
            workload: contest.name, contender: lane.contender.name, operation: cell.operation, objects: contest.objects,
            rounds: cell.laps.count, medianNanoseconds: statistics.median, spreadNanoseconds: statistics.spread,
            bytes: lane.contender.byteCount))
      }
    }
    for index in rows.indices {
      func ratio(to name: String) -> Double? {
        rows.first { $0.contender == name && $0.operation == rows[index].operation }
          .map { rows[index].medianNanoseconds / $0.medianNanoseconds }
      }
      rows[index].ratioToHand = ratio(to: ContenderName.hand)
      rows[index].ratioToMemcpy = ratio(to: ContenderName.memoryCopy)
    }
    return rows
  }
}
