import ArchiveFormat
import ArchiveFuzzing
import Foundation
import MirrorArchive
import Testing

/// Archives of format version 1 as they were written once: whatever is built later has to read them.
///
/// With `MIRROR_ARCHIVE_WRITE_GOLDEN=1` in the environment those that are missing are written beside the tests, and never one that is there.
@Suite("Golden archives")
struct GoldenTests {
  private static let isWriting = ProcessInfo.processInfo.environment["MIRROR_ARCHIVE_WRITE_GOLDEN"] != nil

  private func file(_ name: String, _ ending: String) throws -> Data {
    let url = Bundle.module.url(forResource: name, withExtension: ending, subdirectory: "Fixtures/Golden")
    return try Data(contentsOf: #require(url, "there is no \(name).\(ending) among the golden archives"))
  }

  @Test("Every golden archive is read with the right values", .disabled(if: isWriting), arguments: GoldenArchive.all)
  func values(golden: GoldenArchive) throws {
    #expect(try golden.isRight(file(golden.name, "bin")))
  }

  @Test("What an archive holds is what stands in the text beside it", .disabled(if: isWriting), arguments: GoldenArchive.all)
  func dump(golden: GoldenArchive) throws {
    let text = try GoldenDump(file(golden.name, "bin")).text
    let expected = String(decoding: try file(golden.name, "txt"), as: UTF8.self)
    for (number, (line, right)) in zip(text.split(separator: "\n"), expected.split(separator: "\n")).enumerated() where line != right {
      Issue.record("line \(number + 1) without empty ones: \(line)\ninstead of \(right)")
      break
    }
    #expect(text.utf8.count == expected.utf8.count)
  }

  @Test("What is written today is read with the right values, too", arguments: GoldenArchive.all) func today(golden: GoldenArchive) throws {
    #expect(try golden.isRight(golden.make()))
  }

  @Test("The golden archives use every encoding and every kind of entry of the format", .disabled(if: isWriting)) func coverage() throws {
    var seen = Coverage()
    for golden in GoldenArchive.all { try seen.add(file(golden.name, "bin")) }
    #expect(Coverage.everything.subtracting(seen.found).sorted() == [])
  }

  @Test("What today's archiver writes of the format is all but what is said, with a reason, not to be written") func written() throws {
    var seen = Coverage()
    for golden in GoldenArchive.all where !golden.isMadeByHand { try seen.add(golden.make()) }
    let unwritten = Set(Coverage.unwritten.flatMap(\.what))
    #expect(Coverage.everything.subtracting(seen.found).subtracting(unwritten).sorted() == [])
    #expect(unwritten.intersection(seen.found).sorted() == [])
    #expect(unwritten.subtracting(Coverage.everything).sorted() == [])
  }

  @Test("Missing golden archives are written, and none is overwritten", .enabled(if: isWriting)) func write() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/Golden")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var seen = Coverage()
    for golden in GoldenArchive.all {
      let (archive, text) = (folder.appending(path: golden.name + ".bin"), folder.appending(path: golden.name + ".txt"))
      if FileManager.default.fileExists(atPath: archive.path) {
        try seen.add(Data(contentsOf: archive))
        continue
      }
      let data = try golden.make()
      #expect(try golden.isRight(data))
      try seen.add(data)
      try data.write(to: archive, options: .withoutOverwriting)
      try Data(GoldenDump(data).text.utf8).write(to: text, options: .withoutOverwriting)
    }
    #expect(Coverage.everything.subtracting(seen.found).sorted() == [])
  }
}
