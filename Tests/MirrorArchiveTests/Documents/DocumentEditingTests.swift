import Foundation
import MirrorArchive
import Testing

@Suite("Documents: editing")
struct DocumentEditingTests {
  typealias Market = Stock.Market
  typealias Fruit = Stock.Fruit
  typealias Item = Stock.Item

  private func document() throws -> ArchiveDocument {
    try ArchiveDocument(try KeyedArchiver.archivedData(withRootObject: Stock.market(), allowing: [Fruit.self, Item.self]))
  }

  private func read(_ document: ArchiveDocument) throws -> Market {
    try KeyedUnarchiver.unarchivedObject(of: Market.self, from: try document.encoded(), allowing: [Fruit.self, Item.self])
  }

  private func first(_ document: ArchiveDocument) throws -> Fruit { try #require(try read(document).fruits.first as? Fruit) }

  @Test("Values are found by the paths that errors print")
  func looking() throws {
    let document = try document()
    #expect(try document.value(at: "root.fruits[1].name") == "pear")
    #expect(try document.value(at: #"root.stalls["north"].next.tag"#) == "red")
    #expect(try document.value(at: "root.stalls[north].next.name") == "apple")
    #expect(try document.value(at: "root.fruits[0].shape.box.width") == .double(1))
    #expect(try document.value(at: "root.fruits[0].shape.height") == .double(2))
    #expect(try document.value(at: "root.fruits[1].shape.group[0].circle") == .double(1))
    #expect(try document.value(at: "root.fruits[0].pair.label") == "five")
    #expect(try document.value(at: "root.fruits[0].pair.0") == .int8(5))
    #expect(try document.value(at: "root.fruits[0].pair[0]") == .int8(5))
    #expect(try document.value(at: "root.ages[5]") == "five")
    #expect(try document.value(at: "root.ages[0]") == "five")
    #expect(try document.value(at: "root.points[0]") == 3)
    #expect(try document.value(at: "root.anything[1]").stringValue == "two")
    #expect(try document.value(at: "root.fruits[0].id") == "a")
    #expect(try document.type(at: "root.fruits[0].count") == .int32)
    #expect(document.object(document["root"])?.className.hasSuffix("Market") == true)
    let apple = try #require(document.object(try document.value(at: "root.fruits[0]")))
    #expect(apple["id"] == "a")
    #expect(apple["\(apple.superclassNames[0]).id"] == 7)
    #expect(try document.value(at: "root.fruits[0][\"\(apple.superclassNames[0]).id\"]") == 7)
    #expect(try document.value(at: "#\(apple.number).name") == "apple")
    #expect(apple.properties.filter { $0.key == "id" }.map(\.className) == [apple.superclassNames[0], apple.className])
  }

  @Test(
    "What is not there is said with the path to it",
    arguments: [
      ("other", "other"), ("root.fruit", "root.fruit"), ("root.fruits[9].name", "root.fruits[9]"), ("root.fruits.name", "root.fruits.name"),
      ("root.stalls[south]", #"root.stalls["south"]"#), ("root.fruits[0].name.x", "root.fruits[0].name.x"), ("#5000", "#5000"),
      ("root.fruits[1].tag.x", "root.fruits[1].tag.x"), ("root.ages[-1]", #"root.ages["-1"]"#),
    ])
  func missing(_ path: String, _ place: String) throws {
    let error = #expect(throws: ArchiveError.self) { try document().value(at: path) }
    #expect(error?.code == .missingValue)
    #expect(error?.path == place)
  }

  @Test("A changed property is the only thing that the classes see changed")
  func onlyThis() throws {
    let before = try document()
    var after = before
    try after.set(12, at: "root.fruits[0].count")
    #expect(try first(after).count == 12)
    let again = try ArchiveDocument(try after.encoded())
    let original = try ArchiveDocument(try before.encoded())
    #expect(again.roots == original.roots)
    var differences = 0
    for (one, other) in zip(again.objects, original.objects) {
      for (a, b) in zip(one.properties, other.properties) where a != b {
        differences += 1
        #expect(a.key == "count" && a.value == .int32(12) && b.value == .int32(3))
      }
    }
    #expect(differences == 1)
    #expect(again.objects.count == original.objects.count)
  }

  @Test("Literals become values of the archived type")
  func literals() throws {
    var document = try document()
    try document.set(250, at: "root.fruits[0].half")
    try document.set(3, at: "root.fruits[0].price")
    try document.set(0.1, at: "root.fruits[0].weight")
    try document.set(nil, at: "root.fruits[0].tag")
    try document.set(.present(nil), at: "root.fruits[0].deep")
    try document.set(5, at: "root.fruits[1].deep")
    try document.set("very ripe", at: "root.fruits[0].kind")
    try document.set(["x": 1, "y": 2.5], at: "root.fruits[0].point")
    try document.set([7, "seven"], at: "root.fruits[0].pair")
    try document.set("b", at: "root.initial")
    try document.set("other", at: "root.part")
    try document.set(12.34, at: "root.amount")
    try document.set("00000000-0000-0000-0000-000000000001", at: "root.id")
    try document.set(["a", "b"], at: "root.names")
    try document.set(["a": 1, "b": 2.5], at: "root.prices")
    try document.set(6, at: "root.any")
    try document.set([1, 2.5, "x", [true]], at: "root.anything")
    try document.set(4, at: "root.fruits[0].shape.box.width")
    let market = try read(document)
    let apple = try #require(market.fruits[0] as? Fruit)
    #expect(apple.half == 250 && apple.price == 3 && apple.weight == 0.1 && apple.tag == nil)
    #expect(apple.deep == .some(.none) && (market.fruits[1] as? Fruit)?.deep == 5)
    #expect(apple.kind == .ripe && apple.point == Stock.Point(x: 1, y: 2.5) && apple.pair.0 == 7 && apple.pair.label == "seven")
    #expect(market.initial == "b" && market.part == "other" && market.amount == Decimal(string: "12.34"))
    #expect(market.id == UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
    #expect(market.names == ["a", "b"] && market.prices == ["a": 1, "b": 2.5])
    #expect(market.any as? Int16 == 6)
    #expect(market.anything.count == 4 && market.anything[1] as? Double == 2.5 && market.anything[3] as? [Bool] == [true])
    guard case .box(width: 4, height: 2) = apple.shape else { return #expect(Bool(false), "\(apple.shape)") }
  }

  static let mismatches: [(String, ArchiveValue, ArchiveError.Code, String)] = [
    ("root.fruits[0].half", 256, .typeMismatch, "root.fruits[0].half"),
    ("root.fruits[0].count", 1.5, .typeMismatch, "root.fruits[0].count"),
    ("root.fruits[0].name", nil, .typeMismatch, "root.fruits[0].name"),
    ("root.fruits[0].name", 5, .typeMismatch, "root.fruits[0].name"),
    ("root.fruits[0].kind", "unripe", .typeMismatch, "root.fruits[0].kind"),
    ("root.fruits[0].point", ["x": 1], .missingValue, "root.fruits[0].point.y"),
    ("root.fruits[0].point", ["x": 1, "y": 2, "z": 3], .typeMismatch, "root.fruits[0].point"),
    ("root.fruits[0].point", ["x": "1", "y": 2], .typeMismatch, "root.fruits[0].point.x"),
    ("root.names", ["a", "a"], .duplicateKey, "root.names"),
    ("root.prices", ["a": "b"], .typeMismatch, #"root.prices["a"]"#),
    ("root.fruits", [.reference(5_000)], .missingValue, "root.fruits[0]"),
    ("root.fruits", [5], .typeMismatch, "root.fruits[0]"),
    ("root.any", [], .typeMismatch, "root.any"),
    ("root", nil, .typeMismatch, "root"),
    ("#0", 5, .typeMismatch, "#0"),
    ("root.none", 5, .missingValue, "root.none"),
  ]

  @Test("What does not fit is refused with its path, and changes nothing", arguments: mismatches)
  func mismatch(_ path: String, _ value: ArchiveValue, _ code: ArchiveError.Code, _ place: String) throws {
    let before = try document()
    var after = before
    let error = #expect(throws: ArchiveError.self) { try after.set(value, at: path) }
    #expect(error?.code == code, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.path == place)
    #expect(after == before)
  }

  @Test("New objects of a class of the archive take their places")
  func adding() throws {
    var document = try document()
    let className = try #require(document.object(try document.value(at: "root.fruits[2]"))?.className)
    let plum = try document.addObject(ofClass: className, properties: ["name": "plum", "id": 10])
    try document.append(.reference(plum), to: "root.fruits")
    try document.set(.reference(plum), at: "root.fruits[0].next")
    let market = try read(document)
    #expect(market.fruits.map(\.name) == ["apple", "pear", "stone", "plum"])
    #expect(market.fruits[3].baseID == 10)
    #expect((market.fruits[0] as? Fruit)?.next === market.fruits[3])
    let before = document
    let missing = #expect(throws: ArchiveError.self) { try document.addObject(ofClass: className, properties: ["name": "plum"]) }
    #expect(missing?.code == .missingValue && missing?.path == "#\(plum + 1).id")
    let wrong = #expect(throws: ArchiveError.self) { try document.addObject(ofClass: className, properties: ["nam": "plum"]) }
    #expect(wrong?.code == .typeMismatch && wrong?.path == "#\(plum + 1).nam")
    let unknown = #expect(throws: ArchiveError.self) { try document.addObject(ofClass: "Nobody") }
    #expect(unknown?.code == .unknownType)
    #expect(document == before)
  }

  @Test("Arrays, sets and dictionaries grow and shrink by paths")
  func growing() throws {
    var document = try document()
    let stone = try document.value(at: "root.fruits[2]")
    try document.append(stone, to: "root.fruits")
    try document.insert(stone, at: "root.fruits[0]")
    try document.append("two", to: "root.names")
    try document.set(2, at: "root.prices[pear]")
    try document.insert(3, at: "root.prices.plum")
    try document.insert("six", at: "root.ages[6]")
    try document.remove(at: "root.prices[apple]")
    try document.remove(at: "root.fruits[2]")
    try document.append(true, to: "root.anything")
    let market = try read(document)
    #expect(market.fruits.map(\.name) == ["stone", "apple", "stone", "stone"])
    #expect(market.fruits[0] === market.fruits[2])
    #expect(market.names == ["one", "two"])
    #expect(market.prices == ["pear": 2, "plum": 3])
    #expect(market.ages == [5: "five", 6: "six"])
    #expect(market.anything.count == 3 && market.anything[2] as? Bool == true)
    #expect(throws: ArchiveError.self) { try document.append("two", to: "root.names") }
    #expect(throws: ArchiveError.self) { try document.insert(3, at: "root.prices.plum") }
    #expect(throws: ArchiveError.self) { try document.insert(stone, at: "root.fruits[9]") }
    #expect(throws: ArchiveError.self) { try document.remove(at: "root.fruits[0].name") }
    #expect(throws: ArchiveError.self) { try document.append(1, to: "root.prices") }
  }

  @Test("References are redirected, roots removed, and what nothing refers to is left out")
  func redirecting() throws {
    var document = try document()
    let pear = try #require(try document.value(at: "root.fruits[1]").referenceValue)
    let stone = try #require(try document.value(at: "root.fruits[2]").referenceValue)
    #expect(try document.redirectReferences(from: pear, to: stone) == 2)
    let market = try read(document)
    #expect(market.fruits.map(\.name) == ["apple", "stone", "stone"])
    #expect(market.stalls["north"] === market.fruits[1])
    #expect(try ArchiveDocument(try document.encoded()).objects.count == document.objects.count - 1)
    #expect(throws: ArchiveError.self) { try document.redirectReferences(from: pear, to: 9_999) }
    try document.setRoot("hello", forKey: "greeting")
    try document.remove(at: "root")
    let rest = try ArchiveDocument(try document.encoded())
    #expect(rest.roots.map(\.key) == ["greeting"] && rest.objects.isEmpty)
  }

  @Test("Of properties with one key in two classes both can be set")
  func levels() throws {
    var document = try document()
    let apple = try #require(document.object(try document.value(at: "root.fruits[0]")))
    try document.set(70, at: ArchivePath(.object(apple.number), [.key("\(apple.superclassNames[0]).id")]))
    try document.set("z", at: "root.fruits[0].id")
    #expect(try first(document).baseID == 70)
    #expect(try first(document).id == "z")
  }

  @Test("What is coded by hand is changed, added to and taken from under its keys")
  func records() throws {
    let note = Stock.Note()
    note.text = "hello"
    note.size = 4
    note.next = Item("stone")
    var document = try ArchiveDocument(try KeyedArchiver.archivedData(withRootObject: note))
    #expect(try document.value(at: "root.text") == "hello")
    #expect(try document.value(at: "root.next.name") == "stone")
    try document.set("bye", at: "root.text")
    try document.set("pebble", at: "root.next.name")
    try document.remove(at: "root.size")
    var read = try KeyedUnarchiver.unarchivedObject(ofClass: Stock.Note.self, from: try document.encoded())
    #expect(read.text == "bye" && read.size == -1 && read.next?.name == "pebble")
    try document.set(9, at: "root.size")
    #expect(throws: ArchiveError.self) { try document.set("x", at: "root.size") }
    read = try KeyedUnarchiver.unarchivedObject(ofClass: Stock.Note.self, from: try document.encoded())
    #expect(read.size == 9)
  }

  @Test("A copy of a document keeps what it had")
  func copies() throws {
    let before = try document()
    var after = before
    try after.set("quince", at: "root.fruits[0].name")
    #expect(try before.value(at: "root.fruits[0].name") == "apple")
    #expect(before != after)
    #expect(try before.encoded() == (try document().encoded()))
  }
}
