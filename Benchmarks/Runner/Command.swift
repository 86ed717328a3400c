import Foundation

/// Other programs, found on the PATH.
enum Command {
  /// What a program has written and how it ended.
  struct Outcome {
    var output: String
    var status: Int32
  }

  /// Runs a program to its end.
  /// - Parameter capturesErrors: take what it writes to standard error in place of what it writes to standard output.
  /// - Returns: nil when it cannot be started; a status of 127 when it is not there.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], capturesErrors: Bool = false
  ) -> Outcome? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = capturesErrors ? FileHandle.nullDevice : output
    process.standardError = capturesErrors ? output : FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(output: String(decoding: data, as: UTF8.self), status: process.terminationStatus)
  }

  /// The first line that a program prints; nil when there is none or it fails.
  static func firstLine(_ arguments: String...) -> String? {
    guard let outcome = run(arguments), outcome.status == 0 else { return nil }
    return outcome.output.split(separator: "\n").first.map(String.init)
  }
}
