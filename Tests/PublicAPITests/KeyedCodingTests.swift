import Foundation
import MirrorArchive
import Testing

/// Classes coded by hand, with what `import MirrorArchive` shows.
@Suite("Public keyed coding")
struct KeyedCodingTests {
  final class Fruit: KeyedCoding {
    let name: String
    let count: Int
    let price: Double?
    init(_ name: String, _ count: Int, price: Double? = nil) { (self.name, self.count, self.price) = (name, count, price) }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      count = try coder.decodeInt(forKey: "count")
      price = try coder.decodeDoubleIfPresent(forKey: "price")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(count, forKey: "count")
      if let price { try coder.encode(price, forKey: "price") }
    }
  }

  class Node: KeyedCoding {
    class var archiveRules: ArchiveRules { ArchiveRules(name: "public-keyed-node", subclasses: [Special.self]) }
    var label: String
    var next: Node?
    init(_ label: String) { self.label = label }
    required init(coder: KeyedUnarchiver) throws {
      label = try coder.decodeString(forKey: "label")
      try coder.decodeObjectIfPresent(of: Node.self, forKey: "next") { self.next = $0 }
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(label, forKey: "label")
      try coder.encode(next, forKey: "next")
    }
  }
  final class Special: Node {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "public-keyed-special") }
    var mood = "calm"
    override init(_ label: String) { super.init(label) }
    required init(coder: KeyedUnarchiver) throws {
      mood = try coder.decodeString(forKey: "mood")
      try super.init(coder: coder)
    }
    override func encode(with coder: KeyedArchiver) throws {
      try super.encode(with: coder)
      try coder.encode(mood, forKey: "mood")
    }
  }

  final class Photo: MirrorCoding, KeyedExtras {
    var title = ""
    var fruit: Fruit?
    @Transient var pixels: [UInt8] = []
    func encodeExtras(with coder: KeyedArchiver) throws {
      unsafe try pixels.withUnsafeBytes { unsafe try coder.encodeBytes($0, forKey: "pixels") }
    }
    func decodeExtras(with coder: KeyedUnarchiver) throws { pixels = try coder.decodeBytes(forKey: "pixels") }
  }

  final class Shared: KeyedCoding, ArchiveSubstitution, Sendable {
    static let instance = Shared()
    private init() {}
    init(coder: KeyedUnarchiver) throws {}
    func encode(with coder: KeyedArchiver) throws {}
    func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? { Self.instance }
  }

  @Test("A class is coded by hand and used with the one-shot calls") func oneShot() throws {
    let data: Data = try KeyedArchiver.archivedData(withRootObject: [Fruit("apple", 7, price: 1.25), Fruit("pear", 1)])
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Fruit.self, from: data)
    #expect(read.map(\.name) == ["apple", "pear"] && read.map(\.count) == [7, 1] && read.map(\.price) == [1.25, nil])
  }

  @Test("Hand-coded and reflected classes hold each other") func mixed() throws {
    let photo = Photo()
    (photo.title, photo.fruit, photo.pixels) = ("t", Fruit("fig", 2), [1, 2, 3])
    let data = try KeyedArchiver.archivedData(withRootObject: photo)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Photo.self, from: data)
    #expect(read.title == "t" && read.fruit?.name == "fig" && read.pixels == [1, 2, 3])
  }

  @Test("Cycles and subclasses") func cycles() throws {
    let a = Node("a")
    let b = Special("b")
    b.mood = "glad"
    (a.next, b.next) = (b, a)
    let data = try KeyedArchiver.archivedData(withRootObject: a)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Node.self, from: data)
    #expect(read.next?.next === read && (read.next as? Special)?.mood == "glad")
    (a.next, read.next) = (nil, nil)
  }

  @Test("An archiver and an unarchiver as instances, with everything they offer") func instances() throws {
    let fruit = Fruit("kiwi", 3)
    let archiver = KeyedArchiver(requiringSecureCoding: true, allowing: [Node.self])
    archiver.outputFormatting = .sortedKeys
    archiver.outputFormatting.insert(.sortedKeys)
    archiver.maximumByteCount = 1 << 20
    archiver.setClassName("Fruit", for: Fruit.self)
    #expect(archiver.requiresSecureCoding && archiver.className(for: Fruit.self) == "Fruit")
    try archiver.encode(fruit, forKey: "fruit")
    try archiver.encode([fruit, fruit], forKey: "list")
    try archiver.encode(["k": fruit], forKey: "table")
    try archiver.encodeConditionalObject(fruit, forKey: "same")
    unsafe try ([1, 2] as [UInt8]).withUnsafeBytes { unsafe try archiver.encodeBytes($0, forKey: "bytes") }
    try archiver.encodeContainer(forKey: "box") { coder in
      try coder.encode(1)
      try coder.encode("two")
      try coder.encodeConditionalObject(nil)
      try coder.encodeContainer { try $0.encode(true, forKey: "deep") }
      try coder.encode(5.5, forKey: "number")
    }
    try archiver.finishEncoding()
    let data = try archiver.encodedData

    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.setClass(Fruit.self, forClassName: "Fruit")
    coder.setModule("PublicAPITests", forModuleName: "Elsewhere")
    #expect(coder.class(forClassName: "Fruit") == Fruit.self && coder.requiresSecureCoding && coder.error == nil)
    #expect(coder.allKeys == ["fruit", "list", "table", "same", "bytes", "box"] && coder.containsValue(forKey: "box"))
    let read = try coder.decodeObject(of: Fruit.self, forKey: "fruit")
    #expect(read.name == "kiwi")
    #expect(try coder.decodeObjectIfPresent(of: Fruit.self, forKey: "same") === read)
    #expect(try coder.decodeArrayOfObjects(ofClass: Fruit.self, forKey: "list").allSatisfy { $0 === read })
    #expect(try coder.decodeArrayOfObjects(ofClasses: [Fruit.self], forKey: "list").count == 2)
    #expect(try coder.decodeDictionary(ofKeyClass: String.self, objectClass: Fruit.self, forKey: "table")["k"] === read)
    #expect(try coder.decodeObject(ofClasses: [Node.self, Fruit.self], forKey: "fruit") as? Fruit === read)
    #expect(try coder.decodeBytes(forKey: "bytes") == [1, 2])
    let sum = unsafe try coder.withBytes(forKey: "bytes") { unsafe $0.reduce(0) { $0 + Int($1) } }
    #expect(sum == 3)
    let number = try coder.decodeContainer(forKey: "box") { coder -> Double in
      #expect(coder.unkeyedCount == 4 && coder.storedType(forKey: "number")?.description == "Double")
      let (one, two) = (try coder.decode(Int.self), try coder.decode(String.self))
      let nothing = try coder.decodeIfPresent(Fruit.self)
      let deep = try coder.decodeContainer { try $0.decodeBool(forKey: "deep") }
      #expect(one == 1 && two == "two" && nothing == nil && deep && coder.isAtEnd)
      return try coder.decodeDouble(forKey: "number")
    }
    #expect(number == 5.5)
    coder.finishDecoding()
  }

  @Test("A missing key is an error, and nil only where nil is asked for") func missing() throws {
    let archiver = KeyedArchiver()
    try archiver.encode("x", forKey: "x")
    let coder = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    let error = #expect(throws: ArchiveError.self) { try coder.decodeInt(forKey: "gone") }
    #expect(error?.code == .missingValue && error?.path == "gone")
    #expect(try coder.decodeIntIfPresent(forKey: "gone") == nil)
    #expect(try coder.decodeIfPresent([Int].self, forKey: "gone") == nil)
  }

  final class Spy: KeyedArchiverDelegate, KeyedUnarchiverDelegate {
    var seen: [String] = []
    func archiver(_ archiver: KeyedArchiver, willEncode object: AnyObject) throws -> AnyObject? {
      seen.append("write \((object as? Fruit)?.name ?? "?")")
      return object
    }
    func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: AnyObject) throws -> AnyObject? {
      seen.append("read \((object as? Fruit)?.name ?? "?")")
      return object
    }
  }
  final class Idle: KeyedArchiverDelegate, KeyedUnarchiverDelegate {}

  @Test("Delegates need to write only what they want to know") func delegates() throws {
    let spy = Spy()
    let archiver = KeyedArchiver()
    archiver.delegate = spy
    try archiver.encode(Fruit("a", 1), forKey: "a")
    let coder = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    coder.delegate = spy
    _ = try coder.decodeObject(of: Fruit.self, forKey: "a")
    #expect(spy.seen == ["write a", "read a"])
    let idle = Idle()
    coder.delegate = idle
    #expect(try coder.decodeObject(of: Fruit.self, forKey: "a").name == "a")
  }

  @Test("A shared instance is found again") func substitution() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: [Shared.instance, Shared.instance])
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Shared.self, from: data)
    #expect(read.count == 2 && read.allSatisfy { $0 === Shared.instance })
  }

  @Test("Files") func files() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-archive-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try KeyedArchiver.archive(Fruit("lime", 4), to: file)
    #expect(try KeyedUnarchiver.unarchivedObject(of: Fruit.self, contentsOf: file).name == "lime")
    #expect(try KeyedUnarchiver(forReadingFrom: file).decodeObject(of: Fruit.self, forKey: "root").count == 4)
  }

  @Test("The codes of coders go by their names") func codes() {
    let codes: [(ArchiveError.Code, String)] = [
      (.duplicateKey, "duplicateKey"), (.finished, "finished"), (.cycle, "cycle"), (.reentrant, "reentrant"), (.fileError, "fileError"),
    ]
    for (code, name) in codes { #expect(code.description == name) }
  }
}
