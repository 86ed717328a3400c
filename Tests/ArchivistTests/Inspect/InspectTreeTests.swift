import Foundation
import MirrorArchive
import Testing
import archivist

@Suite("inspect")
struct InspectTreeTests {
  private func inspect(_ arguments: [String], _ name: String) throws -> String {
    let outcome = try ToolProcess.run(["inspect"] + arguments + [Archives.path(golden: name)])
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output
  }

  @Test("Objects stand where they are reached first, and are referred to elsewhere") func objects() throws {
    #expect(
      try inspect([], "anything") == """
        root: golden.Anything #0
          any: golden.Size(width: 4, height: nil)
          list: 12 elements
            [0]: 1
            [1]: "two"
            [2]: 3.5
            [3]: true
            [4]: [1, 2] as [Int]
            [5]: 3 as UInt8
            [6]: golden.Named.east
            [7]: golden.Constant #1024
              number: 9
              kind: as the program has it
            [8]: 1 element as [golden.Constant]
              [0]: see root.list[7]
            [9]: nil as Int?
            [10]: 2001-01-01 00:00:09 UTC
            [11]: ()
          table: ["k": [1, "x"] as [Any]]
          none: nil
          key: "key"
          object: see root.list[7]
          objects: 2 elements
            [0]: see root.list[7]
            [1]: golden.Constant #1025
              number: 8
              kind: as the program has it

        """)
  }

  @Test("Small values stand on one line, large ones below each other") func values() throws {
    let text = try inspect([], "collections")
    for line in [
      "  empty: []", "  numbers: [3, 1, 2]", "  set: set [7, 8, 9]", #"  table: ["one": [1], "two": [2, 2], "none": []]"#,
      #"  tuple: (lat: 31.5, 7, name: "name")"#, "    [1]: golden.Size(width: 1, height: 1.0)", "  slice: [true, false, true]",
    ] { #expect(text.contains("\(line)\n"), "\(line) in \(text)") }
    let long = try #require(text.split(separator: "\n").first { $0.hasPrefix("  long: ") })
    #expect(long.hasPrefix("  long: [0, 7, 14, ") && long.hasSuffix(", 133, … 1,480 more]"))
    let enums = try inspect([], "enums")
    #expect(enums.contains("  tree: golden.Tree.node(golden.Tree.node(golden.Tree.leaf(1), golden.Tree.leaf(2)), golden.Tree.leaf(3))\n"))
    let records = try inspect(["--limit", "2"], "records")
    #expect(records.contains("      inner: container\n        flag: true\n        x: 0.5\n") && records.contains("    … 68 more\n"))
    #expect(records.contains("      without a key: \"last\"\n") && !records.contains("$keys"))
  }

  @Test("What is deeper than is wanted is said to be there") func depth() throws {
    #expect(try inspect(["--depth", "0"], "anything") == "root: golden.Anything #0 …\n")
    let one = try inspect(["--depth", "1"], "anything")
    #expect(one.contains("  list: 12 elements …\n") && one.contains("  object: golden.Constant #1024 …\n") && !one.contains("    "))
    let two = try inspect(["--depth", "2", "--limit", "1"], "graph")
    #expect(two.hasPrefix("root: golden.Graph #0\n  nodes: 1,030 elements\n    [0]: golden.Node #1024 …\n    … 1,029 more\n"), "\(two)")
    // A circle ends where it began.
    let all = try inspect(["--depth", "100000", "--limit", "100000"], "graph")
    #expect(all.split(separator: "\n").count > 1_030 * 8 && all.contains("first: see root.nodes[0]\n"))
  }

  @Test("A path leads to a part") func path() throws {
    #expect(try inspect(["--path", "root.objects[1].number"], "anything") == "root.objects[1].number: 8\n")
    #expect(
      try inspect(["--path", "root.objects[1]"], "anything")
        == "root.objects[1]: golden.Constant #1025\n  number: 8\n  kind: as the program has it\n")
    #expect(try inspect(["--path", #"root.table["k"][1]"#], "anything") == "root.table[\"k\"][1]: \"x\"\n")
    #expect(try inspect(["--path", "root.tree.node.0.node.1.leaf"], "enums") == "root.tree.node.0.node.1.leaf: 2\n")
    #expect(try inspect(["--path", "root.notes[3].inner.x"], "records") == "root.notes[3].inner.x: 0.5\n")
    for (path, message) in [
      ("root.objects[2]", "there is nothing at root.objects[2]: root.objects is an array of 2 elements"),
      ("roots", "there is no root \"roots\"; there are: \"root\""),
      ("root.object.nonsense", "there is nothing at root.object.nonsense: root.object is golden.Constant #1024 with number, kind"),
      ("#9999999", "there is no object 9999999"),
    ] {
      let outcome = try ToolProcess.run(["inspect", "--path", path, Archives.path(golden: "anything")])
      #expect(outcome.code == 1 && outcome.output.isEmpty && outcome.errors.contains(message), "\(outcome.errors)")
    }
    let wrong = try ToolProcess.run(["inspect", "--path", "root[", Archives.path(golden: "anything")])
    #expect(wrong.code == 64 && wrong.errors.contains("'root[': "))
  }

  @Test("Every place that is referred to can be given as a path", arguments: Archives.golden) func places(_ name: String) throws {
    let data = try Archives.data(golden: name)
    let text = try Inspected.tree(data, InspectBounds(depth: 12, limit: 50))
    let places = Set(text.split(separator: "\n").compactMap { line in line.range(of: ": see ").map { String(line[$0.upperBound...]) } })
    for place in places.sorted().prefix(40) {
      let outcome = try ToolProcess.run(["inspect", "--depth", "0", "--path", place, Archives.path(golden: name)])
      #expect(outcome.code == 0 && outcome.output.contains(" #"), "\(place): \(outcome.errors)")
    }
  }

  final class Keys: MirrorCoding {
    enum Side: Hashable, Codable { case left, right }

    var numbers: [Int: Keys] = [:]
    var sides: [Side: Int] = [:]
    var texts: [String: [Int]] = [:]
    var nested: [[Int]: Int] = [:]
    var name = ""
  }

  @Test("The entry of a dictionary is found by its key, and the place of an object says it") func keys() throws {
    let keys = Keys()
    for number in [3, 0, 1, -2] {
      let inner = Keys()
      inner.name = "number \(number)"
      keys.numbers[number] = inner
    }
    keys.sides = [.left: 1, .right: 2]
    keys.texts = ["a.b": [7], "[": [], "5": [5], "\"": [1]]
    keys.nested = [[1, 2]: 3]
    let archiver = KeyedArchiver(requiringSecureCoding: false)
    try archiver.encode(keys, forKey: "keys")
    try archiver.encode(keys.numbers.sorted { $0.key < $1.key }.map(\.value), forKey: "list")
    let data = try archiver.encodedData
    let tree = try Inspected.tree(data)
    func found(_ path: String) throws -> String {
      let outcome = try ToolProcess.run(["inspect", "--path", path, "--depth", "1", "-"], input: data)
      return outcome.output + outcome.errors
    }
    for number in [3, 0, 1] {
      #expect(try found("keys.numbers[\(number)].name") == "keys.numbers[\(number)].name: \"number \(number)\"\n")
      #expect(tree.contains(": see keys.numbers[\(number)]\n"), "\(tree)")
    }
    #expect(try found(#"keys.numbers["-2"].name"#).hasSuffix("\"number -2\"\n"))
    #expect(tree.contains(#": see keys.numbers["-2"]"#))
    #expect(try found("keys.sides.right") == "keys.sides.right: 2\n" && found(#"keys.sides["left"]"#).hasSuffix(": 1\n"))
    #expect(try found(#"keys.texts["a.b"][0]"#).hasSuffix(": 7\n") && found("keys.texts[5][0]").hasSuffix(": 5\n"))
    #expect(try found(#"keys.texts["\""]"#).hasSuffix(": [1]\n") && found("keys.nested[0]").hasSuffix(": 3\n"))
    #expect(tree.contains("nested: [[1, 2]: 3]\n"), "\(tree)")
    #expect(try found("list[9]").contains("there is nothing at list[9]: list is an array of 4 elements"))
  }

  @Test("Values without keys and cases without names are found, too") func unnamed() throws {
    #expect(try inspect(["--path", "root.notes[3][1]"], "records") == "root.notes[3][1]: \"last\"\n")
    #expect(try inspect(["--path", "root.tree.1.leaf"], "enums") == "root.tree.1.leaf: 3\n")
  }

  @Test("Colours are for terminals, or on demand") func colors() throws {
    #expect(try !inspect([], "small").contains("\u{1B}"))
    #expect(try inspect(["--color", "always"], "small").contains("\u{1B}[36m"))
    #expect(try !inspect(["--color", "never"], "small").contains("\u{1B}"))
  }

  final class Hostile: MirrorCoding {
    var text = "\u{1B}[2J\u{9B}31m\u{202E}evil\u{7}\n"
    var character: Character = "\u{1B}"
    var table = ["\u{1B}]0;title\u{7}": 1]
    var long = String(repeating: "é", count: 100_000)
    var bytes = Data(repeating: 0xAB, count: 100_000)

    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Hos\u{1B}tile\u{85}") }
  }

  @Test("No text of an archive reaches the terminal as a command, and none is without end") func hostile() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Hostile(), requiringSecureCoding: false)
    for arguments in [["inspect"], ["inspect", "--path", "root.table"], ["inspect", "--path", "root.\u{1B}nothing"]] {
      let outcome = try ToolProcess.run(arguments + ["-"], input: data)
      for scalar in (outcome.output + outcome.errors).unicodeScalars where scalar != "\n" {
        #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) && scalar != "\u{202E}")
      }
      #expect((outcome.output + outcome.errors).utf8.count < 2_000)
    }
    let tree = try Inspected.tree(data)
    #expect(tree.contains(#"text: "\u{1B}[2J\u{9B}31m\u{202E}evil\u{7}\n""#), "\(tree)")
    #expect(tree.contains("bytes: 100,000 bytes abab"))
  }

  @Test("An archive that is damaged or none is said to be") func damaged() throws {
    var data = try Archives.data(golden: "graph")
    data[200] ^= 16
    for arguments in [["inspect"], ["inspect", "--json"]] {
      let outcome = try ToolProcess.run(arguments + ["-"], input: data)
      #expect(outcome.code == 1 && outcome.errors.hasPrefix("archivist: standard input: the archive is damaged: its checksum"))
      let none = try ToolProcess.run(arguments + ["-"], input: Data("no archive".utf8))
      #expect(none.code == 1 && none.errors == "archivist: standard input: the bytes do not begin like an archive (at byte 0)\n")
      let empty = try ToolProcess.run(arguments + ["-"])
      #expect(empty.code == 1 && empty.errors.hasPrefix("archivist: standard input: "))
    }
  }

  @Test("Values that are nested as deep as can be are shown without a deep stack") func deep() throws {
    // 65 is an optional of an optional ... of an array of itself: a list in a list in a list.
    var body: [UInt8] = [1, 0x02, 0x40, 0, 1, 1, 0x72, 0x40]
    let levels = 1_500
    let value = [UInt8](repeating: 2, count: levels) + [0]
    body += [UInt8(truncatingIfNeeded: value.count) | 0x80, UInt8(value.count >> 7)] + value
    let data = Sealed.archive(flags: 8, body: body)
    let json = try Inspected.json(data)
    #expect(json.contains(String(repeating: "[", count: levels + 1) + String(repeating: "]", count: levels + 1)))
    _ = try Inspected.tree(data, InspectBounds(depth: .max, limit: .max))
    let deeper = [UInt8](repeating: 2, count: 1_700) + [0]
    let tooDeep = Sealed.archive(
      flags: 8,
      body: [1, 0x02, 0x40, 0, 1, 1, 0x72, 0x40, UInt8(truncatingIfNeeded: deeper.count) | 0x80, UInt8(deeper.count >> 7)] + deeper)
    #expect(throws: (any Error).self) { try Inspected.json(tooDeep) }
  }

  @Test("Points in time are dates of the calendar, as far as it has them") func dates() {
    #expect(ScalarText.date(0) == "2001-01-01 00:00:00 UTC")
    #expect(ScalarText.date(-978_307_200) == "1970-01-01 00:00:00 UTC")
    #expect(ScalarText.date(-31_622_401.5) == "1999-12-31 23:59:58.500 UTC")
    #expect(ScalarText.date(730_944_000) == "2024-03-01 00:00:00 UTC" && ScalarText.date(730_857_600) == "2024-02-29 00:00:00 UTC")
    #expect(ScalarText.date(-63_113_904_000) == "0001-01-01 00:00:00 UTC")
    #expect(ScalarText.date(252_423_993_599) == "9999-12-31 23:59:59 UTC")
    #expect(ScalarText.date(.infinity) == "inf s since 2001" && ScalarText.date(1e300) == "1e+300 s since 2001")
  }

  #if os(Linux)
    @Test("Memory does not grow with the archive", .enabled(if: !ToolProcess.isSanitized)) func memory() throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("archivist-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      try Archives.segmented(count: 200_000).write(to: file)
      // The file has more than 7 MB; it is mapped, and does not count.
      for options in ["--depth 2", "--depth 8", "--path 'samples[199999].name'", "--json --limit 100000"] {
        let outcome = try ToolProcess.shell("ulimit -d 6000; $TOOL inspect \(options) '\(file.path)' > /dev/null")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(options): \(outcome.errors)")
      }
    }
  #endif
}
