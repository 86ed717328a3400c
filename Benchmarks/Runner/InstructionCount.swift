import Foundation

/// What one operation costs in machine instructions, by callgrind: the same on a busy machine as on a quiet one.
///
/// It says nothing about caches, and little about memory that has to be fetched.
struct InstructionCount: Codable {
  var workload: String
  var contender: String
  var operation: Operation
  var objects: Int
  /// Of one operation.
  var instructions: Int

  var instructionsPerObject: Double { Double(instructions) / Double(objects) }
}

extension InstructionCount {
  /// Two runs that differ in nothing but the number of laps: their difference is free of what only the first lap has to do.
  private static let laps = (few: 2, many: 7)

  /// Whether there is something to count with.
  static var isPossible: Bool { Command.firstLine("valgrind", "--version") != nil }

  /// Counts for MirrorArchive and for hand, in both directions; for ArchiveCache, and for what it is compared with, what caches do.
  static func measure(_ workload: Workload, options: Options, progress: Progress) throws -> [InstructionCount] {
    guard let executable = Bundle.main.executablePath else { throw Unavailable(description: "this executable cannot find itself") }
    let (objects, iterations, operations) = try onStack(of: workload.stackSize) {
      let contest = try workload.make(options)
      defer { contest.finish() }
      return (
        contest.objects, contest.iterations,
        Dictionary(contest.contenders.map { ($0.name, $0.operations) }) { first, _ in first }
      )
    }
    var counts: [InstructionCount] = []
    for contender in [ContenderName.archiveCache, ContenderName.plainFiles, ContenderName.mirrorArchive, ContenderName.hand] {
      for operation in operations[contender] ?? [] {
        progress.show("\(workload.name): instructions of \(contender), \(operation.rawValue)")
        func collected(laps: Int) throws -> Int {
          let profile = ["--profile", workload.name, operation.rawValue, "\(laps)", "--filter", contender]
          return try callgrind([executable] + profile + (options.isQuick ? ["--quick"] : []))
        }
        let difference = try collected(laps: laps.many) - collected(laps: laps.few)
        counts.append(
          InstructionCount(
            workload: workload.name, contender: contender, operation: operation, objects: objects,
            instructions: difference / ((laps.many - laps.few) * iterations)))
      }
    }
    return counts
  }

  /// The instructions of a whole process.
  private static func callgrind(_ command: [String]) throws -> Int {
    // Only what is timed is counted, without the release of what it has made; and Swift's hashing must not change from run to run.
    let outcome = Command.run(
      ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*timedRegion*"] + command,
      environment: ["SWIFT_DETERMINISTIC_HASHING": "1"], capturesErrors: true)
    guard let outcome, outcome.status == 0,
      let line = outcome.output.split(separator: "\n").last(where: { $0.contains("Collected :") }),
      let count = line.split(separator: " ").last.flatMap({ Int($0) })
    else {
      throw Unavailable(description: "valgrind has failed: \(outcome?.output.suffix(500) ?? "it did not start")")
    }
    return count
  }
}

/// The counts, for people.
struct InstructionTable: CustomStringConvertible {
  let counts: [InstructionCount]

  var description: String {
    var lines = [["workload", "contender", "operation", "instructions", "per object", "x hand"]]
    for count in counts {
      let hand = counts.first { $0.workload == count.workload && $0.operation == count.operation && $0.contender == ContenderName.hand }
      lines.append([
        count.workload, count.contender, count.operation.rawValue, Figures.grouped(count.instructions),
        Figures.short(count.instructionsPerObject),
        hand.map { Figures.ratio(Double(count.instructions) / Double($0.instructions)) } ?? "",
      ])
    }
    return "Instructions of one operation, by callgrind:\n" + Figures.aligned(lines, textColumns: 3)
  }
}
