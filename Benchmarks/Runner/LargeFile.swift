import Foundation
import MirrorArchive

/// One small key of a file of 100 MB: what it takes to read it.
enum LargeFile {
  final class Page: MirrorCoding {
    var bytes = Data()
    var stock: [String] = []
  }

  /// Writes the file, lets a process of its own read it, and removes it.
  static func run() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("benchmarks-\(UUID().uuidString).archive")
    defer { try? FileManager.default.removeItem(at: url) }
    let archiver = KeyedArchiver()
    for key in 0..<49 {
      let page = Page()
      page.bytes = Data((0..<2_100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ key) })
      page.stock = (0..<1_000).map { "\(key) \($0)" }
      try archiver.encode(page, forKey: "page\(key)")
    }
    try archiver.encode(["small": 7], forKey: "small")
    try archiver.encodedData.write(to: url)
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["--read-file", url.path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Unavailable(description: "the process that reads the file has failed") }
  }

  /// The side of that process.
  static func read(_ path: String) throws {
    let url = URL(fileURLWithPath: path)
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    // What the first use of the library costs is not the file's.
    _ = try KeyedUnarchiver.unarchivedObject(of: [String: Int].self, from: KeyedArchiver.archivedData(withRootObject: ["first": 1]))
    let before = ProcessMemory.startPeak()
    var times: [Duration] = []
    for _ in 0..<11 {
      try times.append(
        ContinuousClock().measure {
          let value = try KeyedUnarchiver.unarchivedObject(of: [String: Int].self, contentsOf: url, forKey: "small")
          guard value == ["small": 7] else { throw Unavailable(description: "another value came back") }
        })
    }
    let growth = before.flatMap { before in ProcessMemory.peak().map { $0 - before } }
    let sorted = times.sorted()
    print("one small key of 50 in a file of \(size) bytes: first \(milliseconds(times[0])) ms, median \(milliseconds(sorted[5])) ms")
    print("peak memory beyond the start: \(growth.map { "\($0) bytes" } ?? "unknown here")")
  }

  private static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return String(format: "%.3f", Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
  }
}
