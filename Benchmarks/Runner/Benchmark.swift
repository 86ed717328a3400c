import Foundation

/// Everything `swift run Benchmarks` does, once it runs in release.
enum Benchmark {
  /// - Returns: whether every contender got its graph back.
  static func run(_ options: Options) throws -> Bool {
    // Read before an hour is spent on measuring.
    let earlier = try options.comparisonPath.map(RowFile.read)
    let isSilent = options.jsonPath == "-"
    var outcome = Outcome()
    if let path = options.rowsPath {
      outcome.rows = try RowFile.read(path)
    } else if options.showsGrowth {
      outcome = try measure(Workload.growth, options: options, measuresMemory: true) { result in
        if !isSilent, !result.failures.isEmpty { print(Table(result: result)) }
      }
      if !isSilent { print(growthIntroduction(options), GrowthTable(rows: outcome.rows), separator: "\n") }
    } else {
      if !isSilent { print(introduction(options)) }
      outcome = try measure(Workload.all, options: options, measuresMemory: options.measuresMemory) { result in
        if !isSilent { print(Table(result: result)) }
      }
    }
    if let earlier, !isSilent { print(Comparison(before: earlier, now: outcome.rows)) }
    if let path = options.chartPath { try RowFile.write(Chart(rows: outcome.rows).description, to: path) }
    if let path = options.jsonPath { try RowFile.write(outcome.rows, to: path) }
    return outcome.isComplete
  }

  private struct Outcome {
    var rows: [Row] = []
    var isComplete = true
  }

  private static func measure(
    _ workloads: [Workload], options: Options, measuresMemory: Bool, show: (Race.Result) -> Void
  ) throws -> Outcome {
    Allocator.keepMemory()
    let progress = Progress()
    var outcome = Outcome()
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
      if measuresMemory { try addPeaks(to: &result, progress) }
      progress.clear()
      outcome.rows += result.rows
      outcome.isComplete = outcome.isComplete && result.failures.isEmpty
      show(result)
      fflush(nil)
    }
    return outcome
  }

  /// Once the race is over: the processes must not disturb it.
  private static func addPeaks(to result: inout Race.Result, _ progress: Progress) throws {
    for index in result.rows.indices {
      let row = result.rows[index]
      let request = PeakMemory.Request(workload: row.workload, contender: row.contender, operation: row.operation)
      progress.show("\(request.workload): memory of \(request.contender), \(request.operation.rawValue)")
      result.rows[index].peakBytes = try PeakMemory.measure(request)
    }
    if !result.rows.isEmpty, result.rows.allSatisfy({ $0.peakBytes == nil }) {
      result.notes.append("Peak memory cannot be measured on this system.")
    }
  }

  /// Runs one contender alone, in one direction, for a profiler: `MirrorArchive`, or the one that the filter names.
  static func profile(_ profile: Options.Profile, options: Options) throws {
    guard let workload = Workload.named(profile.workload) else {
      throw UsageError(description: "no workload is called \(profile.workload)")
    }
    Allocator.keepMemory()
    try onStack(of: workload.stackSize) {
      let contest = try workload.make(options)
      defer { contest.finish() }
      for contender in contest.contenders where contender.name == options.filter ?? ContenderName.mirrorArchive {
        _ = try contender.verify(clock: options.clock)
        for _ in 0..<profile.iterations {
          _ = try contender.lap(profile.operation, iterations: contest.iterations, clock: options.clock)
        }
      }
    }
  }

  private static let peakIntroduction = """
    peak: what the operation adds at most to the memory of a fresh process that holds the graph or the archive; its result counts.

    """

  private static func introduction(_ options: Options) -> String {
    """
    \(clockName(options)), medians of rounds in which everybody takes a turn; spread is the 90th minus the 10th percentile.
    Slow contenders run fewer rounds. hand: a row-by-row coder written for exactly that model. memcpy: hand's bytes, copied into new memory.
    \(options.measuresMemory ? peakIntroduction : "")
    """
  }

  private static func growthIntroduction(_ options: Options) -> String {
    """
    \(clockName(options)), medians. x first: against what an object costs in the smallest graph; 1 is linear. The list runs on a stack of 512 KiB.
    \(peakIntroduction)
    """
  }

  private static func clockName(_ options: Options) -> String {
    options.clock == .wall ? "Wall-clock time" : "Processor time"
  }
}
