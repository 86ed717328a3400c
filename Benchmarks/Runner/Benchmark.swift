import Foundation

/// Everything `swift run Benchmarks` does, once it runs in release.
enum Benchmark {
  /// - Returns: whether every contender got its graph back.
  static func run(_ options: Options) throws -> Bool {
    Allocator.keepMemory()
    let progress = Progress()
    let writesToStandardOutput = options.jsonPath == "-"
    var rows: [Row] = []
    var isComplete = true
    let workloads = Workload.all.filter { options.includes(workload: $0.name) }
    if !writesToStandardOutput { print(introduction(options)) }
    for workload in workloads {
      progress.show("\(workload.name): building")
      var result: Race.Result
      do {
        result = try onStack(of: workload.stackSize) {
          Race(try workload.make(options), options: options, progress: progress).run()
        }
      } catch let skip as Skip {
        progress.clear()
        if !writesToStandardOutput { print("\(workload.name): skipped, \(skip.reason)\n") }
        continue
      }
      if options.measuresMemory { try addPeaks(to: &result.rows, progress) }
      progress.clear()
      rows += result.rows
      isComplete = isComplete && result.failures.isEmpty
      if !writesToStandardOutput {
        print(Table(result: result))
        fflush(nil)
      }
    }
    if let path = options.jsonPath { try write(rows, to: path) }
    return isComplete
  }

  /// Once the race is over: the processes must not disturb it.
  private static func addPeaks(to rows: inout [Row], _ progress: Progress) throws {
    for index in rows.indices {
      let request = PeakMemory.Request(
        workload: rows[index].workload, contender: rows[index].contender, operation: rows[index].operation)
      progress.show("\(request.workload): memory of \(request.contender), \(request.operation.rawValue)")
      rows[index].peakBytes = try PeakMemory.measure(request)
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

  private static func introduction(_ options: Options) -> String {
    let clock = options.clock == .wall ? "Wall-clock time" : "Processor time"
    let memory = """
      peak: what the operation adds at most to the memory of a fresh process that holds the graph or the archive; its result counts.

      """
    return """
      \(clock), medians of rounds in which everybody takes a turn; spread is the 90th minus the 10th percentile.
      Slow contenders run fewer rounds. hand: a row-by-row coder written for exactly that model. memcpy: hand's bytes, copied into new memory.
      \(options.measuresMemory ? memory : "")
      """
  }

  private static func write(_ rows: [Row], to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let data = try encoder.encode(rows) + Data("\n".utf8)
    if path == "-" {
      FileHandle.standardOutput.write(data)
    } else {
      try data.write(to: URL(fileURLWithPath: path))
    }
  }
}

/// A workload that cannot run here, by its maker.
struct Skip: Error {
  var reason: String
}
