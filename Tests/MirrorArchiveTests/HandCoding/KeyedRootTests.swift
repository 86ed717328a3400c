import Foundation
import MirrorArchive
import Testing

/// Several root keys, and the lives of the two coders.
@Suite("Root keys and coders")
struct KeyedRootTests {
  final class Node: KeyedCoding {
    let name: String
    var next: Node?
    init(_ name: String, _ next: Node? = nil) { (self.name, self.next) = (name, next) }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      try coder.decodeObjectIfPresent(of: Node.self, forKey: "next") { self.next = $0 }
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(next, forKey: "next")
    }
  }

  private func archive() throws -> Data {
    let shared = Node("shared")
    let fruit = Models.Fruit(4)
    return try keyedArchive {
      try $0.encode(Node("a", shared), forKey: "a")
      try $0.encode([shared, Node("b", shared)], forKey: "b")
      try $0.encode([fruit, fruit], forKey: "fruits")
      try $0.encode(["s": shared], forKey: "table")
      try $0.encode(fruit, forKey: "fruit")
      try $0.encode("text", forKey: "text")
    }
  }

  static let orders = [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1], [1, 1, 0, 0, 1], [3, 2, 1, 0, 4, 3, 2, 1, 0]]

  @Test("Identity holds across keys, in any order of decoding", arguments: orders) func identity(order: [Int]) throws {
    let coder = try KeyedUnarchiver(forReadingFrom: archive())
    #expect(coder.allKeys == ["a", "b", "fruits", "table", "fruit", "text"])
    var shared: [Node] = []
    var fruits: [Models.Fruit] = []
    for key in order {
      switch key {
      case 0:
        let a = try coder.decodeObject(of: Node.self, forKey: "a")
        #expect(a.name == "a")
        shared.append(try #require(a.next))
      case 1:
        let list = try coder.decodeArrayOfObjects(ofClass: Node.self, forKey: "b")
        #expect(list.count == 2 && list[1].name == "b" && list[1].next === list[0])
        shared.append(list[0])
      case 2: fruits += try coder.decode([Models.Fruit].self, forKey: "fruits")
      case 3: shared += try coder.decodeDictionary(ofKeyClass: String.self, objectClass: Node.self, forKey: "table").values
      default: fruits.append(try coder.decodeObject(of: Models.Fruit.self, forKey: "fruit"))
      }
    }
    #expect(shared.allSatisfy { $0 === shared[0] && $0.name == "shared" })
    #expect(fruits.allSatisfy { $0 === fruits[0] && $0.count == 4 * 37 })
    #expect(try coder.decodeString(forKey: "text") == "text")
  }

  @Test("The same key twice gives the same object") func twice() throws {
    let coder = try KeyedUnarchiver(forReadingFrom: archive())
    #expect(try coder.decodeObject(of: Node.self, forKey: "a") === coder.decodeObject(of: Node.self, forKey: "a"))
    #expect(try coder.decode([Node].self, forKey: "b")[1] === coder.decodeArrayOfObjects(ofClass: Node.self, forKey: "b")[1])
    let other = try KeyedUnarchiver(forReadingFrom: archive())
    #expect(try other.decodeObject(of: Node.self, forKey: "a") !== coder.decodeObject(of: Node.self, forKey: "a"))
  }

  @Test("The one-shot calls read what an instance wrote under root, and the other way round") func oneShot() throws {
    let data = try keyedArchive {
      try $0.encode(Node("other"), forKey: "other")
      try $0.encode(Node("root"), forKey: "root")
    }
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Node.self, from: data).name == "root")
    let root = try KeyedArchiver.archivedData(withRootObject: Node("r", Node("s")))
    let coder = try KeyedUnarchiver(forReadingFrom: root)
    #expect(coder.allKeys == ["root"])
    #expect(try coder.decodeObject(of: Node.self, forKey: "root").next?.name == "s")
  }

  @Test("The root keys of an archive without any") func none() throws {
    let coder = try KeyedUnarchiver(forReadingFrom: keyedArchive { _ in })
    #expect(coder.allKeys.isEmpty)
    expectRefusal(.missingValue, at: "root") { try coder.decodeInt(forKey: "root") }
  }

  @Test("A hundred root keys, each with objects of its own") func manyKeys() throws {
    let data = try keyedArchive { coder in
      for number in 0..<100 { try coder.encode((0..<20).map { Node("\(number) \($0)") }, forKey: "\(number)") }
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    for number in (0..<100).reversed() {
      #expect(try coder.decode([Node].self, forKey: "\(number)").map(\.name) == (0..<20).map { "\(number) \($0)" })
    }
  }

  @Test("A key of value types is read though other keys hold classes that this reader doesn't know") func foreignNeighbours() throws {
    let data = try keyedArchive {
      try $0.encode(5, forKey: "number")
      try $0.encode([Node("n")], forKey: "nodes")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    #expect(try coder.decodeInt(forKey: "number") == 5)
    expectRefusal(.typeNotAllowed, at: "nodes") { try coder.decode([Models.Fruit].self, forKey: "nodes") }
    #expect(try coder.decode([Node].self, forKey: "nodes").map(\.name) == ["n"])
  }

  // MARK: The archiver

  @Test("encodedData finishes, and gives the same bytes again") func encodedData() throws {
    let archiver = KeyedArchiver()
    #expect(archiver.requiresSecureCoding && !KeyedArchiver(requiringSecureCoding: false).requiresSecureCoding)
    try archiver.encode(5, forKey: "n")
    let data = try archiver.encodedData
    #expect(try archiver.encodedData == data)
    #expect(try KeyedUnarchiver(forReadingFrom: data).decodeInt(forKey: "n") == 5)
    let explicit = KeyedArchiver()
    try explicit.encode(5, forKey: "n")
    try explicit.finishEncoding()
    #expect(try explicit.encodedData == data)
  }

  @Test("After it has finished, every encoding call throws finished; the data stays") func finished() throws {
    for explicitly in [true, false] {
      let archiver = KeyedArchiver()
      try archiver.encode(1, forKey: "n")
      if explicitly { try archiver.finishEncoding() } else { _ = try archiver.encodedData }
      expectRefusal(.finished) { try archiver.encode(2, forKey: "m") }
      expectRefusal(.finished) { try archiver.encode(Node("n"), forKey: "m") }
      expectRefusal(.finished) { try archiver.encodeConditionalObject(nil, forKey: "m") }
      expectRefusal(.finished) { try archiver.encodeContainer(forKey: "m") { _ in } }
      expectRefusal(.finished) { unsafe try archiver.encodeBytes(UnsafeRawBufferPointer(start: nil, count: 0), forKey: "m") }
      let coder = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
      #expect(coder.allKeys == ["n"])
    }
  }

  struct Stop: Error, Equatable { var text: String }

  final class Failing: KeyedCoding {
    let place: Int
    init(_ place: Int) { self.place = place }
    init(coder: KeyedUnarchiver) throws { throw Stop(text: "init") }
    func encode(with coder: KeyedArchiver) throws {
      if place == 0 { throw Stop(text: "encode") }
      try coder.encode("a", forKey: "a")
      if place == 1 { throw Stop(text: "encode") }
    }
  }

  @Test("An error in encode(with:) reaches the caller, and the archiver only rethrows", arguments: [0, 1]) func failing(place: Int) throws {
    #expect(throws: Stop(text: "encode")) { try KeyedArchiver.archivedData(withRootObject: Failing(place)) }
    #expect(throws: Stop(text: "encode")) { try KeyedArchiver.archivedData(withRootObject: [Box(Failing(2)), Box(Failing(place))]) }
    let archiver = KeyedArchiver()
    try archiver.encode("good", forKey: "good")
    #expect(throws: Stop(text: "encode")) { try archiver.encode(Slot(Failing(place)), forKey: "bad") }
    #expect(throws: Stop(text: "encode")) { try archiver.encode(1, forKey: "later") }
    #expect(throws: Stop(text: "encode")) { try archiver.finishEncoding() }
    #expect(throws: Stop(text: "encode")) { try archiver.encodedData }
  }

  @Test("After an error of its own, too, the archiver only rethrows") func ownError() throws {
    let archiver = KeyedArchiver()
    try archiver.encode(1, forKey: "a")
    expectRefusal(.duplicateKey, at: "a") { try archiver.encode(2, forKey: "a") }
    expectRefusal(.duplicateKey, at: "a") { try archiver.encode(2, forKey: "b") }
    expectRefusal(.duplicateKey, at: "a") { try archiver.encodedData }
  }

  @Test("An error that encode(with:) swallows is not lost", arguments: [KeyedPlace.top, .object]) func swallowed(place: KeyedPlace) {
    // Half of the failed value may be written: the archive can't be trusted.
    #expect(throws: (any Error).self) {
      try place.write {
        try? $0.encode(Failing(1), forKey: "bad")
        try $0.encode(1, forKey: "good")
      }
    }
  }

  @Test("An archiver that nobody asks for its data is let go with what it holds") func abandoned() {
    final class Counted: KeyedCoding {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedRootTests.Counted") }
      init() { KeyedRootTests.live.add(1) }
      deinit { KeyedRootTests.live.add(-1) }
      init(coder: KeyedUnarchiver) throws {}
      func encode(with coder: KeyedArchiver) throws {}
    }
    do {
      let archiver = KeyedArchiver()
      #expect(throws: Never.self) { try archiver.encode([Counted(), Counted()], forKey: "temporaries") }
      #expect(Self.live.value == 2)
    }
    #expect(Self.live.value == 0)
  }
  static let live = Tally()

  @Test("Temporaries that encode(with:) hands over are kept apart while the archiver needs them") func temporaries() throws {
    final class Wrapper: KeyedCoding {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedRootTests.Wrapper") }
      let numbers: [Int]
      init(_ numbers: [Int]) { self.numbers = numbers }
      init(coder: KeyedUnarchiver) throws {
        numbers = try coder.decodeArrayOfObjects(ofClass: Slot<Int>.self, forKey: "boxes").map(\.value)
        #expect(try coder.decodeObject(of: Hand<Int>.self, forKey: "count").value == numbers.count)
      }
      func encode(with coder: KeyedArchiver) throws {
        try coder.encode(numbers.map { Slot($0) }, forKey: "boxes")
        try coder.encode(Hand(numbers.count), forKey: "count")
      }
    }
    let written = (0..<500).map { Wrapper(Array($0..<$0 + $0 % 5)) }
    #expect(try roundTrip(written).map(\.numbers) == written.map(\.numbers))
    let byKey = try keyedArchive { for (index, wrapper) in written.enumerated() { try $0.encode(wrapper, forKey: "\(index)") } }
    let coder = try KeyedUnarchiver(forReadingFrom: byKey)
    for index in written.indices {
      #expect(try coder.decodeObject(of: Wrapper.self, forKey: "\(index)").numbers == written[index].numbers)
    }
  }

  @Test("R9: an object that is archived again after a change gives an independent archive") func independent() throws {
    let list = Slot([Node("a")])
    let first = try KeyedArchiver.archivedData(withRootObject: list)
    list.value.append(Node("b"))
    let second = try KeyedArchiver.archivedData(withRootObject: list)
    #expect(try KeyedUnarchiver.unarchivedObject(of: Slot<[Node]>.self, from: first).value.map(\.name) == ["a"])
    #expect(try KeyedUnarchiver.unarchivedObject(of: Slot<[Node]>.self, from: second).value.map(\.name) == ["a", "b"])
  }

  @Test("The same graph gives the same bytes; with sorted keys whatever the order of a dictionary") func deterministic() throws {
    func make() throws -> Data {
      try keyedArchive {
        try $0.encode(Node("a", Node("b")), forKey: "n")
        try $0.encode([Hand("x"), Hand("y")], forKey: "h")
      }
    }
    #expect(try make() == make())
    func sorted(_ keys: [String]) throws -> Data {
      try keyedArchive { coder in
        coder.outputFormatting = .sortedKeys
        var table: [String: Hand<Int>] = [:]
        for key in keys { table[key] = Hand(key.utf8.count) }
        try coder.encode(table, forKey: "table")
      }
    }
    let keys = (0..<50).map { "key \($0 * $0)" }
    let data = try sorted(keys)
    for _ in 0..<5 { #expect(try sorted(keys.shuffled()) == data) }
    let read = try KeyedUnarchiver(forReadingFrom: data).decodeDictionary(
      ofKeyClass: String.self, objectClass: Hand<Int>.self, forKey: "table")
    #expect(read.count == 50 && read["key 4"]?.value == 5)
  }

  @Test("CASES row 18: the size limit throws before anything is handed out") func sizeLimit() throws {
    let text = String(repeating: "0123456789", count: 500_000)
    let archiver = KeyedArchiver()
    archiver.maximumByteCount = 4 << 20
    let limit = expectRefusal(.limitExceeded) {
      try archiver.encode(text, forKey: "text")
      try archiver.finishEncoding()
    }
    #expect(limit != nil)
    expectRefusal(.limitExceeded) { try archiver.encode(1, forKey: "n") }
    expectRefusal(.limitExceeded) { try archiver.encodedData }
    let hand = KeyedArchiver()
    hand.maximumByteCount = 4 << 20
    expectRefusal(.limitExceeded) {
      for number in 0..<10 { try hand.encode(Hand(Data(repeating: UInt8(number), count: 1 << 20)), forKey: "\(number)") }
      _ = try hand.encodedData
    }
    let small = KeyedArchiver()
    small.maximumByteCount = 4 << 20
    try small.encode(Data(count: 3 << 20), forKey: "d")
    #expect(try small.encodedData.count > 3 << 20)
  }

  @Test("The limit is exact") func exactLimit() throws {
    func make(limit: Int?) throws -> Data {
      let archiver = KeyedArchiver()
      archiver.maximumByteCount = limit
      for number in 0..<20 { try archiver.encode(Hand("number \(number)"), forKey: "\(number)") }
      return try archiver.encodedData
    }
    let count = try make(limit: nil).count
    #expect(try make(limit: count).count == count)
    expectRefusal(.limitExceeded) { try make(limit: count - 1) }
    expectRefusal(.limitExceeded) { try make(limit: 0) }
  }

  // MARK: The unarchiver

  @Test("CASES row 17: no coder exists that answers nil to everything") func noArchive() {
    expectRefusal(.notAnArchive) { try KeyedUnarchiver(forReadingFrom: Data("{}".utf8)) }
    expectRefusal(.notAnArchive) { try KeyedUnarchiver(forReadingFrom: Data("hello".utf8)) }
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver(forReadingFrom: Data()) }
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver(forReadingFrom: Data(count: 1_000)) }
  }

  @Test("Damage is noticed when the coder is made") func damaged() throws {
    var data = try archive()
    expectRefusal(.truncated) { try KeyedUnarchiver(forReadingFrom: data.dropLast()) }
    expectRefusal(.trailingBytes) { try KeyedUnarchiver(forReadingFrom: data + [0]) }
    data[data.count / 2] ^= 1
    expectRefusal(.corrupt) { try KeyedUnarchiver(forReadingFrom: data) }
  }

  @Test("A slice of a larger Data will do") func slice() throws {
    let data = try archive()
    let padded = Data([9, 9, 9]) + data + Data([9])
    let coder = try KeyedUnarchiver(forReadingFrom: padded[3..<3 + data.count])
    #expect(try coder.decodeString(forKey: "text") == "text")
  }

  @Test("After finishDecoding every decoding call throws finished; finishing twice is nothing") func finishDecoding() throws {
    let coder = try KeyedUnarchiver(forReadingFrom: archive())
    #expect(coder.requiresSecureCoding && coder.decodingFailurePolicy == .throwError && coder.error == nil)
    let node = try coder.decodeObject(of: Node.self, forKey: "a")
    coder.finishDecoding()
    coder.finishDecoding()
    expectRefusal(.finished) { try coder.decodeString(forKey: "text") }
    expectRefusal(.finished) { try coder.decodeStringIfPresent(forKey: "text") }
    expectRefusal(.finished) { try coder.decodeObject(of: Node.self, forKey: "a") }
    #expect(node.next?.name == "shared")
  }

  @Test("A coder that is kept after its object was made is refused") func escaped() throws {
    var kept: KeyedUnarchiver?
    var keptArchiver: KeyedArchiver?
    let data = try KeyedPlace.object.write {
      keptArchiver = $0
      try $0.encode(1, forKey: "n")
    }
    try KeyedPlace.object.read(data) {
      kept = $0
      #expect(try $0.decodeInt(forKey: "n") == 1)
      _ = try $0.decodeInt(forKey: "n")
    }
    #expect(throws: ArchiveError.self) { try kept?.decodeInt(forKey: "n") }
    #expect(throws: ArchiveError.self) { try keptArchiver?.encode(2, forKey: "m") }
  }

  @Test("Whatever the archive outlives: objects stay when coder and data are gone") func lifetime() throws {
    var coder: KeyedUnarchiver? = try KeyedUnarchiver(forReadingFrom: archive())
    let node = try coder?.decodeObject(of: Node.self, forKey: "a")
    coder = nil
    #expect(node?.name == "a" && node?.next?.name == "shared")
  }
}
