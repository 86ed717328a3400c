import MirrorArchive
import Testing

@Suite("Paths")
struct ArchivePathTests {
  typealias Component = ArchivePath.Component

  static let texts: [(String, ArchivePath.Start, [Component])] = [
    ("root", .root("root"), []),
    ("root.fruits[3].name", .root("root"), [.key("fruits"), .index(3), .key("name")]),
    (#"root.stalls["north"]"#, .root("root"), [.key("stalls"), .entry("north")]),
    (#"root.stalls["3"]"#, .root("root"), [.key("stalls"), .entry("3")]),
    (#"root["a.b"]"#, .root("root"), [.entry("a.b")]),
    (#"["my.key"].name"#, .root("my.key"), [.key("name")]),
    (#"["Fruit#12"]"#, .root("Fruit#12"), []),
    (#"root["say \"hi\" \\ \u{1}\n"]"#, .root("root"), [.entry("say \"hi\" \\ \u{1}\n")]),
    (#"root[""]"#, .root("root"), [.entry("")]),
    ("#12.name", .object(12), [.key("name")]),
    ("root.pair.0", .root("root"), [.key("pair"), .key("0")]),
    ("root.größe[0][1].$keys", .root("root"), [.key("größe"), .index(0), .index(1), .key("$keys")]),
  ]

  @Test("are read, and printed as they were", arguments: texts)
  func reading(_ text: String, _ start: ArchivePath.Start, _ components: [Component]) throws {
    let path = try ArchivePath(text)
    #expect(path == ArchivePath(start, components))
    #expect(path.description == text)
  }

  @Test(
    "of errors are read too",
    arguments: [
      ("Fruit#12.name", "#12.name"), ("object 7.x", "#7.x"), ("root.stalls[north].name", #"root.stalls["north"].name"#),
      ("root.stalls[a]b].name", #"root.stalls["a]b"].name"#), ("root.grid[[1, 2]]", #"root.grid["[1, 2]"]"#),
      ("root.stalls[]", #"root.stalls[""]"#), ("Shop.fruits[key]", #"Shop.fruits["key"]"#),
      ("root.big[99999999999999999999]", #"root.big["99999999999999999999"]"#),
    ])
  func errors(_ text: String, _ printed: String) throws {
    let path = try ArchivePath(text)
    #expect(path.description == printed)
    #expect(try ArchivePath(printed) == path)
  }

  @Test(
    "say where they are wrong",
    arguments: [
      ("", 1), (".name", 1), ("root.", 6), ("root..name", 6), ("root[3", 6), (#"root["a"#, 6), (#"root["a"x"#, 9), ("root[3]x[", 6), ("root[3]x", 6),
      (#"root["\x"]"#, 8), (#"root["\u{110000}"]"#, 9), (#"root["\"#, 8),
    ])
  func faults(_ text: String, _ place: Int) throws {
    let error = #expect(throws: ArchiveError.self) { try ArchivePath(text) }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.contains("from its character \(place) on") == true, "\(error?.message ?? "")")
    #expect(error?.path == text)
  }

  @Test("of random text either say what is wrong or are printed as text that gives the same path")
  func random() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var state = seed
    func next(_ limit: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % limit)
    }
    let parts = ["a", ".", "[", "]", "\"", "\\", "#", "1", "é", "\u{301}", "\n", "u{41}", " ", "object "]
    for _ in 0..<5_000 {
      let text = (0..<next(12)).map { _ in parts[next(UInt64(parts.count))] }.joined()
      guard let path = try? ArchivePath(text) else { continue }
      let again = try? ArchivePath(path.description)
      #expect(again == path, "seed \(seed), text \(text.debugDescription), printed \(path.description.debugDescription)")
    }
  }
}
