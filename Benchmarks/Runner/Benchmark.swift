import Foundation

/// Everything `swift run Benchmarks` does, once it runs in release.
enum Benchmark {
  /// - Parameter arguments: the command line, which the file of results quotes.
  /// - Returns: whether every contender got its graph back.
  static func run(_ options: Options, arguments: some Sequence<String>) throws -> Bool {
    // Read before an hour is spent on measuring.
    let earlier = try options.comparisonPath.map(Report.read)
    let isSilent = options.jsonPath == "-"
    func show(_ text: any CustomStringConvertible) {
      let text = text.description
      if !isSilent, !text.isEmpty { print(text) }
      fflush(nil)
    }
    var report: Report
    var isComplete = true
    if let path = options.rowsPath {
      report = try Report.read(path)
    } else {
      Allocator.keepMemory()
      report = Report(header: Report.Header(arguments: arguments))
      let laboratory = Laboratory(options: options, show: show)
      func measure(_ workloads: [Workload], showsTables: Bool) throws {
        let outcome = try laboratory.measure(workloads, showsTables: showsTables)
        report.rows += outcome.rows
        isComplete = isComplete && outcome.isComplete
      }
      if options.parts.contains(.workloads) {
        show(Introduction(options).workloads)
        try measure(Workload.all, showsTables: true)
      }
      if options.parts.contains(.growth) {
        show(Introduction(options).growth)
        try measure(Workload.growing(options), showsTables: false)
      }
      if options.parts.contains(.instructions) { report.instructions = try laboratory.countInstructions() }
    }
    // Of an earlier report too: what was asked for then may be another question.
    report.goals = Goal.outcomes(report.rows)
    if report.rows.contains(where: \.isOfGrowingGraph) { show(GrowthTable(rows: report.rows)) }
    if !report.instructions.isEmpty { show(InstructionTable(counts: report.instructions)) }
    show(GoalTable(outcomes: report.goals))
    if let earlier { show(Comparison(before: earlier, now: report)) }
    if let path = options.chartPath { try Report.write(Chart(rows: report.rows).description, to: path) }
    if let path = options.jsonPath { try report.write(to: path) }
    return isComplete
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
}
