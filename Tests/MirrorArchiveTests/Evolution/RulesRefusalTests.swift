import Foundation
import MirrorArchive
import Testing

/// Rules that do not fit are refused when the type is first used.
@Suite("Rules that are refused")
struct RulesRefusalTests {
  private func refuse(
    _ type: (some MirrorCoding).Type, at place: String, naming words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectRefusal(.invalidRules, at: place, naming: words, sourceLocation: sourceLocation) {
      try KeyedArchiver.archivedData(withRootObject: type.init())
    }
  }

  class Misspelt: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("fulName", key: "n")]) }
    var fullName = ""
    var age = 0
  }
  class MisspeltExclusion: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(excluding: ["agee"]) }
    var age = 0
  }
  class MisspeltInclusion: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(includingOnly: ["AGE"]) }
    var age = 0
  }
  class Twice: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(properties: [PropertyRule("age", key: "a"), PropertyRule("age", formerKeys: ["b"])])
    }
    var age = 0
  }
  class OneKey: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("age", key: "name")]) }
    var age = 0
    var name = ""
  }
  class FormerIsKey: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("age", formerKeys: ["name"])]) }
    var age = 0
    var name = ""
  }
  class FormerTwice: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(properties: [PropertyRule("age", formerKeys: ["old"]), PropertyRule("name", formerKeys: ["old"])])
    }
    var age = 0
    var name = ""
  }
  class ExcludedKey: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("age", key: "a")], excluding: ["age"]) }
    var age = 0
  }
  class TransientKey: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("age", key: "a")]) }
    @Transient var age = 0
  }
  class WrongDefault: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("price", default: .value(3))]) }
    var price = 0.0
  }
  class CasesOfClass: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(cases: [CaseRule("age")]) }
    var age = 0
  }
  class Ancestor: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("id", key: "ident")]) }
    private var id = 1
  }
  class Quiet: Ancestor { private var id = 2 }
  class Ambiguous: Ancestor {
    override class var archiveRules: ArchiveRules {
      var rules = super.archiveRules
      rules.version = 2
      return rules
    }
    private var id = 2
  }
  class Clear: Ancestor {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("id", of: Clear.self, key: "own")]) }
    private var id = 2
  }
  class Foreign: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("age", of: Clear.self, key: "own")]) }
    var age = 2
  }
  class NoEnum: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("age", usesDefaultForUnknownCases: true)]) }
    var age = 2
  }

  @Test("A rule names a property that exists") func misspelt() {
    refuse(Misspelt.self, at: "Misspelt.fulName", naming: ["did you mean 'fullName'?"])
    refuse(MisspeltExclusion.self, at: "MisspeltExclusion.agee", naming: ["did you mean 'age'?"])
    refuse(MisspeltInclusion.self, at: "MisspeltInclusion.AGE", naming: ["did you mean 'age'?"])
  }

  @Test("There is one rule and one key per property") func unambiguous() {
    refuse(Twice.self, at: "Twice.age", naming: ["two rules"])
    refuse(OneKey.self, at: "OneKey.", naming: ["same key 'name'"])
    refuse(FormerIsKey.self, at: "FormerIsKey.", naming: ["former key 'name'"])
    refuse(FormerTwice.self, at: "FormerTwice.", naming: ["former key 'old'"])
  }

  @Test("What is not archived has no key") func excluded() {
    refuse(ExcludedKey.self, at: "ExcludedKey.age", naming: ["excluded"])
    refuse(TransientKey.self, at: "TransientKey.age", naming: ["@Transient"])
  }

  @Test("Defaults are of the property's type, and rules are for what the type has") func types() {
    refuse(WrongDefault.self, at: "WrongDefault.price", naming: ["Int", "Double"])
    refuse(CasesOfClass.self, at: "CasesOfClass.age", naming: ["enums"])
    refuse(NoEnum.self, at: "NoEnum.age", naming: ["usesDefaultForUnknownCases"])
  }

  @Test("A rule of the superclass that could also mean an own property is ambiguous, unless nothing was overridden") func ambiguous() throws
  {
    refuse(Ambiguous.self, at: "Ambiguous.id", naming: ["of:"])
    refuse(Foreign.self, at: "Foreign.age", naming: ["superclasses"])
    #expect(try KeyedArchiver.archivedData(withRootObject: Quiet()).range(of: Data("ident".utf8)) != nil)
    #expect(try KeyedArchiver.archivedData(withRootObject: Clear()).range(of: Data("own".utf8)) != nil)
  }

  enum Shape: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(cases: [CaseRule("circel", key: "c")]) }
    case circle, square
  }
  enum Propertied: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("circle", key: "c")]) }
    case circle, square
  }
  enum WrongUnknown: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(unknownCase: .value(3)) }
    case circle, square
  }
  enum SameKey: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(cases: [CaseRule("circle", key: "square")]) }
    case circle, square
  }

  @Test("Rules of enums are checked too") func enums() {
    expectRefusal(.invalidRules, at: "Shape.circel", naming: ["did you mean 'circle'?"]) {
      try KeyedArchiver.archivedData(withRootObject: Shape.circle)
    }
    expectRefusal(.invalidRules, at: "Propertied", naming: ["CaseRule"]) {
      try KeyedArchiver.archivedData(withRootObject: Propertied.circle)
    }
    expectRefusal(.invalidRules, at: "WrongUnknown", naming: ["Int"]) {
      try KeyedArchiver.archivedData(withRootObject: WrongUnknown.circle)
    }
    expectRefusal(.invalidRules, at: "SameKey", naming: ["same key"]) { try KeyedArchiver.archivedData(withRootObject: SameKey.circle) }
  }

  struct Holder: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(excluding: ["lock"]) }
    var lock: () -> Void
    var number: Int
  }
  final class BareHolder: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(excluding: ["count"]) }
    var count: Int
    init(_ count: Int) { self.count = count }
  }

  @Test("What is excluded needs something to begin with where no initializer runs") func excludedWithoutInit() {
    expectRefusal(.invalidRules, at: "Holder.lock", naming: ["default", "Optional"]) {
      try KeyedArchiver.archivedData(withRootObject: Holder(lock: {}, number: 1))
    }
    expectRefusal(.invalidRules, at: "BareHolder.count", naming: ["default", "Optional"]) {
      try KeyedArchiver.archivedData(withRootObject: BareHolder(1))
    }
  }

  final class Hand: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("name", key: "n")]) }
    init() {}
    init(coder: KeyedUnarchiver) throws {}
    func encode(with coder: KeyedArchiver) throws {}
  }

  @Test("A class that is coded by hand has no property rules") func handCoded() {
    expectRefusal(.invalidRules, at: "Hand.name", naming: ["coded by hand"]) { try KeyedArchiver.archivedData(withRootObject: Hand()) }
  }

  // MARK: Conversions

  class WrongClosure: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(properties: [PropertyRule("name", conversions: [ArchiveConversion { (number: Int) in number }])])
    }
    var name = ""
  }
  class WrongSeconds: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("name", conversions: [.secondsSince1970])]) }
    var name = ""
  }
  class WrongWrapping: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(properties: [PropertyRule("name", conversions: [.wrappingInCollection])]) }
    var name = ""
  }
  class WrongStruct: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(properties: [PropertyRule("name", conversions: [.betweenStructAndClass])])
    }
    var name = ""
  }
  class RightConversions: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(properties: [
        PropertyRule("name", conversions: [ArchiveConversion { (number: Int) in "\(number)" }]),
        PropertyRule("optional", conversions: [ArchiveConversion { (number: Int) in "\(number)" }]),
        PropertyRule("date", conversions: [.secondsSince1970]), PropertyRule("seconds", conversions: [.secondsSinceReferenceDate]),
        PropertyRule("list", conversions: [.wrappingInCollection]), PropertyRule("set", conversions: [.wrappingInCollection]),
        PropertyRule("address", conversions: [.betweenStructAndClass]),
      ])
    }
    var name = ""
    var optional: String?
    var date: Date?
    var seconds = 0.0
    var list: [String]?
    var set: Set<Int> = []
    var address = RulesOld.Address()
  }

  @Test("A conversion gives the declared type") func conversions() throws {
    refuse(WrongClosure.self, at: "WrongClosure.name", naming: ["Int", "String"])
    refuse(WrongSeconds.self, at: "WrongSeconds.name", naming: ["dates"])
    refuse(WrongWrapping.self, at: "WrongWrapping.name", naming: ["arrays"])
    refuse(WrongStruct.self, at: "WrongStruct.name", naming: ["structs"])
    _ = try KeyedArchiver.archivedData(withRootObject: RightConversions())
  }

  // MARK: Names

  class EmptyName: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "") }
  }
  enum EmptyFormerName: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(formerNames: [""]) }
    case one
  }

  @Test("A name is not empty") func emptyNames() {
    refuse(EmptyName.self, at: "EmptyName", naming: ["empty"])
    expectRefusal(.invalidRules, at: "EmptyFormerName", naming: ["empty"]) {
      try KeyedArchiver.archivedData(withRootObject: EmptyFormerName.one)
    }
  }

  final class First: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "RulesRefusalTests.First", formerNames: ["RulesRefusalTests.Second"])
    }
  }
  final class Second: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesRefusalTests.Second") }
  }
  final class Third: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "RulesRefusalTests.Third", formerNames: ["RulesRefusalTests.Second"])
    }
  }

  @Test("A former name belongs to one class") func formerNames() {
    expectRefusal(.duplicateName, naming: ["RulesRefusalTests.Second"]) {
      try KeyedArchiver.archivedData(withRootObject: [First()], allowing: [Second.self])
    }
    expectRefusal(.duplicateName, naming: ["RulesRefusalTests.Second"]) {
      try KeyedArchiver.archivedData(withRootObject: [First()], allowing: [Third.self])
    }
  }
}
