/// Measures workloads, and says what it is doing.
struct Laboratory {
  private let options: Options
  private let show: (any CustomStringConvertible) -> Void
  private let progress = Progress()

  init(options: Options, show: @escaping (any CustomStringConvertible) -> Void) {
    self.options = options
    self.show = show
  }

  /// - Parameter showsTables: one for each workload; that of a failure is always shown.
  /// - Returns: what was measured, and whether every contender got its graph back.
  func measure(_ workloads: [Workload], showsTables: Bool) throws -> (rows: [Row], isComplete: Bool) {
    var rows: [Row] = []
    var isComplete = true
    for workload in workloads where options.includes(workload: workload.name) {
      progress.show("\(workload.name): building")
      var result: Race.Result
      do {
        result = try onStack(of: workload.stackSize) {
          Race(try workload.make(options), options: options, progress: progress).run()
        }
      } catch let skip as Skip {
        result = Race.Result(workload: workload.name, skipReason: skip.reason)
      }
      if options.measuresMemory, !result.isOfStores { try addPeaks(to: &result) }
      progress.clear()
      rows += result.rows
      isComplete = isComplete && result.failures.isEmpty
      if showsTables || !result.failures.isEmpty { show(Table(result: result)) }
    }
    return (rows, isComplete)
  }

  /// Once the race is over: the processes must not disturb it.
  private func addPeaks(to result: inout Race.Result) throws {
    for index in result.rows.indices {
      let row = result.rows[index]
      let request = PeakMemory.Request(workload: row.workload, contender: row.contender, operation: row.operation)
      progress.show("\(request.workload): memory of \(request.contender), \(request.operation.rawValue)")
      result.rows[index].peakBytes = try PeakMemory.measure(request, options: options)
    }
    if !result.rows.isEmpty, result.rows.allSatisfy({ $0.peakBytes == nil }) {
      result.notes.append("Peak memory cannot be measured on this system.")
    }
  }

  /// Of the workloads that the filter names, and of the shop when it names none. What has been measured before must not be lost: where there
  /// is nothing to count with, this says so.
  func countInstructions() throws -> [InstructionCount] {
    let names = options.filter.map(Options.namesWorkload) ?? false ? Workload.all.map(\.name) : ["shop"]
    defer { progress.clear() }
    do {
      guard InstructionCount.isPossible else { throw Unavailable(description: "there is no valgrind on the PATH") }
      return try Workload.all.filter { names.contains($0.name) && options.includes(workload: $0.name) }
        .flatMap { try InstructionCount.measure($0, options: options, progress: progress) }
    } catch let reason as Unavailable {
      progress.clear()
      show("Instructions are not counted: \(reason.description)\n")
      return []
    }
  }
}
