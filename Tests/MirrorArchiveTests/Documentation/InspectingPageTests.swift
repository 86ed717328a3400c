import Foundation
import MirrorArchive
import Testing

/// The code of the page about looking into archives, as it stands there.
@Suite("The page about looking into archives")
struct InspectingPageTests {
  final class Fruit: MirrorCoding {
    var name = "", count = 0, price = 0.0, onSale = false
    var tag: String?

    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Fruits.Fruit") }
  }

  final class Shop: MirrorCoding {
    var name = ""
    var fruits: [Fruit] = []
  }

  @Test("Every Swift block is compiled here") func isCompiled() throws {
    let page = try PageBlocks("Sources/MirrorArchive/MirrorArchive.docc/Inspecting.md")
    #expect(page.paragraphs.count == 3)
    #expect(try page.missing(in: #filePath).map(\.description) == [])
  }

  @Test("What was changed without the classes is read with them") func changing() throws {
    let directory = try TemporaryDirectory()
    let url = URL(fileURLWithPath: directory.file("market.archive"))
    let (shop, apple) = (Shop(), Fruit())
    (apple.name, apple.count, apple.price, apple.tag) = ("apple", 7, 1.25, "ripe")
    (shop.name, shop.fruits) = ("Central", [apple])
    try KeyedArchiver.archive(shop, to: url)

    var document = try ArchiveDocument(contentsOf: url)
    print(try document.value(at: "root.fruits[0].name"))

    try document.set(8, at: "root.fruits[0].count")
    let pear = try document.addObject(
      ofClass: "Fruits.Fruit", properties: ["name": "pear", "count": 3, "price": 0.75, "onSale": true])
    try document.append(.reference(pear), to: "root.fruits")
    try document.write(to: url)

    let copy = try KeyedUnarchiver.unarchivedObject(of: Shop.self, contentsOf: url)
    #expect(copy.name == "Central")
    #expect(copy.fruits.map(\.name) == ["apple", "pear"] && copy.fruits.map(\.count) == [8, 3])
    #expect(copy.fruits.map(\.price) == [1.25, 0.75] && copy.fruits.map(\.onSale) == [false, true])
    #expect(copy.fruits.map(\.tag) == ["ripe", nil])
  }

  @Test("What was made of nothing is read with the class") func making() throws {
    let fruit = ArchiveType.class(
      name: "Fruits.Fruit", properties: ["name": .string, "count": .int, "price": .double, "onSale": .bool, "tag": .optional(.string)])
    var basket = ArchiveDocument()
    let apple = try basket.addObject(of: fruit, properties: ["name": "apple", "count": 7, "price": 1.25, "onSale": false])
    try basket.setRoot([.reference(apple)], type: .array(of: .object))
    let data = try basket.encoded()

    let fruits = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Fruit.self, from: data)
    #expect(fruits.map(\.name) == ["apple"] && fruits[0].count == 7 && fruits[0].price == 1.25 && fruits[0].tag == nil)
  }
}
