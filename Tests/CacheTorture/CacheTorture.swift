import Foundation

/// The other processes of the cache's tests: each start plays the one part that its first argument names, and reports on standard output.
///
/// A line begins with a word that says what it is: `ack` what was stored, `wrong` what must not be, `count` a figure, `note` what was skipped.
@main
package struct CacheTorture {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      guard let part = Part(Arguments(arguments)) else { throw Arguments.Missing(name: "a part") }
      try part.play()
      // At once: caches are at work in the background, and LeakSanitizer takes what those threads hold for lost.
      _exit(0)
    } catch {
      Report.wrong("\(arguments.first ?? "nothing"): \(error)")
      _exit(2)
    }
  }
}

/// What the other process can be.
package enum Part {
  /// Stores one version after another until it is killed.
  case writer(Arguments)
  /// The same, without the cache, as a program would that knows no better: each entry written where it lies.
  case inPlaceWriter(Arguments)
  case mixedWriter(Arguments)
  case mixedReader(Arguments)
  case mixedSweeper(Arguments)
  /// Steady load of entries of chance sizes.
  case load(Arguments)
  /// Writes until nothing fits any more.
  case fullDisk(Arguments)
  case readOnlyDisk(Arguments)
  case fork(Arguments)
  /// Stores a few entries and ends, without any farewell.
  case brief(Arguments)

  init?(_ arguments: Arguments) {
    switch arguments.part {
    case "writer": self = .writer(arguments)
    case "in-place-writer": self = .inPlaceWriter(arguments)
    case "mixed-writer": self = .mixedWriter(arguments)
    case "mixed-reader": self = .mixedReader(arguments)
    case "mixed-sweeper": self = .mixedSweeper(arguments)
    case "load": self = .load(arguments)
    case "full-disk": self = .fullDisk(arguments)
    case "read-only-disk": self = .readOnlyDisk(arguments)
    case "fork": self = .fork(arguments)
    case "brief": self = .brief(arguments)
    default: return nil
    }
  }

  func play() throws {
    switch self {
    case .writer(let arguments): try Writer(arguments).run()
    case .inPlaceWriter(let arguments): try InPlaceWriter(arguments).run()
    case .mixedWriter(let arguments): try Mixed(arguments).write()
    case .mixedReader(let arguments): try Mixed(arguments).read()
    case .mixedSweeper(let arguments): try Mixed(arguments).sweep()
    case .load(let arguments):
      var load = try Load(arguments)
      try load.run()
    case .fullDisk(let arguments): try FullDisk(arguments).fill()
    case .readOnlyDisk(let arguments): try FullDisk(arguments).readOnly()
    case .fork(let arguments): try Forked(arguments).run()
    case .brief(let arguments): try Writer(arguments).runBriefly()
    }
  }
}

/// `name=value` behind the part's name.
package struct Arguments {
  struct Missing: Error { let name: String }

  let part: String
  private let values: [String: String]

  init(_ arguments: [String]) {
    part = arguments.first ?? ""
    var values: [String: String] = [:]
    for argument in arguments.dropFirst() {
      let pair = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      values[String(pair[0])] = pair.count == 2 ? String(pair[1]) : ""
    }
    self.values = values
  }

  func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw Missing(name: name) }
    return value
  }

  func number(_ name: String) throws -> Int {
    guard let value = values[name].flatMap({ Int($0) }) else { throw Missing(name: name) }
    return value
  }

  func number(_ name: String, or other: Int) throws -> Int { values[name] == nil ? other : try number(name) }

  func directory() throws -> URL { URL(fileURLWithPath: try text("directory"), isDirectory: true) }
}

/// What is said to the process that waits: whole lines, each with one call, so that a kill cuts none of them.
enum Report {
  static func line(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    // SAFETY: the call reads the array's bytes. Up to 4,096 of them go into a pipe all or not at all.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
  }

  static func wrong(_ text: String) { line("wrong " + text.prefix(2_000).replacing("\n", with: " ")) }
  static func note(_ text: String) { line("note " + text) }
  static func count(_ name: String, _ number: Int) { line("count \(name) \(number)") }
  static func stored(_ key: Int, _ version: Int) { line("ack \(key) \(version)") }
}

/// Until when something goes on.
struct Deadline {
  private let end: ContinuousClock.Instant

  init(milliseconds: Int) { end = .now + .milliseconds(milliseconds) }

  var isOver: Bool { ContinuousClock.now >= end }
}
