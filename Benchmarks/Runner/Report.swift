import Foundation

/// Everything that one run has found out, as `--json` writes it.
struct Report: Codable {
  /// Of what, with what and when: nil where this system does not tell.
  struct Header: Codable {
    var toolchain: String?
    var processor: String?
    var processors: Int
    var system: String
    /// ISO 8601.
    var date: String
    var options: String
    var commit: String?
  }

  var header: Header
  var rows: [Row] = []
  var instructions: [InstructionCount] = []
  var goals: [Goal.Outcome] = []

  private enum CodingKeys: String, CodingKey {
    case header, rows, instructions, goals
  }

  init(header: Header) {
    self.header = header
  }

  static func read(_ path: String) throws -> Report {
    guard let data = FileManager.default.contents(atPath: path) else { throw Unreadable(description: "cannot read \(path)") }
    do {
      return try JSONDecoder().decode(Report.self, from: data)
    } catch {
      throw Unreadable(description: "\(path) is not a file that --json has written: \(error)")
    }
  }

  /// - Parameter path: "-" for standard output.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try Self.write(String(decoding: encoder.encode(self), as: UTF8.self) + "\n", to: path)
  }

  static func write(_ text: String, to path: String) throws {
    if path == "-" {
      FileHandle.standardOutput.write(Data(text.utf8))
    } else {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  private struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }
}

extension Report.Header {
  /// This moment, on this system.
  init(arguments: some Sequence<String>) {
    toolchain = Command.firstLine("swift", "--version")
    processor = Self.processorName
    processors = ProcessInfo.processInfo.activeProcessorCount
    system = ProcessInfo.processInfo.operatingSystemVersionString
    date = Date().formatted(.iso8601)
    options = arguments.joined(separator: " ")
    commit = Self.commit
  }

  private static var processorName: String? {
    #if os(Linux)
      // `ofItem` and `contents` ask for the size of a file, which is 0 in /proc.
      let text = (try? FileHandle(forReadingAtPath: "/proc/cpuinfo")?.readToEnd()).map { String(decoding: $0, as: UTF8.self) }
      let line = text?.split(separator: "\n").first { $0.hasPrefix("model name") }
      return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    #else
      return Command.firstLine("sysctl", "-n", "machdep.cpu.brand_string")
    #endif
  }

  /// Of the sources that lie beside this executable, with a plus when they have been changed since.
  private static var commit: String? {
    guard let root = Relaunch.packageRoot()?.path, let commit = Command.firstLine("git", "-C", root, "rev-parse", "--short=12", "HEAD")
    else { return nil }
    return commit + (Command.firstLine("git", "-C", root, "status", "--porcelain", "--untracked-files=no") == nil ? "" : "+")
  }
}
