import Foundation
import MirrorArchive
import Testing

/// Archives that are looked at, changed and made without their classes, as a tool does.
@Suite("Documents")
struct DocumentTests {
  final class Fruit: MirrorCoding {
    var name = ""
    var count: Int32 = 0
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Shop.Fruit") }
  }

  @Test("A tool looks at an archive, changes it and writes it") func tool() throws {
    let fruits = ["apple", "pear"].map { name in
      let fruit = Fruit()
      fruit.name = name
      return fruit
    }
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).archive")
    defer { try? FileManager.default.removeItem(at: url) }
    try KeyedArchiver.archive(fruits, to: url)
    var document = try ArchiveDocument(contentsOf: url)
    #expect(document.roots.map(\.key) == ["root"] && document.objects.map(\.className) == ["Shop.Fruit", "Shop.Fruit"])
    #expect(try document.value(at: "root[1].name").stringValue == "pear")
    #expect(document.object(document["root"]?[0])?["name"] == "apple")
    try document.set(3, at: "root[1].count")
    let plum = try document.addObject(ofClass: "Shop.Fruit", properties: ["name": "plum", "count": 1])
    try document.append(.reference(plum), to: "root")
    try document.write(to: url, options: .durable)
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Fruit.self, from: try Data(contentsOf: url))
    #expect(read.map(\.name) == ["apple", "pear", "plum"] && read.map(\.count) == [0, 3, 1])
  }

  @Test("A tool makes an archive of a class that it describes") func making() throws {
    var document = ArchiveDocument()
    let fruit = ArchiveType.class(name: "Shop.Fruit", properties: ["name": .string, "count": .int32])
    let apple = try document.addObject(of: fruit, properties: ["name": "apple", "count": 3])
    try document.setRoot(.reference(apple))
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Fruit.self, from: try document.encoded())
    #expect(read.name == "apple" && read.count == 3)
  }

  @Test("Literals are values, and nil under a key is no value") func literals() {
    let value: ArchiveValue = ["a": [1, 2.5, nil, true], "b": "text"]
    #expect(value["a"]?[0] == 1 && value["a"]?[1] == 2.5 && value["a"]?[2] == .some(.null) && value["b"] == "text")
    #expect(value["c"] == nil)
    #expect(value["a"]?[3]?.boolValue == true)
  }
}
