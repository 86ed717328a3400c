import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// Whatever an archive says, a place that declares a class gets objects of that class only: anything else would be read as what it is not.
@Suite("Objects in disguise")
struct DisguiseTests {
  /// What the reader declares.
  final class Honest: MirrorCoding, Hashable, Marked {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "disguise.honest") }
    var name = "honest"
    static func == (left: Honest, right: Honest) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
  /// What the archive holds. It is admitted: the reader declares it in another place.
  final class Imposter: MirrorCoding, Hashable {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "disguise.imposter") }
    var number = 0x4141_4141
    static func == (left: Imposter, right: Imposter) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  enum Choice<Item>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "disguise.choice") }
    case number(Int)
    case item(Item)
    case neither
  }
  struct Wrapper<Item>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "disguise.wrapper") }
    var number = 1
    var item: Item?
  }

  /// Every kind of place. The archive's view and the reader's have one name.
  final class Places<Item: MirrorCoding & Hashable>: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "disguise.places") }
    var known: Imposter?
    var optional: Item?
    var double: Item??
    var list: [Item] = []
    var lists: [[Item]] = []
    var optionals: [Item?] = []
    var table: [String: Item] = [:]
    var keys: [Item: Int] = [:]
    var set: Set<Item> = []
    var choice = Choice<Item>.neither
    var wrapped = Wrapper<Item>()
    var tuple: (Int, Item?) = (1, nil)
    var inline: InlineArray<2, Item?> = [nil, nil]
    weak var weakItem: Item?
    unowned var unownedItem: Item?
  }
  /// Made without an initializer.
  final class Bare<Item: MirrorCoding>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "disguise.bare") }
    let known: Imposter?
    let item: Item
    let items: [Item]
    unowned let owner: Item
    init(_ item: Item, _ known: Imposter?) { (self.item, self.known, items, owner) = (item, known, [item], item) }
  }

  enum Place: String, CaseIterable, Sendable {
    case optional, double, list, lists, optionals, table, keys, set, choice, wrapped, tuple, inline, weakItem, unownedItem

    func put<Item>(_ item: Item, in places: Places<Item>) {
      switch self {
      case .optional: places.optional = item
      case .double: places.double = item
      case .list: places.list = [item]
      case .lists: places.lists = [[], [item]]
      case .optionals: places.optionals = [nil, item]
      case .table: places.table = ["a": item]
      case .keys: places.keys = [item: 1]
      case .set: places.set = [item]
      case .choice: places.choice = .item(item)
      case .wrapped: places.wrapped.item = item
      case .tuple: places.tuple.1 = item
      case .inline: places.inline[1] = item
      case .weakItem: places.weakItem = item
      case .unownedItem: places.unownedItem = item
      }
    }
  }

  private static let codes: [ArchiveError.Code] = [.typeMismatch, .typeNotAllowed]

  private static func expectRefused<Result>(_ place: String, sourceLocation: SourceLocation = #_sourceLocation, _ read: () throws -> Result)
  {
    let error = #expect(throws: ArchiveError.self, sourceLocation: sourceLocation) { _ = try read() }
    guard let error else { return }
    #expect(codes.contains(error.code) && error.path.contains(place), "\(error)", sourceLocation: sourceLocation)
  }

  /// One object, a few, and enough for long columns; whether the imposter is reached first where it is declared.
  @Test(
    "An admitted object of another class is refused in every kind of place, first or behind a back reference", arguments: Place.allCases,
    [1, 12])
  func everyPlace(place: Place, count: Int) throws {
    for isKnown in [true, false] where isKnown || ![.weakItem, .unownedItem].contains(place) {
      let imposter = Imposter()
      let written = (0..<count).map { number in
        let places = Places<Imposter>()
        if number == count - 1 { place.put(imposter, in: places) }
        return places
      }
      if isKnown { written[0].known = imposter }
      let data = try KeyedArchiver.archivedData(withRootObject: written)
      #expect(try KeyedUnarchiver.unarchivedObject(of: [Places<Imposter>].self, from: data).count == count)
      Self.expectRefused(place.rawValue) { try KeyedUnarchiver.unarchivedObject(of: [Places<Honest>].self, from: data) }
      Self.expectRefused(place.rawValue) {
        try KeyedUnarchiver.unarchivedObject(
          of: [Places<Honest>].self, from: data, allowing: [Imposter.self], unsafelyAllowingAnyClass: true)
      }
      var lenient = DecodingOptions()
      lenient.conversionPolicy = .lenient
      lenient.unknownClasses = .skip
      // What may be left out may be left out, but it never stands where it does not belong.
      if let read = try? KeyedUnarchiver.unarchivedObject(of: [Places<Honest>].self, from: data, options: lenient) {
        for places in read {
          #expect(places.optional == nil && places.list.isEmpty && places.table.isEmpty && places.keys.isEmpty && places.set.isEmpty)
          #expect(places.weakItem == nil && places.unownedItem == nil && places.wrapped.item == nil && places.tuple.1 == nil)
        }
      }
    }
  }

  @Test("The same without an initializer", arguments: [1, 12]) func bare(count: Int) throws {
    for isKnown in [true, false] {
      let imposter = Imposter()
      let data = try KeyedArchiver.archivedData(withRootObject: (0..<count).map { _ in Bare(imposter, isKnown ? imposter : nil) })
      #expect(try KeyedUnarchiver.unarchivedObject(of: [Bare<Imposter>].self, from: data).count == count)
      Self.expectRefused("item") { try KeyedUnarchiver.unarchivedObject(of: [Bare<Honest>].self, from: data) }
    }
  }

  final class AnyView: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "disguise.open") }
    var known: Imposter?
    var value: Any = 0
  }
  final class MarkedView: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "disguise.open") }
    var known: Imposter?
    var value: any Marked = Honest()
  }

  @Test("An object that does not conform to a place's protocol is refused, though the call names its class") func protocols() throws {
    let view = AnyView()
    view.value = Honest()
    let honest = try KeyedArchiver.archivedData(withRootObject: view, allowing: [Honest.self])
    #expect(try KeyedUnarchiver.unarchivedObject(of: MarkedView.self, from: honest, allowing: [Honest.self]).value is Honest)
    for isKnown in [true, false] {
      let imposter = Imposter()
      view.value = imposter
      view.known = isKnown ? imposter : nil
      let data = try KeyedArchiver.archivedData(withRootObject: view, allowing: [Imposter.self])
      Self.expectRefused("value") {
        try KeyedUnarchiver.unarchivedObject(of: MarkedView.self, from: data, allowing: [Imposter.self, Honest.self])
      }
      // What is declared elsewhere is not admitted in Any by that.
      let error = #expect(throws: ArchiveError.self) { _ = try KeyedUnarchiver.unarchivedObject(of: AnyView.self, from: data) }
      #expect(error?.code == .typeNotAllowed, "\(String(describing: error))")
    }
  }

  // MARK: Substitutes

  /// Puts an object of another class in the place of what was decoded.
  private final class Replacing: KeyedUnarchiverDelegate {
    let substitute: () -> AnyObject
    init(_ substitute: @escaping () -> AnyObject) { self.substitute = substitute }
    func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: AnyObject) throws -> AnyObject? {
      object is Honest ? substitute() : object
    }
  }

  @Test("A delegate's object of another class is refused in every kind of place", arguments: Place.allCases, [1, 12])
  func delegate(place: Place, count: Int) throws {
    let honest = Honest()
    let holder = Box(honest)
    let written = (0..<count).map { _ in
      let places = Places<Honest>()
      place.put(honest, in: places)
      return places
    }
    let data = try keyedArchive {
      try $0.encode(written, forKey: "list")
      try $0.encode(holder, forKey: "holder")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    let delegate = Replacing { Imposter() }
    coder.delegate = delegate
    // Weak and unowned references lead nowhere while nothing else is decoded.
    if [.weakItem, .unownedItem].contains(place) { _ = try? coder.decode(Box<Honest>.self, forKey: "holder") }
    do {
      let read = try coder.decode([Places<Honest>].self, forKey: "list")
      #expect(read.allSatisfy { $0.weakItem == nil && $0.unownedItem == nil } && [.weakItem, .unownedItem].contains(place))
    } catch let error as ArchiveError {
      #expect(Self.codes.contains(error.code), "\(error)")
    }
  }

  /// Gives an object of another class for itself.
  final class Shifter: MirrorCoding, ArchiveSubstitution {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "disguise.shifter") }
    var number = 1
    func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? { Imposter() }
  }
  final class ShifterPlaces: MirrorCoding {
    var known: Imposter?
    var item: Shifter?
    var list: [Shifter] = []
    var table: [String: Shifter] = [:]
    var choice = Either<Int, Shifter>.neither
  }

  @Test("An object that a class gives for itself is checked like one from the archive", arguments: 0..<4) func shifting(place: Int) throws {
    for isKnown in [true, false] {
      let places = ShifterPlaces()
      places.known = isKnown ? Imposter() : nil
      switch place {
      case 0: places.item = Shifter()
      case 1: places.list = [Shifter(), Shifter()]
      case 2: places.table = ["a": Shifter()]
      default: places.choice = .right(Shifter())
      }
      let data = try KeyedArchiver.archivedData(withRootObject: places)
      let error = #expect(throws: ArchiveError.self) { _ = try KeyedUnarchiver.unarchivedObject(of: ShifterPlaces.self, from: data) }
      #expect(error.map { Self.codes.contains($0.code) } ?? true, "\(String(describing: error))")
    }
  }
}

protocol Marked {}

/// `Evil` where `Fruit` is declared. Each archive is forged from one with fruits in it, so that no evil object is ever made on the way, and its
/// counters stay at 0.
@Suite("Evil where Fruit is declared")
struct EvilArchiveTests {
  /// Was called by another name: that an archive has that name says nothing about who may be decoded.
  final class EvilOnce: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "evil.now", formerNames: ["evil.formerly"]) }
    static let made = Tally()
    required init() {
      super.init()
      Self.made.add(1)
    }
  }
  final class Good: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "good.name.now", formerNames: ["good.formerly"]) }
    var name = "good"
  }
  final class Basket: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "evil.basket") }
    var good: Good?
    var list: [Good] = []
  }

  private static var made: [Int] { [Evil.made.value, Evil.decoded.value, EvilHost.made.value, EvilOnce.made.value] }

  /// Expects that the archive is refused for its types, in a process where nothing evil was ever made.
  private static func expectClosed<Result>(_ name: String, sourceLocation: SourceLocation = #_sourceLocation, _ read: () throws -> Result) {
    let error = #expect(throws: ArchiveError.self, sourceLocation: sourceLocation) { _ = try read() }
    if let error {
      #expect([.typeNotAllowed, .unknownType].contains(error.code), "\(error)", sourceLocation: sourceLocation)
      #expect(error.message.contains(name), "\(error)", sourceLocation: sourceLocation)
    }
    #expect(made == [0, 0, 0, 0], "something evil was made", sourceLocation: sourceLocation)
  }

  @Test("Directly, behind a back reference, as a value, in Any and wherever else an object can stand", arguments: Hideout.allCases)
  func hidden(place: Hideout) async {
    await #expect(processExitsWith: .success) { [name = place.rawValue as String] in
      reported {
        let place = try #require(Hideout(rawValue: name))
        // Once more in Any, as a back reference.
        let host = Host()
        let hideouts = place.graph { host }
        hideouts.anyList.append(host)
        let data = try KeyedArchiver.archivedData(withRootObject: hideouts, allowing: [Host.self])
        // The name of the class alone, with its length in front of it, and not where it is part of another type's.
        let forged = try #require(Forgery(data)?.replacing("\u{17}MirrorArchiveTests.Host", with: "\u{17}MirrorArchiveTests.Evil"))
        EvilArchiveTests.expectClosed("Evil") { try KeyedUnarchiver.unarchivedObject(of: Hideouts.self, from: forged) }
        EvilArchiveTests.expectClosed("Evil") {
          try KeyedUnarchiver.unarchivedObject(of: Hideouts.self, from: forged, allowing: [Host.self])
        }
        EvilArchiveTests.expectClosed("Evil") { try KeyedUnarchiver(forReadingFrom: forged).decode(Hideouts.self, forKey: "root") }
      }
    }
  }

  @Test("By a name that an evil class once had, and by a former name of a good one") func formerNames() async {
    await #expect(processExitsWith: .success) {
      reported {
        let basket = Basket()
        basket.good = Good()
        basket.list = [Good(), Good()]
        let forgery = try #require(Forgery(KeyedArchiver.archivedData(withRootObject: basket)))
        let forged = try #require(forgery.replacing("good.name.now", with: "evil.formerly"))
        EvilArchiveTests.expectClosed("evil.formerly") { try KeyedUnarchiver.unarchivedObject(of: Basket.self, from: forged) }
        EvilArchiveTests.expectClosed("evil.formerly") { try KeyedUnarchiver(forReadingFrom: forged).decode(Basket.self, forKey: "root") }
        let former = try #require(forgery.replacing("good.name.now", with: "good.formerly"))
        #expect(try KeyedUnarchiver.unarchivedObject(of: Basket.self, from: former).list.count == 2)
        #expect(EvilArchiveTests.made == [0, 0, 0, 0])
      }
    }
  }

  /// Says Evil for whatever is not known.
  private final class Tempter: KeyedUnarchiverDelegate {
    func unarchiver(_ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses classNames: [String])
      -> AnyClass?
    {
      Evil.self
    }
  }

  @Test("By a delegate that names it, and by a class name that the coder is told") func delegate() async {
    await #expect(processExitsWith: .success) {
      reported {
        let basket = Basket()
        basket.good = Good()
        let forgery = try #require(Forgery(KeyedArchiver.archivedData(withRootObject: basket)))
        let forged = try #require(forgery.replacing("good.name.now", with: "nobody.at.all"))
        let tempter = Tempter()
        let coder = try KeyedUnarchiver(forReadingFrom: forged)
        coder.delegate = tempter
        EvilArchiveTests.expectClosed("Evil") { try coder.decode(Basket.self, forKey: "root") }
        let told = try KeyedUnarchiver(forReadingFrom: forged)
        told.setClass(Evil.self, forClassName: "nobody.at.all")
        EvilArchiveTests.expectClosed("Evil") { try told.decode(Basket.self, forKey: "root") }
      }
    }
  }
}
