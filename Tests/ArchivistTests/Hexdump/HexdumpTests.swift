import Foundation
import Testing
import archivist

@Suite("hexdump")
struct HexdumpTests {
  /// Offsets and bytes of the lines that have some.
  private func bytes(of output: String) -> [(offset: Int, bytes: [UInt8])] {
    output.split(separator: "\n").compactMap { line in
      guard let offset = Int(line.prefix(6).drop { $0 == " " }) else { return nil }
      let words = line.dropFirst(8).split(separator: " ", omittingEmptySubsequences: false)
      return (offset, words.prefix { $0.utf8.count == 2 }.compactMap { UInt8($0, radix: 16) })
    }
  }

  @Test("With all bytes they are those of the archive", arguments: Archives.golden) func all(_ name: String) throws {
    let outcome = try ToolProcess.run(["hexdump", "--all", "--width", "5", Archives.path(golden: name)])
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    let lines = bytes(of: outcome.output)
    var end = 0
    for line in lines {
      #expect(line.offset == end && !line.bytes.isEmpty && line.bytes.count <= 5)
      end += line.bytes.count
    }
    #expect(try Data(lines.flatMap(\.bytes)) == Archives.data(golden: name))
  }

  @Test("A range shows what has bytes in it") func range() throws {
    let path = Archives.path(golden: "columns")
    for (range, offsets) in [
      ("1207..1212", [1207, 1208, 1209, 1210, 1211]), ("0x4B7..0x4B8", [1207]), ("1208", [1208]), ("..4", [0, 3]),
      ("6650..", [6645, 6651]),
    ] {
      let outcome = try ToolProcess.run(["hexdump", "-r", range, path])
      #expect(outcome.code == 0 && bytes(of: outcome.output).map(\.offset) == offsets, "\(range): \(outcome.output)")
    }
    for wrong in ["", "x", "5..5", "9..3", "-1..2", "1...2"] {
      #expect(try ToolProcess.run(["hexdump", "--range", wrong, path]).code == 64)
    }
  }

  @Test("An archive with a wrong checksum is shown whole, and the fault is said") func damaged() throws {
    var data = try Archives.data(golden: "small")
    data[42] ^= 2
    let outcome = try ToolProcess.run(["hexdump", "-"], input: data)
    #expect(outcome.code == 1 && outcome.output.contains("number: 6") && outcome.output.contains("WRONG"))
    #expect(
      outcome.errors
        == "archivist: standard input: the archive is damaged: the checksum of its bytes 0..<44 does not match (at byte 44)\n")
  }
}
