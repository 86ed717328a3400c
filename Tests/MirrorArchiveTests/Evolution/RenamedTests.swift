import Foundation
import MirrorArchive
import Testing

/// A model whose properties were renamed twice.
enum Renamed {
  enum V1 {
    final class Person: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "renamed.Person") }
      var label = "label"
      var age = 1
      var tags: [String] = []
      var friend: Person?
      convenience init(_ label: String, age: Int, tags: [String], friend: Person? = nil) {
        self.init()
        (self.label, self.age, self.tags, self.friend) = (label, age, tags, friend)
      }
    }
    final class Bare: MirrorCodable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "renamed.Bare") }
      let label: String
      let age: Int
      init(_ label: String, age: Int) { (self.label, self.age) = (label, age) }
    }
    struct Value: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "renamed.Value") }
      var label: String
      var age: Int
    }
    enum Choice: MirrorCodable, Equatable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "renamed.Choice") }
      case none
      case first(Int)
      case second(label: String, Value)
    }
  }
  /// `label` is `title`.
  enum V2 {
    final class Person: MirrorCoding {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(name: "renamed.Person", properties: [PropertyRule("title", formerKeys: ["label"])])
      }
      var title = "title"
      var age = 2
      convenience init(_ title: String, age: Int) {
        self.init()
        (self.title, self.age) = (title, age)
      }
    }
    struct Value: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules {
        ArchiveRules(name: "renamed.Value", properties: [PropertyRule("title", formerKeys: ["label"])])
      }
      var age: Int
      var title: String
    }
  }
  /// `title` is `fullName`, and everything else has another name and place, too.
  enum V3 {
    final class Person: MirrorCoding {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "renamed.Person",
          properties: [
            PropertyRule("fullName", formerKeys: ["title", "label"]), PropertyRule("years", formerKeys: ["age"]),
            PropertyRule("partner", formerKeys: ["friend"]), PropertyRule("labels", formerKeys: ["tags"]),
          ])
      }
      var partner: Person?
      var years = 3
      var labels: [String] = ["default"]
      var fullName = "fullName"
      convenience init(_ fullName: String, years: Int) {
        self.init()
        (self.fullName, self.years) = (fullName, years)
      }
    }
    final class Bare: MirrorCodable {
      static var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "renamed.Bare",
          properties: [PropertyRule("years", formerKeys: ["age"]), PropertyRule("fullName", formerKeys: ["title", "label"])])
      }
      let years: Int
      let fullName: String
      init(_ fullName: String, years: Int) { (self.fullName, self.years) = (fullName, years) }
    }
    struct Value: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "renamed.Value",
          properties: [PropertyRule("years", formerKeys: ["age"]), PropertyRule("fullName", formerKeys: ["title", "label"])])
      }
      var years: Int
      var fullName: String
    }
    enum Choice: MirrorCodable, Equatable {
      static var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "renamed.Choice",
          cases: [
            CaseRule("nothing", formerKeys: ["none"]), CaseRule("other", key: "second"), CaseRule("number", formerKeys: ["1", "first"]),
          ])
      }
      case other(label: String, Value)
      case number(Int)
      case nothing
    }
  }
  /// Names of the program that archives do not have: they are as in the first version.
  enum Keyed {
    final class Person: MirrorCoding {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "renamed.Person",
          properties: [
            PropertyRule("fullName", key: "label"), PropertyRule("years", key: "age"), PropertyRule("labels", key: "tags"),
            PropertyRule("partner", key: "friend"),
          ])
      }
      var fullName = "fullName"
      var years = 3
      var labels: [String] = []
      var partner: Person?
      convenience init(_ fullName: String, years: Int, labels: [String], partner: Person? = nil) {
        self.init()
        (self.fullName, self.years, self.labels, self.partner) = (fullName, years, labels, partner)
      }
    }
    struct Value: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules {
        ArchiveRules(name: "renamed.Value", properties: [PropertyRule("fullName", key: "label"), PropertyRule("years", key: "age")])
      }
      var fullName: String
      var years: Int
    }
    enum Choice: MirrorCodable, Equatable {
      static var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "renamed.Choice",
          cases: [CaseRule("nothing", key: "none"), CaseRule("number", key: "first"), CaseRule("other", key: "second")])
      }
      case nothing
      case number(Int)
      case other(label: String, Value)
    }
  }
  /// Names that change places: what was `label` is `age` and the other way round.
  struct Swapped: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(name: "renamed.Value", properties: [PropertyRule("label", key: "age"), PropertyRule("age", key: "label")])
    }
    var label: Int
    var age: String
  }
}

/// All three keys at once, and two of them: which one counts.
private final class ManyKeys: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "renamed.Many") }
  var third = "third"
  var first = "first"
  var own = "own"
}
private final class TwoKeys: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "renamed.Many") }
  var third = "third"
  var second = "second"
}
private final class Choosing: MirrorCoding {
  override class var archiveRules: ArchiveRules {
    ArchiveRules(name: "renamed.Many", properties: [PropertyRule("own", formerKeys: ["first", "second", "third"])])
  }
  var own = "default"
}

@Suite("Properties and cases that were renamed since")
struct RenamedTests {
  @Test("A class is read under every name that its properties had") func classes() {
    expectEverywhere(Renamed.V1.Person("x", age: 50, tags: ["t"]), as: Renamed.V2.Person.self) { $0.title == "x" && $0.age == 50 }
    expectEverywhere(Renamed.V1.Person("x", age: 50, tags: ["t"]), as: Renamed.V3.Person.self) {
      $0.fullName == "x" && $0.years == 50 && $0.labels == ["t"] && $0.partner == nil
    }
    expectEverywhere(Renamed.V2.Person("x", age: 50), as: Renamed.V3.Person.self) {
      $0.fullName == "x" && $0.years == 50 && $0.labels == ["default"]
    }
    expectEverywhere(Renamed.V3.Person("x", years: 50), as: Renamed.V3.Person.self) { $0.fullName == "x" && $0.years == 50 }
  }

  @Test("An older program finds none of the new names, and keeps its own values") func olderProgram() {
    expectEverywhere(Renamed.V3.Person("x", years: 50), as: Renamed.V1.Person.self) {
      $0.label == "label" && $0.age == 1 && $0.tags == [] && $0.friend == nil
    }
    expectEverywhere(Renamed.V3.Person("x", years: 50), as: Renamed.V2.Person.self) { $0.title == "title" && $0.age == 2 }
  }

  @Test("Renamed references lead to the same objects, in circles too") func references() throws {
    let first = Renamed.V1.Person("first", age: 1, tags: [])
    let second = Renamed.V1.Person("second", age: 2, tags: ["a"], friend: first)
    first.friend = second
    let read = try converted([first, second, first], to: [Renamed.V3.Person].self)
    #expect(read.map(\.fullName) == ["first", "second", "first"] && read[0] === read[2])
    #expect(read[0].partner === read[1] && read[1].partner === read[0])
    (first.friend, read[0].partner) = (nil, nil)
  }

  @Test("A class without init(), a struct and an enum are, too") func others() {
    expectEverywhere(Renamed.V1.Bare("x", age: 50), as: Renamed.V3.Bare.self) { $0.fullName == "x" && $0.years == 50 }
    expectEverywhere(Renamed.V1.Value(label: "x", age: 50), as: Renamed.V2.Value.self) { $0 == Renamed.V2.Value(age: 50, title: "x") }
    expectEverywhere(Renamed.V1.Value(label: "x", age: 50), as: Renamed.V3.Value.self) { $0 == Renamed.V3.Value(years: 50, fullName: "x") }
    expectEverywhere(Renamed.V2.Value(age: 50, title: "x"), as: Renamed.V3.Value.self) { $0 == Renamed.V3.Value(years: 50, fullName: "x") }
    for (old, new): (Renamed.V1.Choice, Renamed.V3.Choice) in [
      (.none, .nothing), (.first(5), .number(5)),
      (.second(label: "l", Renamed.V1.Value(label: "x", age: 50)), .other(label: "l", Renamed.V3.Value(years: 50, fullName: "x"))),
    ] {
      expectEverywhere(old, as: Renamed.V3.Choice.self) { $0 == new }
    }
  }

  @Test("Without init() an older program misses the new name, and says so") func olderBare() {
    expectRefusal(.missingValue, at: "label", naming: ["label", "Bare"]) {
      try converted(Renamed.V3.Bare("x", years: 50), to: Renamed.V1.Bare.self)
    }
    expectRefusal(.missingValue, naming: ["label", "Value"]) {
      try converted(Renamed.V3.Value(years: 50, fullName: "x"), to: Renamed.V1.Value.self)
    }
    expectRefusal(.invalidValue, at: "root", naming: ["nothing", "OldChoice"]) { try converted(NewChoice.nothing, to: OldChoice.self) }
    expectRefusal(.invalidValue, at: "root.value[1]", naming: ["number", "OldChoice"]) {
      try converted(Retyped([NewChoice.same, .number(5)]), to: Retyped<[OldChoice]>.self)
    }
  }

  @Test("With a key the archive is the one of the first version, byte for byte") func keys() throws {
    func same<Old, New>(_ old: Old, _ new: New) throws { #expect(try sortedArchive(old) == sortedArchive(new)) }
    try same(
      (0..<9).map { Renamed.V1.Person("p\($0)", age: $0, tags: ["t"]) },
      (0..<9).map { Renamed.Keyed.Person("p\($0)", years: $0, labels: ["t"]) })
    try same(Renamed.V1.Value(label: "x", age: 50), Renamed.Keyed.Value(fullName: "x", years: 50))
    try same(
      [Renamed.V1.Choice.none, .first(1), .second(label: "l", .init(label: "x", age: 50))],
      [Renamed.Keyed.Choice.nothing, .number(1), .other(label: "l", .init(fullName: "x", years: 50))])
    expectEverywhere(Renamed.Keyed.Person("x", years: 50, labels: ["t"]), as: Renamed.V1.Person.self) {
      $0.label == "x" && $0.age == 50 && $0.tags == ["t"]
    }
    expectEverywhere(Renamed.V1.Person("x", age: 50, tags: ["t"]), as: Renamed.Keyed.Person.self) {
      $0.fullName == "x" && $0.years == 50 && $0.labels == ["t"]
    }
    expectEverywhere(Renamed.Keyed.Value(fullName: "x", years: 50), as: Renamed.V3.Value.self) {
      $0 == Renamed.V3.Value(years: 50, fullName: "x")
    }
    expectEverywhere(Renamed.Keyed.Choice.number(5), as: Renamed.V1.Choice.self) { $0 == .first(5) }
    expectEverywhere(Renamed.V1.Choice.none, as: Renamed.Keyed.Choice.self) { $0 == .nothing }
  }

  @Test("Keys may change places") func swapped() {
    expectEverywhere(Renamed.V1.Value(label: "x", age: 50), as: Renamed.Swapped.self) { $0 == Renamed.Swapped(label: 50, age: "x") }
    expectEverywhere(Renamed.Swapped(label: 50, age: "x"), as: Renamed.V1.Value.self) { $0 == Renamed.V1.Value(label: "x", age: 50) }
  }

  @Test("A property's own key comes first, then the former ones in their order") func order() throws {
    #expect(try converted(ManyKeys(), to: Choosing.self).own == "own")
    #expect(try converted(TwoKeys(), to: Choosing.self).own == "second")
    #expect(try converted((0..<9).map { _ in TwoKeys() }, to: [Choosing].self).allSatisfy { $0.own == "second" })
  }

  @Test("A renamed property whose type has changed is converted, and says its archived and its wanted type where it can't") func retyped()
    throws
  {
    #expect(try converted(RetypedOld(5), to: RetypedNew.self).size == 5)
    #expect(try converted((0..<9).map { RetypedOld($0) }, to: [RetypedNew].self).map(\.size) == (0..<9).map { Double($0) })
    expectRefusal(.invalidValue, at: "root.size", naming: ["Int", "Double", "\(1 << 53 + 1)"]) {
      try converted(RetypedOld(1 << 53 + 1), to: RetypedNew.self)
    }
    expectRefusal(.typeMismatch, at: "size", naming: ["Int", "Array<Int>"]) {
      try converted(RetypedOld(5), to: RetypedWrong.self)
    }
  }
}

private final class RetypedOld: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "renamed.Retyped") }
  var count = 0
  convenience init(_ count: Int) {
    self.init()
    self.count = count
  }
}
private final class RetypedNew: MirrorCoding {
  override class var archiveRules: ArchiveRules {
    ArchiveRules(name: "renamed.Retyped", properties: [PropertyRule("size", formerKeys: ["count"])])
  }
  var size = -1.5
}
private final class RetypedWrong: MirrorCoding {
  override class var archiveRules: ArchiveRules {
    ArchiveRules(name: "renamed.Retyped", properties: [PropertyRule("size", formerKeys: ["count"])])
  }
  var size: [Int] = []
}
private enum OldChoice: MirrorCodable {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "renamed.OtherChoice") }
  case none, same
  case first(Int)
}
private enum NewChoice: MirrorCodable {
  static var archiveRules: ArchiveRules {
    ArchiveRules(
      name: "renamed.OtherChoice", cases: [CaseRule("nothing", formerKeys: ["none"]), CaseRule("number", formerKeys: ["first"])])
  }
  case same, nothing
  case number(Int)
}
