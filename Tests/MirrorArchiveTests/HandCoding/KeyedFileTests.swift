import Foundation
import MirrorArchive
import Testing

/// CASES row 16 and archives in files.
@Suite("Files of hand-coded objects", .serialized)
struct KeyedFileTests {
  private func withDirectory(_ body: (URL) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-archive-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try body(directory)
  }

  private func names(in directory: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  @Test("archive(_:to:) and unarchivedObject(of:contentsOf:) round-trip and leave nothing beside the file") func roundTrip() throws {
    try withDirectory { directory throws in
      let file = directory.appendingPathComponent("state.archive")
      try KeyedArchiver.archive([Hand("a"), Hand("b")], to: file)
      #expect(try names(in: directory) == ["state.archive"])
      #expect(try KeyedUnarchiver.unarchivedObject(of: [Hand<String>].self, contentsOf: file).map(\.value) == ["a", "b"])
      try KeyedArchiver.archive([Hand("c")], to: file)
      #expect(try KeyedUnarchiver.unarchivedObject(of: [Hand<String>].self, contentsOf: file).map(\.value) == ["c"])
      let coder = try KeyedUnarchiver(forReadingFrom: file)
      #expect(coder.allKeys == ["root"])
      #expect(try coder.decodeArrayOfObjects(ofClass: Hand<String>.self, forKey: "root")[0].value == "c")
      #expect(try names(in: directory) == ["state.archive"])
    }
  }

  @Test("One root key of a file") func oneKey() throws {
    try withDirectory { directory throws in
      let file = directory.appendingPathComponent("keys.archive")
      let data = try keyedArchive {
        try $0.encode(Hand(1), forKey: "one")
        try $0.encode([Hand(2), Hand(3)], forKey: "more")
      }
      try data.write(to: file)
      #expect(try KeyedUnarchiver.unarchivedObject(of: Hand<Int>.self, contentsOf: file, forKey: "one").value == 1)
      #expect(try KeyedUnarchiver.unarchivedObject(of: [Hand<Int>].self, contentsOf: file, forKey: "more").map(\.value) == [2, 3])
      expectRefusal(.missingValue, at: "root") { try KeyedUnarchiver.unarchivedObject(of: Hand<Int>.self, contentsOf: file) }
    }
  }

  final class Failing: KeyedCoding {
    init() {}
    init(coder: KeyedUnarchiver) throws {}
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(String(repeating: "x", count: 100_000), forKey: "x")
      throw CancellationError()
    }
  }

  @Test("An encoding that fails leaves the old file whole and no other file") func failedEncode() throws {
    try withDirectory { directory throws in
      let file = directory.appendingPathComponent("state.archive")
      try KeyedArchiver.archive(Hand("old"), to: file)
      #expect(throws: CancellationError.self) { try KeyedArchiver.archive(Failing(), to: file) }
      #expect(try names(in: directory) == ["state.archive"])
      #expect(try KeyedUnarchiver.unarchivedObject(of: Hand<String>.self, contentsOf: file).value == "old")
      let other = directory.appendingPathComponent("other.archive")
      #expect(throws: CancellationError.self) { try KeyedArchiver.archive(Failing(), to: other) }
      #expect(try names(in: directory) == ["state.archive"])
    }
  }

  @Test("CASES row 16: a write that runs out of room keeps the old file, at every size", arguments: [0, 1, 100, 4_096, 50_000])
  func noRoom(limit: Int) async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-archive-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appendingPathComponent("state.archive").path
    try KeyedArchiver.archive(Hand("old"), to: URL(fileURLWithPath: path))
    await #expect(processExitsWith: .success) { [path = path as String, limit = limit as Int] in
      reported {
        // The limit on the size of files stands for a disk that is full; without the signal the write fails with an error.
        signal(SIGXFSZ, SIG_IGN)
        var room = rlimit()
        let got = unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
        let before = room
        room.rlim_cur = rlim_t(limit)
        let set = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
        let failure = Result {
          try KeyedArchiver.archive(Hand((0..<20_000).map { "text \($0) of \($0 % 13)" }), to: URL(fileURLWithPath: path))
        }
        room = before
        let reset = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
        #expect(got == 0 && set == 0 && reset == 0)
        guard case .failure(let error) = failure else {
          Issue.record("no error")
          return
        }
        #expect((error as? ArchiveError)?.code == .fileError, "\(error)")
        let old = try KeyedUnarchiver.unarchivedObject(of: Hand<String>.self, contentsOf: URL(fileURLWithPath: path)).value
        let names = try FileManager.default.contentsOfDirectory(
          atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path)
        #expect(old == "old" && names == ["state.archive"])
      }
    }
  }

  @Test("A file or a directory that is not there throws fileError, naming the path") func missing() throws {
    try withDirectory { directory throws in
      let gone = directory.appendingPathComponent("gone/state.archive")
      expectRefusal(.fileError, naming: ["state.archive"]) { try KeyedUnarchiver.unarchivedObject(of: Hand<Int>.self, contentsOf: gone) }
      expectRefusal(.fileError, naming: ["state.archive"]) { try KeyedUnarchiver(forReadingFrom: gone) }
      expectRefusal(.fileError) { try KeyedArchiver.archive(Hand(1), to: gone) }
      expectRefusal(.fileError) { try KeyedUnarchiver(forReadingFrom: directory) }
      #expect(try names(in: directory).isEmpty)
    }
  }

  @Test("Files that are no archives, or damaged ones") func damaged() throws {
    try withDirectory { directory throws in
      let file = directory.appendingPathComponent("state.archive")
      try KeyedArchiver.archive(Hand(Array(0..<1_000)), to: file)
      let data = try Data(contentsOf: file)
      func code(_ bytes: Data) throws -> [ArchiveError.Code?] {
        try bytes.write(to: file)
        func code(_ body: () throws -> Void) -> ArchiveError.Code? { #expect(throws: ArchiveError.self) { try body() }?.code }
        return [
          code { _ = try KeyedUnarchiver.unarchivedObject(of: Hand<[Int]>.self, contentsOf: file) },
          code { _ = try KeyedUnarchiver(forReadingFrom: file).decodeObject(of: Hand<[Int]>.self, forKey: "root") },
        ]
      }
      #expect(try code(Data("hello".utf8)) == [.notAnArchive, .notAnArchive])
      #expect(try code(Data()).allSatisfy { $0 == .truncated || $0 == .notAnArchive })
      #expect(try code(data.dropLast()) == [.truncated, .truncated])
      #expect(try code(data + [0]) == [.trailingBytes, .trailingBytes])
      var flipped = data
      flipped[data.count / 2] ^= 4
      #expect(try code(flipped) == [.corrupt, .corrupt])
    }
  }
}
