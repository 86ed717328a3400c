/// What has to be known to read the tables.
struct Introduction {
  private let options: Options

  init(_ options: Options) {
    self.options = options
  }

  var workloads: String {
    """
    \(clock), medians of rounds in which everybody takes a turn; spread is the 90th minus the 10th percentile.
    hand: a row-by-row coder written for exactly that model. memcpy: hand's bytes, copied into new memory.
    \(options.measuresMemory ? Self.peak : "")
    """
  }

  var growth: String {
    """
    \(clock), medians. x first: against what an object costs in the smallest graph; 1 is linear. The list runs on a stack of 512 KiB.
    flat within, rises by: how much more an object costs in the most expensive graph than in the cheapest, and than in the smallest, up to
    1,000,000 objects.
    \(options.measuresMemory ? Self.peak : "")\(options.parts == [.growth] && Workload.leavesOutLargest ? Self.noLargest : "")
    """
  }

  private static let peak = """
    peak: what the operation adds at most to the memory of a fresh process that holds the graph or the archive; its result counts.

    """

  private static let noLargest = """
    Graphs of 10,000,000 objects are left out: less than 12 GB of memory are free.

    """

  private var clock: String {
    options.clock == .wall ? "Wall-clock time" : "Processor time"
  }
}
