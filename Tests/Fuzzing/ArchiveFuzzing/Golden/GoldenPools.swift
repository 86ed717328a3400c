import Foundation
import MirrorArchive

/// Strings that repeat: in properties, in what is nested in them, in records and in roots.
enum GoldenPools {
  final class Shelf: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Shelf") }
    var kind = ""
    var room = ""
    var owner: String?
    var tags: [String] = []
    var counts: [String: Int] = [:]
    var place = ("", "")
    var label = ""

    convenience init(_ number: Int) {
      self.init()
      kind = "a shelf of wood"
      room = ["the first room", "the second room", "attic"][number / 8]
      owner = number % 3 == 0 ? nil : ["a person with a name", "bob"][number % 2]
      tags = ["large", "small", "of no use at all"].suffix(number % 4)
      counts = ["books in here": number, "b": number * 2]
      place = (number < 12 ? "left hand side" : "right hand side", "floor \(number % 2) of the house")
      label = "shelf \(number) of the library"
    }
    var words: String { "\(kind) \(room) \(owner ?? "-") \(tags) \(counts.sorted { $0.key < $1.key }) \(place) \(label)" }
  }

  /// Coded by hand, with strings that repeat under two keys.
  final class Card: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Card") }
    let title: String
    let remark: String?
    init(_ number: Int) {
      title = ["title of a card", "another title"][number % 2]
      remark = number % 5 == 0 ? nil : "remark number \(number % 3)"
    }
    init(coder: KeyedUnarchiver) throws {
      title = try coder.decodeString(forKey: "title")
      remark = try coder.decodeStringIfPresent(forKey: "remark")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(title, forKey: "title")
      try coder.encode(remark, forKey: "remark")
    }
    var words: String { "\(title) \(remark ?? "-")" }
  }

  static func roots() -> [GoldenRoot] {
    [
      GoldenRoot("words", (0..<16).map { ["one and the same", "word"][$0 / 8] }),
      GoldenRoot("others", (0..<17).map { $0 % 3 == 0 ? nil : ["word", "one and the same", "a third"][$0 % 3] }),
      // Too few repeat, or too few are there.
      GoldenRoot("different", (0..<16).map { String(repeating: "xyz", count: $0) }),
      GoldenRoot("few", [String](repeating: "word", count: 15)),
      // More distinct ones than bits pack well.
      GoldenRoot("many", (0..<100).map { String($0 * $0 % 68 * 31 + 40_000, radix: 36) }),
      GoldenRoot(
        "shelves", making: { (0..<20).map { Shelf($0) } },
        isRight: { shelves in shelves.map(\.words) == (0..<20).map { Shelf($0).words } }),
      GoldenRoot(
        "cards", making: { (0..<72).map { Card($0) } }, isRight: { cards in cards.map(\.words) == (0..<72).map { Card($0).words } }),
    ]
  }
}
