/// The command line.
struct Options {
  var filter: String?
  var isQuick = false
  var jsonPath: String?
  var clock = LapClock.wall
  var wantsHelp = false
  var measuresMemory = false
  var profile: Profile?
  var peak: PeakMemory.Request?

  /// Only MirrorArchive, only one operation, for a profiler.
  struct Profile {
    var workload: String
    var operation: Operation
    var iterations: Int
  }

  static var help: String { usage + Workload.all.map { "  \($0.name.padded(to: 16)) \($0.summary)\n" }.joined() }

  private static let usage = """
    USAGE: Benchmarks [--filter TEXT] [--quick] [--memory] [--json FILE] [--clock wall|cpu]

    Archives and unarchives the same graphs with MirrorArchive, with Foundation's coders and with hand-written code, checks that each
    of them got the same graph back, and prints medians, sizes and ratios.

      --filter TEXT    only workloads, or only contenders, whose name contains TEXT ("hand" always runs: ratios need it)
      --quick          fewer rounds: under a minute in all
      --json FILE      the same rows as JSON; "-" for standard output in place of the tables
      --memory         also the peak memory of every operation, each in a process of its own
      --clock KIND     wall (what a user waits, the default) or cpu (processor time, steadier on a busy machine)
      --help           this text

    WORKLOADS:

    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = rest.popFirst() else { throw UsageError(description: "\(option) needs a value") }
      return value
    }
    func operation(of option: String) throws -> Operation {
      guard let operation = Operation(rawValue: try value(of: option)) else {
        throw UsageError(description: "\(option) needs encode or decode")
      }
      return operation
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--filter":
        let text = try value(of: argument)
        guard Self.namesWorkload(text) || Self.namesContender(text) else {
          throw UsageError(description: "no workload and no contender has \(text) in its name")
        }
        filter = text
      case "--quick": isQuick = true
      case "--json": jsonPath = try value(of: argument)
      case "--clock":
        let name = try value(of: argument)
        guard let clock = LapClock(rawValue: name) else { throw UsageError(description: "--clock takes wall or cpu, not \(name)") }
        self.clock = clock
      case "--memory": measuresMemory = true
      case "--help", "-h": wantsHelp = true
      case "--peak":
        peak = PeakMemory.Request(
          workload: try value(of: argument), contender: try value(of: argument), operation: try operation(of: argument))
      case "--profile":
        let workload = try value(of: argument)
        let operation = try operation(of: argument)
        let iterations = rest.first.flatMap { Int($0) }
        if iterations != nil { rest.removeFirst() }
        profile = Profile(workload: workload, operation: operation, iterations: max(iterations ?? 100, 1))
      default: throw UsageError(description: "unknown option \(argument)")
      }
    }
  }
}

/// A command line that cannot be understood.
struct UsageError: Error, CustomStringConvertible {
  var description: String
}
