import Foundation
import MirrorArchive

/// What the documents of the tests are of.
enum Stock {
  enum Kind: String {
    case plain
    case ripe = "very ripe"
  }

  enum Shape {
    case dot
    case circle(Double)
    case box(width: Double, height: Double)
    indirect case group([Shape])
  }

  struct Point: Hashable {
    var x = 0.0
    var y = 0.0
    var label: String?
  }

  class Item: MirrorCoding {
    var name = ""
    private var id = 0
    required init() { super.init() }
    init(_ name: String, id: Int = 0) {
      super.init()
      self.name = name
      self.id = id
    }
    var baseID: Int { id }
  }

  final class Fruit: Item {
    var id = ""
    var count: Int32 = 0
    var price = 0.0
    var weight: Float = 0
    var half: UInt8 = 0
    var tag: String?
    var deep: Int??
    var kind = Kind.plain
    var shape = Shape.dot
    var point = Point()
    var pair: (Int8, label: String) = (0, "")
    var next: Item?
    weak var owner: Market?
  }

  final class Market: MirrorCoding {
    var fruits: [Item] = []
    var names: Set<String> = []
    var prices: [String: Double] = [:]
    var ages: [Int: String] = [:]
    var points: [Point: Int] = [:]
    var stalls: [String: Item] = [:]
    var any: Any = 1
    var anything: [Any] = []
    var initial: Character = "a"
    var part: Substring = "part"
    var amount: Decimal = 1
    var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
    var date = Date(timeIntervalSinceReferenceDate: 5)
    var bytes = Data([1, 2, 3])
  }

  final class Tree: MirrorCoding { var shape = Shape.dot }

  final class Note: MirrorCoding, KeyedCoding {
    var text = ""
    var size = 0
    var next: Item?
    convenience init(coder: KeyedUnarchiver) throws {
      self.init()
      text = try coder.decode(String.self, forKey: "text")
      size = coder.containsValue(forKey: "size") ? try coder.decode(Int.self, forKey: "size") : -1
      next = try coder.decode(Item?.self, forKey: "next")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(text, forKey: "text")
      try coder.encode(size, forKey: "size")
      try coder.encode(next, forKey: "next")
    }
  }

  static func market() -> Market {
    let market = Market()
    let apple = Fruit("apple", id: 7)
    apple.id = "a"
    apple.count = 3
    apple.tag = "red"
    apple.shape = .box(width: 1, height: 2)
    apple.pair = (5, "five")
    apple.owner = market
    let pear = Fruit("pear", id: 8)
    pear.id = "p"
    pear.next = apple
    pear.shape = .group([.circle(1), .dot])
    let stone = Item("stone", id: 9)
    apple.next = stone
    market.fruits = [apple, pear, stone]
    market.names = ["one"]
    market.prices = ["apple": 1.5]
    market.ages = [5: "five"]
    market.points = [Point(x: 1, y: 2): 3]
    market.stalls = ["north": pear]
    market.any = Int16(5)
    market.anything = [1, "two"]
    return market
  }
}
