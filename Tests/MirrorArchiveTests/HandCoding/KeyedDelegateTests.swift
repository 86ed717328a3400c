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

/// Objects that replace themselves.
@Suite("Substitution")
struct KeyedSubstitutionTests {
  /// One instance for a whole program: a proxy with a name is archived for it.
  final class Registry: KeyedCoding, ArchiveSubstitution, @unchecked Sendable {
    static let shared = Registry("shared")
    static let other = Registry("other")
    let name: String
    private init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { throw CancellationError() }
    func encode(with coder: KeyedArchiver) throws { throw CancellationError() }
    func replacementObject(for coder: KeyedArchiver) throws -> AnyObject? { RegistryProxy(name) }
  }
  final class RegistryProxy: KeyedCoding, ArchiveSubstitution {
    let name: String
    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { name = try coder.decodeString(forKey: "name") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(name, forKey: "name") }
    func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? {
      switch name {
      case "shared": Registry.shared
      case "other": Registry.other
      case "nil": nil
      default: throw CancellationError()
      }
    }
  }

  /// The singleton pattern with one class: found by its key when it is read.
  final class Currency: KeyedCoding, ArchiveSubstitution {
    static let made = Tally()
    nonisolated(unsafe) static let all = [Currency("EUR"), Currency("CNY")]
    let code: String
    private init(_ code: String) { self.code = code }
    init(coder: KeyedUnarchiver) throws {
      code = try coder.decodeString(forKey: "code")
      Self.made.add(1)
    }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(code, forKey: "code") }
    func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? { unsafe Self.all.first { $0.code == code } ?? self }
    static func named(_ code: String) -> Currency { unsafe all.first { $0.code == code } ?? Currency(code) }
  }
  final class Price: MirrorCoding {
    var amount = 0
    var currency: Currency?
    var accepted: [Currency] = []
    var rates: [String: Currency] = [:]
    var pair = Pair<Currency?, Int>(first: nil, second: 0)
    @Transient var atDidDecode = false
    override func didDecode(_ context: DecodingContext) throws {
      atDidDecode = currency === Currency.named("EUR")
    }
  }
  final class Account: KeyedCoding {
    let currency: Currency
    let history: [Currency]
    init(_ currency: Currency, _ history: [Currency]) { (self.currency, self.history) = (currency, history) }
    init(coder: KeyedUnarchiver) throws {
      currency = try coder.decodeObject(of: Currency.self, forKey: "currency")
      history = try coder.decode([Currency].self, forKey: "history")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(currency, forKey: "currency")
      try coder.encode(history, forKey: "history")
    }
  }

  @Test("awakeAfter: the program's own instance stands in reflected properties, arrays, dictionaries, structs and keys")
  func awake() throws {
    let euro = Currency.named("EUR")
    let yuan = Currency.named("CNY")
    let price = Price()
    (price.amount, price.currency, price.accepted, price.rates) = (5, euro, [euro, yuan, euro], ["c": yuan])
    price.pair = Pair(first: yuan, second: 3)
    let read = try roundTrip(price)
    #expect(read.amount == 5 && read.currency === euro && read.accepted.count == 3)
    #expect(read.accepted[0] === euro && read.accepted[1] === yuan && read.accepted[2] === euro && read.rates["c"] === yuan)
    #expect(read.pair.first === yuan && read.pair.second == 3 && read.atDidDecode)
    let account = try roundTrip(Account(yuan, [yuan, euro]))
    #expect(account.currency === yuan && account.history.count == 2 && account.history[0] === yuan && account.history[1] === euro)
    #expect(try roundTrip(euro) === euro)
    let list = try roundTrip([euro, euro])
    #expect(list.count == 2 && list.allSatisfy { $0 === euro })
  }

  @Test("awakeAfter by keys: the same key twice, and keys that share the object") func awakeByKey() throws {
    let euro = Currency.named("EUR")
    let data = try keyedArchive {
      try $0.encode(euro, forKey: "a")
      try $0.encode([euro, Currency.named("CNY")], forKey: "b")
      try $0.encode(Hand(euro), forKey: "c")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    for _ in 0..<2 {
      #expect(try coder.decodeObject(of: Currency.self, forKey: "a") === euro)
      #expect(try coder.decode([Currency].self, forKey: "b")[0] === euro)
      #expect(try coder.decodeObject(of: Hand<Currency>.self, forKey: "c").value === euro)
    }
  }

  @Test("A proxy is archived for an object, and hands it out again") func proxy() throws {
    let data = try keyedArchive(allowing: [RegistryProxy.self]) {
      try $0.encode([Registry.shared, Registry.other, Registry.shared], forKey: "list")
      try $0.encode(Registry.other, forKey: "one")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    // What is in the archive is the proxy; the reader names it together with what it becomes.
    let one = try coder.decodeObject(ofClasses: [RegistryProxy.self, Registry.self], forKey: "one")
    #expect(one as AnyObject === Registry.other)
    let list = try coder.decodeArrayOfObjects(ofClasses: [RegistryProxy.self, Registry.self], forKey: "list")
    #expect(list.count == 3 && list.map { ($0 as? Registry)?.name } == ["shared", "other", "shared"])
  }

  @Test("awakeAfter that gives nil or throws rejects the archive") func rejected() throws {
    let data = try keyedArchive { try $0.encode(RegistryProxy("nil"), forKey: "k") }
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver(forReadingFrom: data).decodeObject(of: RegistryProxy.self, forKey: "k") }
    let throwing = try keyedArchive { try $0.encode(RegistryProxy("unknown"), forKey: "k") }
    #expect(throws: CancellationError.self) {
      try KeyedUnarchiver(forReadingFrom: throwing).decodeObject(of: RegistryProxy.self, forKey: "k")
    }
  }

  @Test("A substitute that the place doesn't admit throws") func wrongPlace() throws {
    let data = try keyedArchive { try $0.encode(RegistryProxy("shared"), forKey: "k") }
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver(forReadingFrom: data).decodeObject(of: RegistryProxy.self, forKey: "k")
    }
    #expect(error.map { [.typeMismatch, .typeNotAllowed].contains($0.code) } == true, "\(String(describing: error))")
  }

  /// A reflected class that substitutes as well.
  final class Ring: MirrorCoding, ArchiveSubstitution {
    static let replaced = Tally()
    var name = ""
    var next: Ring?
    var list: [Ring] = []
    @Transient var isNew = false
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
    func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? {
      if !name.hasPrefix("replace") { return self }
      let new = Ring("new for \(name)")
      (new.next, new.list, new.isNew) = (next, list, true)
      return new
    }
    func replacementObject(for coder: KeyedArchiver) throws -> AnyObject? {
      switch name {
      case "veto": return nil
      case "endless": return Ring("endless")
      case "first": return Ring("second")
      case "second": return Ring("third")
      default: return self
      }
    }
  }

  @Test("Reflected objects replace themselves after decoding, in every property that holds them") func reflected() throws {
    let root = Ring("root")
    let inner = Ring("replace me")
    (root.next, root.list) = (inner, [Ring("kept"), inner])
    inner.list = [Ring("below")]
    let read = try roundTrip(root)
    let new = try #require(read.next)
    #expect(new.name == "new for replace me" && new.isNew && new.list.map(\.name) == ["below"])
    #expect(read.list[1] === new && read.list[0].name == "kept" && !read.isNew)
  }

  @Test(
    "An object that others already hold, because it is part of a cycle, is replaced everywhere or not at all",
    arguments: ["root", "replace"])
  func cycle(name: String) throws {
    let a = Ring(name)
    let b = Ring("b")
    (a.next, b.next) = (b, a)
    defer { a.next = nil }
    let data = try KeyedArchiver.archivedData(withRootObject: a)
    if name == "root" {
      let read = try KeyedUnarchiver.unarchivedObject(ofClass: Ring.self, from: data)
      #expect(read.next?.next === read)
      read.next = nil
    } else {
      // Never a graph in which some hold the old object and some the new one.
      do {
        let read = try KeyedUnarchiver.unarchivedObject(ofClass: Ring.self, from: data)
        #expect(read.isNew && read.next?.next === read)
        read.next = nil
      } catch let error as ArchiveError {
        #expect(error.code == .cycle, "\(error)")
      }
    }
  }

  @Test("Replacement at encode: chains end, endless ones throw, nil is a veto") func replacement() throws {
    let root = Ring("root")
    root.next = Ring("first")
    #expect(try roundTrip(root).next?.name == "third")
    root.next = Ring("veto")
    #expect(try roundTrip(root).next == nil)
    root.next = nil
    root.list = [Ring("kept"), Ring("veto")]
    expectRefusal(.invalidValue, at: "root.list[1]") { try KeyedArchiver.archivedData(withRootObject: root) }
    root.list = [Ring("endless")]
    expectRefusal(.invalidValue) { try KeyedArchiver.archivedData(withRootObject: root) }
  }

  @Test("Once per object: two references to one replaced object are references to one replacement") func once() throws {
    let first = Ring("first")
    let root = Ring("root")
    (root.next, root.list) = (first, [first, first])
    let read = try roundTrip(root)
    #expect(read.next?.name == "third" && read.list.count == 2 && read.list.allSatisfy { $0 === read.next })
  }

  @Test("Encoding or decoding from inside a substitution hook") func reentrant() throws {
    final class Greedy: MirrorCoding, ArchiveSubstitution {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedSubstitutionTests.Greedy") }
      var number = 1
      @Transient var code: ArchiveError.Code?
      func replacementObject(for coder: KeyedArchiver) throws -> AnyObject? {
        do { try coder.encode(1, forKey: "x") } catch let error as ArchiveError { code = error.code }
        return self
      }
    }
    let greedy = Greedy()
    _ = try? keyedArchive { try $0.encode(greedy, forKey: "g") }
    #expect(greedy.code == .reentrant)
  }
}
