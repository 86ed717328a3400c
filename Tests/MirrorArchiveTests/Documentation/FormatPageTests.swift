import Foundation
import MirrorArchive
import Testing

/// The worked example of the page that describes the format.
@Suite("The page about the format")
struct FormatPageTests {
  enum Label: MirrorCodable {
    case none
    case text(String)

    static var archiveRules: ArchiveRules { ArchiveRules(name: "Label") }
  }

  final class Item: MirrorCoding {
    let code: Int
    var price = 0.0
    var label = Label.none

    required init() { code = 0 }
    init(code: Int, price: Double, label: Label) {
      self.code = code
      self.price = price
      self.label = label
    }

    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Item") }
  }

  final class Basket: MirrorCoding {
    var owner = ""
    var items: [Item] = []
    weak var gift: Item?

    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Basket") }
  }

  private func basket() -> Basket {
    let book = Item(code: 7, price: 2.5, label: .text("B"))
    let pen = Item(code: 0, price: 1, label: .none)
    let basket = Basket()
    basket.owner = "Ada"
    basket.items = [book, pen, book]
    basket.gift = pen
    return basket
  }

  @Test("The bytes of the example are those that the library writes") func example() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/MirrorArchive/MirrorArchive.docc/ArchiveFormat.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let example = try #require(text.components(separatedBy: "## A worked example").last)
    let rows = example.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
    let printed = rows.flatMap { row in row.split(separator: "`")[1].split(separator: " ").compactMap { UInt8($0, radix: 16) } }
    let data = try KeyedArchiver.archivedData(withRootObject: basket())
    #expect(printed == Array(data), "the library writes \(data.map { String(format: "%02X", $0) }.joined(separator: " "))")
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Basket.self, from: Data(printed))
    #expect(read.owner == "Ada" && read.items.map(\.code) == [7, 0, 7] && read.items[0] === read.items[2] && read.gift === read.items[1])
  }
}
