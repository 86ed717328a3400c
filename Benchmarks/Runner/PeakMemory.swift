import Foundation

/// How much memory one operation needs at most, its result included: each measured in a process of its own, which has done nothing else.
enum PeakMemory {
  /// What such a process measures.
  struct Request {
    var workload: String
    var contender: String
    var operation: Operation

    var arguments: [String] { ["--peak", workload, contender, operation.rawValue] }
  }

  /// Starts that process and waits for it.
  /// - Returns: bytes beyond what the graph (or, for decoding, the archive) needs by itself; nil if they cannot be measured here.
  static func measure(_ request: Request, options: Options) throws -> Int? {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = request.arguments + (options.isQuick ? ["--quick"] : [])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return Int(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// The side of that process: prints the figure and ends.
  static func report(_ request: Request, options: Options) throws -> Never {
    guard let workload = Workload.named(request.workload) else {
      throw UsageError(description: "no workload is called \(request.workload)")
    }
    try warmUp(request)
    return try onStack(of: workload.stackSize) {
      let operation = try prepare(request, workload, options)
      guard let before = ProcessMemory.startPeak() else {
        throw Unavailable(description: "this system does not tell the peak of a process")
      }
      let result = try operation()
      let peak = ProcessMemory.peak()
      blackHole(result)
      guard let peak else { throw Unavailable(description: "this system does not tell the size of a process") }
      print(peak - before)
      fflush(nil)
      // Releasing a list of a million nodes would overflow the stack.
      exit(0)
    }
  }

  /// Pages of code and of the C library's tables are not what an operation needs: the same contender encodes and decodes one small object.
  private static func warmUp(_ request: Request) throws {
    let contest = Contest.small()
    _ = try find(request.contender, in: contest)?.verify(clock: .wall)
  }

  private static func prepare(_ request: Request, _ workload: Workload, _ options: Options) throws -> () throws -> Any {
    let contest = try workload.make(options)
    guard let contender = try find(request.contender, in: contest) else {
      throw UsageError(description: "no contender of \(workload.name) is called \(request.contender)")
    }
    switch request.operation {
    case .encode:
      return { try contender.encodeOnce() }
    case .decode:
      // What is returned holds the archive and nothing else: the original graph goes away with the contest.
      defer { contest.finish() }
      return try contender.detachedDecode()
    default: throw UsageError(description: "the memory of \(request.operation.rawValue) is not measured")
    }
  }

  private static func find(_ name: String, in contest: Contest) throws -> (any Contender)? {
    guard name == ContenderName.memoryCopy else { return contest.contenders.first { $0.name == name } }
    guard let hand = contest.contenders.first(where: { $0.name == ContenderName.hand }) else { return nil }
    _ = try hand.verify(clock: .wall)
    return hand.floor()
  }
}

/// A figure that cannot be had.
struct Unavailable: Error, CustomStringConvertible {
  var description: String
}
