import ArchiveFixtures
import Foundation
import MirrorArchive
import Testing

/// Hierarchies of hand-coded classes, and classes that are both hand-coded and something else.
@Suite("Inheritance by key")
struct KeyedInheritanceTests {
  class Base: KeyedCoding {
    private var id = 1
    var label = ""
    var partner: Base?
    init(id: Int, label: String) {
      self.id = id
      self.label = label
    }
    required init(coder: KeyedUnarchiver) throws {
      id = try coder.decodeInt(forKey: "base.id")
      label = try coder.decodeString(forKey: "label")
      try coder.decodeObjectIfPresent(of: Base.self, forKey: "partner") { self.partner = $0 }
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(id, forKey: "base.id")
      try coder.encode(label, forKey: "label")
      try coder.encode(partner, forKey: "partner")
    }
    class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Middle.self, Leaf.self]) }
    var baseID: Int { id }
  }
  class Middle: Base {
    private var id = 2
    let tags: [String]
    init(id: Int, tags: [String]) {
      self.tags = tags
      super.init(id: 1, label: "middle")
      self.id = id
    }
    required init(coder: KeyedUnarchiver) throws {
      tags = try coder.decode([String].self, forKey: "tags")
      try super.init(coder: coder)
      id = try coder.decodeInt(forKey: "id")
    }
    override func encode(with coder: KeyedArchiver) throws {
      try super.encode(with: coder)
      try coder.encode(id, forKey: "id")
      try coder.encode(tags, forKey: "tags")
    }
    override class var archiveRules: ArchiveRules { ArchiveRules() }
    var middleID: Int { id }
  }
  /// Adds nothing: what it inherits does all the work.
  final class Leaf: Middle {}
  /// A subclass that nobody declared.
  final class Undeclared: Base {}

  @Test("CASES row 13: the ids of base and subclass are two") func twoIDs() throws {
    let read = try roundTrip(Middle(id: 2, tags: ["t"]))
    #expect(read.baseID == 1 && read.middleID == 2 && read.tags == ["t"] && read.label == "middle")
    let changed = try roundTrip([Middle(id: 20, tags: []), Middle(id: -3, tags: ["a", "b"])])
    #expect(changed.map(\.baseID) == [1, 1] && changed.map(\.middleID) == [20, -3])
  }

  @Test("A subclass without code of its own keeps its class") func inherited() throws {
    let written = Leaf(id: 5, tags: ["x"])
    written.partner = written
    let read = try roundTrip(written)
    #expect(type(of: read) == Leaf.self && read.middleID == 5 && read.partner === read)
    for object in [written, read] { object.partner = nil }
  }

  @Test("Declared subclasses stand where the base is asked for") func polymorphic() throws {
    let written: [Base] = [Base(id: 9, label: "base"), Middle(id: 8, tags: []), Leaf(id: 7, tags: ["l"])]
    let read = try roundTrip(written)
    #expect(read.map { "\(type(of: $0))" } == ["Base", "Middle", "Leaf"])
    #expect(read.map(\.baseID) == [9, 1, 1] && read.map(\.label) == ["base", "middle", "middle"])
    let byKey = try keyedArchive { for (index, object) in written.enumerated() { try $0.encode(object, forKey: "\(index)") } }
    let coder = try KeyedUnarchiver(forReadingFrom: byKey)
    #expect(try (0..<3).map { "\(type(of: try coder.decodeObject(of: Base.self, forKey: "\($0)")))" } == ["Base", "Middle", "Leaf"])
  }

  @Test("super's key clash is a duplicateKey, not a lost value") func clash() {
    class Parent: KeyedCoding {
      class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedInheritanceTests.Parent") }
      init() {}
      required init(coder: KeyedUnarchiver) throws {}
      func encode(with coder: KeyedArchiver) throws { try coder.encode(1, forKey: "id") }
    }
    final class Child: Parent {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedInheritanceTests.Child") }
      override func encode(with coder: KeyedArchiver) throws {
        try super.encode(with: coder)
        try coder.encode(2, forKey: "id")
      }
    }
    let error = expectRefusal(.duplicateKey, naming: ["id"]) { try KeyedArchiver.archivedData(withRootObject: Child()) }
    #expect(error?.path == "root.id")
  }

  // MARK: Extras

  class Photo: MirrorCoding, KeyedExtras {
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Portrait.self, Plain.self, Bare.self]) }
    var title = ""
    private var id = 1
    @Transient var image: [UInt8]?
    var friend: Photo?
    @Transient var log: [String] = []
    func encodeExtras(with coder: KeyedArchiver) throws {
      try coder.encode(image, forKey: "title")
      try coder.encode(friend, forKey: "friend again")
    }
    func decodeExtras(with coder: KeyedUnarchiver) throws {
      log.append("photo \(title)")
      image = try coder.decodeIfPresent([UInt8].self, forKey: "title")
      if try coder.decodeObjectIfPresent(of: Photo.self, forKey: "friend again") !== friend { log.append("another friend") }
    }
    override func willEncode() throws { title += "!" }
    override func didDecode(_ context: DecodingContext) throws { log.append("done \(image?.count ?? -1)") }
    final var photoID: Int {
      get { id }
      set { id = newValue }
    }
  }
  final class Portrait: Photo {
    private var id = 2
    var person = ""
    @Transient var mood = "unset"
    override func encodeExtras(with coder: KeyedArchiver) throws {
      try super.encodeExtras(with: coder)
      try coder.encode(mood, forKey: "mood")
    }
    override func decodeExtras(with coder: KeyedUnarchiver) throws {
      try super.decodeExtras(with: coder)
      log.append("portrait \(person)")
      mood = try coder.decodeString(forKey: "mood")
    }
    override class var archiveRules: ArchiveRules { ArchiveRules() }
    var portraitID: Int {
      get { id }
      set { id = newValue }
    }
  }
  /// Inherits the extras.
  final class Plain: Photo {
    override class var archiveRules: ArchiveRules { ArchiveRules() }
    var more = [1.5]
  }
  /// No properties of its own.
  final class Bare: Photo {
    override class var archiveRules: ArchiveRules { ArchiveRules() }
  }

  @Test("Extras stand beside properties, in every class of a hierarchy") func extras() throws {
    let portrait = Portrait()
    (portrait.title, portrait.image, portrait.person, portrait.mood) = ("p", [1, 2, 3], "Ann", "glad")
    (portrait.photoID, portrait.portraitID) = (10, 20)
    let plain = Plain()
    (plain.title, plain.image, plain.more) = ("q", nil, [2.5, 3.5])
    let bare = Bare()
    (bare.title, bare.image) = ("b", [])
    let photo = Photo()
    (photo.title, photo.image, photo.friend) = ("f", [9], portrait)
    portrait.friend = photo
    let written: [Photo] = [portrait, plain, bare, photo]
    let read = try roundTrip(written)
    #expect(read.map(\.title) == ["p!", "q!", "b!", "f!"] && read.map(\.image) == [[1, 2, 3], nil, [], [9]])
    let readPortrait = try #require(read[0] as? Portrait)
    #expect(readPortrait.person == "Ann" && readPortrait.mood == "glad" && readPortrait.photoID == 10 && readPortrait.portraitID == 20)
    #expect((read[1] as? Plain)?.more == [2.5, 3.5] && read[2] is Bare && type(of: read[3]) == Photo.self)
    #expect(read[0].friend === read[3] && read[3].friend === read[0])
    // All properties are there when the extras are asked for, and the extras when didDecode runs.
    #expect(read[0].log == ["photo p!", "portrait Ann", "done 3"])
    #expect(read[1].log == ["photo q!", "done -1"] && read[3].log == ["photo f!", "done 1"])
    for object in written + read { object.friend = nil }
  }

  /// A class with nothing but extras.
  final class OnlyExtras: MirrorCoding, KeyedExtras {
    @Transient var number = 0
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(number, forKey: "n") }
    func decodeExtras(with coder: KeyedUnarchiver) throws { number = try coder.decodeInt(forKey: "n") }
  }
  /// Without `init()`, in a class of its own.
  final class TicketWithExtras: MirrorCodable, KeyedExtras {
    let code: String
    @Transient var price: Int?
    init(code: String) { self.code = code }
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(price, forKey: "price") }
    func decodeExtras(with coder: KeyedUnarchiver) throws { price = try coder.decodeIfPresent(Int.self, forKey: "price") }
  }

  @Test("Classes without properties and without init() have extras too", arguments: [1, 9, 1_025]) func onlyExtras(count: Int) throws {
    let written = (0..<count).map { number in
      let object = OnlyExtras()
      object.number = number * 7
      return object
    }
    #expect(try roundTrip(written).map(\.number) == written.map(\.number))
    let tickets = (0..<count).map { number in
      let ticket = TicketWithExtras(code: "c\(number)")
      ticket.price = number.isMultiple(of: 2) ? number : nil
      return ticket
    }
    let read = try roundTrip(tickets)
    #expect(read.map(\.code) == tickets.map(\.code) && read.map(\.price) == tickets.map(\.price))
  }

  final class Before: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedInheritanceTests.evolving") }
    var title = "t"
    var other: Before?
  }
  final class After: MirrorCoding, KeyedExtras {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedInheritanceTests.evolving") }
    var title = ""
    var other: After?
    @Transient var keys: [String]?
    @Transient var number: Int?
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(5, forKey: "number") }
    func decodeExtras(with coder: KeyedUnarchiver) throws {
      keys = coder.allKeys
      number = try coder.decodeIntIfPresent(forKey: "number")
      if number == nil {
        #expect(coder.isAtEnd && !coder.containsValue(forKey: "title"))
        expectRefusal(.missingValue, at: "number") { try coder.decodeInt(forKey: "number") }
      }
    }
  }

  @Test("An archive written before the class had extras: it is asked, and no key is there") func withoutExtras() throws {
    let before = Before()
    before.title = "old"
    before.other = Before()
    let data = try KeyedArchiver.archivedData(withRootObject: before)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: After.self, from: data)
    #expect(read.title == "old" && read.keys == [] && read.number == nil)
    #expect(read.other?.title == "t" && read.other?.keys == [])
  }

  @Test("An archive with extras is read by a class that has none any more") func extrasRemoved() throws {
    let after = After()
    after.title = "new"
    after.other = After()
    let data = try KeyedArchiver.archivedData(withRootObject: [after, After()])
    let read = try KeyedUnarchiver.unarchivedObject(of: [Before].self, from: data)
    #expect(read.count == 2 && read[0].title == "new" && read[0].other?.title == "")
  }

  /// A class of another module that got extras here.
  final class Rack: RemoteShelf, KeyedExtras {
    private var id = "rack"
    @Transient var extra = 0
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(extra, forKey: "id") }
    func decodeExtras(with coder: KeyedUnarchiver) throws { extra = try coder.decodeInt(forKey: "id") }
    var rackID: String {
      get { id }
      set { id = newValue }
    }
  }

  @Test("A subclass of another module's class") func remote() throws {
    let written = Rack()
    written.configure(id: 5, secret: "s")
    (written.extra, written.rackID, written.label) = (7, "r", "l")
    let read = try roundTrip(written)
    #expect(read.remoteState == "5 s" && read.extra == 7 && read.rackID == "r" && read.label == "l")
  }

  // MARK: Both

  /// Inherits from `MirrorCoding` and is coded by hand alone.
  final class ByHandAlone: MirrorCoding, KeyedCoding {
    var coded = 1
    var left = "never archived"
    @Transient var log: [String] = []
    required init() { super.init() }
    init(coder: KeyedUnarchiver) throws {
      super.init()
      coded = try coder.decodeInt(forKey: "coded")
      #expect(coder.allKeys == ["coded"])
      log.append("init")
    }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(coded, forKey: "coded") }
    override func willEncode() throws { coded += 1 }
    override func didDecode(_ context: DecodingContext) throws { log.append("done \(coded)") }
  }

  @Test("A MirrorCoding subclass that conforms to KeyedCoding is coded by hand alone, with its hooks") func handAlone() throws {
    let written = ByHandAlone()
    (written.coded, written.left) = (5, "changed")
    let data = try KeyedArchiver.archivedData(withRootObject: Box(written))
    #expect(data.range(of: Data("changed".utf8)) == nil && data.range(of: Data("left".utf8)) == nil)
    let read = try #require(try KeyedUnarchiver.unarchivedObject(ofClass: Box<ByHandAlone>.self, from: data).value)
    #expect(written.coded == 6 && read.coded == 6 && read.left == "never archived" && read.log == ["init", "done 6"])
  }

  /// Both protocols, no base class.
  final class Both: MirrorCodable, KeyedCoding {
    let name: String
    var peer: Both?
    var atDidDecode = ""
    var prepared = 0
    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      prepared = try coder.decodeInt(forKey: "prepared")
      try coder.decodeObjectIfPresent(of: Both.self, forKey: "peer") { self.peer = $0 }
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(prepared, forKey: "prepared")
      try coder.encode(peer, forKey: "peer")
    }
    func willEncode() throws { prepared += 1 }
    func didDecode(_ context: DecodingContext) throws { atDidDecode += "\(name) \(peer?.name ?? "-");" }
  }

  @Test("Hooks of a class that is KeyedCoding and MirrorCodable run once, when the graph is complete") func both() throws {
    let a = Both("a")
    let b = Both("b")
    (a.peer, b.peer) = (b, a)
    let read = try roundTrip([a, b, a])
    #expect(read[0] === read[2] && read[0].atDidDecode == "a b;" && read[1].atDidDecode == "b a;")
    #expect(a.prepared == 1 && b.prepared == 1 && read[0].prepared == 1)
    for object in [a, b, read[0], read[1]] { object.peer = nil }
  }

  @Test("What the hooks of a hand-coded class throw reaches the caller") func throwingHooks() throws {
    struct Stop: Error {}
    final class Strict: MirrorCodable, KeyedCoding {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedInheritanceTests.Strict") }
      let mode: Int
      init(_ mode: Int) { self.mode = mode }
      init(coder: KeyedUnarchiver) throws { mode = try coder.decodeInt(forKey: "mode") }
      func encode(with coder: KeyedArchiver) throws { try coder.encode(mode, forKey: "mode") }
      func willEncode() throws { if mode == 1 { throw Stop() } }
      func didDecode(_ context: DecodingContext) throws { if mode == 2 { throw Stop() } }
    }
    #expect(throws: Stop.self) { try KeyedArchiver.archivedData(withRootObject: [Strict(0), Strict(1)]) }
    let data = try KeyedArchiver.archivedData(withRootObject: [Strict(0), Strict(2)])
    #expect(throws: Stop.self) { try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Strict.self, from: data) }
  }
}
