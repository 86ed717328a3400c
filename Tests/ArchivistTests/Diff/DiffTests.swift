import Foundation
import MirrorArchive
import Testing
import archivist

@Suite("diff")
struct DiffTests {
  enum Mood: MirrorCodable {
    case calm
    case busy(Int)
    static var archiveRules: ArchiveRules { ArchiveRules(name: "Mood") }
  }

  struct Point: MirrorCodable, Hashable {
    var x = 0
    var y = 0.0
    static var archiveRules: ArchiveRules { ArchiveRules(name: "Point") }
  }

  class Fruit: MirrorCoding {
    var name = ""
    var weight = 0.0
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Fruit", subclasses: [Apple.self]) }
  }

  final class Apple: Fruit {
    var isRed = false
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Apple") }
  }

  final class Basket: MirrorCoding {
    var owner = ""
    var fruits: [Fruit] = []
    var prices: [String: Double] = [:]
    var places: [Point: Int] = [:]
    var numbers: Set<Int> = []
    var mood = Mood.calm
    var anything: Any = 1
    var best: Fruit?
    var next: Basket?
    var data = Data()
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Basket") }
  }

  /// A class as it was, and as it is.
  final class First: MirrorCoding {
    var size = 1
    var old = 2
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Twin") }
  }

  final class Second: MirrorCoding {
    var size: Int32 = 1
    var list: [String] = []
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Twin", version: 2) }
  }

  private static func basket(_ change: (Basket) -> Void = { _ in }) throws -> Data {
    let basket = Basket()
    basket.owner = "Ada"
    for index in 0..<5 {
      let fruit = index == 2 ? Apple() : Fruit()
      fruit.name = ["apple", "pear", "apple", "fig", "plum"][index]
      fruit.weight = Double(index) / 4
      basket.fruits.append(fruit)
    }
    basket.prices = ["north": 1.5, "south": 2, "the west": 3]
    basket.places = [Point(x: 1, y: 2): 3, Point(x: 4, y: 5): 6]
    basket.numbers = [1, 2, 3]
    basket.best = basket.fruits[1]
    basket.data = Data([1, 2, 3])
    basket.next = basket
    defer { basket.next = nil }
    change(basket)
    return try KeyedArchiver.archivedData(withRootObject: basket)
  }

  private func diff(_ old: Data, _ new: Data, _ options: [String] = []) throws -> ToolProcess.Outcome {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("archivist-\(UUID().uuidString)")
    try old.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try ToolProcess.run(["diff"] + options + [file.path, "-"], input: new)
  }

  @Test("An archive and itself are the same", arguments: Archives.golden) func same(_ name: String) throws {
    let data = try Archives.data(golden: name)
    let outcome = try diff(data, data)
    #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome.output)")
    #expect(try diff(data, data, ["--json"]).output == "[]\n")
  }

  static let changes: [(change: @Sendable (Basket) -> Void, lines: [String])] = [
    ({ $0.owner = "Eve" }, [#"root.owner: "Ada" -> "Eve""#]),
    ({ $0.fruits[3].name = "date" }, [#"root.fruits[3].name: "fig" -> "date""#]),
    ({ $0.fruits[1].weight = 9 }, ["root.fruits[1].weight: 0.25 -> 9.0"]),
    ({ $0.fruits.removeLast() }, ["- root.fruits[4]: Fruit#1"]),
    ({ $0.prices["the west"] = 4 }, [#"root.prices["the west"]: 3.0 -> 4.0"#]),
    ({ $0.prices["south"] = nil }, [#"- root.prices["south"]: 2.0"#]),
    ({ $0.prices["east"] = 7 }, [#"+ root.prices["east"]: 7.0"#]),
    ({ $0.places[Point(x: 1, y: 2)] = 4 }, [#"root.places["Point(x: 1, y: 2.0)"]: 3 -> 4"#]),
    ({ $0.numbers = [1, 3, 4] }, ["- root.numbers[", "]: 2", "+ root.numbers[", "]: 4"]),
    ({ $0.mood = .busy(3) }, ["root.mood: Mood.calm -> Mood.busy(3)"]),
    ({ $0.anything = "1" }, [#"root.anything: 1 -> "1""#]),
    ({ $0.anything = Int8(1) }, ["root.anything: 1 (Int) -> 1 (Int8)"]),
    ({ $0.best = nil }, ["root.best: Fruit#"]),
    ({ $0.best = $0.fruits[3] }, ["root.best: Fruit#", "the object at root.fruits[1] -> Fruit#", "the object at root.fruits[3]"]),
    ({ $0.next = nil }, ["root.next: Basket#0 -> nil"]),
    ({ $0.data = Data([1, 9, 3]) }, ["root.data: 3 bytes -> 3 bytes, different from byte 1 on"]),
    ({ $0.owner = "Ada\u{1B}[2J" }, [#"root.owner: "Ada" -> "Ada\u{1B}[2J""#]),
  ]

  @Test("A change is shown at its path, and nothing else", arguments: changes.indices) func change(_ index: Int) throws {
    let (change, lines) = Self.changes[index]
    let outcome = try diff(Self.basket(), Self.basket(change))
    #expect(outcome.code == 1 && outcome.errors.isEmpty)
    for line in lines { #expect(outcome.output.contains(line), "\(outcome.output)") }
    #expect(outcome.output.split(separator: "\n").count <= lines.count, "\(outcome.output)")
    let json = try JSONSerialization.jsonObject(with: Data(diff(Self.basket(), Self.basket(change), ["--json"]).output.utf8))
    #expect((json as? [[String: String]])?.count == outcome.output.split(separator: "\n").count)
    let quiet = try diff(Self.basket(), Self.basket(change), ["-q"])
    #expect(quiet.code == 1 && quiet.output.isEmpty)
  }

  @Test("Another class is a change, and is not looked into") func classes() throws {
    let outcome = try diff(
      Self.basket(),
      Self.basket { basket in
        let apple = Apple()
        apple.name = "other"
        basket.fruits[4] = apple
      })
    #expect(outcome.code == 1 && outcome.output.hasPrefix("root.fruits[4]: Fruit#") && outcome.output.contains("-> Apple#"))
    #expect(outcome.output.split(separator: "\n").count == 1)
  }

  @Test("Two equal objects in the place of one are a difference") func identity() throws {
    let outcome = try diff(
      Self.basket(),
      Self.basket { basket in
        let copy = Fruit()
        copy.name = "pear"
        copy.weight = 0.25
        basket.best = copy
      })
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("the object at root.fruits[1] -> Fruit#") && outcome.output.contains("met here first"))
    #expect(outcome.output.split(separator: "\n").count == 1)
  }

  @Test("The order in which objects are stored does not matter") func order() throws {
    func archive(_ first: String, _ second: String) throws -> Data {
      let (a, b) = (Fruit(), Fruit())
      (a.name, b.name) = ("a", "b")
      let archiver = KeyedArchiver()
      for key in [first, second] { try archiver.encode(key == "a" ? a : b, forKey: key) }
      return try archiver.encodedData
    }
    #expect(try archive("a", "b") != archive("b", "a"))
    let outcome = try diff(archive("a", "b"), archive("b", "a"))
    #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.output)")
    let other = try diff(archive("a", "b"), archive("a", "c"))
    #expect(other.code == 1 && other.output == "- b: Fruit#1024\n+ c: Fruit#1024\n")
  }

  @Test("Long lists and circles are compared without recursion") func depth() throws {
    func list(_ count: Int, _ last: String) throws -> Data {
      let samples = (0..<count).map { index in
        let sample = Archives.Sample()
        sample.number = index
        return sample
      }
      for index in samples.indices { samples[index].next = samples[(index + 1) % count] }
      samples[count - 1].name = last
      defer { for sample in samples { sample.next = nil } }
      return try KeyedArchiver.archivedData(withRootObject: samples[0])
    }
    let outcome = try diff(list(20_000, "old"), list(20_000, "new"))
    #expect(outcome.code == 1)
    #expect(outcome.output.hasSuffix(#".next.next.name: "old" -> "new""# + "\n"), "\(outcome.output.suffix(200))")
    #expect(outcome.output.split(separator: "\n").count == 1)
    // Circles of other lengths: each object has one counterpart, and does not meet all others.
    let lengths = try diff(list(999, "end"), list(1_000, "end"))
    #expect(lengths.code == 1 && lengths.output.split(separator: "\n").count <= 4)
  }

  @Test("What types say is compared as well") func types() throws {
    let outcome = try diff(Archives.data(golden: "small"), Archives.data(golden: "graph"))
    #expect(outcome.code == 1 && outcome.output.contains("root: golden.Constant#0 -> "))
    #expect(outcome.output.contains("+ type golden.Node: class: golden.Base, version 3\n"))
    let versions = try diff(
      KeyedArchiver.archivedData(withRootObject: First()), KeyedArchiver.archivedData(withRootObject: Second()))
    #expect(
      versions.output == """
        root.size: 1 (Int) -> 1 (Int32)
        - root.old: 2
        + root.list: []
        type Twin: class -> class, version 2
        type Twin.size: Int -> Int32
        - type Twin.old: Int
        + type Twin.list: [String]

        """, "\(versions.output)")
  }

  final class Note: KeyedCoding {
    let text: String
    let page: Int?

    init(_ text: String, _ page: Int?) {
      self.text = text
      self.page = page
    }

    init(coder: KeyedUnarchiver) throws {
      text = try coder.decodeString(forKey: "text")
      page = nil
    }

    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(text, forKey: "text")
      try coder.encode(Point(), forKey: "a.b")
      if let page { try coder.encode(page, forKey: "page") }
    }

    static var archiveRules: ArchiveRules { ArchiveRules(name: "Note") }
  }

  @Test("Keys that were coded by hand are steps of their own") func record() throws {
    func archive(_ text: String, _ page: Int?) throws -> Data { try KeyedArchiver.archivedData(withRootObject: Note(text, page)) }
    let outcome = try diff(archive("old", 1), archive("new", nil))
    #expect(outcome.code == 1 && outcome.output == "root.text: \"old\" -> \"new\"\n- root.page: 1\n", "\(outcome.output)")
  }

  @Test("The paths lead to what they are of") func paths() throws {
    let (old, new) = try (
      Self.basket(),
      Self.basket { basket in
        basket.fruits[3].name = "date"
        basket.prices = ["the west": 4, "a.b": 1]
        basket.numbers = [1, 5]
        basket.mood = .busy(4)
      }
    )
    let outcome = try diff(old, new, ["--json"])
    let documents = try (old: ArchiveDocument(old), new: ArchiveDocument(new))
    let differences = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: String]])
    #expect(differences.count >= 7)
    for difference in differences {
      let path = try #require(difference["path"])
      let parsed = try ArchivePath(path)
      #expect(parsed.description == path && parsed.start == .root("root") && !parsed.components.isEmpty)
      if let text = difference["old"] { #expect(try "\(documents.old.value(at: path))" == text) }
      if let text = difference["new"] { #expect(try "\(documents.new.value(at: path))" == text) }
    }
  }

  @Test("Trouble is 2, and says whose") func trouble() throws {
    let path = Archives.path(golden: "small")
    let absent = try ToolProcess.run(["diff", path, "absent"])
    #expect(absent.code == 2 && absent.errors == "archivist: absent: No such file or directory\n")
    let text = try ToolProcess.run(["diff", "-", path], input: Data("hello".utf8))
    #expect(text.code == 2 && text.errors == "archivist: standard input: the bytes do not begin like an archive (at byte 0)\n")
    #expect(try ToolProcess.run(["diff", path]).code == 64 && ToolProcess.run(["diff", "-", "-"]).code == 64)
    let empty = try ToolProcess.run(["diff", "-", path])
    #expect(empty.code == 2 && empty.errors.hasPrefix("archivist: standard input: "))
  }
}
