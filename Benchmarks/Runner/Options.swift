/// The command line.
struct Options {
  var filter: String?
  var isQuick = false
  var jsonPath: String?
  /// Earlier rows to compare with.
  var comparisonPath: String?
  var chartPath: String?
  /// Rows to show in place of measuring.
  var rowsPath: String?
  var showsGrowth = false
  var clock = LapClock.wall
  var wantsHelp = false
  var measuresMemory = false
  var profile: Profile?
  var peak: PeakMemory.Request?
  /// In place of the workloads: one key of a large file.
  var readsFile = false
  /// In place of the workloads: arrays of many types and shapes.
  var measuresShapes = false
  /// The large file, in the process that reads it.
  var filePath: String?

  /// Only MirrorArchive, only one operation, for a profiler.
  struct Profile {
    var workload: String
    var operation: Operation
    var iterations: Int
  }

  static var help: String { usage + Workload.all.map { "  \($0.name.padded(to: 16)) \($0.summary)\n" }.joined() }

  private static let usage = """
    USAGE: Benchmarks [--filter TEXT] [--quick] [--memory] [--growth] [--file] [--clock wall|cpu]
                      [--json FILE] [--svg FILE] [--compare FILE] [--from FILE]

    Archives and unarchives the same graphs with MirrorArchive, with Foundation's coders and with hand-written code, checks that each
    of them got the same graph back, and prints medians, sizes and ratios.

      --filter TEXT    only workloads, or only contenders, whose name contains TEXT ("hand" always runs: ratios need it)
      --quick          fewer rounds: under a minute in all
      --memory         also the peak memory of every operation, each in a process of its own
      --growth         in place of the workloads: what an object costs in graphs of 1,000 to 1,000,000 objects
      --file           in place of the workloads: time and memory of reading one small key of a file of 100 MB
      --shapes         in place of the workloads: what a value costs in arrays of some 240 types and shapes, the dearest ones first
      --clock KIND     wall (what a user waits, the default) or cpu (processor time, steadier on a busy machine)
      --json FILE      the same rows as JSON; "-" for standard output in place of the tables
      --svg FILE       a bar chart of the ratios to hand
      --compare FILE   what has changed since an earlier --json FILE
      --from FILE      the rows of an earlier --json FILE in place of measuring, for --svg and --compare
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
      case "--svg": chartPath = try value(of: argument)
      case "--compare": comparisonPath = try value(of: argument)
      case "--from": rowsPath = try value(of: argument)
      case "--growth": showsGrowth = true
      case "--file": readsFile = true
      case "--shapes": measuresShapes = true
      case "--read-file": filePath = try value(of: argument)
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
    if rowsPath != nil, chartPath == nil, comparisonPath == nil {
      throw UsageError(description: "--from needs --svg or --compare: there is nothing else to do with the rows")
    }
    if showsGrowth, !Workload.growth.contains(where: { includes(workload: $0.name) }) {
      throw UsageError(description: "--growth is about the shop and the list, and the filter leaves both out")
    }
  }
}

/// A command line that cannot be understood.
struct UsageError: Error, CustomStringConvertible {
  var description: String
}
