import Foundation
import MirrorArchive
import Testing

@Suite("Files that are mapped")
struct MappedFileTests {
  let directory: TemporaryDirectory
  init() throws { directory = try TemporaryDirectory() }

  private func bytes(of file: MappedFile) -> [UInt8] { withExtendedLifetime(file) { unsafe Array(file.bytes) } }

  @Test("The bytes are the file's, whatever its length", arguments: [0, 1, 4_095, 4_096, 4_097, 1_000_000])
  func contents(count: Int) throws {
    let written = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 131) }
    try Data(written).write(to: URL(fileURLWithPath: directory.file("file")))
    #expect(try bytes(of: MappedFile(directory.file("file"))) == written)
  }

  @Test("A mapping shows the old bytes when another file takes the name") func replaced() throws {
    let path = directory.file("file")
    try replaceFile(path, with: Data("old".utf8))
    let file = try MappedFile(path)
    try replaceFile(path, with: Data("a new text".utf8))
    #expect(bytes(of: file) == Array("old".utf8))
    #expect(try bytes(of: MappedFile(path)) == Array("a new text".utf8))
    try FileManager.default.removeItem(atPath: path)
    #expect(bytes(of: file) == Array("old".utf8))
  }

  @Test("A symbolic link is followed") func link() throws {
    try Data("text".utf8).write(to: URL(fileURLWithPath: directory.file("file")))
    #expect(unsafe symlink("file", directory.file("link")) == 0)
    #expect(try bytes(of: MappedFile(directory.file("link"))) == Array("text".utf8))
  }

  @Test("What is no regular file is refused with its path and the reason, without waiting") func refusals() throws {
    #expect(unsafe mkfifo(directory.file("pipe"), 0o600) == 0)
    #expect(unsafe symlink("nowhere", directory.file("link")) == 0)
    for (path, reason) in [
      (directory.path, "is a directory"), (directory.file("missing"), "no such file"), (directory.file("link"), "no such file"),
      (directory.file("pipe"), "no regular file"), ("/dev/null", "no regular file"), (directory.file("pipe/x"), "not a directory"),
      (directory.file("a\0b"), "invalid argument"),
    ] {
      expectRefusal(.fileError, naming: [path, reason]) { try MappedFile(path) }
    }
    expectRefusal(.fileError, naming: ["no such file"]) { try MappedFile("") }
  }

  @Test("A file without permission to read is refused") func permission() async throws {
    let path = directory.file("file")
    try Data("text".utf8).write(to: URL(fileURLWithPath: path))
    #expect(unsafe chmod(path, 0) == 0)
    await #expect(processExitsWith: .success) { [path = path as String] in
      // The superuser may read anything.
      if geteuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
      expectRefusal(.fileError, naming: [path, "permission denied"]) { try MappedFile(path) }
    }
  }

  @Test("No descriptor and no mapping stay open") func nothingStaysOpen() throws {
    try Data("text".utf8).write(to: URL(fileURLWithPath: directory.file("file")))
    // More files than a process may have open at once.
    for _ in 0..<3_000 { _ = try MappedFile(directory.file("file")) }
    for _ in 0..<3_000 { #expect(throws: ArchiveError.self) { try MappedFile(directory.path) } }
    for _ in 0..<3_000 { try replaceFile(directory.file("file"), with: Data()) }
  }
}
