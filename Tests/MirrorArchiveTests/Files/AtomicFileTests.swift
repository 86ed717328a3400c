import Foundation
import MirrorArchive
import Testing

@Suite("Files that are written whole or not at all")
struct AtomicFileTests {
  let directory: TemporaryDirectory
  init() throws { directory = try TemporaryDirectory() }

  private func write(_ text: String, to path: String, durable: Bool = false) throws {
    try replaceFile(path, with: Data(text.utf8), durable: durable)
  }

  private func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test("The bytes are in the file, durable or not, and nothing else is left", arguments: [false, true], [0, 1, 5_000_000])
  func contents(durable: Bool, count: Int) throws {
    let path = directory.file("file")
    let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    for _ in 0..<2 {
      try replaceFile(path, with: bytes, durable: durable)
      // Foundation loses memory where it reads an empty file.
      let file = try MappedFile(path)
      withExtendedLifetime(file) { #expect(unsafe bytes.elementsEqual(file.bytes)) }
      #expect(try directory.contents() == ["file"])
    }
  }

  @Test("A shorter file leaves nothing of a longer one") func shorter() throws {
    try write("a long text", to: directory.file("file"))
    try write("short", to: directory.file("file"))
    #expect(try text(of: directory.file("file")) == "short")
  }

  @Test("A replaced file keeps its permissions", arguments: [0o640, 0o600, 0o755, 0o444, 0o4711] as [UInt32])
  func permissions(mode: UInt32) throws {
    let path = directory.file("file")
    try write("old", to: path)
    #expect(unsafe chmod(path, mode_t(mode)) == 0)
    try write("new", to: path)
    #expect(FileStatus(path)?.mode == mode)
    #expect(try text(of: path) == "new")
  }

  @Test("A replaced file keeps its owner and group where the process may give them", .enabled(if: geteuid() == 0))
  func owner() throws {
    let path = directory.file("file")
    try write("old", to: path)
    #expect(unsafe chown(path, 12_345, 23_456) == 0)
    #expect(unsafe chmod(path, 0o4640) == 0)
    try write("new", to: path)
    #expect(FileStatus(path)?.owner == 12_345 && FileStatus(path)?.group == 23_456 && FileStatus(path)?.mode == 0o4640)
  }

  @Test("Permissions for somebody else's group don't pass to this process's group", .enabled(if: geteuid() == 0))
  func strangersGroup() async throws {
    let path = directory.file("file")
    try write("old", to: path)
    #expect(unsafe chmod(path, 0o6764) == 0 && chmod(directory.path, 0o777) == 0)
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported {
        #expect(setgid(65_534) == 0 && setuid(65_534) == 0)
        try replaceFile(path, with: Data("new".utf8))
        #expect(FileStatus(path)?.owner == 65_534 && FileStatus(path)?.mode == 0o744)
      }
    }
  }

  @Test("A new file gets the permissions that the process gives to new files", arguments: [0o022, 0o077, 0o000] as [UInt32])
  func mask(mask: UInt32) async {
    await #expect(processExitsWith: .success) { [mask = mask as UInt32] in
      reported {
        let directory = try TemporaryDirectory()
        umask(mode_t(mask))
        try replaceFile(directory.file("file"), with: Data("new".utf8))
        #expect(FileStatus(directory.file("file"))?.mode == 0o666 & ~mask)
      }
    }
  }

  @Test("A relative path is taken from the working directory") func relativePath() async {
    await #expect(processExitsWith: .success) {
      reported {
        let directory = try TemporaryDirectory()
        #expect(FileManager.default.changeCurrentDirectoryPath(directory.path))
        try FileManager.default.createDirectory(atPath: "inner", withIntermediateDirectories: false)
        for path in ["file", "./other", "inner/file", "inner/../third"] {
          try replaceFile(path, with: Data(path.utf8), durable: true)
          #expect(try String(contentsOfFile: path, encoding: .utf8) == path)
        }
        #expect(try directory.contents() == ["file", "inner", "other", "third"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: "inner") == ["file"])
      }
    }
  }

  @Test("Behind a symbolic link, the file it points to is replaced") func link() throws {
    try FileManager.default.createDirectory(atPath: directory.file("inner"), withIntermediateDirectories: false)
    try write("old", to: directory.file("inner/file"))
    #expect(unsafe chmod(directory.file("inner/file"), 0o604) == 0)
    // A chain: an absolute link to a relative one, which counts from its own directory.
    #expect(unsafe symlink("file", directory.file("inner/near")) == 0)
    #expect(unsafe symlink(directory.file("inner/near"), directory.file("far")) == 0)
    try write("new", to: directory.file("far"))
    #expect(FileStatus(directory.file("far"))?.isLink == true && FileStatus(directory.file("inner/near"))?.isLink == true)
    #expect(FileStatus(directory.file("inner/file"))?.isLink == false && FileStatus(directory.file("inner/file"))?.mode == 0o604)
    #expect(try text(of: directory.file("inner/file")) == "new")
    #expect(try directory.contents() == ["far", "inner"])
  }

  @Test("A symbolic link to nothing makes the file it points to; a circle of links is refused") func oddLinks() throws {
    #expect(unsafe symlink("made", directory.file("link")) == 0)
    try write("new", to: directory.file("link"))
    #expect(try text(of: directory.file("made")) == "new" && FileStatus(directory.file("link"))?.isLink == true)
    #expect(unsafe symlink("second", directory.file("first")) == 0)
    #expect(unsafe symlink("first", directory.file("second")) == 0)
    expectRefusal(.fileError, naming: [directory.file("first")]) { try write("x", to: directory.file("first")) }
  }

  @Test("What cannot be written is refused with its path and the reason") func refusals() throws {
    try FileManager.default.createDirectory(atPath: directory.file("inner"), withIntermediateDirectories: false)
    #expect(unsafe mkfifo(directory.file("pipe"), 0o600) == 0)
    try write("old", to: directory.file("file"))
    for (path, reason) in [
      ("inner", "is a directory"), ("inner/", "is a directory"), ("new/", "is a directory"), ("missing/file", "no such file"),
      ("file/inner", "not a directory"), ("pipe", "no regular file"), (String(repeating: "x", count: 300), "too long"),
      ("fi\0le", "invalid argument"),
    ] {
      expectRefusal(.fileError, naming: [directory.file(path), reason]) { try write("new", to: directory.file(path)) }
    }
    expectRefusal(.fileError, naming: ["no such file"]) { try write("new", to: "") }
    #expect(try directory.contents() == ["file", "inner", "pipe"])
    #expect(try text(of: directory.file("file")) == "old")
  }

  @Test("In a directory that may not be written to, the old file stays") func readOnlyDirectory() async throws {
    let path = directory.file("file")
    try write("old", to: path)
    #expect(unsafe chmod(path, 0o666) == 0 && chmod(directory.path, 0o555) == 0)
    defer { unsafe chmod(directory.path, 0o755) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      // The superuser may write anywhere.
      if geteuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
      expectRefusal(.fileError, naming: [path, "permission denied"]) {
        try replaceFile(path, with: Data("new".utf8))
      }
    }
    #expect(try text(of: path) == "old")
    #expect(try directory.contents() == ["file"])
  }

  @Test("A write that fails in the middle leaves the old file whole and nothing else") func noSpace() async {
    await #expect(processExitsWith: .success) {
      reported {
        let directory = try TemporaryDirectory()
        try Data("old".utf8).write(to: URL(fileURLWithPath: directory.file("file")))
        // No file may grow beyond 64 KiB now; the signal that would end the process is ignored, so that the call fails instead.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 65_536, rlim_max: 65_536)
        #if canImport(Darwin)
          #expect(unsafe setrlimit(RLIMIT_FSIZE, &limit) == 0)
        #else
          #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        #endif
        for name in ["file", "new"] {
          expectRefusal(.fileError, naming: [directory.file(name), "too large"]) {
            let bytes = Data(count: 1_000_000)
            try replaceFile(directory.file(name), with: bytes, durable: true)
          }
        }
        #expect(try String(contentsOfFile: directory.file("file"), encoding: .utf8) == "old")
        #expect(try directory.contents() == ["file"])
      }
    }
  }

  @Test("Many threads that write one file leave one whole version at any time") func manyThreads() async throws {
    let path = directory.file("file")
    @Sendable func version(_ number: Int) -> Data { Data(repeating: UInt8(number), count: 1_000 + number * 997) }
    @Sendable func isWhole(_ data: Data) -> Bool { data.first.map { data == version(Int($0)) } ?? false }
    try replaceFile(path, with: version(0))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...8 {
        group.addTask {
          let bytes = version(number)
          for _ in 0..<40 { try replaceFile(path, with: bytes) }
          return 0
        }
      }
      for _ in 0..<3 {
        group.addTask {
          var torn = 0
          for _ in 0..<200 where try !isWhole(Data(contentsOf: URL(fileURLWithPath: path))) { torn += 1 }
          return torn
        }
      }
      for try await torn in group { #expect(torn == 0) }
    }
    #expect(try isWhole(Data(contentsOf: URL(fileURLWithPath: path))))
    #expect(try directory.contents() == ["file"])
  }
}
