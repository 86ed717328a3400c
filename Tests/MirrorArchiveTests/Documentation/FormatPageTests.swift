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

  /// As the page has them, where the archive names are said in words.
  private enum AsPrinted {
    enum Label {
      case none
      case text(String)
    }

    final class Item: MirrorCoding {
      let code: Int
      var price = 0.0
      var label = Label.none
      required init() { code = 0 }
      init(code: Int) { self.code = code }
    }

    final class Basket: MirrorCoding {
      var owner = ""
      var items: [Item] = []
      weak var gift: Item?
    }
  }

  @Test("Every Swift block is compiled here") func isCompiled() throws {
    let page = try PageBlocks("Sources/MirrorArchive/MirrorArchive.docc/ArchiveFormat.md")
    #expect(page.paragraphs.count == 3)
    #expect(try page.missing(in: #filePath).map(\.description) == [])
  }

  final class Note: KeyedCoding {
    let text: String
    let page: Int

    init(text: String, page: Int) {
      self.text = text
      self.page = page
    }

    init(coder: KeyedUnarchiver) throws {
      text = try coder.decodeString(forKey: "text")
      page = try coder.decodeInt(forKey: "page")
    }

    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(text, forKey: "text")
      try coder.encode(page, forKey: "page")
    }

    static var archiveRules: ArchiveRules { ArchiveRules(name: "Note") }
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

  /// The part of the page that begins with this heading.
  private func section(_ heading: String) throws -> String {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/MirrorArchive/MirrorArchive.docc/ArchiveFormat.md")
    let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n\(heading)\n")
    try #require(parts.count == 2)
    return try #require(parts[1].components(separatedBy: "\n#").first)
  }

  /// The bytes that stand in the first column of the tables.
  private func bytes(in section: String) -> [UInt8] {
    let rows = section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
    return rows.flatMap { row in hexadecimal(row.split(separator: "`")[1]) }
  }

  private func hexadecimal(_ text: some StringProtocol) -> [UInt8] { text.split(separator: " ").compactMap { UInt8($0, radix: 16) } }

  private func printed(_ bytes: some Sequence<UInt8>) -> String { bytes.map { String(format: "%02X", $0) }.joined(separator: " ") }

  @Test("The bytes of the example are those that the library writes") func example() throws {
    let printed = bytes(in: try section("## A worked example"))
    let data = try KeyedArchiver.archivedData(withRootObject: basket())
    #expect(printed == Array(data), "the library writes \(self.printed(data))")
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Basket.self, from: Data(printed))
    #expect(read.owner == "Ada" && read.items.map(\.code) == [7, 0, 7] && read.items[0] === read.items[2] && read.gift === read.items[1])
  }

  @Test("The bytes of the example with a record are those that the library writes, and segments are read") func record() throws {
    let section = try section("### An example with a record")
    let printed = bytes(in: section)
    let data = try KeyedArchiver.archivedData(withRootObject: Note(text: "Hi", page: 7))
    #expect(printed == Array(data), "the library writes \(self.printed(data))")
    // Behind the table: the flags, and the two hashes.
    let rest = try #require(section.components(separatedBy: "\n\nThe same archive").last)
    let quoted = rest.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { hexadecimal($0.element) }
    try #require(quoted.map(\.count) == [1, 8, 8])
    var segmented = Array(data.dropLast(8))
    segmented[4] = quoted[0][0]
    segmented += quoted[1] + quoted[2]
    for archive in [printed, segmented] {
      let read = try KeyedUnarchiver.unarchivedObject(ofClass: Note.self, from: Data(archive))
      #expect(read.text == "Hi" && read.page == 7)
    }
    segmented[segmented.count - 20] ^= 1
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(ofClass: Note.self, from: Data(segmented)) }
  }
}
