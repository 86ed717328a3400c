import Foundation
import MirrorArchive

/// What every class of this workload holds. They differ in who writes the code that archives it.
protocol StockItem: AnyObject {
  var name: String { get }
  var count: Int { get }
}

/// Coded by hand, key by key.
final class Stock: StockItem, KeyedCoding, Codable {
  let name: String
  let count: Int

  init(name: String, count: Int) {
    self.name = name
    self.count = count
  }

  init(coder: KeyedUnarchiver) throws {
    name = try coder.decodeString(forKey: "name")
    count = try coder.decodeInt(forKey: "count")
  }

  func encode(with coder: KeyedArchiver) throws {
    try coder.encode(name, forKey: "name")
    try coder.encode(count, forKey: "count")
  }
}

/// The same without that code.
final class ReflectedStock: MirrorCoding, StockItem {
  var name = ""
  var count = 0

  required init() {
    super.init()
  }

  init(_ item: some StockItem) {
    name = item.name
    count = item.count
    super.init()
  }
}

extension [Stock] {
  /// Names and counts of the shop.
  static func random(count: Int) -> [Stock] {
    var values = ShopValues()
    return (0..<count).map { _ in
      let row = values.next()
      return Stock(name: row.name, count: row.count)
    }
  }

  /// Says what differs, or nil when every item is equal and an object of its own.
  func difference(from others: [some StockItem]) -> String? {
    if others.count != count { return "\(others.count) items instead of \(count)" }
    for (index, (mine, theirs)) in zip(self, others).enumerated() {
      if mine.name != theirs.name { return "[\(index)].name \(theirs.name) instead of \(mine.name)" }
      if mine.count != theirs.count { return "[\(index)].count \(theirs.count) instead of \(mine.count)" }
    }
    if Set(others.map { ObjectIdentifier($0) }).count != count { return "items that were distinct are one object" }
    return nil
  }
}

extension Contest {
  /// Objects with `init(coder:)` and `encode(with:)`, and what is gained by deleting them.
  static func handCoded(_ options: Options) -> Contest {
    let items = [Stock].random(count: options.isQuick ? 10_000 : 100_000)
    return Contest(
      "hand-coded", objects: items.count,
      contenders: [
        mirrorArchive(items, difference: items.difference),
        mirrorArchive(items.map { ReflectedStock($0) }, name: ContenderName.mirrorCoding, difference: items.difference),
        hand(items, encode: HandStock.encode, decode: HandStock.decode, difference: items.difference),
        json(items, difference: items.difference),
        keyedArchiver(items.map { KeyedStock($0) }, difference: items.difference),
      ],
      notes: [
        "\(ContenderName.mirrorArchive): KeyedCoding, coded key by key. \(ContenderName.mirrorCoding): the same properties and no code at all."
      ] + (options.isQuick ? ["10,000 objects instead of 100,000, for --quick."] : []))
  }
}
