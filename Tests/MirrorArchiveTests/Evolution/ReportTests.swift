import Foundation
import MirrorArchive
import Synchronization
import Testing

/// What an older release has written.
private enum Old {
  final class Shop: MirrorCoding {
    var name = ""
    var motto = ""
    var fruits: [Fruit] = []
    var ledger: Ledger?
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Report.Shop") }
  }

  final class Fruit: MirrorCoding {
    var name = ""
    var grams: Int32 = 0
    var origins: [String: Int] = [:]
    var neighbour: Fruit?
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Report.Fruit") }
  }

  final class Ledger: MirrorCoding {
    var lines = ["first", "second"]
    var best: Fruit?
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Report.Ledger") }
  }
}

/// What reads it: without mottos, ledgers, origins and neighbours, with prices.
private enum New {
  final class Shop: MirrorCoding {
    var name = ""
    var fruits: [Fruit] = []
    var owner: String? = "nobody"
    @Transient var context: DecodingContext?
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Report.Shop") }
    override func didDecode(_ context: DecodingContext) throws { self.context = context }
  }

  final class Fruit: MirrorCoding {
    static let made = Atomic<Int>(0)
    static let announced = Atomic<Int>(0)
    var name = ""
    var grams = 0
    var price = 1.5
    @Transient var unknown: [String: ArchiveValue] = [:]
    @Transient var keys: [[String]] = []
    required init() { Self.made.add(1, ordering: .relaxed) }
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Report.Fruit") }
    override func didDecode(_ context: DecodingContext) throws {
      Self.announced.add(1, ordering: .relaxed)
      unknown = try context.unknownValues
      keys = [context.unknownKeys, context.defaultedKeys, context.convertedKeys]
    }
  }
}

/// A reader that still has the property whose class is gone.
private enum Half {
  final class Shop: MirrorCoding {
    static let made = Atomic<Int>(0)
    var name = ""
    var ledger: MirrorCoding?
    required init() { Self.made.add(1, ordering: .relaxed) }
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Report.Shop") }
  }
}

private func archive(fruits: Int = 3) throws -> Data {
  let shop = Old.Shop()
  shop.name = "Corner"
  shop.motto = "fresh"
  shop.fruits = (0..<fruits).map { number in
    let fruit = Old.Fruit()
    fruit.name = "fruit \(number)"
    fruit.grams = Int32(number * 10)
    fruit.origins = ["ES": number]
    return fruit
  }
  shop.fruits[1].neighbour = shop.fruits[0]
  shop.ledger = Old.Ledger()
  shop.ledger?.best = shop.fruits[2]
  return try KeyedArchiver.archivedData(withRootObject: shop)
}

@Suite("Reports", .serialized)
struct ReportTests {
  @Test func `a hook is told what the archive has besides, what it has not, and what was another type`() throws {
    let shop = try KeyedUnarchiver.unarchivedObject(of: New.Shop.self, from: archive())
    let fruit = shop.fruits[1]
    #expect(fruit.grams == 10)
    #expect(fruit.price == 1.5)
    #expect(fruit.keys == [["origins", "neighbour"], ["price"], ["grams"]])
    #expect(fruit.unknown["origins"]?["ES"]?.intValue == 1)
    guard case .reference? = fruit.unknown["neighbour"] else {
      Issue.record("\(String(describing: fruit.unknown["neighbour"]))")
      return
    }
    #expect(shop.fruits[0].unknown["neighbour"] == .null)
    #expect(shop.fruits[2].unknown["origins"]?["ES"]?.intValue == 2)
  }

  @Test func `a context that is kept goes on answering`() throws {
    let shop = try KeyedUnarchiver.unarchivedObject(of: New.Shop.self, from: archive())
    let context = try #require(shop.context)
    #expect(context.unknownKeys == ["motto", "ledger"])
    #expect(try context.unknownValues["motto"] == .string("fresh"))
    #expect(context.defaultedKeys == ["owner"])
    #expect(context.typeVersion == 0)
    #expect(shop.owner == "nobody")
  }

  @Test func `a property goes together with its class, and nothing is made of what only it has referred to`() throws {
    let shop = Old.Shop()
    shop.name = "Corner"
    shop.ledger = Old.Ledger()
    shop.ledger?.best = Old.Fruit()
    let data = try KeyedArchiver.archivedData(withRootObject: shop)
    let before = (New.Fruit.made.load(ordering: .relaxed), New.Fruit.announced.load(ordering: .relaxed))
    let read = try KeyedUnarchiver.unarchivedObject(of: New.Shop.self, from: data)
    #expect(read.name == "Corner")
    #expect(read.fruits.isEmpty)
    #expect(New.Fruit.made.load(ordering: .relaxed) == before.0)
    #expect(New.Fruit.announced.load(ordering: .relaxed) == before.1)
  }

  @Test func `a class that is gone and still referred to is refused before anything is made, with the path`() throws {
    let data = try archive()
    let before = Half.Shop.made.load(ordering: .relaxed)
    let error = #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: Half.Shop.self, from: data) }
    #expect(error?.code == .typeNotAllowed)
    #expect(error?.path == "root.ledger")
    #expect(error?.message.contains("Report.Ledger") == true)
    #expect(Half.Shop.made.load(ordering: .relaxed) == before)
  }

  @Test func `an unarchiver reports the same for the whole graph, by path`() throws {
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archive())
    _ = try unarchiver.decodeObject(of: New.Shop.self, forKey: "root")
    let report = unarchiver.report
    #expect(report.types.map(\.archivedName) == ["Report.Shop", "Report.Fruit"])
    #expect(report.types[1].unknownKeys == ["origins", "neighbour"])
    #expect(report.types[1].defaultedKeys == ["price"])
    #expect(report.types[1].convertedKeys == ["grams"])
    func entry(_ path: String) -> DecodingReport.Entry? { report.entries.first { $0.path == path } }
    #expect(entry("root.motto")?.kind == .unknownKey)
    #expect(entry("root.motto")?.value == .string("fresh"))
    #expect(entry("root.owner")?.kind == .defaulted)
    #expect(entry("root.fruits[2].price")?.kind == .defaulted)
    #expect(entry("root.fruits[2].grams")?.kind == .converted)
    #expect(entry("root.fruits[1].origins")?.value?["ES"]?.intValue == 1)
    #expect(report.entries.count == 3 + 3 * 4)
    #expect(report.droppedEntryCount == 0)
    unarchiver.finishDecoding()
    #expect(unarchiver.report.isEmpty)
  }

  @Test func `what fits is reported as nothing`() throws {
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archive())
    _ = try unarchiver.decodeObject(of: Old.Shop.self, forKey: "root")
    #expect(unarchiver.report.isEmpty)
    #expect(unarchiver.report.types.isEmpty)
  }

  @Test func `a report does not grow without end`() throws {
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archive(fruits: 4_000))
    _ = try unarchiver.decodeObject(of: New.Shop.self, forKey: "root")
    let report = unarchiver.report
    #expect(report.entries.count <= DecodingReport.maximumEntryCount)
    #expect(report.entries.count + report.droppedEntryCount == 3 + 4_000 * 4)
    #expect(report.entries.last?.path.hasPrefix("root.fruits[") == true)
  }
}
