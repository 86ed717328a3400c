import ArchiveCache
import Foundation
import MirrorArchive
import Testing

/// The code of README.md, as it stands there.
@Suite("The README")
struct ReadmeTests {
  @Test("Every Swift block is compiled and run here") func isCompiled() throws {
    let page = try PageBlocks("README.md")
    #expect(page.paragraphs.count >= 8)
    #expect(try page.missing(in: #filePath).isEmpty)
  }

  @Test("The example prints what the README says") func output() throws {
    let page = try PageBlocks("README.md")
    #expect(try ReadmeExample.run() == PageBlocks.blocks("text", of: page.text).first)
  }

  @Test("The cache and the store give back what was made once") func stores() throws {
    let directory = try TemporaryDirectory()
    let (first, fruits) = try ReadmeExample.store(in: URL(fileURLWithPath: directory.file("stores")))
    let (second, _) = try ReadmeExample.store(in: URL(fileURLWithPath: directory.file("stores")))
    #expect(fruits == ["fruit 1"])
    #expect(first == 1 && second == 0)
  }
}

enum ReadmeExample {
  enum Kind {
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

  /// The lines that the example prints.
  static func run() throws -> [String] {
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    let apple = Fruit()
    (apple.name, apple.count, apple.price, apple.tag) = ("apple", 7, 1.25, "ripe")

    let market = Market()
    market.name = "Central"
    market.fruits = [apple]
    market.stalls["north"] = apple  // the same object a second time
    market.kind = .weekly(day: 3)
    let branch = Shop()
    branch.parent = market  // back to the market: a cycle
    market.branches = [branch]

    let data = try KeyedArchiver.archivedData(withRootObject: market)
    let copy = try KeyedUnarchiver.unarchivedObject(ofClass: Market.self, from: data)

    print(copy.name, copy.kind, copy.fruits[0].name, copy.fruits[0].price, copy.fruits[0].tag ?? "no tag")
    print("the same private date:", copy.openingTime == market.openingTime)
    print("one apple in two places:", copy.stalls["north"] === copy.fruits[0])
    print("the cycle is closed:", copy.branches[0].parent === copy)
    return printed
  }

  struct Tile: ArchiveCacheKey { var zoom, x, y: Int }

  /// How often the fruit was fetched, and the names of the stored ones.
  static func store(in directory: URL) throws -> (fetched: Int, names: [String]) {
    var fetched = 0
    func fetchFruit() throws -> Fruit {
      fetched += 1
      let fruit = Fruit()
      fruit.name = "fruit \(fetched)"
      return fruit
    }
    let cache = try ArchiveCache<Tile, Fruit>(directory: directory.appending(path: "tiles"))
    let fruit = try cache.value(forKey: Tile(zoom: 3, x: 1, y: 2), timeToLive: 3_600) {
      try fetchFruit()  // once, however many ask at the same time
    }

    let store = try ModelStore(directory: directory.appending(path: "models"))
    try store.save([fruit], as: "fruits", keepingBackup: true)
    let fruits = try store.load([Fruit].self, as: "fruits")
    return (fetched, fruits.map(\.name))
  }
}
