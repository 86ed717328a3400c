import ArchiveFuzzing
import Foundation
import Testing

/// The committed inputs of the fuzzers: what they began with and found, and what once went wrong.
///
/// With `MIRROR_ARCHIVE_WRITE_SEEDS=1` in the environment the seeds that are missing are written, and none that is there is changed.
@Suite("Fuzzing", .timeLimit(.minutes(10)))
struct ReplayTests {
  private static let isWriting = ProcessInfo.processInfo.environment["MIRROR_ARCHIVE_WRITE_SEEDS"] != nil
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  private static func inputs(_ kind: String, _ target: FuzzTarget) throws -> [URL] {
    let folder = folder.appending(path: "\(kind)/\(target.rawValue)")
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { !$0.lastPathComponent.hasPrefix(".") }.sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  private static func golden(_ name: String) throws -> Data {
    try Data(contentsOf: folder.deletingLastPathComponent().appending(path: "MirrorArchiveTests/Fixtures/Golden/\(name).bin"))
  }

  @Test("No input of the corpus finds anything", .disabled(if: isWriting), arguments: FuzzTarget.allCases)
  func corpus(target: FuzzTarget) throws {
    let inputs = try Self.inputs("Corpus", target)
    #expect(inputs.count > 10)
    for input in inputs { expectNothing(target, try Data(contentsOf: input), "\(target.rawValue)/\(input.lastPathComponent)") }
  }

  @Test("What once went wrong does not any more", arguments: FuzzTarget.allCases) func failures(target: FuzzTarget) throws {
    for input in try Self.inputs("Failures", target) {
      expectNothing(target, try Data(contentsOf: input), "\(target.rawValue)/\(input.lastPathComponent)")
    }
  }

  @Test("No prefix of a seed finds anything", arguments: FuzzTarget.allCases) func prefixes(target: FuzzTarget) throws {
    for seed in try Seeds.make(for: target, golden: Self.golden) {
      for length in stride(from: 0, to: seed.bytes.count, by: max(1, seed.bytes.count / 12)) {
        expectNothing(target, seed.bytes.prefix(length), "\(length) bytes of \(seed.name)")
      }
    }
  }

  @Test("Missing seeds are written, and none is overwritten", .enabled(if: isWriting), arguments: FuzzTarget.allCases)
  func write(target: FuzzTarget) throws {
    let folder = Self.folder.appending(path: "Corpus/\(target.rawValue)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for seed in try Seeds.make(for: target, golden: Self.golden) {
      let file = folder.appending(path: seed.name)
      if FileManager.default.fileExists(atPath: file.path) { continue }
      try seed.bytes.write(to: file, options: .withoutOverwriting)
    }
  }

  private func expectNothing(_ target: FuzzTarget, _ input: Data, _ name: String) {
    do throws(FuzzFailure) { try target.run(input) } catch { Issue.record("\(name): \(error)") }
  }
}
