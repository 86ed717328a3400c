import Foundation

/// The tool as another process.
enum ToolProcess {
  struct Outcome {
    var code: Int32
    var output: String
    var errors: String
  }

  /// The program: it lies where the tests lie.
  static let program: String = {
    #if os(Linux)
      let tests = Bundle.main.executableURL
    #else
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    #endif
    return tests?.deletingLastPathComponent().appendingPathComponent("archivist").path ?? "archivist"
  }()

  /// Runs the tool to its end.
  ///
  /// - Parameter input: What standard input has.
  static func run(_ arguments: [String], input: Data = Data(), environment: [String: String] = [:]) throws -> Outcome {
    try start(URL(fileURLWithPath: program), arguments, input, environment)
  }

  /// Runs a line of the shell, in which `$TOOL` is the tool.
  static func shell(_ line: String, input: Data = Data()) throws -> Outcome {
    try start(URL(fileURLWithPath: "/bin/sh"), ["-c", line], input, ["TOOL": program])
  }

  private static func start(
    _ executable: URL, _ arguments: [String], _ input: Data, _ environment: [String: String]
  ) throws -> Outcome {
    // Files, and no pipes: neither side can wait for the other.
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("archivist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let files = ["input", "output", "errors"].map { directory.appendingPathComponent($0) }
    try input.write(to: files[0])
    for file in files.dropFirst() { try Data().write(to: file) }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()
    let code = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    return Outcome(code: code, output: try text(of: files[1]), errors: try text(of: files[2]))
  }

  /// `Data(contentsOf:)` leaks for files without a byte.
  private static func text(of file: URL) throws -> String {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
  }

  /// Whether a sanitizer watches every access to memory, which takes a multiple of it.
  static let isSanitized = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
