import Foundation
import MirrorArchive
import Testing

/// The example of README.md with what it claims. `.ci/run` compiles and runs the example itself.
@Suite("The example of the README")
struct ReadmeTests {
  enum Kind: Equatable {
    case daily
    case weekly(day: Int)
  }

  final class Fruit: MirrorCoding {
    var name = "", count = 0, price = 0.0, onSale = false
    var tag: String?
  }

  class Shop: MirrorCoding {
    var name = ""
    var fruits: [Fruit] = []
    weak var parent: Shop?
    private var opened = Date()
    var openingTime: Date { opened }
  }

  final class Market: Shop {
    var stalls: [String: Fruit] = [:]
    var branches: [Shop] = []
    var kind = Kind.daily
  }

  private func makeMarket() -> Market {
    let apple = Fruit()
    (apple.name, apple.count, apple.price, apple.tag) = ("apple", 7, 1.25, "ripe")
    let market = Market()
    market.name = "Central"
    market.fruits = [apple]
    market.stalls["north"] = apple
    market.kind = .weekly(day: 3)
    let branch = Shop()
    branch.parent = market
    market.branches = [branch]
    return market
  }

  @Test("Values, the private and inherited ones included, come back as they were") func values() throws {
    let market = makeMarket()
    let data = try KeyedArchiver.archivedData(withRootObject: market)
    let copy = try KeyedUnarchiver.unarchivedObject(ofClass: Market.self, from: data)
    #expect(copy.name == "Central" && copy.kind == .weekly(day: 3) && copy.openingTime == market.openingTime)
    let apple = try #require(copy.fruits.first)
    #expect(apple.name == "apple" && apple.count == 7 && apple.price == 1.25 && !apple.onSale && apple.tag == "ripe")
  }

  @Test("The apple is one object in two places, and the cycle is closed") func identity() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: makeMarket())
    let copy = try KeyedUnarchiver.unarchivedObject(ofClass: Market.self, from: data)
    #expect(copy.stalls["north"] === copy.fruits.first)
    #expect(copy.branches.first?.parent === copy)
    #expect(copy.fruits.count == 1 && copy.stalls.count == 1 && copy.branches.count == 1)
  }
}
