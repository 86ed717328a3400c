import Foundation
import MirrorArchive

/// One row of the shop: two strings, an integer, an amount of money and a flag.
final class Fruit: MirrorCoding, Codable {
  var name = ""
  var count = 0
  var price = 0.0
  var onSale = false
  var tag: String?

  required init() {
    super.init()
  }

  init(name: String, count: Int, price: Double, onSale: Bool, tag: String?) {
    self.name = name
    self.count = count
    self.price = price
    self.onSale = onSale
    self.tag = tag
    super.init()
  }

  /// Says what differs, or nil when every property is equal.
  func difference(from other: Fruit) -> String? {
    if name != other.name { return "name \(other.name) instead of \(name)" }
    if count != other.count { return "count \(other.count) instead of \(count)" }
    if price != other.price { return "price \(other.price) instead of \(price)" }
    if onSale != other.onSale { return "onSale \(other.onSale) instead of \(onSale)" }
    if tag != other.tag { return "tag \(other.tag ?? "nil") instead of \(tag ?? "nil")" }
    return nil
  }
}

/// Who runs the shop.
final class Owner: MirrorCoding, Codable {
  var name = ""
  var age = 0

  required init() {
    super.init()
  }

  init(name: String, age: Int) {
    self.name = name
    self.age = age
    super.init()
  }
}

/// The root of the shop.
final class HomePage: MirrorCoding, Codable {
  var name = ""
  var location = ""
  var number = 0
  var money = 0.0
  var open = false
  var address: String?
  var fruits: [Fruit] = []
  var owner: Owner?

  required init() {
    super.init()
  }

  init(
    name: String, location: String, number: Int, money: Double, open: Bool, address: String?, fruits: [Fruit], owner: Owner?
  ) {
    self.name = name
    self.location = location
    self.number = number
    self.money = money
    self.open = open
    self.address = address
    self.fruits = fruits
    self.owner = owner
    super.init()
  }

  func difference(from other: HomePage) -> String? {
    if name != other.name || location != other.location || number != other.number { return "name, location or number" }
    if money != other.money || open != other.open || address != other.address { return "money, open or address" }
    if owner?.name != other.owner?.name || owner?.age != other.owner?.age { return "owner" }
    if fruits.count != other.fruits.count { return "\(other.fruits.count) fruits instead of \(fruits.count)" }
    for (index, (mine, theirs)) in zip(fruits, other.fruits).enumerated() {
      if let text = mine.difference(from: theirs) { return "fruits[\(index)]: \(text)" }
    }
    if Set(other.fruits.map(ObjectIdentifier.init)).count != fruits.count { return "fruits that were distinct are one object" }
    return nil
  }
}

/// The values of the shop: names from 500, counts below 10,000, prices in cents, tags from 20.
struct ShopValues {
  private var generator: SeededGenerator
  private let names: [String]
  private let tags: [String]

  init(seed: UInt64 = 0x5409) {
    var generator = SeededGenerator(seed: seed)
    names = (0..<500).map { _ in generator.words(length: 8 + generator.below(17)) }
    tags = (0..<20).map { _ in generator.words(length: 4 + generator.below(8)) }
    self.generator = generator
  }

  mutating func next() -> (name: String, count: Int, price: Double, onSale: Bool, tag: String?) {
    let name = names[generator.below(names.count)]
    let count = generator.below(10_000)
    let price = Double(1 + generator.below(20_000)) / 100
    let onSale = generator.chance(50)
    let tag = generator.chance(50) ? tags[generator.below(tags.count)] : nil
    return (name, count, price, onSale, tag)
  }

  mutating func fruit() -> Fruit {
    let row = next()
    return Fruit(name: row.name, count: row.count, price: row.price, onSale: row.onSale, tag: row.tag)
  }

  static func homePage(fruits count: Int) -> HomePage {
    var values = ShopValues()
    return HomePage(
      name: "农夫果园", location: "上海市 浦东新区 申迪北路 753号 上海迪士尼度假区", number: 10_001, money: 998.12, open: true, address: nil,
      fruits: (0..<count).map { _ in values.fruit() }, owner: Owner(name: "姬友大人", age: 30))
  }
}

extension Contest {
  /// 10,000 objects in an array, as most applications keep them.
  static func shop() -> Contest {
    let page = ShopValues.homePage(fruits: 10_000)
    let keyedPage = KeyedHomePage(page)
    return Contest(
      "shop", objects: 10_002,
      contenders: [
        mirrorArchive(page, difference: page.difference),
        hand(page, encode: HandShop.encode, decode: HandShop.decode, difference: page.difference),
        hand(
          page, name: ContenderName.handWithIdentity, encode: HandShop.encodeWithIdentity, decode: HandShop.decodeWithIdentity,
          difference: page.difference),
        json(page, difference: page.difference),
        propertyList(page, difference: page.difference),
        keyedArchiver(keyedPage) { page.difference(from: $0.homePage) },
      ])
  }

  /// One object at a time, warm: what a cache or a message costs.
  static func small() -> Contest {
    var values = ShopValues()
    let fruit = Fruit(name: "dragon fruit", count: 2_000, price: 56.23, onSale: true, tag: values.next().tag ?? "tropical")
    let keyedFruit = KeyedFruit(fruit)
    return Contest(
      "small", objects: 1, iterations: 256,
      contenders: [
        mirrorArchive(fruit, difference: fruit.difference),
        mirrorArchiveInto(fruit, difference: fruit.difference),
        hand(fruit, encode: HandShop.encodeOne, decode: HandShop.decodeOne, difference: fruit.difference),
        json(fruit, difference: fruit.difference),
        propertyList(fruit, difference: fruit.difference),
        keyedArchiver(keyedFruit) { fruit.difference(from: $0.fruit) },
      ])
  }

  /// A few objects of three classes at a time, warm.
  static func smallGraph() -> Contest {
    let page = ShopValues.homePage(fruits: 3)
    let keyedPage = KeyedHomePage(page)
    return Contest(
      "small-graph", objects: 5, iterations: 256,
      contenders: [
        mirrorArchive(page, difference: page.difference),
        mirrorArchiveInto(page, difference: page.difference),
        hand(page, encode: HandShop.encode, decode: HandShop.decode, difference: page.difference),
        json(page, difference: page.difference),
        propertyList(page, difference: page.difference),
        keyedArchiver(keyedPage) { page.difference(from: $0.homePage) },
      ])
  }
}
