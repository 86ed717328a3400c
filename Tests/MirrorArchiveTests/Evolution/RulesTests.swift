import Foundation
import MirrorArchive
import Testing

/// Rules of classes, structs and enums, obeyed in both directions.
@Suite("Rules")
struct RulesTests {
  @Test("An old archive is read by a class that was renamed, with properties renamed, added and excluded") func oldArchive() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: RulesOld.Person.sample())
    let read = try KeyedUnarchiver.unarchivedObject(of: RulesNew.Person.self, from: data)
    #expect(read.fullName == "Ada")
    #expect(read.age == 36)
    #expect(read.level == 7)
    #expect(read.added == "added")
    #expect(read.secret == 99)
    #expect(read.address.road == "Main" && read.address.number == 12)
    #expect(read.address.country == "FR" && read.address.floor == nil)
  }

  @Test("An unknown case leaves a property at its default, and is the unknown case elsewhere") func unknownCases() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: RulesOld.Person.sample())
    let read = try KeyedUnarchiver.unarchivedObject(of: RulesNew.Person.self, from: data)
    #expect(read.mood == .sad)
    #expect(read.optionalMood == .content)
    #expect(read.moods == [.content, .unknown, .calm("c"), .sad, .unknown])
  }

  @Test("Several objects keep apart what is known and what is not", arguments: [2, 40]) func manyUnknownCases(count: Int) throws {
    let people = (0..<count).map { i in
      let person = RulesOld.Person.sample()
      person.mood = [.happy, .sad, .furious(level: i), .calm("\(i)"), .grumpy][i % 5]
      person.optionalMood = [nil, .happy, .furious(level: i), .calm("\(i)")][i % 4]
      return person
    }
    let data = try KeyedArchiver.archivedData(withRootObject: people)
    let read = try KeyedUnarchiver.unarchivedObject(of: [RulesNew.Person].self, from: data)
    for i in 0..<count {
      let moods: [RulesNew.Mood] = [.content, .sad, .sad, .calm("\(i)"), .sad]
      let optionalMoods: [RulesNew.Mood?] = [nil, .content, .content, .calm("\(i)")]
      #expect(read[i].mood == moods[i % 5])
      #expect(read[i].optionalMood == optionalMoods[i % 4])
    }
  }

  @Test("The new class writes its own names, keys and versions, and reads them back") func newArchive() throws {
    let written = RulesNew.Person()
    written.fullName = "Bob"
    written.level = 12
    written.mood = .content
    written.secret = 4
    written.address.floor = 3
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    for word in ["RulesTests.Person", "RulesTests.Address", "full_name", "CONTENT"] { #expect(data.range(of: Data(word.utf8)) != nil) }
    for word in ["RulesTests.User", "fullName", "secret", "content"] { #expect(data.range(of: Data(word.utf8)) == nil) }
    let read = try KeyedUnarchiver.unarchivedObject(of: RulesNew.Person.self, from: data)
    #expect(read.fullName == "Bob" && read.level == 12 && read.mood == .content && read.secret == 99)
    #expect(read.address == written.address)
  }

  // MARK: Versions

  final class Reading: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesTests.User", version: 9) }
    var name = ""
    var readVersion: UInt64?
    override func didDecode(_ context: DecodingContext) { readVersion = context.typeVersion }
  }

  @Test("The version of the writer is told to the reader") func version() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: RulesOld.Person.sample())
    #expect(try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: data).readVersion == 3)
    #expect(
      try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: KeyedArchiver.archivedData(withRootObject: Reading())).readVersion == 9)
  }

  class Base: MirrorCoding {
    class override var archiveRules: ArchiveRules { ArchiveRules(version: 5) }
    var readVersion: UInt64?
    override func didDecode(_ context: DecodingContext) { readVersion = context.typeVersion }
  }
  class Middle: Base {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesTests.Middle") }
    var middle = 1
  }
  final class Leaf: Middle {
    override class var archiveRules: ArchiveRules { ArchiveRules(version: 6) }
    var leaf = 1
  }

  @Test("A subclass that gives no version has that of its superclass") func inheritedVersion() throws {
    #expect(try roundTrip(Base()).readVersion == 5)
    #expect(try roundTrip(Middle()).readVersion == 5)
    #expect(try roundTrip(Leaf()).readVersion == 6)
  }

  // MARK: Without init()

  final class OldTicket: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesTests.Ticket") }
    var code: String
    init(_ code: String) { self.code = code }
  }
  final class NewTicket: MirrorCodable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "RulesTests.Ticket",
        properties: [
          PropertyRule("number", formerKeys: ["code"]), PropertyRule("tags", default: .value(["a", "b"])),
          PropertyRule("seat", default: .value(Seat(row: 3))), PropertyRule("cache", default: .value([1, 2])),
          PropertyRule("limit", default: .value(4)),
        ], excluding: ["cache", "onTap"])
    }
    var number: String
    var tags: [String]
    var seat: Seat
    var cache: [Int]
    var onTap: (() -> Void)?
    var note: String?
    var limit: Int?
    weak var owner: NewTicket?
    init() { fatalError("never called") }
  }
  struct Seat: Equatable { var row = 0 }

  @Test("Objects that no initializer fills get the defaults of the rules, and nil") func bareObjects() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: (0..<30).map { OldTicket("t\($0)") })
    let read = try KeyedUnarchiver.unarchivedObject(of: [NewTicket].self, from: data)
    for (i, ticket) in read.enumerated() {
      #expect(ticket.number == "t\(i)" && ticket.tags == ["a", "b"] && ticket.seat == Seat(row: 3) && ticket.cache == [1, 2])
      #expect(ticket.onTap == nil && ticket.note == nil && ticket.limit == 4 && ticket.owner == nil)
    }
  }

  struct OldSize: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesTests.Size") }
    var width: Int
  }
  struct NewSize: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "RulesTests.Size", properties: [PropertyRule("w", formerKeys: ["width"]), PropertyRule("unit", default: .value("mm"))],
        excluding: ["cached"])
    }
    var w: Int
    var unit: String
    var cached: String?
  }

  @Test("Structs without init() get the defaults of the rules, and nil") func bareStructs() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: [OldSize(width: 1), OldSize(width: 2)])
    let read = try KeyedUnarchiver.unarchivedObject(of: [NewSize].self, from: data)
    #expect(read == [NewSize(w: 1, unit: "mm"), NewSize(w: 2, unit: "mm")])
    #expect(try roundTrip(NewSize(w: 3, unit: "km", cached: "x")) == NewSize(w: 3, unit: "km"))
  }

  struct Strict: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesTests.Size") }
    var width: Int
    var height: Int
  }

  @Test("What has no default is missing, by name") func missing() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: OldSize(width: 1))
    expectRefusal(.missingValue, at: "Strict.height", naming: ["height", "default"]) {
      try KeyedUnarchiver.unarchivedObject(of: Strict.self, from: data)
    }
  }

  // MARK: Moves between the classes of a hierarchy

  class OldBase: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesTests.MovedBase") }
    var low = 1
    private var id = 10
    func set(_ id: Int) { self.id = id }
  }
  final class OldLeaf: OldBase {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesTests.MovedLeaf") }
    var high = 2
    private var id = 20
    func setOwn(_ id: Int) { self.id = id }
  }
  class NewBase: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "RulesTests.MovedBase", properties: [PropertyRule("top", formerKeys: ["high"], formerClasses: ["RulesTests.MovedLeaf"])])
    }
    var top = 0
    private var id = 0
    var baseID: Int { id }
  }
  final class NewLeaf: NewBase {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "RulesTests.MovedLeaf", properties: [PropertyRule("low", formerClasses: ["RulesTests.MovedBase"])])
    }
    var low = 0
    private var id = 0
    var ownID: Int { id }
  }

  @Test("Properties move up and down in a hierarchy; private ones of one name stay apart") func moves() throws {
    let written = OldLeaf()
    written.low = 5
    written.high = 6
    written.set(7)
    written.setOwn(8)
    let read = try KeyedUnarchiver.unarchivedObject(of: NewLeaf.self, from: KeyedArchiver.archivedData(withRootObject: written))
    #expect(read.low == 5 && read.top == 6 && read.baseID == 7 && read.ownID == 8)
  }

  // MARK: Rules and superclasses

  class Animal: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("legs", key: "leg_count")]) }
    var legs = 4
    var name = "animal"
  }
  class Dog: Animal {
    override class var archiveRules: ArchiveRules {
      var rules = super.archiveRules
      rules.properties.append(PropertyRule("breed", key: "kind"))
      return rules
    }
    var breed = "dog"
  }
  final class Puppy: Dog {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(properties: [PropertyRule("name", key: "puppy_name"), PropertyRule("breed", of: Dog.self, formerKeys: ["race"])])
    }
    var age = 1
  }

  @Test("Rules of a superclass go on applying, and a subclass may rule what it inherits without changing others") func inheritance() throws
  {
    let animals: [Animal] = [Animal(), Dog(), Puppy(), Animal()]
    for (i, animal) in animals.enumerated() {
      animal.name = "n\(i)"
      animal.legs = i
    }
    let data = try KeyedArchiver.archivedData(withRootObject: animals, allowing: [Dog.self, Puppy.self])
    for word in ["leg_count", "kind", "puppy_name"] { #expect(data.range(of: Data(word.utf8)) != nil) }
    let read = try KeyedUnarchiver.unarchivedObject(of: [Animal].self, from: data, allowing: [Dog.self, Puppy.self])
    #expect(read.map(\.name) == ["n0", "n1", "n2", "n3"] && read.map(\.legs) == [0, 1, 2, 3])
    #expect((read[2] as? Puppy)?.age == 1)
  }

  // MARK: Included only

  final class Included: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(includingOnly: ["kept"]) }
    var kept = 1
    var lock: () -> Void = {}
    var dropped = 2
  }

  @Test("Properties that are not included are neither written nor read, and may be of any type") func includedOnly() throws {
    let written = Included()
    written.kept = 5
    written.dropped = 6
    let read = try roundTrip(written)
    #expect(read.kept == 5 && read.dropped == 2)
  }
}
