/// `Fruit` as a value.
struct FruitRow: Codable, Equatable {
  var name: String
  var count: Int
  var price: Double
  var onSale: Bool
  var tag: String?
}

extension Contest {
  /// The fruits of the shop as structs in one array: nothing to allocate but the array and long strings.
  static func shopStructs() -> Contest {
    var values = ShopValues()
    let rows = (0..<10_000).map { _ in
      let row = values.next()
      return FruitRow(name: row.name, count: row.count, price: row.price, onSale: row.onSale, tag: row.tag)
    }
    let difference: ([FruitRow]) -> String? = { copy in
      if copy.count != rows.count { return "\(copy.count) rows instead of \(rows.count)" }
      return zip(rows, copy).enumerated().first { $1.0 != $1.1 }.map { index, _ in "row \(index)" }
    }
    return Contest(
      "shop-structs", objects: rows.count, unit: "structs",
      contenders: [
        mirrorArchive(rows, difference: difference),
        hand(rows, encode: HandShop.encodeRows, decode: HandShop.decodeRows, difference: difference),
        hand(
          rows, name: ContenderName.handInPlace, encode: HandShop.encodeRowsInPlace, decode: HandShop.decodeRows, difference: difference),
        json(rows, difference: difference),
        propertyList(rows, difference: difference),
      ],
      absences: [.init(contender: ContenderName.keyedArchiver, reason: "structs cannot conform to NSCoding")])
  }
}
