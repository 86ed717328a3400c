import Foundation
import MirrorArchive
import Testing

/// CASES row 34: hooks run when the graph is complete.
@Suite("Hooks")
struct HookTests {
  final class Node: MirrorCoding {
    var name = ""
    var next: Node?
    var children: [Node] = []
    weak var parent: Node?
    @Transient var seen = ""
    @Transient var order = 0

    override func didDecode(_ context: DecodingContext) throws {
      seen = "\(name) \(next?.name ?? "-") \(children.map(\.name)) \(parent?.name ?? "-")"
      order = HookTests.clock.add(1)
    }
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }

  /// The order in which hooks ran.
  static let clock = Tally()

  @Test("An object that refers to itself is complete in didDecode") func selfReference() throws {
    let written = Node("one")
    written.next = written
    written.children = [written]
    let read = try roundTrip(written)
    #expect(read.seen == #"one one ["one"] -"#)
    read.next = nil
    read.children = []
    written.next = nil
    written.children = []
  }

  @Test("Every object of a cycle is complete in didDecode, strings and weak references included") func cycle() throws {
    let a = Node("a")
    let b = Node("b")
    a.next = b
    b.next = a
    a.children = [b]
    b.parent = a
    let read = try roundTrip(a)
    let readB = try #require(read.next)
    #expect(read.seen == #"a b ["b"] -"#)
    #expect(readB.seen == #"b a [] a"#)
    for node in [a, read] {
      node.next = nil
      node.children = []
    }
  }

  @Test("Hooks run once for each object, children before parents") func order() throws {
    let root = Node("root")
    let shared = Node("shared")
    let left = Node("left")
    let right = Node("right")
    left.children = [shared]
    right.children = [shared]
    root.children = [left, right]
    let read = try roundTrip(root)
    let readLeft = read.children[0]
    let readRight = read.children[1]
    let readShared = readLeft.children[0]
    #expect(readShared === readRight.children[0])
    let all = [read, readLeft, readRight, readShared]
    #expect(Set(all.map(\.order)).count == 4)
    #expect(readShared.order < readLeft.order && readShared.order < readRight.order)
    #expect(readLeft.order < read.order && readRight.order < read.order)
  }

  @Test("A subclass that overrides didDecode needs nothing more") func overriding() throws {
    class Base: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "HookTests.Base") }
      var number = 1
      @Transient var calls: [String] = []
      override func didDecode(_ context: DecodingContext) throws { calls.append("base \(number)") }
    }
    final class Heir: Base {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "HookTests.Heir") }
      var text = "t"
      override func didDecode(_ context: DecodingContext) throws {
        try super.didDecode(context)
        calls.append("heir \(text)")
      }
    }
    let written = Heir()
    written.number = 4
    #expect(try roundTrip(written).calls == ["base 4", "heir t"])
  }

  struct Rejection: Error, Equatable { let reason: String }

  final class Strict: MirrorCoding {
    static let live = Tally()
    var isGood = true
    var list: [Strict] = []
    @Transient var prepared = false
    required init() {
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
    override func didDecode(_ context: DecodingContext) throws {
      if !isGood { throw Rejection(reason: "bad") }
    }
  }

  @Test("didDecode rejects the archive by throwing; its own error passes through") func rejecting() throws {
    let before = Strict.live.value
    do {
      let written = Strict()
      written.list = (0..<5).map { _ in Strict() }
      written.list[3].isGood = false
      let data = try KeyedArchiver.archivedData(withRootObject: written)
      #expect(throws: Rejection(reason: "bad")) { try KeyedUnarchiver.unarchivedObject(ofClass: Strict.self, from: data) }
    }
    #expect(Strict.live.value == before)
  }

  final class Preparing: MirrorCoding {
    var text = "raw"
    var list: [Preparing] = []
    var isForbidden = false
    @Transient var calls = 0
    override func willEncode() throws {
      if isForbidden { throw Rejection(reason: "not now") }
      calls += 1
      text = "prepared \(calls)"
    }
  }

  @Test("willEncode runs once for each object, before its properties are read") func willEncode() throws {
    let written = Preparing()
    let child = Preparing()
    written.list = [child, child]
    let read = try roundTrip(written)
    #expect(written.calls == 1 && child.calls == 1)
    #expect(read.text == "prepared 1" && read.list[0].text == "prepared 1" && read.calls == 0)
  }

  @Test("willEncode ends the encoding by throwing") func forbidden() {
    let written = Preparing()
    written.list = [Preparing(), Preparing()]
    written.list[1].isForbidden = true
    #expect(throws: Rejection(reason: "not now")) { try KeyedArchiver.archivedData(withRootObject: written) }
  }

  /// A class of another base has hooks too, and a class without init() as well.
  final class Plain: MirrorCodable {
    var number: Int
    var isComplete = false
    init(number: Int) { self.number = number }
    func didDecode(_ context: DecodingContext) throws { isComplete = number == 5 }
  }

  @Test("Hooks of classes without init() run") func withoutInit() throws {
    #expect(try roundTrip(Plain(number: 5)).isComplete)
  }

  final class Greedy: MirrorCoding {
    var number = 3
    @Transient var inner: Int?
    override func didDecode(_ context: DecodingContext) throws {
      inner = try roundTrip(Slot(number)).value
    }
    override func willEncode() throws { _ = try roundTrip(Slot(number)) }
  }

  @Test("A hook may archive and unarchive something of its own") func nestedCalls() throws {
    #expect(try roundTrip([Greedy(), Greedy()]).map(\.inner) == [3, 3])
  }
}
