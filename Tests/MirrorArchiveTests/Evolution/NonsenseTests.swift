import Foundation
import MirrorArchive
import Synchronization
import Testing

/// Rules that a test gives to a type for a while.
final class RulesBox: Sendable {
  private let rules = Mutex(ArchiveRules())
  var value: ArchiveRules {
    get { rules.withLock { $0 } }
    set { rules.withLock { $0 = newValue } }
  }
}

/// A class whose renaming has every plan of the program made anew.
final class PlanDropper: MirrorCoding {
  private static let count = Tally()
  static func drop() { KeyedArchiver.setClassName("dropped\(count.add(1))", for: PlanDropper.self) }
}

private struct Holding: Hashable { var number = 1 }
private class Ancestor: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "nonsense.Ancestor") }
  private var id = 1
  var inherited = "inherited"
}
private final class Ruled: Ancestor {
  static let rules = RulesBox()
  override class var archiveRules: ArchiveRules { rules.value }
  private var id = 2
  var name = "name"
  var title = "title"
  var count: Int? = 3
  let constant = 5
  lazy var late = 7
  weak var parent: Ancestor?
  var holding = Holding()
  @Transient var transient = 9
  var computed: Int { 5 }
  static let shared = 1
}
private enum RuledEnum: MirrorCodable, Hashable {
  static let rules = RulesBox()
  static var archiveRules: ArchiveRules { rules.value }
  case first, second
  case loaded(Int)
}
private final class RuledBox<Value>: MirrorCoding {
  override class var archiveRules: ArchiveRules { RuledBoxRules.rules.value }
  var value: Value?
  var other = 1
}
private enum RuledBoxRules { static let rules = RulesBox() }
private final class Stranger: MirrorCoding { var name = "" }

/// What somebody might write, and what has to come of it.
struct Nonsense: Sendable, CustomStringConvertible {
  let title: String
  let rules: ArchiveRules
  /// nil: it makes sense.
  var code: ArchiveError.Code?
  var words: [String] = []
  var description: String { title }

  static func refused(_ title: String, _ rules: ArchiveRules, naming words: [String]) -> Nonsense {
    Nonsense(title: title, rules: rules, code: .invalidRules, words: words)
  }
  static func accepted(_ title: String, _ rules: ArchiveRules) -> Nonsense { Nonsense(title: title, rules: rules) }
}

@Suite("Rules that make no sense, and odd ones that do", .serialized)
struct NonsenseTests {
  private static let name = "nonsense.Ruled"
  private static func rule(_ rules: PropertyRule...) -> ArchiveRules { ArchiveRules(name: name, properties: rules) }

  private static let ofClasses: [Nonsense] = [
    .refused("a rule of a strange class", rule(PropertyRule("name", of: Stranger.self)), naming: ["name", "Stranger"]),
    .refused("a rule of the superclass for an own property", rule(PropertyRule("name", of: Ancestor.self)), naming: ["name"]),
    .accepted("a rule for the superclass's private property", rule(PropertyRule("id", of: Ancestor.self, key: "ancestorID"))),
    .accepted("a rule for the own one of the same name", rule(PropertyRule("id", key: "x"))),
    .accepted("a rule for an inherited property", rule(PropertyRule("inherited", key: "x"))),
    .refused("a rule for nothing", rule(PropertyRule("")), naming: ["''"]),
    .refused("a misspelt name", rule(PropertyRule("titel", key: "t")), naming: ["titel", "did you mean 'title'"]),
    .refused("a misspelt exclusion", ArchiveRules(name: name, excluding: ["Title"]), naming: ["Title", "did you mean 'title'"]),
    .refused("a misspelt inclusion", ArchiveRules(name: name, includingOnly: ["nmae"]), naming: ["nmae", "did you mean 'name'"]),
    .refused("a computed property", rule(PropertyRule("computed")), naming: ["computed"]),
    .refused("a static property", ArchiveRules(name: name, excluding: ["shared"]), naming: ["shared"]),
    .refused("a name from inside the compiler", rule(PropertyRule("$__lazy_storage_$_late", key: "l")), naming: ["late"]),
    .refused("a rule for a @Transient property", rule(PropertyRule("transient", key: "t")), naming: ["transient"]),
    .accepted("a @Transient property that is excluded", ArchiveRules(name: name, excluding: ["transient"])),
    .refused("an empty key", rule(PropertyRule("name", key: "")), naming: ["name", "empty"]),
    .refused("an empty former key", rule(PropertyRule("name", formerKeys: [""])), naming: ["name", "empty"]),
    .accepted("a zero byte as a key", rule(PropertyRule("name", key: "\0"))),
    .accepted("a long key", rule(PropertyRule("name", key: String(repeating: "k", count: 100_000)))),
    .accepted("the key of hand-coded keys", rule(PropertyRule("name", key: "$keys"))),
    .refused("another property's key", rule(PropertyRule("name", key: "title")), naming: ["name", "title"]),
    .refused(
      "two keys that are the same text", rule(PropertyRule("name", key: "e\u{301}"), PropertyRule("title", key: "é")),
      naming: ["name", "title"]),
    .refused(
      "one former key of two", rule(PropertyRule("name", formerKeys: ["x"]), PropertyRule("title", formerKeys: ["x"])),
      naming: ["x", "name", "title"]),
    .refused("a former key that is another's key", rule(PropertyRule("name", formerKeys: ["title"])), naming: ["name", "title"]),
    .accepted("a former key that is the own key", rule(PropertyRule("name", formerKeys: ["name", "x", "x"]))),
    .accepted("the own name as a former key", rule(PropertyRule("name", key: "n", formerKeys: ["name"]))),
    .accepted("former classes that never were", rule(PropertyRule("name", formerClasses: ["", "nothing", name]))),
    .refused("a default of another type", rule(PropertyRule("name", default: .value(6))), naming: ["name", "Int", "String"]),
    .refused("a default of another width", rule(PropertyRule("count", default: .value(Int8(5)))), naming: ["count", "Int8", "Int"]),
    .refused("a default that is one Optional too many", rule(PropertyRule("count", default: .value(Int??.none))), naming: ["count"]),
    .refused("a default that nothing would hold", rule(PropertyRule("parent", default: .value(Ancestor()))), naming: ["parent", "weak"]),
    .accepted("nil as a default", rule(PropertyRule("count", default: .value(Int?.none)))),
    .accepted("a key and a default of a lazy property", rule(PropertyRule("late", key: "l", default: .value(8)))),
    .accepted("a key of a constant", rule(PropertyRule("constant", key: "c"))),
    .refused("two rules", rule(PropertyRule("name", key: "a"), PropertyRule("name", key: "b")), naming: ["two rules", "name"]),
    .refused("the same rule twice", rule(PropertyRule("name", key: "a"), PropertyRule("name", key: "a")), naming: ["two rules", "name"]),
    .accepted("the same exclusion twice", ArchiveRules(name: name, excluding: ["title", "title"])),
    .refused("excluded and included", ArchiveRules(name: name, excluding: ["title"], includingOnly: ["title"]), naming: ["title"]),
    .refused(
      "an inherited property among the included ones", ArchiveRules(name: name, includingOnly: ["inherited"]), naming: ["inherited"]),
    .accepted("nothing included", ArchiveRules(name: name, includingOnly: [])),
    .accepted("an inherited property excluded", ArchiveRules(name: name, excluding: ["inherited"])),
    .refused(
      "a key of what is excluded", ArchiveRules(name: name, properties: [PropertyRule("name", key: "a")], excluding: ["name"]),
      naming: ["name", "excluded"]),
    .refused("cases of a class", ArchiveRules(name: name, cases: [CaseRule("name")]), naming: ["enum"]),
    .refused("an unknown case of a class", ArchiveRules(name: name, unknownCase: .value(5)), naming: ["enum"]),
    .refused("unknown cases of a string", rule(PropertyRule("name", usesDefaultForUnknownCases: true)), naming: ["name", "String"]),
    .refused("an empty archive name", ArchiveRules(name: ""), naming: ["empty"]),
    .refused("an empty former name", ArchiveRules(name: name, formerNames: ["x", ""]), naming: ["empty"]),
    .refused(
      "a closure that gives another type", rule(PropertyRule("name", conversions: [ArchiveConversion { (number: Int) in number }])),
      naming: ["name", "Int", "String"]),
    .accepted(
      "a closure that gives what the property is an Optional of",
      rule(PropertyRule("count", conversions: [ArchiveConversion { (text: String) in text.count }]))),
    .accepted(
      "a closure that gives an Optional", rule(PropertyRule("count", conversions: [ArchiveConversion { (text: String) in Int(text) }]))),
    .refused("seconds of a text", rule(PropertyRule("name", conversions: [.secondsSince1970])), naming: ["name", "String"]),
    .refused(
      "a text wrapped in a collection", rule(PropertyRule("name", conversions: [.wrappingInCollection])), naming: ["name", "String"]),
    .refused(
      "a text between struct and class", rule(PropertyRule("name", conversions: [.betweenStructAndClass])), naming: ["name", "String"]),
    .accepted("the largest version", ArchiveRules(name: name, version: .max)),
    .accepted("the own name as a former one, twice", ArchiveRules(name: name, formerNames: [name, name])),
    .accepted("strange types among the subclasses", ArchiveRules(name: name, subclasses: [Stranger.self, RuledEnum.self, Ruled.self])),
    Nonsense(
      title: "the superclass's name as a former one", rules: ArchiveRules(name: name, formerNames: ["nonsense.Ancestor"]),
      code: .duplicateName, words: ["nonsense.Ancestor", "Ruled"]),
  ]

  @Test("Rules of a class", arguments: ofClasses) func classes(nonsense: Nonsense) throws {
    Ruled.rules.value = nonsense.rules
    PlanDropper.drop()
    defer {
      Ruled.rules.value = ArchiveRules(name: Self.name)
      PlanDropper.drop()
    }
    let object = Ruled()
    (object.title, object.count, object.late) = ("changed", 44, 55)
    if let code = nonsense.code {
      expectRefusal(code, naming: nonsense.words) { try KeyedArchiver.archivedData(withRootObject: object) }
      // Decoding is told the same, before any object is made.
      let data = try KeyedArchiver.archivedData(withRootObject: Ancestor())
      expectRefusal(code, naming: nonsense.words) { try KeyedUnarchiver.unarchivedObject(of: Ruled.self, from: data) }
      return
    }
    let isIncluded = nonsense.rules.includedOnly == nil && !nonsense.rules.excluded.contains("title")
    for count in [1, 9] {
      let read = try converted(Array(repeating: object, count: count), to: [Ruled].self)
      #expect(read.count == count && read.allSatisfy { $0 === read[0] })
      #expect(read[0].title == (isIncluded ? "changed" : "title") && read[0].name == "name" && read[0].transient == 9)
      if nonsense.rules.includedOnly == nil { #expect(read[0].count == 44 && read[0].late == 55 && read[0].constant == 5) }
    }
  }

  private static let enumName = "nonsense.Enum"
  private static let ofEnums: [Nonsense] = [
    .refused(
      "a misspelt case", ArchiveRules(name: enumName, cases: [CaseRule("frist", key: "x")]), naming: ["frist", "did you mean 'first'"]),
    .refused("another case's key", ArchiveRules(name: enumName, cases: [CaseRule("first", key: "second")]), naming: ["first", "second"]),
    .accepted(
      "keys that change places", ArchiveRules(name: enumName, cases: [CaseRule("first", key: "second"), CaseRule("second", key: "first")])),
    .accepted(
      "keys that change places with a payload",
      ArchiveRules(name: enumName, cases: [CaseRule("first", key: "loaded"), CaseRule("loaded", key: "first")])),
    .refused("an empty key", ArchiveRules(name: enumName, cases: [CaseRule("first", key: "")]), naming: ["first", "empty"]),
    .refused("properties", ArchiveRules(name: enumName, properties: [PropertyRule("first")]), naming: ["enum"]),
    .refused("exclusions", ArchiveRules(name: enumName, excluding: ["first"]), naming: ["enum"]),
    .refused("inclusions", ArchiveRules(name: enumName, includingOnly: ["first"]), naming: ["enum"]),
    .refused("an unknown case of another type", ArchiveRules(name: enumName, unknownCase: .value(5)), naming: ["Int", "RuledEnum"]),
    .refused("an Optional unknown case", ArchiveRules(name: enumName, unknownCase: .value(RuledEnum?.none)), naming: ["RuledEnum"]),
    .accepted("an unknown case with a payload", ArchiveRules(name: enumName, unknownCase: .value(RuledEnum.loaded(9)))),
    .refused(
      "two rules", ArchiveRules(name: enumName, cases: [CaseRule("first", key: "a"), CaseRule("first", key: "b")]), naming: ["two rules"]),
    .refused(
      "one former key of two",
      ArchiveRules(name: enumName, cases: [CaseRule("first", formerKeys: ["a"]), CaseRule("second", formerKeys: ["a"])]),
      naming: ["first", "second"]),
    .accepted("a version", ArchiveRules(name: enumName, version: 3)),
    .refused("an empty archive name", ArchiveRules(name: ""), naming: ["empty"]),
  ]

  @Test("Rules of an enum", arguments: ofEnums) func enums(nonsense: Nonsense) throws {
    RuledEnum.rules.value = nonsense.rules
    PlanDropper.drop()
    let values: [RuledEnum] = [.first, .loaded(5), .second, .loaded(6), .first, .first, .second, .second, .first]
    for values in [values, Array(values.prefix(3))] {
      if let code = nonsense.code {
        expectRefusal(code, naming: nonsense.words) { try KeyedArchiver.archivedData(withRootObject: values) }
      } else {
        #expect(try roundTrip(values) == values)
      }
    }
  }

  @Test("A generic class under one name: one specialisation is fine, two in a graph are refused") func generics() throws {
    let (box, text) = (RuledBox<Int>(), RuledBox<String>())
    (box.value, text.value) = (5, "t")
    RuledBoxRules.rules.value = ArchiveRules(
      name: "nonsense.Box", properties: [PropertyRule("value", key: "v"), PropertyRule("other", default: .value(7))])
    PlanDropper.drop()
    #expect(try roundTrip(box).value == 5)
    #expect(try converted(text, to: RuledBox<String?>.self).value == "t")
    expectRefusal(.duplicateName, naming: ["nonsense.Box"]) {
      try KeyedArchiver.archivedData(withRootObject: Pair(first: box, second: text))
    }
    RuledBoxRules.rules.value = ArchiveRules(name: "nonsense.Box", properties: [PropertyRule("value", of: RuledBox<String>.self, key: "v")])
    PlanDropper.drop()
    #expect(try roundTrip(text).value == "t")
    expectRefusal(.invalidRules, naming: ["RuledBox<String>"]) { try KeyedArchiver.archivedData(withRootObject: box) }
    RuledBoxRules.rules.value = ArchiveRules(name: "nonsense.Box", properties: [PropertyRule("value", default: .value(7))])
    PlanDropper.drop()
    #expect(try roundTrip(box).value == 5)
    expectRefusal(.invalidRules, naming: ["value", "Int", "String"]) { try KeyedArchiver.archivedData(withRootObject: text) }
  }
}
