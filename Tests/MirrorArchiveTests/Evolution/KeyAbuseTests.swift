import Foundation
import MirrorArchive
import Synchronization
import Testing

/// Classes whose initializers do more than give values, each with `@Key` properties.
private enum Keyed {
  @propertyWrapper
  struct Clamped: Equatable {
    private var value: Int
    var wrappedValue: Int {
      get { value }
      set { value = min(max(newValue, 0), 10) }
    }
    init(wrappedValue: Int) { value = min(max(wrappedValue, 0), 10) }
  }

  class Leaf: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Leaf") }
    @Key("leaf_name", formerly: "name") var name = "leaf"
    @Key(formerly: ["n", "number"]) var count = 1
  }

  /// Makes other objects with keys before, between and after its own properties get their values.
  class Base: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Base") }
    @Key("base_first") var first = Leaf().name + "!"
    @Key("base_leaves") var leaves = [Leaf(), Leaf(), Leaf()]
    var plain = Leaf()
    @Key("base_maybe") var maybe: Leaf?
    @Key("base_clamped") @Clamped var clamped = 99
  }
  final class Heir: Base {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Heir") }
    @Key("heir_first") var mine = Base().first
    @Key("heir_table") var table = [
      "k": { () -> Leaf in
        let leaf = Leaf()
        leaf.name = "from a closure"
        return leaf
      }()
    ]
    private var extra: Leaf
    required init() {
      let before = Leaf()
      before.name = "before"
      extra = before
      super.init()
      let after = Leaf()
      after.name = "after"
      maybe = after
      first = "assigned in init()"
    }
    var extraName: String { extra.name }
  }
  /// Makes another object of its own class while it is being made.
  final class Recursive: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Recursive") }
    @Key("own") var name = "name"
    @Key("inner") var inner: Recursive?
    required init() { super.init() }
    init(depth: Int) {
      super.init()
      inner = depth > 0 ? Recursive(depth: depth - 1) : nil
    }
  }
  final class MakesItself: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.MakesItself") }
    static let depth = Tally()
    @Key("own") var name = "name"
    @Key("inner") var inner: MakesItself?
    required init() {
      super.init()
      if Self.depth.add(1) % 3 != 0 { inner = MakesItself() }
    }
  }
  final class Threaded: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Threaded") }
    @Key("a") var a = Threaded.onAnotherThread()
    @Key("b") var b = 2
    private static func onAnotherThread() -> Int {
      let result = Tally()
      JoinedThread(stackSize: 512 << 10) { result.add(Leaf().count) }.join()
      return result.value
    }
  }
  final class Generic<Value: Sendable & Equatable>: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Generic") }
    @Key("value_of_any_type", formerly: "value") var value: Value?
    @Key("list") var list: [Value] = []
  }
  struct Point: MirrorCodable, MirrorInitializable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Point") }
    @Key("east", formerly: "x") var x = 0
    @Key("north", formerly: "y") var y = 0
    var label = "p"
    init() {}
    init(_ x: Int, _ y: Int) {
      self.x = x
      self.y = y
    }
  }
  struct NoInit: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.NoInit") }
    @Key("a") var a = 1
    var b: Int
  }
  final class BareKeyed: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Bare") }
    @Key("a") var a = 1
    let b: Int
    init(b: Int) { self.b = b }
  }
  final class Twice: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Twice", properties: [PropertyRule("a", key: "c")]) }
    @Key("b") var a = 1
  }
  final class DefaultToo: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "keyed.DefaultToo", properties: [PropertyRule("a", default: .value(7))])
    }
    @Key("b") var a = 1
  }
  final class SameKey: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.SameKey") }
    @Key("b") var a = 1
    var b = 2
  }
  final class EmptyKey: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.EmptyKey") }
    @Key("") var a = 1
  }
  final class Excluded: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Excluded", excluding: ["a"]) }
    @Key("b") var a = 1
    var c = 2
  }
}

/// The same without wrappers, as older programs had them.
private enum Unkeyed {
  final class Leaf: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Leaf") }
    var name = ""
    var n = 0
  }
  struct Point: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "keyed.Point") }
    var x: Int
    var y: Int
    var label: String
  }
  final class Heir: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "keyed.Heir", properties: [PropertyRule("first", key: "heir_first")])
    }
    var first = ""
  }
}

@Suite("Keys in place, where initializers do odd things")
struct KeyAbuseTests {
  private func keys<Root>(_ root: Root) throws -> [String: [String]] {
    let header = try KeyedUnarchiver.header(of: KeyedArchiver.archivedData(withRootObject: root))
    return Dictionary(uniqueKeysWithValues: header.types.map { ($0.name, $0.propertyKeys) })
  }

  @Test("Objects that are made while an object is made do not mix up its keys") func nested() throws {
    let heir = Keyed.Heir()
    heir.leaves[1].name = "second"
    heir.clamped = 7
    heir.mine = "mine"
    let keys = try keys(heir)
    #expect(keys["keyed.Base"] == ["base_first", "base_leaves", "plain", "base_maybe", "base_clamped"])
    #expect(keys["keyed.Heir"] == ["heir_first", "heir_table", "extra"] && keys["keyed.Leaf"] == ["leaf_name", "count"])
    for count in [1, 9] {
      let read = try converted(Array(repeating: heir, count: count), to: [Keyed.Heir].self)[0]
      #expect(read.first == "assigned in init()" && read.leaves.map(\.name) == ["leaf", "second", "leaf"] && read.plain.name == "leaf")
      #expect(read.maybe?.name == "after" && read.clamped == 7 && read.mine == "mine" && read.table["k"]?.name == "from a closure")
      #expect(read.extraName == "before")
    }
  }

  @Test("Objects that hold others of their own class keep their keys apart") func recursive() throws {
    let outer = Keyed.Recursive(depth: 3)
    outer.name = "outer"
    let read = try roundTrip(outer)
    #expect(read.name == "outer" && read.inner?.inner?.inner?.name == "name" && read.inner?.inner?.inner?.inner == nil)
    #expect(try keys(outer) == ["keyed.Recursive": ["own", "inner"]])
    let itself = Keyed.MakesItself()
    itself.name = "itself"
    #expect(try roundTrip(itself).name == "itself")
    #expect(try keys(itself) == ["keyed.MakesItself": ["own", "inner"]])
  }

  @Test("What other threads make meanwhile is none of its business") func threads() throws {
    let object = Keyed.Threaded()
    #expect(object.a == 1)
    object.b = 5
    #expect(try roundTrip(object).b == 5)
    #expect(try keys(object) == ["keyed.Threaded": ["a", "b"]])
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 64) { index in
      do {
        if index % 4 == 0 { PlanDropper.drop() }
        let leaves = (0..<20).map { _ in Keyed.Leaf() }
        leaves[3].name = "\(index)"
        let read = try roundTrip(leaves)
        if read[3].name != "\(index)" || read[4].name != "leaf" { failures.withLock { $0.append("\(index)") } }
      } catch {
        failures.withLock { $0.append("\(index): \(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }

  @Test("Older archives are read by their keys") func formerly() throws {
    let old = Unkeyed.Leaf()
    (old.name, old.n) = ("old", 44)
    let read = try converted([old, old], to: [Keyed.Leaf].self)
    #expect(read[0].name == "old" && read[0].count == 44 && read[0] === read[1])
    expectEverywhere(Unkeyed.Point(x: 3, y: 4, label: "l"), as: Keyed.Point.self) { $0.x == 3 && $0.y == 4 && $0.label == "l" }
    expectEverywhere(Keyed.Point(5, 6), as: Keyed.Point.self) { $0 == Keyed.Point(5, 6) }
    let heir = Unkeyed.Heir()
    heir.first = "first"
    #expect(try converted(heir, to: Keyed.Heir.self).mine == "first")
  }

  @Test("Generic classes have keys in every specialisation") func generics() throws {
    let numbers = Keyed.Generic<Int>()
    (numbers.value, numbers.list) = (5, [1, 2])
    let read = try converted(numbers, to: Keyed.Generic<String>.self)
    #expect(read.value == "5" && read.list == ["1", "2"])
    #expect(try keys(numbers) == ["keyed.Generic": ["value_of_any_type", "list"]])
  }

  @Test("Objects are no larger for their keys") func size() {
    #expect(MemoryLayout<Key<Int>>.size == MemoryLayout<Int>.size && MemoryLayout<Key<String?>>.size == MemoryLayout<String?>.size)
    #expect(MemoryLayout<Keyed.Point>.size == MemoryLayout<(Int, Int, String)>.size)
  }

  @Test("Keys that cannot be known, or contradict, are refused with the cure") func refused() {
    expectRefusal(.invalidRules, naming: ["NoInit", "archiveRules"]) { try KeyedArchiver.archivedData(withRootObject: Keyed.NoInit(b: 1)) }
    expectRefusal(.invalidRules, naming: ["BareKeyed", "archiveRules"]) {
      try KeyedArchiver.archivedData(withRootObject: Keyed.BareKeyed(b: 1))
    }
    expectRefusal(.invalidRules, at: "a", naming: ["Twice"]) { try KeyedArchiver.archivedData(withRootObject: Keyed.Twice()) }
    expectRefusal(.invalidRules, naming: ["SameKey", "b"]) { try KeyedArchiver.archivedData(withRootObject: Keyed.SameKey()) }
    expectRefusal(.invalidRules, at: "a", naming: ["EmptyKey"]) { try KeyedArchiver.archivedData(withRootObject: Keyed.EmptyKey()) }
  }

  @Test("A rule may say more, and an exclusion ends it") func moreRules() throws {
    let object = Keyed.DefaultToo()
    object.a = 55
    #expect(try roundTrip(object).a == 55)
    #expect(try keys(object) == ["keyed.DefaultToo": ["b"]])
    let excluded = Keyed.Excluded()
    (excluded.a, excluded.c) = (55, 66)
    do {
      let read = try roundTrip(excluded)
      #expect(read.a == 1 && read.c == 66)
    } catch let error as ArchiveError {
      #expect(error.code == .invalidRules, "\(error)")
    }
  }
}
