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
}
