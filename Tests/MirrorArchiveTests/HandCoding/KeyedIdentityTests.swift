import Foundation
import MirrorArchive
import Testing

/// CASES row 35 for classes coded by hand, alone and together with reflected ones.
@Suite("Identity and cycles by key")
struct KeyedIdentityTests {
  /// Links that are asked for at once.
  final class Direct: KeyedCoding {
    let name: String
    var next: Direct?
    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      next = try coder.decodeObjectIfPresent(of: Direct.self, forKey: "next")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(next, forKey: "next")
    }
  }

  /// Links that are delivered when the graph is complete.
  final class Later: KeyedCoding {
    let name: String
    var next: Later?
    var friends: [Later] = []
    var node: Reflected?
    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      try coder.decodeObjectIfPresent(of: Later.self, forKey: "next") { self.next = $0 }
      try coder.decodeObjectIfPresent(of: Friends.self, forKey: "friends") { self.friends = $0?.list ?? [] }
      try coder.decodeObjectIfPresent(of: Reflected.self, forKey: "node") { self.node = $0 }
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(next, forKey: "next")
      try coder.encode(friends.isEmpty ? nil : Friends(friends), forKey: "friends")
      try coder.encode(node, forKey: "node")
    }
    func clear() { (next, friends, node) = (nil, [], nil) }
  }
  final class Friends: MirrorCoding {
    var list: [Later] = []
    convenience init(_ list: [Later]) {
      self.init()
      self.list = list
    }
  }

  struct Holder { var hand: Later?, number = 0 }
  enum Choice {
    case none
    case one(Later)
    indirect case deep(Choice, [Later])
  }
  /// Places where a reflected object can hold a hand-coded one.
  final class Reflected: MirrorCoding {
    var name = ""
    var hand: Later?
    var list: [Later] = []
    var optionals: [Later?] = []
    var table: [String: Later] = [:]
    var holder = Holder()
    var choice = Choice.none
    var pair: (Int, Later?) = (0, nil)
    var nested: [[String: [Later?]]]? = nil
    weak var weakHand: Later?
    var other: Reflected?
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
    func clear() {
      (hand, list, optionals, table, holder, choice, pair, nested, other) = (nil, [], [], [:], Holder(), .none, (0, nil), nil, nil)
    }
  }

  @Test("The same object twice is one object", arguments: KeyedPlace.allCases) func shared(place: KeyedPlace) throws {
    let shared = Direct("s")
    try place.pass(
      write: {
        try $0.encode([shared, shared], forKey: "list")
        try $0.encode(shared, forKey: "one")
        try $0.encode(["a": shared], forKey: "table")
      },
      read: { coder throws in
        let list = try coder.decodeArrayOfObjects(ofClass: Direct.self, forKey: "list")
        #expect(list.count == 2 && list[0] === list[1] && list[0].name == "s")
        #expect(try coder.decodeObject(of: Direct.self, forKey: "one") === list[0])
        #expect(try coder.decodeObject(of: Direct.self, forKey: "one") === list[0])
        let table = try coder.decodeDictionary(ofKeyClass: String.self, objectClass: Direct.self, forKey: "table")
        #expect(table["a"] === list[0])
      })
  }

  @Test("Root arrays, dictionaries and structs keep identity") func roots() throws {
    let shared = Direct("s")
    let list = try roundTrip([shared, Direct("s"), shared])
    #expect(list.count == 3 && list[0] === list[2] && list[0] !== list[1] && list[1].name == "s")
    let table = try roundTrip(["a": shared, "b": shared])
    #expect(table["a"] === table["b"] && table["a"]?.name == "s")
    let pair = try roundTrip(Pair(first: shared, second: Direct?.some(shared)))
    #expect(pair.first === pair.second)
  }

  @Test("a.next = b, b.next = a through whenReady") func twoCycle() throws {
    let a = Later("a")
    let b = Later("b")
    a.next = b
    b.next = a
    let read = try roundTrip(a)
    #expect(read.name == "a" && read.next?.name == "b" && read.next !== read && read.next?.next === read)
    for object in [a, read] { object.clear() }
  }

  @Test("An object that refers to itself through whenReady, directly and through a reflected one") func selfReference() throws {
    let written = Later("self")
    written.next = written
    written.friends = [written, written]
    let read = try roundTrip(written)
    #expect(read.next === read && read.friends.count == 2 && read.friends.allSatisfy { $0 === read })
    for object in [written, read] { object.clear() }
  }

  @Test("The direct form says cycle, with the path of the place that asked", arguments: [1, 2, 3]) func directCycle(length: Int) throws {
    let objects = (0..<length).map { Direct("\($0)") }
    for (index, object) in objects.enumerated() { object.next = objects[(index + 1) % length] }
    defer { for object in objects { object.next = nil } }
    let data = try KeyedArchiver.archivedData(withRootObject: objects[0])
    let error = expectRefusal(.cycle, naming: ["whenReady"]) { try KeyedUnarchiver.unarchivedObject(ofClass: Direct.self, from: data) }
    #expect(error?.path == "root" + String(repeating: ".next", count: length))
    let inKey = try keyedArchive { try $0.encode(objects[0], forKey: "start") }
    let keyError = expectRefusal(.cycle) { try KeyedUnarchiver(forReadingFrom: inKey).decodeObject(of: Direct.self, forKey: "start") }
    #expect(keyError?.path == "start" + String(repeating: ".next", count: length))
  }

  /// A hand-coded class that asks for a reflected object that refers back to it.
  final class Owner: KeyedCoding {
    static let seen = Tally()
    let name: String
    let child: Owned
    var childName: String?
    init(_ name: String, _ child: Owned) { (self.name, self.child) = (name, child) }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      child = try coder.decodeObject(of: Owned.self, forKey: "child")
      try coder.decodeObject(of: Owned.self, forKey: "child") { self.childName = "\($0.name) \($0.owner === self)" }
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(child, forKey: "child")
    }
  }
  final class Owned: MirrorCoding {
    var name = ""
    var owner: Owner?
    var list: [Owner?] = []
    var numbers = [1, 2, 3]
    weak var weakOwner: Owner?
    @Transient var atDidDecode = ""
    override func didDecode(_ context: DecodingContext) throws {
      atDidDecode = "\(owner?.name ?? "-") \(list.compactMap { $0?.name }) \(weakOwner?.name ?? "-")"
    }
  }

  @Test("A hand-coded object may hold a reflected one directly that refers back: complete in whenReady and didDecode")
  func handThenReflected() throws {
    let child = Owned()
    child.name = "child"
    let owner = Owner("owner", child)
    (child.owner, child.list, child.weakOwner) = (owner, [owner, nil, owner], owner)
    defer { (child.owner, child.list) = (nil, []) }
    for asRoot in [true, false] {
      let read: Owner
      if asRoot {
        read = try roundTrip(owner)
      } else {
        // The other way round: the reflected object is the root.
        read = try #require(try roundTrip(child).owner)
      }
      #expect(read.name == "owner" && read.child.name == "child" && read.child.numbers == [1, 2, 3])
      #expect(read.child.owner === read && read.child.list.count == 3 && read.child.list[0] === read && read.child.list[1] == nil)
      #expect(read.child.weakOwner === read)
      #expect(read.childName == "child true")
      #expect(read.child.atDidDecode == #"owner ["owner", "owner"] owner"#)
      (read.child.owner, read.child.list) = (nil, [])
    }
  }

  /// The kinds of property that a cycle between a reflected and a hand-coded object can go through.
  enum Path: String, CaseIterable { case hand, list, optionals, table, holder, choice, deep, pair, nested, weak }

  private func link(_ from: Reflected, to: Later, by path: Path) {
    switch path {
    case .hand: from.hand = to
    case .list: from.list = [to]
    case .optionals: from.optionals = [nil, to]
    case .table: from.table = ["k": to]
    case .holder: from.holder = Holder(hand: to, number: 3)
    case .choice: from.choice = .one(to)
    case .deep: from.choice = .deep(.none, [to])
    case .pair: from.pair = (1, to)
    case .nested: from.nested = [["k": [nil, to]]]
    case .weak: from.weakHand = to
    }
  }

  private func follow(_ node: Reflected, _ path: Path) -> Later? {
    switch path {
    case .hand: node.hand
    case .list: node.list.first
    case .optionals: node.optionals.last ?? nil
    case .table: node.table["k"]
    case .holder: node.holder.number == 3 ? node.holder.hand : nil
    case .choice: if case .one(let hand) = node.choice { hand } else { nil }
    case .deep: if case .deep(.none, let list) = node.choice { list.first } else { nil }
    case .pair: node.pair.1
    case .nested: node.nested?.first?["k"]?.last ?? nil
    case .weak: node.weakHand
    }
  }

  @Test("A cycle goes from the hand-coded object to a reflected one and back by every kind of property", arguments: Path.allCases)
  func mixedCycle(path: Path) throws {
    let hand = Later("hand")
    let node = Reflected("node")
    hand.node = node
    link(node, to: hand, by: path)
    let read = try roundTrip(hand)
    let readNode = try #require(read.node)
    #expect(read.name == "hand" && readNode.name == "node" && follow(readNode, path) === read)
    if path != .weak {
      let fromNode = try roundTrip(node)
      let readHand = try #require(follow(fromNode, path))
      #expect(readHand.name == "hand" && readHand.node === fromNode)
      readHand.clear()
      fromNode.clear()
    }
    for hand in [hand, read] { hand.clear() }
    for node in [node, readNode] { node.clear() }
  }

  @Test("A longer way round: hand, reflected, reflected, hand, back") func longCycle() throws {
    let a = Later("a")
    let b = Later("b")
    let first = Reflected("first")
    let second = Reflected("second")
    a.node = first
    first.other = second
    second.list = [b, b]
    b.next = a
    b.friends = [a, b]
    let read = try roundTrip([a, b])
    let readSecond = try #require(read[0].node?.other)
    #expect(readSecond.list.count == 2 && readSecond.list.allSatisfy { $0 === read[1] })
    #expect(read[1].next === read[0] && read[1].friends.count == 2 && read[1].friends[0] === read[0] && read[1].friends[1] === read[1])
    for hand in [a, b] + read { hand.clear() }
  }

  @Test("Hand-coded in reflected in hand-coded, many of each", arguments: [3, 1_030]) func alternating(count: Int) throws {
    let written = (0..<count).map { number in
      let node = Reflected("node \(number)")
      node.hand = Later("inner \(number)")
      node.list = [Later("l")]
      let hand = Later("hand \(number)")
      hand.node = node
      return hand
    }
    let read = try roundTrip(written)
    #expect(read.map(\.name) == written.map(\.name))
    #expect(read.map { $0.node?.hand?.name } == (0..<count).map { "inner \($0)" })
    #expect(read.allSatisfy { $0.node?.list.first?.name == "l" })
    for hand in written + read { hand.clear() }
  }

  @Test("A random graph of both kinds keeps every edge", arguments: [10, 300, 3_000]) func random(count: Int) throws {
    let seed: UInt64 = 0x5EED_0011
    var generator = SeededGenerator(seed: seed)
    let hands = (0..<count).map { Later("\($0)") }
    let nodes = (0..<count).map { Reflected("\($0)") }
    for index in 0..<count {
      hands[index].next = hands.randomElement(using: &generator)
      hands[index].node = nodes.randomElement(using: &generator)
      hands[index].friends = (0..<Int.random(in: 0...3, using: &generator)).map { _ in hands[Int.random(in: 0..<count, using: &generator)] }
      nodes[index].hand = hands.randomElement(using: &generator)
      nodes[index].other = nodes.randomElement(using: &generator)
      nodes[index].optionals = [nil, hands[Int.random(in: 0..<count, using: &generator)]]
    }
    let read = try roundTrip(Pair(first: hands, second: nodes))
    let handNumbers = Dictionary(uniqueKeysWithValues: read.first.enumerated().map { (ObjectIdentifier($0.element), "\($0.offset)") })
    let nodeNumbers = Dictionary(uniqueKeysWithValues: read.second.enumerated().map { (ObjectIdentifier($0.element), "\($0.offset)") })
    try #require(handNumbers.count == count && nodeNumbers.count == count)
    func number(_ hand: Later?) -> String? { hand.flatMap { handNumbers[ObjectIdentifier($0)] } }
    func number(_ node: Reflected?) -> String? { node.flatMap { nodeNumbers[ObjectIdentifier($0)] } }
    for index in 0..<count {
      let (hand, readHand) = (hands[index], read.first[index])
      let (node, readNode) = (nodes[index], read.second[index])
      let isSame =
        number(readHand.next) == hand.next?.name && number(readHand.node) == hand.node?.name
        && readHand.friends.map { number($0) } == hand.friends.map(\.name) && number(readNode.hand) == node.hand?.name
        && number(readNode.other) == node.other?.name && number(readNode.optionals[1]) == node.optionals[1]?.name
      if !isSame { Issue.record("object \(index) of \(count), seed \(seed)") }
    }
    for hand in hands + read.first { hand.clear() }
    for node in nodes + read.second { node.clear() }
  }

  static let clock = Tally()

  @Test("What whenReady throws reaches the caller; it is called once for each request, before didDecode") func whenReady() throws {
    struct Stop: Error {}
    final class Target: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedIdentityTests.Target") }
      var name = "target"
      @Transient var decodedAt = 0
      override func didDecode(_ context: DecodingContext) throws { decodedAt = KeyedIdentityTests.clock.add(1) }
    }
    var calls: [Int] = []
    let place = KeyedPlace.object
    let data = try place.write {
      try $0.encode(Target(), forKey: "t")
      try $0.encode(Target?.none, forKey: "nil")
    }
    var target: Target?
    try place.read(data) { coder throws in
      try coder.decodeObject(of: Target.self, forKey: "t") {
        #expect($0.name == "target" && $0.decodedAt == 0)
        calls.append(1)
        target = $0
      }
      try coder.decodeObject(of: Target.self, forKey: "t") {
        #expect($0 === target || target == nil)
        calls.append(2)
      }
      try coder.decodeObjectIfPresent(of: Target.self, forKey: "nil") {
        #expect($0 == nil)
        calls.append(3)
      }
      try coder.decodeObjectIfPresent(of: Target.self, forKey: "gone") {
        #expect($0 == nil)
        calls.append(4)
      }
      // Where nothing is stored there is nothing to wait for.
      #expect(!calls.contains(1) && !calls.contains(2))
    }
    #expect(calls.sorted() == [1, 2, 3, 4] && target?.decodedAt != 0)
    #expect(throws: Stop.self) {
      try place.read(data) { try $0.decodeObject(of: Target.self, forKey: "t") { _ in throw Stop() } }
    }
    expectRefusal(.missingValue, at: "root.nil") {
      try place.read(data) { try $0.decodeObject(of: Target.self, forKey: "nil") { _ in } }
    }
    expectRefusal(.missingValue, at: "root.gone") {
      try place.read(data) { try $0.decodeObject(of: Target.self, forKey: "gone") { _ in } }
    }
  }

  @Test("At the top whenReady is called before the call returns or at once after it, with the complete object") func whenReadyAtTop() throws
  {
    let a = Later("a")
    a.next = Later("b")
    let coder = try KeyedUnarchiver(forReadingFrom: keyedArchive { try $0.encode(a, forKey: "a") })
    var delivered: Later?
    try coder.decodeObject(of: Later.self, forKey: "a") { delivered = $0 }
    #expect(delivered?.next?.name == "b")
    #expect(try coder.decodeObject(of: Later.self, forKey: "a") === delivered)
  }
}
