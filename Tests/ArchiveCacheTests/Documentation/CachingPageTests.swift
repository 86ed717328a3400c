import Foundation
import Testing

/// The page about caching, and its example.
@Suite("The page about caching")
struct CachingPageTests {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let directory = TestDirectory()

  /// The first block of a language on the page.
  static func block(_ language: String) throws -> String {
    let page = try String(contentsOf: package.appendingPathComponent("Sources/ArchiveCache/ArchiveCache.docc/Caching.md"), encoding: .utf8)
    let start = try #require(page.range(of: "```\(language)\n"))
    let end = try #require(page.range(of: "```", range: start.upperBound..<page.endIndex))
    return String(page[start.upperBound..<end.lowerBound])
  }

  /// Starts the example.
  func start(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
    #if os(Linux)
      let tests = Bundle.main.executableURL
    #else
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    #endif
    let process = Process()
    process.executableURL = tests?.deletingLastPathComponent().appendingPathComponent("CacheExample")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging([
      "XDG_CACHE_HOME": directory.url.path,
      // The example ends with its cache: LeakSanitizer takes values in memory for lost, as `Data` keeps its tag in the upper bits of a reference.
      "ASAN_OPTIONS": "detect_leaks=0",
    ]) { _, new in new }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    return (process, pipe)
  }

  func finish(_ run: (process: Process, output: Pipe)) throws -> [String] {
    let data = try run.output.fileHandleForReading.readToEnd() ?? Data()
    run.process.waitUntilExit()
    #expect(run.process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("Its example is the program that is compiled here") func isCompiled() throws {
    let code = try String(contentsOf: Self.package.appendingPathComponent("Tests/CacheExample/main.swift"), encoding: .utf8)
    #expect(try Self.block("swift") == code)
  }

  @Test("The example computes once and finds again, and prints what the page says") func runs() throws {
    let first = try finish(start(["1001", "97"]))
    let second = try finish(start(["1001"]))
    #expect(try (["$ factors 1001 97"] + first + ["$ factors 1001"] + second).joined(separator: "\n") + "\n" == Self.block("text"))
  }

  @Test("Two processes share the cache, at the same time and one after the other") func shares() throws {
    let runs = [try start(["1000000007", "600851475143"]), try start(["600851475143", "1000000007"])]
    for run in runs {
      let lines = try finish(run).filter { !$0.hasPrefix("computing") }
      #expect(Set(lines) == ["1000000007 = 1000000007", "600851475143 = 71 x 839 x 1471 x 6857"])
    }
    #expect(try finish(start(["600851475143"])) == ["600851475143 = 71 x 839 x 1471 x 6857"])
  }
}
