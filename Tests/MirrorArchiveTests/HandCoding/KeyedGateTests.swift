import Foundation
import MirrorArchive
import Testing

/// CASES rows 28, 30 and 32 for hand-coded classes: nothing that was not named is ever made.
@Suite("The gate, by key", .serialized)
struct KeyedGateTests {
  /// Nobody asks for it. The counters say whether anything of it ran.
  class EvilHand: KeyedCoding {
    static let made = Tally()
    init() {}
    required init(coder: KeyedUnarchiver) throws { Self.made.add(1) }
    func encode(with coder: KeyedArchiver) throws { try coder.encode("evil", forKey: "payload") }
  }
  class Good: KeyedCoding {
    let name: String
    init(_ name: String = "good") { self.name = name }
    required init(coder: KeyedUnarchiver) throws { name = try coder.decodeString(forKey: "name") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(name, forKey: "name") }
  }
  /// Evil dressed as a subclass of what is asked for.
  final class EvilGood: Good {
    static let made = Tally()
    init() { super.init("evil") }
    required init(coder: KeyedUnarchiver) throws {
      Self.made.add(1)
      try super.init(coder: coder)
    }
  }

  /// The same archived by reflection. Nobody else makes any: their counters are looked at here.
  final class EvilMirror: MirrorCoding {
    static let made = Tally()
    static let decoded = Tally()
    required init() {
      super.init()
      Self.made.add(1)
    }
    override func didDecode(_ context: DecodingContext) throws { Self.decoded.add(1) }
  }
  final class EvilGuest: Host {
    static let made = Tally()
    required init() {
      super.init()
      Self.made.add(1)
    }
  }

  /// What the careless writers here allow.
  private static let dressed: [Any.Type] = [EvilHand.self, EvilGood.self, Good.self, EvilGuest.self]

  private static var counts: [Int] {
    [EvilHand.made.value, EvilGood.made.value, EvilMirror.made.value, EvilMirror.decoded.value, EvilGuest.made.value]
  }

  private func expectClosed<Result>(_ way: String, sourceLocation: SourceLocation = #_sourceLocation, _ decode: () throws -> Result) {
    let before = Self.counts
    do {
      let result = try decode()
      Issue.record("\(way): the gate let \(result) through", sourceLocation: sourceLocation)
    } catch let error as ArchiveError {
      #expect([.typeNotAllowed, .unknownType, .typeMismatch].contains(error.code), "\(way): \(error)", sourceLocation: sourceLocation)
      #expect(error.code == .typeMismatch || error.message.contains("Evil"), "\(way): \(error)", sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, "\(way)", sourceLocation: sourceLocation)
    }
    #expect(Self.counts == before, "\(way): an initializer or a hook ran", sourceLocation: sourceLocation)
  }

  /// The values with something evil in them, and how a careful reader asks for each.
  static let attacks: [(name: String, write: @Sendable (KeyedArchiver) throws -> Void, read: @Sendable (KeyedUnarchiver) throws -> Any)] = [
    ("object", { try $0.encode(EvilHand(), forKey: "k") }, { try $0.decodeObject(of: Good.self, forKey: "k") }),
    ("reflected object", { try $0.encode(EvilMirror(), forKey: "k") }, { try $0.decodeObject(of: Good.self, forKey: "k") }),
    ("object for reflected", { try $0.encode(EvilHand(), forKey: "k") }, { try $0.decodeObject(of: Allowed.self, forKey: "k") }),
    ("subclass", { try $0.encode(EvilGood() as Good, forKey: "k") }, { try $0.decodeObject(of: Good.self, forKey: "k") }),
    ("reflected subclass", { try $0.encode(EvilGuest() as Host, forKey: "k") }, { try $0.decodeObject(of: Host.self, forKey: "k") }),
    ("if present", { try $0.encode(EvilGood() as Good, forKey: "k") }, { try $0.decodeObjectIfPresent(of: Good.self, forKey: "k") as Any }),
    ("generic decode", { try $0.encode(EvilGood() as Good, forKey: "k") }, { try $0.decode(Good.self, forKey: "k") }),
    ("optional", { try $0.encode(EvilGood() as Good?, forKey: "k") }, { try $0.decode(Good?.self, forKey: "k") as Any }),
    (
      "one of several", { try $0.encode(EvilHand(), forKey: "k") }, { try $0.decodeObject(ofClasses: [Good.self, Host.self], forKey: "k") }
    ),
    (
      "one of several if present", { try $0.encode(EvilHand(), forKey: "k") },
      { try $0.decodeObjectIfPresent(ofClasses: [Good.self], forKey: "k") as Any }
    ),
    ("array", { try $0.encode([Good(), EvilGood()], forKey: "k") }, { try $0.decodeArrayOfObjects(ofClass: Good.self, forKey: "k") }),
    ("generic array", { try $0.encode([Good(), EvilGood()], forKey: "k") }, { try $0.decode([Good].self, forKey: "k") }),
    (
      "array of several", { try $0.encode([Good(), EvilGood()], forKey: "k") },
      { try $0.decodeArrayOfObjects(ofClasses: [Good.self], forKey: "k") }
    ),
    (
      "dictionary value", { try $0.encode(["a": Good(), "b": EvilGood()], forKey: "k") },
      { try $0.decodeDictionary(ofKeyClass: String.self, objectClass: Good.self, forKey: "k") }
    ),
    (
      "in a struct", { try $0.encode(Pair(first: 1, second: EvilGood() as Good), forKey: "k") },
      { try $0.decode(Pair<Int, Good>.self, forKey: "k") }
    ),
    (
      "in an enum", { try $0.encode(Either<Good, Int>.left(EvilGood()), forKey: "k") },
      { try $0.decode(Either<Good, Int>.self, forKey: "k") }
    ),
    ("Any", { try $0.encode(EvilHand() as Any, forKey: "k") }, { try $0.decode(Any.self, forKey: "k", allowing: [Good.self]) }),
    ("Any without a list", { try $0.encode(EvilHand() as Any, forKey: "k") }, { try $0.decode(Any.self, forKey: "k") }),
    (
      "[Any]", { try $0.encode([1, "two", Good(), EvilHand()] as [Any], forKey: "k") },
      { try $0.decode([Any].self, forKey: "k", allowing: [Good.self]) }
    ),
    (
      "[String: Any]", { try $0.encode(["a": [EvilHand()] as [Any]] as [String: Any], forKey: "k") },
      { try $0.decode([String: Any].self, forKey: "k", allowing: [Good.self]) }
    ),
    (
      "behind a hand-coded object", { try $0.encode(Hand<Good>(EvilGood()), forKey: "k") },
      { try $0.decodeObject(of: Hand<Good>.self, forKey: "k") }
    ),
    (
      "behind a reflected object", { try $0.encode([Hand<Any>(EvilHand())], forKey: "k") },
      { try $0.decodeArrayOfObjects(ofClass: Hand<Any>.self, forKey: "k") }
    ),
    (
      "in a container", { try $0.encodeContainer(forKey: "c") { try $0.encode(EvilGood() as Good, forKey: "k") } },
      { try $0.decodeContainer(forKey: "c") { try $0.decodeObject(of: Good.self, forKey: "k") } }
    ),
    (
      "unkeyed in a container", { try $0.encodeContainer(forKey: "c") { try $0.encode(EvilHand()) } },
      { try $0.decodeContainer(forKey: "c") { try $0.decode(Good.self) } }
    ),
    (
      "conditional",
      {
        let evil = EvilGood()
        try $0.encodeConditionalObject(evil, forKey: "k")
        try $0.encode(evil, forKey: "strong")
      }, { try $0.decodeObject(of: Good.self, forKey: "k") }
    ),
    (
      "when ready", { try $0.encode(EvilGood() as Good, forKey: "k") },
      {
        try $0.decodeObject(of: Good.self, forKey: "k") { _ in Issue.record("delivered") }
        return 0
      }
    ),
  ]

  @Test("Whatever is not asked for is refused before its init runs, at every place and in every call", arguments: attacks.indices)
  func attack(index: Int) throws {
    let attack = Self.attacks[index]
    for place in KeyedPlace.allCases {
      let data = try place.write(allowing: Self.dressed, attack.write)
      expectClosed("\(attack.name) at \(place)") { try place.read(data, attack.read) }
    }
    let insecure = try keyedArchive(requiringSecureCoding: false, attack.write)
    expectClosed("\(attack.name), written insecurely") { try attack.read(KeyedUnarchiver(forReadingFrom: insecure)) }
  }

  @Test("As the root of the one-shot calls") func roots() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: EvilHand())
    expectClosed("ofClass") { try KeyedUnarchiver.unarchivedObject(ofClass: Good.self, from: data) }
    expectClosed("of") { try KeyedUnarchiver.unarchivedObject(of: Allowed.self, from: data) }
    expectClosed("ofClasses") { try KeyedUnarchiver.unarchivedObject(ofClasses: [Good.self, Allowed.self], from: data) }
    expectClosed("allowing") { try KeyedUnarchiver.unarchivedObject(of: Good.self, from: data, allowing: [Allowed.self]) }
    let list = try KeyedArchiver.archivedData(withRootObject: [EvilHand()])
    expectClosed("array") { try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Good.self, from: list) }
    expectClosed("Any") { try KeyedUnarchiver.unarchivedObject(of: [Any].self, from: list) }
  }

  final class View1: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "keyed-gate.view") }
    let first = EvilHand()
    init() {}
    init(coder: KeyedUnarchiver) throws {}
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(first, forKey: "first")
      try coder.encode(first, forKey: "item")
    }
  }
  final class View2: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "keyed-gate.view") }
    init(coder: KeyedUnarchiver) throws {
      _ = try coder.decodeObject(of: EvilHand.self, forKey: "first")
      _ = try coder.decodeObject(of: Good.self, forKey: "item")
    }
    func encode(with coder: KeyedArchiver) throws {}
  }

  @Test("A back reference is checked like a first reference") func backReference() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: View1())
    do {
      Issue.record("read \(try KeyedUnarchiver.unarchivedObject(ofClass: View2.self, from: data))")
    } catch let error as ArchiveError {
      #expect([.typeMismatch, .typeNotAllowed].contains(error.code) && error.path.hasSuffix("item"), "\(error)")
    }
    let good = Good()
    try KeyedPlace.object.pass(
      write: {
        try $0.encode(good, forKey: "a")
        try $0.encode(good, forKey: "b")
      },
      read: { coder throws in
        #expect(try coder.decodeObject(of: Good.self, forKey: "a").name == "good")
        expectClosedMismatch { try coder.decodeObject(of: Hand<Int>.self, forKey: "b") }
        #expect(try coder.decodeObject(of: Good.self, forKey: "b").name == "good")
      })
  }

  private func expectClosedMismatch<Result>(_ body: () throws -> Result) {
    let error = #expect(throws: ArchiveError.self) { _ = try body() }
    #expect(error.map { [.typeMismatch, .typeNotAllowed].contains($0.code) } == true)
  }

  @Test("Each call's list is its own: what one call named, the next does not admit", arguments: KeyedPlace.allCases)
  func ownLists(place: KeyedPlace) throws {
    let data = try place.write(allowing: [Good.self, EvilGood.self, Hand<Int>.self]) {
      try $0.encode(Pair(first: 1, second: Good("1") as Any), forKey: "one")
      try $0.encode([EvilGood() as Good], forKey: "two")
      try $0.encode([Hand(1)] as [Any], forKey: "three")
    }
    try place.read(data) { coder throws in
      #expect(try coder.decode([Any].self, forKey: "three", allowing: [Hand<Int>.self]).count == 1)
      expectRefusal(.typeNotAllowed, at: "three") { try coder.decode([Any].self, forKey: "three", allowing: [Good.self]) }
      expectRefusal(.typeNotAllowed, at: "three") { try coder.decode([Any].self, forKey: "three") }
      #expect(try coder.decode([Any].self, forKey: "three", allowing: [Hand<Int>.self]).count == 1)
      expectRefusal(.typeNotAllowed, at: "two") { try coder.decode([Good].self, forKey: "two") }
      let two = try coder.decode([Good].self, forKey: "two", allowing: [EvilGood.self])
      #expect(two[0] is EvilGood && two[0].name == "evil")
    }
  }

  @Test("An undeclared subclass is read when it is named, and when secure coding is off") func undeclared() throws {
    let data = try keyedArchive {
      try $0.encode(EvilGood() as Good, forKey: "k")
      try $0.encode(Hand<Any>([EvilHand()] as [Any]), forKey: "any")
    }
    let named = try KeyedUnarchiver(forReadingFrom: data)
    let both = try named.decodeObject(ofClasses: [Good.self, EvilGood.self], forKey: "k")
    #expect((both as? EvilGood)?.name == "evil")
    let insecure = try KeyedUnarchiver(forReadingFrom: data)
    insecure.requiresSecureCoding = false
    #expect(try insecure.decodeObject(of: Good.self, forKey: "k") is EvilGood)
    #expect((try insecure.decodeObject(of: Hand<Any>.self, forKey: "any").value as? [Any])?.first is EvilHand)
    // That a reference fits what is asked for is checked all the same.
    expectClosedMismatch { try insecure.decodeObject(of: Allowed.self, forKey: "k") }
    let root = try KeyedArchiver.archivedData(withRootObject: Hand<Any>(EvilHand()))
    #expect(try KeyedUnarchiver.unarchivedObject(of: Hand<Any>.self, from: root, unsafelyAllowingAnyClass: true).value is EvilHand)
  }

  @Test("Registration admits a hand-coded class behind Any and base classes") func registered() async {
    await #expect(processExitsWith: .success) {
      reported {
        let data = try keyedArchive(allowing: [EvilGood.self]) {
          try $0.encode(EvilGood() as Good, forKey: "k")
          try $0.encode([EvilGood()] as [Any], forKey: "any")
        }
        let before = try KeyedUnarchiver(forReadingFrom: data)
        #expect(throws: ArchiveError.self) { try before.decodeObject(of: Good.self, forKey: "k") }
        try KeyedArchiver.register(EvilGood.self)
        let after = try KeyedUnarchiver(forReadingFrom: data)
        #expect(try after.decodeObject(of: Good.self, forKey: "k") is EvilGood)
        #expect(try after.decode([Any].self, forKey: "any").first is EvilGood)
      }
    }
  }

  @Test("What lies below a handed-over object by declared property type is checked at encode") func encoding() throws {
    let box = Box<Host>(EvilGuest())
    expectRefusal(.typeNotAllowed, at: "k.value", naming: ["EvilGuest"]) { try keyedArchive { try $0.encode(box, forKey: "k") } }
    expectRefusal(.typeNotAllowed, naming: ["EvilGuest"]) { try KeyedArchiver.archivedData(withRootObject: Hand(box)) }
    let allowed = try keyedArchive(allowing: [EvilGuest.self]) { try $0.encode(box, forKey: "k") }
    expectClosed("allowed by the writer alone") {
      try KeyedUnarchiver(forReadingFrom: allowed).decodeObject(of: Box<Host>.self, forKey: "k")
    }
    let read = try KeyedUnarchiver(forReadingFrom: allowed).decode(Box<Host>.self, forKey: "k", allowing: [EvilGuest.self])
    #expect(read.value is EvilGuest)
    #expect(throws: Never.self) { try keyedArchive(requiringSecureCoding: false) { try $0.encode(box, forKey: "k") } }
  }

  class Ruling: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Ruling.self, Ruled.self]) }
    var anything: Any = 0
  }
  final class Ruled: Ruling {}

  @Test(
    "An object handed over may stand in Any further down if rules name its class, be they its own or those of its base",
    arguments: [false, true])
  func ruledRoot(isBase: Bool) throws {
    let root = isBase ? Ruling() : Ruled()
    root.anything = isBase ? Ruling() : Ruled()
    let archiver = KeyedArchiver()
    try archiver.encode(root, forKey: "root")
    let data = try archiver.encodedData
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    let read = try coder.decodeObject(of: Ruling.self, forKey: "root")
    #expect(type(of: read) == type(of: root))
    #expect((read.anything as? Ruling).map { type(of: $0) } == (isBase ? Ruling.self : Ruled.self))
  }

  @Test("The gate holds in a process where nothing was planned before") func freshProcess() async throws {
    let path = try HandOver.write(keyedArchive(allowing: [EvilGood.self]) { try $0.encode([Good(), EvilGood()], forKey: "k") })
    defer { HandOver.remove(path) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported {
        let coder = try KeyedUnarchiver(forReadingFrom: HandOver.read(path))
        #expect(throws: ArchiveError.self) { try coder.decodeArrayOfObjects(ofClass: Good.self, forKey: "k") }
        #expect(EvilGood.made.value == 0)
      }
    }
  }
}
