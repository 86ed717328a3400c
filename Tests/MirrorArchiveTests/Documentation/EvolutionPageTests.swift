import Foundation
import MirrorArchive
import Testing

/// The code of the page about types that change, as it stands there.
@Suite("The page about types that change")
struct EvolutionPageTests {
  @Test("Every Swift block is compiled here") func isCompiled() throws {
    let page = try PageBlocks("Sources/MirrorArchive/MirrorArchive.docc/Evolution.md")
    #expect(page.paragraphs.count == 6)
    #expect(try page.missing(in: #filePath).isEmpty)
  }

  @Test("The second release reads what the first one has written") func secondReadsFirst() throws {
    let user = First.User()
    (user.name, user.joined, user.plan, user.tags) = ("Ada", 86_400.5, .paid, ["a", "b"])
    let archiver = KeyedArchiver()
    // The releases are two modules in truth.
    archiver.setClassName("App.User", for: First.User.self)
    try KeyedArchiver.register(First.Plan.self, as: "App.Plan")
    try archiver.encode(user, forKey: "root")
    let data = try archiver.encodedData

    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    let member = try unarchiver.decodeObject(of: Second.Member.self, forKey: "root")
    #expect(member.fullName == "Ada")
    #expect(member.joined == Date(timeIntervalSince1970: 86_400.5))
    #expect(member.plan == .pro)
    #expect(member.tags == ["a", "b"])
    #expect(member.level == 10)

    func read() throws {
      typealias Member = Second.Member
      let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
      unarchiver.options = DecodingOptions(conversionPolicy: .lenient, unknownClasses: .skip)
      let member = try unarchiver.decodeObject(of: Member.self, forKey: "root")
      for entry in unarchiver.report.entries { print(entry) }
      #expect(member.fullName == "Ada")
    }
    try read()
  }

  @Test("Cents become euros by a rule") func price() throws {
    let old = OldPrice()
    old.amount = 1_250
    let archiver = KeyedArchiver()
    archiver.setClassName("MirrorArchiveTests.EvolutionPageTests.Price", for: OldPrice.self)
    try archiver.encode(old, forKey: "root")
    let new = try KeyedUnarchiver.unarchivedObject(of: Price.self, from: try archiver.encodedData)
    #expect(new.amount == 12.5)
    let data = try KeyedArchiver.archivedData(withRootObject: new)
    #expect(try KeyedUnarchiver.unarchivedObject(of: Price.self, from: data).amount == 12.5)
  }

  final class OldPrice: MirrorCoding { var amount = 0 }
}

private enum First {
  // Release 1
  final class User: MirrorCoding {
    var name = ""
    var joined = 0.0  // seconds since 1970
    var plan = Plan.free
    var tags: [String] = []
  }
  enum Plan { case free, paid }
}

private enum Second {
  // Release 2
  final class Member: MirrorCoding {
    @Key(formerly: "name") var fullName = ""
    var joined = Date.distantPast
    var plan = Plan.basic
    var tags: Set<String> = []
    var level: Int? = 3

    override class var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "Member", formerNames: ["App.User"], version: 2,
        properties: [PropertyRule("joined", conversions: [.secondsSince1970])])
    }

    override func didDecode(_ context: DecodingContext) throws {
      try super.didDecode(context)
      if context.typeVersion < 2, plan == .pro { level = 10 }
    }
  }
  enum Plan: MirrorCodable {
    case basic, pro
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "Plan", formerNames: ["App.Plan"],
        cases: [CaseRule("basic", formerKeys: ["free"]), CaseRule("pro", formerKeys: ["paid"])], unknownCase: .value(Plan.basic))
    }
  }
}

extension EvolutionPageTests {
  final class Price: MirrorCoding {
    var amount = 0.0
    override class var archiveRules: ArchiveRules {
      ArchiveRules(properties: [PropertyRule("amount", conversions: [ArchiveConversion { (cents: Int) in Double(cents) / 100 }])])
    }
  }
}
