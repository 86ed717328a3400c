import Foundation
import MirrorArchive
import Testing

/// Keys that are declared in place.
@Suite("@Key")
struct RulesKeyTests {
  final class Plain: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesKeyTests.User") }
    var username = ""
    var years = 0
    var mail: String?
    var other = 1
  }
  final class Former: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesKeyTests.User") }
    var userName = ""
    var age = 0
    var address: String?
    var other = 1
  }
  final class Keyed: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesKeyTests.User") }
    @Key("username", formerly: "userName") var name = "nobody"
    @Key("years", formerly: ["ageInYears", "age"]) var ageInYears = -1
    @Key("mail", formerly: "address") var address: String?
    var other = 2
  }

  @Test("A key in place is archived exactly like a plain property of that name") func samePlain() throws {
    let plain = Plain()
    plain.username = "Ada"
    plain.years = 36
    plain.mail = "a@b"
    let keyed = Keyed()
    keyed.name = "Ada"
    keyed.ageInYears = 36
    keyed.address = "a@b"
    keyed.other = 1
    #expect(try KeyedArchiver.archivedData(withRootObject: plain) == KeyedArchiver.archivedData(withRootObject: keyed))
    let read = try KeyedUnarchiver.unarchivedObject(of: Plain.self, from: KeyedArchiver.archivedData(withRootObject: keyed))
    #expect(read.username == "Ada" && read.years == 36 && read.mail == "a@b" && read.other == 1)
    #expect(MemoryLayout<Key<Int?>>.size == MemoryLayout<Int?>.size)
  }

  @Test("Former keys are read") func former() throws {
    let former = Former()
    former.userName = "Bob"
    former.age = 7
    former.address = "x"
    let read = try KeyedUnarchiver.unarchivedObject(of: Keyed.self, from: KeyedArchiver.archivedData(withRootObject: former))
    #expect(read.name == "Bob" && read.ageInYears == 7 && read.address == "x" && read.other == 1)
  }

  // MARK: What is made on the way

  struct Settings: MirrorInitializable, Equatable {
    @Key("dark_mode") var isDark = false
    @Key("font_size") var size = 12
  }
  class Base: MirrorCoding {
    @Key("first") var a = 1
    var settings = Settings()
    @Key("second") var b = 2
    var counted = 0
  }
  class Middle: Base {
    var nothing = 0
  }
  final class Leaf: Middle {
    var other: Base? = Base()
    @Key("third") var a2 = 3
    var all = [Settings(), Settings()]
    @Key(formerly: "four") var fourth = 4
    required init() {
      super.init()
      a = 100
      b = 100
      a2 = 100
    }
  }

  @Test("Other objects and values that an initializer makes have keys of their own") func nested() throws {
    let leaf = Leaf()
    (leaf.a, leaf.b, leaf.a2, leaf.fourth) = (11, 12, 13, 14)
    leaf.settings.size = 5
    leaf.other?.b = 15
    let data = try KeyedArchiver.archivedData(withRootObject: leaf)
    for word in ["first", "second", "third", "fourth", "dark_mode", "font_size"] { #expect(data.range(of: Data(word.utf8)) != nil) }
    let read = try KeyedUnarchiver.unarchivedObject(of: Leaf.self, from: data)
    #expect(read.a == 11 && read.b == 12 && read.a2 == 13 && read.fourth == 14 && read.settings == leaf.settings && read.other?.b == 15)
  }

  final class Generic<Value>: MirrorCoding {
    @Key("content") var value: Value?
    @Key("extent") var count = 1
  }

  @Test("Generic types have keys in place") func generic() throws {
    let box = Generic<[String]>()
    box.value = ["a"]
    box.count = 4
    let data = try KeyedArchiver.archivedData(withRootObject: box)
    #expect(data.range(of: Data("content".utf8)) != nil)
    let read = try KeyedUnarchiver.unarchivedObject(of: Generic<[String]>.self, from: data)
    #expect(read.value == ["a"] && read.count == 4)
  }

  final class WithDefault: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "RulesKeyTests.User", properties: [PropertyRule("level", default: .value(9))])
    }
    @Key("lvl") var level = 1
  }

  @Test("A rule may add a default to a key in place") func rule() throws {
    let read = try KeyedUnarchiver.unarchivedObject(of: WithDefault.self, from: KeyedArchiver.archivedData(withRootObject: Plain()))
    #expect(read.level == 9)
  }

  // MARK: Refusals

  struct Bare {
    @Key("w") var width = 1
  }
  final class BareTicket: MirrorCodable {
    @Key("w") var width = 1
    init(_ width: Int) { self.width = width }
  }
  final class Doubly: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("level", formerKeys: ["l"])]) }
    @Key("lvl") var level = 1
  }
  final class SameKeys: MirrorCoding {
    @Key("lvl") var level = 1
    @Key("lvl") var other = 1
  }
  final class Excluded: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(excluding: ["level"]) }
    @Key("lvl") var level = 1
  }

  @Test("Keys in place need init(), and nothing else that gives keys") func refusals() {
    expectRefusal(.invalidRules, at: "Bare.width", naming: ["init()", "archiveRules"]) {
      try KeyedArchiver.archivedData(withRootObject: Bare())
    }
    expectRefusal(.invalidRules, at: "BareTicket.width", naming: ["archiveRules"]) {
      try KeyedArchiver.archivedData(withRootObject: BareTicket(1))
    }
    expectRefusal(.invalidRules, at: "Doubly.level", naming: ["@Key"]) { try KeyedArchiver.archivedData(withRootObject: Doubly()) }
    expectRefusal(.invalidRules, at: "SameKeys.", naming: ["same key 'lvl'"]) { try KeyedArchiver.archivedData(withRootObject: SameKeys()) }
    expectRefusal(.invalidRules, at: "Excluded.level", naming: ["@Key"]) { try KeyedArchiver.archivedData(withRootObject: Excluded()) }
  }

  enum One {
    final class Twin: MirrorCoding {
      @Key("one") var value = 1
      var other: Two.Twin? = Two.Twin()
    }
  }
  enum Two {
    final class Twin: MirrorCoding { @Key("two") var value = 1 }
  }

  @Test("Two types of one name that are made together are not mixed up") func twins() throws {
    expectRefusal(.invalidRules, at: "Twin.value", naming: ["archiveRules"]) { try KeyedArchiver.archivedData(withRootObject: One.Twin()) }
    #expect(try KeyedArchiver.archivedData(withRootObject: Two.Twin()).range(of: Data("two".utf8)) != nil)
  }

  @Test("Many threads ask for the same keys at once") func threads() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for i in 0..<16 {
        group.addTask {
          let keyed = Keyed()
          keyed.ageInYears = i
          return try roundTrip(keyed).ageInYears == i
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
