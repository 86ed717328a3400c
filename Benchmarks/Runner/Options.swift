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
  /// Never empty.
  var parts: Set<Part> = []
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

  /// What is measured.
  enum Part: CaseIterable {
    case workloads
    case growth
    case instructions
  }

  /// Only MirrorArchive, only one operation, for a profiler.
  struct Profile {
    var workload: String
    var operation: Operation
    var iterations: Int
  }

  static var help: String { usage + Workload.all.map { "  \($0.name.padded(to: 16)) \($0.summary)\n" }.joined() }

  private static let usage = """
    USAGE: Benchmarks [--filter TEXT] [--quick] [--memory] [--growth] [--instructions] [--full] [--file] [--clock wall|cpu]
                      [--json FILE] [--svg FILE] [--compare FILE] [--from FILE]

    Archives and unarchives the same graphs with MirrorArchive, with Foundation's coders and with hand-written code, checks that each
    of them got the same graph back, and prints medians, sizes, ratios, and which goals are reached.

      --filter TEXT    only workloads, or only contenders, whose name contains TEXT ("hand" always runs: ratios need it)
      --quick          fewer rounds, and without those that are slow: under a minute in all
      --memory         also the peak memory of every operation, each in a process of its own
      --growth         in place of the workloads: what an object costs in graphs of 1,000 to 1,000,000 objects, and of 10,000,000
                       where there is the memory and no --quick
      --instructions   in place of the workloads: machine instructions of each operation, by valgrind, for the workloads that the
                       filter names or else the shop
      --full           all of these: the workloads, memory, growth up to 1,000,000 objects, instructions
      --file           in place of the workloads: time and memory of reading one small key of a file of 100 MB
      --shapes         in place of the workloads: what a value costs in arrays of some 240 types and shapes, the dearest ones first
      --clock KIND     wall (what a user waits, the default) or cpu (processor time: where others are busy, waiting for them is left out)
      --json FILE      everything that was found out as JSON, "-" for standard output in place of the tables; without --quick it
                       includes memory and instructions
      --svg FILE       a bar chart of the ratios to hand
      --compare FILE   what has changed since an earlier --json FILE
      --from FILE      what an earlier --json FILE holds in place of measuring: its goals, and what --svg and --compare make of it
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
        throw UsageError(description: "\(option) needs \(Operation.allCases.map(\.rawValue).joined(separator: ", "))")
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
      case "--growth": parts.insert(.growth)
      case "--instructions": parts.insert(.instructions)
      case "--full": parts.formUnion(Part.allCases)
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
    if parts.isEmpty { parts = jsonPath == nil || isQuick ? [.workloads] : [.workloads, .instructions] }
    if parts.contains(.growth) || jsonPath != nil && !isQuick { measuresMemory = true }
    if parts == [.growth], !Workload.growing.contains(where: { includes(workload: $0.name) }) {
      throw UsageError(description: "--growth is about the shop, the list and the tree, and the filter leaves all of them out")
    }
  }
}

/// A command line that cannot be understood.
struct UsageError: Error, CustomStringConvertible {
  var description: String
}
