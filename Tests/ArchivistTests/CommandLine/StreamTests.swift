import Foundation
import MirrorArchive
import Testing
import archivist

@Suite("Files and streams")
struct StreamTests {
  private static let path = Archives.path(golden: "columns")
  /// The commands that take one file, and those of them that say the same of the same bytes.
  static let oneFile = ["inspect", "info", "verify", "hexdump"]
  static let repeatable = ["inspect", "info", "hexdump"]

  @Test("Standard input gives the same as the file, as a file and as a pipe", arguments: repeatable) func standardInput(_ name: String)
    throws
  {
    let file = try ToolProcess.run([name, Self.path])
    #expect(file.code == 0 && !file.output.isEmpty && file.errors.isEmpty)
    #expect(try ToolProcess.run([name, "-"], input: Data(contentsOf: URL(fileURLWithPath: Self.path))).output == file.output)
    #expect(try ToolProcess.shell("cat \(Self.path) | $TOOL \(name) -").output == file.output)
    #expect(try ToolProcess.shell("$TOOL \(name) /dev/stdin < \(Self.path)").output == file.output)
  }

  @Test("A pipe that closes early ends the tool without a word") func closedPipe() throws {
    // Many times as much as a pipe holds.
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("archivist-\(UUID().uuidString)")
    try Archives.segmented().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let line = "($TOOL hexdump --all '\(file.path)'; echo $? >&2) | head -1"
    let outcome = try ToolProcess.shell(line)
    #expect(outcome.code == 0 && outcome.output.split(separator: "\n").count == 1)
    #expect(outcome.errors == "141\n", "\(outcome.errors)")
    let ignored = try ToolProcess.shell("trap '' PIPE; \(line)")
    #expect(ignored.errors == "1\n", "\(ignored.errors)")
  }

  #if os(Linux)
    @Test("A full device is an error", arguments: oneFile) func fullDevice(_ name: String) throws {
      let outcome = try ToolProcess.shell("$TOOL \(name) \(Self.path) > /dev/full")
      #expect(outcome.code == 1)
      #expect(outcome.errors == "archivist: the output could not be written: No space left on device\n")
    }

    @Test("Of commands whose 1 is an answer, output that cannot be written is trouble") func fullDeviceOfDiff() throws {
      let other = Archives.path(golden: "small")
      #expect(try ToolProcess.shell("$TOOL diff \(Self.path) \(other) > /dev/full").code == 2)
      #expect(try ToolProcess.shell("$TOOL diff \(Self.path) \(Self.path) > /dev/full").code == 0)
      #expect(try ToolProcess.shell("$TOOL verify \(Self.path) absent > /dev/full").code == 1)
    }
  #endif

  @Test("Colours are for terminals, and for who asks for them") func colors() throws {
    #expect(try !ToolProcess.run(["hexdump", Self.path]).output.contains("\u{1B}"))
    #expect(try ToolProcess.run(["hexdump", "--color", "always", Self.path]).output.contains("\u{1B}[2m"))
    #expect(try !ToolProcess.run(["hexdump", "--color=never", Self.path]).output.contains("\u{1B}"))
    #expect(try ToolProcess.run(["hexdump", "--color=sometimes", Self.path]).code == 64)
  }

  @Test("What is no archive is said in one line", arguments: oneFile) func wrongFiles(_ name: String) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("archivist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let archive = try Array(Archives.data(golden: "small"))
    let files: [(String, [UInt8]?, String)] = [
      ("absent", nil, "No such file or directory"),
      (".", nil, "a directory, and no archive"),
      ("empty", [], "the archive ends within its first bytes (at byte 0)"),
      ("text", Array("hello, world".utf8), "the bytes do not begin like an archive (at byte 0)"),
      ("new", Array(archive[..<3]) + [0x22] + archive[4...], "(at byte 3)"),
      ("short", Array(archive.dropLast(9)), "the archive ends before the 38 bytes it announces and its checksum (at byte 6)"),
      ("long", archive + [0], "1 bytes follow the archive (at byte 52)"),
    ]
    for (file, bytes, message) in files {
      let path = directory.appendingPathComponent(file).path
      if let bytes { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
      let outcome = try ToolProcess.run([name, path])
      #expect(outcome.code == 1)
      #expect(outcome.errors.hasPrefix("archivist: \(path): ") && outcome.errors.hasSuffix("\(message)\n"), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
  }

  @Test(
    "A file that is shortened while it is read ends the tool with a message", arguments: [["hexdump", "--all"], ["inspect", "--json"]])
  func shortened(_ command: [String]) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("archivist-\(UUID().uuidString)")
    try KeyedArchiver.archivedData(withRootObject: (0..<300_000).map { $0 &* 0x1E37_79B9_7F4A_7C15 }).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    // The pipe is full when the file is shortened: most of it has not been read.
    let words = command.joined(separator: " ")
    let reader = "head -c 1000; truncate -s 100 '\(file.path)'; cat"
    let outcome = try ToolProcess.shell("{ \"$TOOL\" \(words) '\(file.path)'; echo \"ended with $?\" >&2; } | { \(reader); }")
    // Of the last page that is left the bytes behind the end are zeros, which may be noticed first.
    #expect(outcome.errors.hasPrefix("archivist: ") && outcome.errors.hasSuffix("\nended with 1\n"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 2)
  }

  @Test("There is nothing to show behind the end of an archive") func behindTheEnd() throws {
    let outcome = try ToolProcess.run(["hexdump", "--range", "999999..", Self.path])
    #expect(outcome.code == 1 && outcome.output.isEmpty && outcome.errors.contains("nothing stands at offset 999999"))
  }
}
