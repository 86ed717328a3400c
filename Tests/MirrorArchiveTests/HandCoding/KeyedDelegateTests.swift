import Foundation
import MirrorArchive
import Testing

/// What delegates are told, in which order, and what they may change.
@Suite("Delegates")
struct KeyedDelegateTests {
  final class Item: KeyedCoding {
    let name: String
    let children: [Item?]
    init(_ name: String, _ children: [Item?] = []) { (self.name, self.children) = (name, children) }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      children = try coder.decode([Item?].self, forKey: "children")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(children, forKey: "children")
    }
  }
  final class Mirrored: MirrorCoding {
    var name = ""
    var item: Item?
    var list: [Item] = []
    var other: Mirrored?
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }
  final class Intruder: KeyedCoding {
    static let made = Tally()
    init() {}
    init(coder: KeyedUnarchiver) throws { Self.made.add(1) }
    func encode(with coder: KeyedArchiver) throws {}
  }

  private static func name(_ object: AnyObject?) -> String {
    switch object {
    case let item as Item: item.name
    case let mirrored as Mirrored: mirrored.name
    case nil: "nil"
    default: "\(type(of: object))"
    }
  }

  final class Writer: KeyedArchiverDelegate {
    var log: [String] = []
    var replace: (AnyObject) throws -> AnyObject? = { $0 }
    func archiver(_ archiver: KeyedArchiver, willEncode object: AnyObject) throws -> AnyObject? {
      log.append("will \(KeyedDelegateTests.name(object))")
      return try replace(object)
    }
    func archiver(_ archiver: KeyedArchiver, didEncode object: AnyObject) { log.append("did \(KeyedDelegateTests.name(object))") }
    func archiver(_ archiver: KeyedArchiver, willReplace object: AnyObject, with replacement: AnyObject?) {
      log.append("replace \(KeyedDelegateTests.name(object)) by \(KeyedDelegateTests.name(replacement))")
    }
    func archiverWillFinish(_ archiver: KeyedArchiver) { log.append("will finish") }
    func archiverDidFinish(_ archiver: KeyedArchiver) { log.append("did finish") }
  }

  final class Reader: KeyedUnarchiverDelegate {
    var log: [String] = []
    var replace: (AnyObject) throws -> AnyObject? = { $0 }
    var substitute: (String) -> AnyClass? = { _ in nil }
    func unarchiver(
      _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
    ) -> AnyClass? {
      log.append("cannot \(name) \(originalClasses)")
      return substitute(name)
    }
    func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: AnyObject) throws -> AnyObject? {
      log.append("did \(KeyedDelegateTests.name(object))")
      return try replace(object)
    }
    func unarchiver(_ unarchiver: KeyedUnarchiver, willReplace object: AnyObject, with replacement: AnyObject) {
      log.append("replace \(KeyedDelegateTests.name(object)) by \(KeyedDelegateTests.name(replacement))")
    }
    func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) { log.append("will finish") }
    func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) { log.append("did finish") }
  }

  private func write(_ delegate: Writer, _ body: (KeyedArchiver) throws -> Void) throws -> Data {
    let archiver = KeyedArchiver()
    archiver.delegate = delegate
    try body(archiver)
    let data = try archiver.encodedData
    withExtendedLifetime(delegate) {}
    return data
  }

  private func index(_ text: String, _ log: [String]) -> Int { log.firstIndex(of: text) ?? -1 }

  // MARK: Writing

  @Test("Each object is announced once, before and after; the end once") func writing() throws {
    let shared = Item("shared")
    let mirrored = Mirrored("mirrored")
    (mirrored.item, mirrored.list) = (shared, [Item("inner"), shared])
    let writer = Writer()
    _ = try write(writer) {
      try $0.encode(Item("root", [shared, nil]), forKey: "a")
      try $0.encode([mirrored], forKey: "b")
      try $0.encode(5, forKey: "number")
    }
    for name in ["root", "shared", "mirrored", "inner"] {
      #expect(writer.log.filter { $0 == "will \(name)" }.count == 1 && writer.log.filter { $0 == "did \(name)" }.count == 1, "\(name)")
      #expect(index("will \(name)", writer.log) < index("did \(name)", writer.log))
    }
    #expect(writer.log.count == 10 && writer.log.suffix(2) == ["will finish", "did finish"])
    #expect(writer.log.first == "will root")
  }

  @Test("A delegate is not kept alive") func weakDelegate() throws {
    let archiver = KeyedArchiver()
    var writer: Writer? = Writer()
    archiver.delegate = writer
    #expect(archiver.delegate === writer && writer != nil)
    writer = nil
    #expect(archiver.delegate == nil)
    try archiver.encode(Item("a"), forKey: "a")
    let coder = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    var reader: Reader? = Reader()
    coder.delegate = reader
    #expect(coder.delegate === reader && reader != nil)
    reader = nil
    #expect(coder.delegate == nil)
    #expect(try coder.decodeObject(of: Item.self, forKey: "a").name == "a")
  }

  @Test("Another object in its place: at the top, in arrays, in reflected properties; one for all references") func replacing() throws {
    let old = Item("old")
    let mirrored = Mirrored("m")
    (mirrored.item, mirrored.list) = (old, [old, Item("kept")])
    let new = Item("new", [Item("child")])
    let writer = Writer()
    writer.replace = { $0 === old ? new : $0 }
    let data = try write(writer) {
      try $0.encode(old, forKey: "a")
      try $0.encode([old, nil, Item("x", [old])], forKey: "b")
      try $0.encode(mirrored, forKey: "c")
      try $0.encode(new, forKey: "d")
    }
    #expect(writer.log.filter { $0 == "replace old by new" }.count == 1)
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    let a = try coder.decodeObject(of: Item.self, forKey: "a")
    let b = try coder.decode([Item?].self, forKey: "b")
    let c = try coder.decodeObject(of: Mirrored.self, forKey: "c")
    #expect(a.name == "new" && a.children.first??.name == "child")
    #expect(b[0] === a && b[1] == nil && b[2]?.children[0] === a && c.item === a && c.list[0] === a && c.list[1].name == "kept")
    #expect(try coder.decodeObject(of: Item.self, forKey: "d") === a)
    #expect(data.range(of: Data("old".utf8)) == nil)
  }

  @Test("A veto: nil in places that are Optional") func veto() throws {
    let bad = Item("bad")
    let mirrored = Mirrored("m")
    mirrored.item = bad
    mirrored.other = Mirrored("bad")
    let writer = Writer()
    writer.replace = { KeyedDelegateTests.name($0) == "bad" ? nil : $0 }
    let data = try write(writer) {
      try $0.encode(Item("root", [bad, Item("good")]), forKey: "a")
      try $0.encode(bad as Item?, forKey: "b")
      try $0.encode(mirrored, forKey: "c")
      try $0.encodeConditionalObject(bad, forKey: "d")
    }
    #expect(writer.log.contains("replace bad by nil") && !writer.log.contains("did bad"))
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    let root = try coder.decodeObject(of: Item.self, forKey: "a")
    #expect(root.children.count == 2 && root.children[0] == nil && root.children[1]?.name == "good")
    #expect(try coder.decodeObjectIfPresent(of: Item.self, forKey: "b") == nil)
    #expect(coder.containsValue(forKey: "b"))
    let m = try coder.decodeObject(of: Mirrored.self, forKey: "c")
    #expect(m.item == nil && m.other == nil)
    #expect(try coder.decodeObjectIfPresent(of: Item.self, forKey: "d") == nil)
  }

  @Test("A veto where nil can't stand throws, naming the place") func vetoRefused() throws {
    let writer = Writer()
    writer.replace = { KeyedDelegateTests.name($0) == "bad" ? nil : $0 }
    let mirrored = Mirrored("m")
    mirrored.list = [Item("good"), Item("bad")]
    let error = expectRefusal(.invalidValue) { try write(writer) { try $0.encode(mirrored, forKey: "k") } }
    #expect(error?.path == "k.list[1]", "\(String(describing: error))")
    expectRefusal(.invalidValue, at: "k[0]") { try write(writer) { try $0.encode([Item("bad")], forKey: "k") } }
    expectRefusal(.invalidValue, at: "k") { try write(writer) { try $0.encode(Item("bad"), forKey: "k") } }
  }

  @Test("What the delegate throws reaches the caller, and the archiver rethrows it") func throwing() throws {
    struct Stop: Error {}
    let writer = Writer()
    writer.replace = { _ in throw Stop() }
    let archiver = KeyedArchiver()
    archiver.delegate = writer
    #expect(throws: Stop.self) { try archiver.encode(Item("a"), forKey: "a") }
    #expect(throws: Stop.self) { try archiver.encodedData }
  }

  @Test("A replacement of another class has to fit and to be archivable") func foreignReplacement() throws {
    final class Stranger {}
    let writer = Writer()
    writer.replace = { $0 is Item ? Stranger() : $0 }
    #expect(throws: ArchiveError.self) { try write(writer) { try $0.encode([Item("a")], forKey: "k") } }
    writer.replace = { $0 is Item ? Mirrored("other class") : $0 }
    let mirrored = Mirrored("m")
    mirrored.item = Item("a")
    // A property declared Item can't refer to a Mirrored.
    #expect(throws: ArchiveError.self) { try write(writer) { try $0.encode(mirrored, forKey: "k") } }
  }

  @Test("Encoding from inside a delegate's call is refused") func reentrant() throws {
    final class Greedy: KeyedArchiverDelegate {
      var error: (any Error)?
      func archiver(_ archiver: KeyedArchiver, willEncode object: AnyObject) throws -> AnyObject? {
        do { try archiver.encode(1, forKey: "inside") } catch { self.error = error }
        return object
      }
    }
    let greedy = Greedy()
    let archiver = KeyedArchiver()
    archiver.delegate = greedy
    try? archiver.encode(Item("a"), forKey: "a")
    #expect((greedy.error as? ArchiveError)?.code == .reentrant)
  }

  // MARK: Reading

  private func archive() throws -> Data {
    let shared = Item("shared")
    let mirrored = Mirrored("m")
    (mirrored.item, mirrored.list) = (shared, [shared, Item("inner")])
    return try keyedArchive {
      try $0.encode(Item("root", [shared, nil]), forKey: "a")
      try $0.encode([mirrored], forKey: "b")
      try $0.encode([shared], forKey: "c")
      try $0.encode(7, forKey: "number")
    }
  }

  @Test("Each object is announced once, when it is decoded; the end when decoding finishes") func reading() throws {
    let reader = Reader()
    let coder = try KeyedUnarchiver(forReadingFrom: archive())
    coder.delegate = reader
    _ = try coder.decodeObject(of: Item.self, forKey: "a")
    #expect(Set(reader.log) == ["did root", "did shared"] && index("did shared", reader.log) < index("did root", reader.log))
    _ = try coder.decode([Mirrored].self, forKey: "b")
    _ = try coder.decode([Item].self, forKey: "c")
    _ = try coder.decodeInt(forKey: "number")
    #expect(reader.log.sorted() == ["did inner", "did m", "did root", "did shared"])
    coder.finishDecoding()
    coder.finishDecoding()
    #expect(reader.log.suffix(2) == ["will finish", "did finish"] && reader.log.count == 6)
  }

  @Test("A substitute takes the place of an object everywhere") func substituting() throws {
    let reader = Reader()
    let new = Item("new")
    reader.replace = { KeyedDelegateTests.name($0) == "shared" ? new : $0 }
    let coder = try KeyedUnarchiver(forReadingFrom: archive())
    coder.delegate = reader
    #expect(try coder.decodeObject(of: Item.self, forKey: "a").children[0] === new)
    let mirrored = try coder.decode([Mirrored].self, forKey: "b")[0]
    #expect(mirrored.item === new && mirrored.list[0] === new && mirrored.list[1].name == "inner")
    #expect(try coder.decode([Item].self, forKey: "c")[0] === new)
    #expect(reader.log.filter { $0 == "replace shared by new" }.count == 1)
  }

  @Test("A substitute that doesn't fit its places throws; so does nil") func badSubstitute() throws {
    let reader = Reader()
    func decode() throws -> Mirrored {
      let coder = try KeyedUnarchiver(forReadingFrom: archive())
      coder.delegate = reader
      return try coder.decode([Mirrored].self, forKey: "b")[0]
    }
    reader.replace = { KeyedDelegateTests.name($0) == "inner" ? Mirrored("wrong") : $0 }
    expectRefusal(.typeNotAllowed, naming: ["Mirrored"]) { try decode() }
    reader.replace = { KeyedDelegateTests.name($0) == "inner" ? Intruder() : $0 }
    #expect(throws: ArchiveError.self) { try decode() }
    reader.replace = { KeyedDelegateTests.name($0) == "inner" ? nil : $0 }
    #expect(throws: ArchiveError.self) { try decode() }
    struct Stop: Error {}
    reader.replace = { KeyedDelegateTests.name($0) == "inner" ? try { throw Stop() }() : $0 }
    #expect(throws: Stop.self) { try decode() }
    reader.replace = { $0 }
    #expect(try decode().list[1].name == "inner")
  }

  @Test("cannotDecodeObjectOfClassName substitutes a class, which passes the same gate") func unknownClass() throws {
    let data = try keyedArchive {
      $0.setClassName("Gone.Item", for: Item.self)
      $0.setClassName("Gone.Mirrored", for: Mirrored.self)
      try $0.encode([Item("a"), Item("b")], forKey: "items")
      try $0.encode(Mirrored("m"), forKey: "m")
    }
    let reader = Reader()
    func coder() throws -> KeyedUnarchiver {
      let coder = try KeyedUnarchiver(forReadingFrom: data)
      coder.delegate = reader
      return coder
    }
    expectRefusal(.typeNotAllowed, at: "items", naming: ["Gone.Item"]) { try coder().decode([Item].self, forKey: "items") }
    #expect(reader.log.contains { $0.hasPrefix("cannot Gone.Item") })
    reader.substitute = { (name: String) -> AnyClass? in if name == "Gone.Item" { Item.self } else { Mirrored.self } }
    let good = try coder()
    #expect(try good.decode([Item].self, forKey: "items").map(\.name) == ["a", "b"])
    #expect(try good.decodeObject(of: Mirrored.self, forKey: "m").name == "m")
    // A class that the call doesn't name is not made, whoever proposes it.
    let made = Intruder.made.value
    reader.substitute = { _ in Intruder.self }
    #expect(throws: ArchiveError.self) { try coder().decode([Item].self, forKey: "items") }
    #expect(Intruder.made.value == made)
  }

  @Test("originalClasses names the class and its superclasses in the archive") func originalClasses() throws {
    class OldBase: MirrorCoding { var number = 1 }
    final class OldHeir: OldBase { var text = "t" }
    let data = try keyedArchive {
      $0.setClassName("Old.Base", for: OldBase.self)
      $0.setClassName("Old.Heir", for: OldHeir.self)
      try $0.encode(OldHeir(), forKey: "k")
    }
    let reader = Reader()
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.delegate = reader
    #expect(throws: ArchiveError.self) { try coder.decodeObject(of: Mirrored.self, forKey: "k") }
    #expect(reader.log.contains(#"cannot Old.Heir ["Old.Heir", "Old.Base"]"#), "\(reader.log)")
  }
}
