import Foundation
import MirrorArchive
import Testing

/// One name in archives, one version of the program that knows little and one that knows more.
enum Added {
  enum V1 {
    final class Entry: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "added.Entry", version: 1) }
      var name = ""
      var next: Entry?
      convenience init(_ name: String, next: Entry? = nil) {
        self.init()
        (self.name, self.next) = (name, next)
      }
    }
    final class Bare: MirrorCodable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "added.Bare") }
      let name: String
      init(_ name: String) { self.name = name }
    }
    struct Value: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "added.Value") }
      var name: String
    }
    enum Kind: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "added.Kind") }
      case plain
      case named(Value)
    }
    final class Hand: KeyedCoding {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "added.Hand", version: 1) }
      let name: String
      init(_ name: String) { self.name = name }
      init(coder: KeyedUnarchiver) throws { name = try coder.decodeString(forKey: "name") }
      func encode(with coder: KeyedArchiver) throws { try coder.encode(name, forKey: "name") }
    }
  }

  enum V2 {
    /// What was there stands between what is new, so that nothing is where it was.
    final class Entry: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "added.Entry", version: 2) }
      var nick: String?
      var level = 3
      private var secret = [1.5, 2.5]
      var next: Entry?
      var size: (w: Int, h: Int) = (1, 2)
      var name = ""
      var kind = Kind.named(Value(nick: "n", level: 9, name: "default"))
      weak var parent: Entry?
      lazy var late = name + "!"
      var friend: Entry? = nil
      var table = ["a": [1]]

      var secretSum: Double { secret.reduce(0, +) }
      convenience init(_ name: String, next: Entry? = nil) {
        self.init()
        (self.name, self.next, nick, level) = (name, next, "nick of " + name, 44)
        secret = [100]
        size = (30, 40)
      }
      /// Whether everything that the other version has not is as `init()` leaves it.
      var hasDefaults: Bool {
        if case .named(let value) = kind, value.nick == "n", value.level == 9, value.name == "default" {
          return nick == nil && level == 3 && secretSum == 4 && size == (1, 2) && parent == nil && late == name + "!" && friend == nil
            && table == ["a": [1]]
        }
        return false
      }
    }
    final class Bare: MirrorCodable {
      static var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "added.Bare",
          properties: [
            PropertyRule("level", default: .value(3)), PropertyRule("maybe", default: .value("given")),
            PropertyRule("tags", default: .value(["a tag that is too long to be held in place"])),
            PropertyRule("child", default: .value(V1.Entry("made anew"))),
          ])
      }
      var nick: String?
      let level: Int
      let name: String
      var maybe: String?
      var tags: [String]
      var child: V1.Entry
      init(_ name: String) {
        (self.name, level, tags, child) = (name, 44, ["other"], V1.Entry("other"))
      }
    }
    struct Value: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules {
        ArchiveRules(name: "added.Value", properties: [PropertyRule("level", default: .value(3))])
      }
      var nick: String?
      var level: Int
      var name: String
    }
    enum Kind: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "added.Kind") }
      case new(Double)
      case named(Value)
      case plain
    }
    final class Hand: KeyedCoding {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "added.Hand", version: 2) }
      let name: String
      let level: Int
      init(_ name: String, level: Int) { (self.name, self.level) = (name, level) }
      init(coder: KeyedUnarchiver) throws {
        name = try coder.decodeString(forKey: "name")
        level = try coder.decodeIntIfPresent(forKey: "level") ?? 3
      }
      func encode(with coder: KeyedArchiver) throws {
        try coder.encode(level, forKey: "level")
        try coder.encode(name, forKey: "name")
      }
    }
  }

  /// Versions that say nothing about what an archive may not have.
  enum Careless {
    final class Bare: MirrorCodable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "added.Bare") }
      var name: String
      var level: Int
      init(_ name: String) { (self.name, level) = (name, 4) }
    }
    struct Value: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "added.Value") }
      var name: String
      var level: Int
    }
  }

  /// The struct with an initializer, and a rule that says something else for one property.
  struct InitializableValue: MirrorCodable, MirrorInitializable, Hashable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(name: "added.Value", properties: [PropertyRule("rank", default: .value(50))])
    }
    var level = 7
    var name = "unnamed"
    var nick: String? = "from init()"
    var rank = 5
    init() {}
  }
}

@Suite("Properties that were added or removed since")
struct AddedTests {
  @Test("CASES 9: a class reads what an older one wrote, and keeps init()'s values for what is new") func addedToClass() throws {
    let read = try converted(Added.V1.Entry("first", next: Added.V1.Entry("second")), to: Added.V2.Entry.self)
    #expect(read.name == "first" && read.next?.name == "second" && read.next?.next == nil)
    #expect(read.hasDefaults && read.next?.hasDefaults == true)
    expectEverywhere(Added.V1.Entry("x"), as: Added.V2.Entry.self) { $0.name == "x" && $0.hasDefaults }
  }

  @Test("CASES 10: a class reads what a newer one wrote, and skips what it doesn't know") func removedFromClass() throws {
    let read = try converted(Added.V2.Entry("first", next: Added.V2.Entry("second")), to: Added.V1.Entry.self)
    #expect(read.name == "first" && read.next?.name == "second" && read.next?.next == nil)
    expectEverywhere(Added.V2.Entry("x"), as: Added.V1.Entry.self) { $0.name == "x" && $0.next == nil }
  }

  @Test("What is shared stays shared when properties come and go", arguments: [1, 7, 8, 1_025]) func identity(count: Int) throws {
    let shared = Added.V1.Entry("shared")
    let old = (0..<count).map { Added.V1.Entry("\($0)", next: shared) }
    let new = try converted(old, to: [Added.V2.Entry].self)
    #expect(new.map(\.name) == (0..<count).map { "\($0)" })
    #expect(new.allSatisfy { $0.next === new[0].next && $0.hasDefaults } && new[0].next?.name == "shared")
    let again = try converted(new, to: [Added.V1.Entry].self)
    #expect(again.map(\.name) == old.map(\.name) && again.allSatisfy { $0.next === again[0].next })
  }

  @Test("A class without init() takes its new properties from the rules, or nil") func addedToBareClass() {
    expectEverywhere(Added.V1.Bare("x"), as: Added.V2.Bare.self) {
      $0.name == "x" && $0.nick == nil && $0.level == 3 && $0.maybe == "given" && $0.tags == ["a tag that is too long to be held in place"]
        && $0.child.name == "made anew"
    }
    expectEverywhere(Added.V2.Bare("x"), as: Added.V1.Bare.self) { $0.name == "x" }
  }

  @Test("The default of a rule is made anew for each object", arguments: [2, 9, 1_030]) func ownDefaults(count: Int) throws {
    let read = try converted((0..<count).map { Added.V1.Bare("\($0)") }, to: [Added.V2.Bare].self)
    #expect(read.map(\.name) == (0..<count).map { "\($0)" })
    #expect(Set(read.map { ObjectIdentifier($0.child) }).count == count)
  }

  @Test("A struct takes its new properties from the rules, or nil") func addedToStruct() {
    expectEverywhere(Added.V1.Value(name: "x"), as: Added.V2.Value.self) { $0 == Added.V2.Value(nick: nil, level: 3, name: "x") }
    expectEverywhere(Added.V2.Value(nick: "n", level: 44, name: "x"), as: Added.V1.Value.self) { $0.name == "x" }
  }

  @Test("A struct with init() takes them from there, unless a rule says otherwise") func addedToInitializableStruct() {
    expectEverywhere(Added.V1.Value(name: "x"), as: Added.InitializableValue.self) {
      $0.level == 7 && $0.name == "x" && $0.nick == "from init()" && $0.rank == 50
    }
    expectEverywhere(Added.V2.Value(nick: nil, level: 44, name: "x"), as: Added.InitializableValue.self) {
      $0.level == 44 && $0.name == "x" && $0.nick == nil && $0.rank == 50
    }
  }

  @Test("A struct in sets and as a key changes its hash, and is found all the same") func keys() throws {
    let names = (0..<10).map { "name \($0)" }
    let old = names.map { Added.V1.Value(name: $0) }
    let new = names.map { Added.V2.Value(nick: nil, level: 3, name: $0) }
    let set = try converted(Retyped(Set(old)), to: Retyped<Set<Added.V2.Value>>.self).value
    #expect(set == Set(new))
    let table = try converted(Dictionary(uniqueKeysWithValues: zip(old, names)), to: [Added.V2.Value: String].self)
    #expect(new.map { table[$0] } == names)
  }

  @Test("Elements that are one and the same without a removed property are refused") func collidingKeys() throws {
    let values = [Added.V2.Value(nick: "a", level: 1, name: "x"), Added.V2.Value(nick: "b", level: 1, name: "x")]
    expectRefusal(.invalidValue, at: "root") { try converted(Set(values), to: Set<Added.V1.Value>.self) }
    expectRefusal(.invalidValue, at: "root.value") {
      try converted(Retyped([values[0]: 1, values[1]: 2]), to: Retyped<[Added.V1.Value: Int]>.self)
    }
  }

  @Test("A payload struct gains and loses properties, and the enum cases") func payloads() {
    expectEverywhere(Added.V1.Kind.named(Added.V1.Value(name: "x")), as: Added.V2.Kind.self) {
      $0 == .named(Added.V2.Value(nick: nil, level: 3, name: "x"))
    }
    expectEverywhere(Added.V1.Kind.plain, as: Added.V2.Kind.self) { $0 == .plain }
    expectEverywhere(Added.V2.Kind.named(Added.V2.Value(nick: "n", level: 44, name: "x")), as: Added.V1.Kind.self) {
      $0 == .named(Added.V1.Value(name: "x"))
    }
    expectEverywhere(Added.V2.Kind.plain, as: Added.V1.Kind.self) { $0 == .plain }
  }

  @Test("A hand-coded class asks for what may be missing, and need not ask for what is there") func handCoded() {
    expectEverywhere(Added.V1.Hand("x"), as: Added.V2.Hand.self) { $0.name == "x" && $0.level == 3 }
    expectEverywhere(Added.V2.Hand("x", level: 44), as: Added.V2.Hand.self) { $0.name == "x" && $0.level == 44 }
    expectEverywhere(Added.V2.Hand("x", level: 44), as: Added.V1.Hand.self) { $0.name == "x" }
  }

  @Test("Without a default, init() or Optional the error names the property") func noDefault() {
    for count in [1, 9] {
      expectRefusal(.missingValue, at: "level", naming: ["level", "Bare"]) {
        try converted((0..<count).map { _ in Added.V1.Bare("x") }, to: [Added.Careless.Bare].self)
      }
      expectRefusal(.missingValue, at: "level", naming: ["level", "Value"]) {
        try converted((0..<count).map { _ in Added.V1.Value(name: "x") }, to: [Added.Careless.Value].self)
      }
    }
    expectRefusal(.missingValue, at: "level") { try converted(Retyped(Added.V1.Value(name: "x")), to: Retyped<Added.Careless.Value>.self) }
  }

  @Test("The errors leave nothing alive of what was made before them") func noLeaks() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: (0..<20).map { LeakingOld("\($0)") })
    let before = LeakingNew.alive.value
    expectRefusal(.missingValue) { try KeyedUnarchiver.unarchivedObject(of: [LeakingNew].self, from: data) }
    #expect(LeakingNew.alive.value == before)
  }
}

private final class LeakingOld: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "added.Leaking") }
  var name = ""
  var values: [Added.V1.Value] = []
  convenience init(_ name: String) {
    self.init()
    self.name = name
    values = [Added.V1.Value(name: name)]
  }
}
private final class LeakingNew: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "added.Leaking") }
  static let alive = Tally()
  var name = ""
  var values: [Added.Careless.Value] = []
  required init() { Self.alive.add(1) }
  deinit { Self.alive.add(-1) }
}
