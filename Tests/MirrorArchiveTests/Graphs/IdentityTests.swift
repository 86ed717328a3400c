import Foundation
import MirrorArchive
import Testing

/// CASES row 35: one object stays one object, on whatever path it is reached, and cycles are no special case.
@Suite("Identity and cycles")
struct IdentityTests {
  final class Node: MirrorCoding {
    var name = ""
    var next: Node?
    var list: [Node] = []
    var table: [String: Node] = [:]
    var optionals: [Node?] = []
    var set: Set<ObjectKey> = []
    var pair: (Node?, Node?) = (nil, nil)
    var holder = Holder()
    var choice = Choice.none
    var nested: [[String: [Node?]]]? = nil
    var any: Any? = nil

    convenience init(_ name: String) {
      self.init()
      self.name = name
    }

    /// Lets go of everything, so that cycles end.
    func clear() {
      next = nil
      list = []
      table = [:]
      optionals = []
      set = []
      pair = (nil, nil)
      holder = Holder()
      choice = .none
      nested = nil
      any = nil
    }
  }

  struct Holder {
    var node: Node?
    var number = 0
    var more: [Node] = []
  }
  enum Choice {
    case none
    case one(Node)
    case two(left: Node, right: Node?)
    indirect case deep(Choice)
  }
  struct ObjectKey: Hashable {
    var node: Node
    static func == (left: ObjectKey, right: ObjectKey) -> Bool { left.node === right.node }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(node)) }
  }

  @Test("a.next = b and b.next = a come back as two objects") func twoCycle() throws {
    let a = Node("a")
    let b = Node("b")
    a.next = b
    b.next = a
    let read = try roundTrip(a)
    #expect(read.name == "a" && read.next?.name == "b" && read.next?.next === read && read.next !== read)
    read.clear()
    a.clear()
  }

  @Test("The same object twice in an array is one object") func sharedInArray() throws {
    let shared = Node("s")
    let read = try roundTrip([shared, shared])
    #expect(read.count == 2 && read[0] === read[1] && read[0].name == "s")
    let table = try roundTrip(["a": shared, "b": shared, "c": Node("t")])
    #expect(table["a"] === table["b"] && table["a"] !== table["c"])
  }

  @Test("An object that refers to itself through every kind of property comes back as itself") func selfReference() throws {
    let written = Node("self")
    written.next = written
    written.list = [written, written]
    written.table = ["me": written]
    written.optionals = [nil, written]
    written.pair = (written, nil)
    written.holder = Holder(node: written, number: 3, more: [written])
    written.choice = .deep(.two(left: written, right: written))
    written.nested = [["x": [written, nil]], [:]]
    written.any = [written]
    let read = try roundTrip(written)
    #expect(read !== written && read.name == "self")
    #expect(read.next === read && read.list.count == 2 && read.list.allSatisfy { $0 === read } && read.table["me"] === read)
    #expect(
      read.optionals.count == 2 && read.optionals[0] == nil && read.optionals[1] === read && read.pair.0 === read && read.pair.1 == nil)
    #expect(read.holder.node === read && read.holder.number == 3 && read.holder.more.first === read)
    guard case .deep(.two(let left, let right)) = read.choice else {
      Issue.record("read \(read.choice)")
      return
    }
    #expect(left === read && right === read)
    #expect(read.nested?.count == 2 && read.nested?[0]["x"]?[0] === read && (read.any as? [Node])?.first === read)
    read.clear()
    written.clear()
  }

  @Test("An object that is a set element reached from itself comes back as itself") func selfInSet() throws {
    let written = Node("self")
    written.set = [ObjectKey(node: written)]
    let read = try roundTrip(written)
    #expect(read.set.count == 1 && read.set.first?.node === read)
    #expect(read.set.contains(ObjectKey(node: read)))
    read.clear()
    written.clear()
  }

  /// The kinds of property that a cycle of two objects can go through.
  enum Path: String, CaseIterable { case next, list, table, optionals, pair, holder, choice, nested, any, set }

  private func link(_ from: Node, to: Node, by path: Path) {
    switch path {
    case .next: from.next = to
    case .list: from.list = [to]
    case .table: from.table = ["k": to]
    case .optionals: from.optionals = [nil, to]
    case .pair: from.pair = (nil, to)
    case .holder: from.holder.node = to
    case .choice: from.choice = .one(to)
    case .nested: from.nested = [["k": [to]]]
    case .any: from.any = to
    case .set: from.set = [ObjectKey(node: to)]
    }
  }

  private func follow(_ node: Node, _ path: Path) -> Node? {
    switch path {
    case .next: node.next
    case .list: node.list.first
    case .table: node.table["k"]
    case .optionals: node.optionals.last ?? nil
    case .pair: node.pair.1
    case .holder: node.holder.node
    case .choice: if case .one(let node) = node.choice { node } else { nil }
    case .nested: node.nested?.first?["k"]?.first ?? nil
    case .any: node.any as? Node
    case .set: node.set.first?.node
    }
  }

  @Test("A cycle goes there by one kind of property and back by another", arguments: Path.allCases, Path.allCases)
  func mixedCycle(there: Path, back: Path) throws {
    let a = Node("a")
    let b = Node("b")
    link(a, to: b, by: there)
    link(b, to: a, by: back)
    let read = try roundTrip(a)
    let readB = try #require(follow(read, there))
    #expect(readB.name == "b" && readB !== read)
    #expect(follow(readB, back) === read)
    for node in [a, b, read, readB] { node.clear() }
  }

  @Test("A ring of many objects closes", arguments: [3, 1_024, 1_025, 10_000]) func ring(count: Int) throws {
    let nodes = (0..<count).map { Node("\($0)") }
    for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % count] }
    let read = try roundTrip(nodes[0])
    var node = read
    for index in 0..<count {
      #expect(node.name == "\(index)")
      let next = try #require(node.next)
      node.next = nil
      node = next
    }
    #expect(node === read)
    for node in nodes { node.clear() }
  }

  @Test("A random graph keeps every edge", arguments: [10, 300, 3_000]) func random(count: Int) throws {
    let seed: UInt64 = 0x5EED_0003
    var generator = SeededGenerator(seed: seed)
    let nodes = (0..<count).map { Node("\($0)") }
    for node in nodes {
      node.list = (0..<Int.random(in: 0...5, using: &generator)).map { _ in nodes[Int.random(in: 0..<count, using: &generator)] }
      node.next = Bool.random(using: &generator) ? nodes.randomElement(using: &generator) : nil
    }
    let read = try roundTrip(nodes)
    try #require(read.count == count)
    let numbers = Dictionary(uniqueKeysWithValues: read.enumerated().map { (ObjectIdentifier($0.element), $0.offset) })
    #expect(numbers.count == count)
    for (written, read) in zip(nodes, read) {
      #expect(read.name == written.name, "seed \(seed)")
      #expect(read.list.map { numbers[ObjectIdentifier($0)].map { "\($0)" } } == written.list.map(\.name), "seed \(seed)")
      #expect(read.next.flatMap { numbers[ObjectIdentifier($0)] }.map { "\($0)" } == written.next?.name, "seed \(seed)")
    }
    for node in nodes + read { node.clear() }
  }

  @Test("Equal objects that are not the same stay two") func equalButDistinct() throws {
    let read = try roundTrip([Node("same"), Node("same")])
    #expect(read.count == 2 && read[0] !== read[1])
  }
}
