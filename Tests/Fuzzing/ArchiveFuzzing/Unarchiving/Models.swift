import Foundation
import MirrorArchive

/// A program that wrote archives with dogs in them, and one that does not know what a dog is.
enum Zoo {
  class Animal: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "zoo.Animal", subclasses: [Cat.self, Dog.self]) }
    var name = ""
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }
  final class Cat: Animal {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "zoo.Cat") }
    var lives = 9
  }
  final class Dog: Animal {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "zoo.Dog") }
    var tricks = ["sit"]
    var friend: Animal?
    var tag = Tag.open(7)
    var age: Int? = 3
    var notes: [String: Any] = ["weight": 12.5]
    var sizes: [Golden.Size] = [Golden.Size(width: 1, height: 2)]
  }
  final class Parrot: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "zoo.Parrot") }
    let friend: Animal
    init(_ friend: Animal) { self.friend = friend }
    init(coder: KeyedUnarchiver) throws { friend = try coder.decodeObject(of: Animal.self, forKey: "friend") }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(friend, forKey: "friend")
      try coder.encode(["hello", "hello"], forKey: "words")
      try coder.encodeContainer(forKey: "cage") { try $0.encode(0.5, forKey: "width") }
    }
  }
  enum Tag: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "zoo.Tag") }
    case closed
    case open(Int)
  }

  final class Yesterday: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "zoo.Zoo", subclasses: [Animal.self, Cat.self, Dog.self, Parrot.self])
    }
    var animals: [Animal] = []
    var favourite: AnyObject?
    var table: [String: Animal] = [:]
    var list: [Any] = []
    weak var oldest: Animal?
    var nested: [[Animal?]] = []

    static func make() -> Yesterday {
      let (tom, kit, rex, pug) = (Cat("Tom"), Cat("Kit"), Dog("Rex"), Dog("Pug"))
      (rex.friend, pug.friend) = (pug, tom)
      let zoo = Yesterday()
      zoo.animals = [tom, rex, kit, pug]
      zoo.favourite = Parrot(rex)
      zoo.table = ["tom": tom, "rex": rex]
      zoo.list = [tom, rex, 5, [pug], "text"]
      zoo.oldest = rex
      zoo.nested = [[tom, nil, rex], [pug], []]
      return zoo
    }
  }

  class AnimalToday: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "zoo.Animal", subclasses: [CatToday.self]) }
    var name = ""
  }
  final class CatToday: AnimalToday {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "zoo.Cat") }
    var lives = 9
  }
  final class Today: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "zoo.Zoo", subclasses: [AnimalToday.self, CatToday.self]) }
    var animals: [MirrorCoding] = []
    var favourite: AnyObject?
    var table: [String: MirrorCoding] = [:]
    var list: [Any] = []
    weak var oldest: AnyObject?
    var nested: [[MirrorCoding?]] = []
  }
}

/// Places that the golden archives do not have.
final class Mixed: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "mixed.Mixed", version: 1) }
  var matrix: [[Label?]] = []
  var tuple: (Label?, Int, other: Label?) = (nil, 0, nil)
  var inline: InlineArray<2, Label?> = [nil, nil]
  var nested: [String: [String: Label]] = [:]
  var either: [Either<Int, Label>] = []
  var tree = Branch.leaf(nil)
  var result: Result<[Label], Golden.Library.Failure>?
  weak var back: Mixed?
  var next: Mixed?
  var slots: [Slot<Label>] = []
  lazy var late: [UInt16] = [1, 2]
  let id: Int?
  var characters: [Character] = []
  var texts: [Substring] = []
  var byNumber: [Int8: Set<String>] = [:]
  var flags: [Bool?] = []
  var doubles: [Double] = []
  var optional: [String?]??
  var hidden: any Sendable = 5

  required init() { id = nil }
  init(_ id: Int) { self.id = id }

  final class Label: MirrorCoding, Hashable {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "mixed.Label") }
    var text = ""
    var number: Int32 = 0
    convenience init(_ text: String, _ number: Int32) {
      self.init()
      (self.text, self.number) = (text, number)
    }
    static func == (a: Label, b: Label) -> Bool { a.text == b.text && a.number == b.number }
    func hash(into hasher: inout Hasher) {
      hasher.combine(text)
      hasher.combine(number)
    }
  }
  enum Either<Left, Right>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "mixed.Either") }
    case left(Left)
    case right(Right)
    case neither
  }
  indirect enum Branch: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "mixed.Branch") }
    case leaf(Label?)
    case pair(Branch, Branch)
    case owner(Mixed)
  }
  /// Without `init()`.
  final class Slot<Value>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "mixed.Slot") }
    let value: Value
    unowned let owner: Mixed
    init(_ value: Value, _ owner: Mixed) { (self.value, self.owner) = (value, owner) }
  }

  static func make() -> Mixed {
    let mixed = Mixed(7)
    let labels = (0..<12).map { Label("label \($0)", Int32($0) * 1_000) }
    mixed.matrix = [[labels[0], nil], [], [labels[6]]]
    mixed.tuple = (labels[7], 3, nil)
    mixed.inline = [labels[8], nil]
    mixed.nested = ["a": ["b": labels[9]], "c": [:]]
    mixed.either = [.left(3), .right(labels[10]), .neither, .left(4), .right(labels[11]), .neither, .left(5), .left(6), .left(7)]
    mixed.tree = .pair(.leaf(labels[0]), .pair(.leaf(nil), .owner(mixed)))
    mixed.result = .success([labels[1], labels[2]])
    let other = Mixed(8)
    (other.back, mixed.next, other.next) = (mixed, other, mixed)
    mixed.slots = labels.prefix(9).map { Slot($0, mixed) }
    mixed.late = [9]
    mixed.characters = ["a", "é", "🍎"]
    mixed.texts = ["text"[...], ""[...], "苹果"[...]]
    mixed.byNumber = [1: ["x", "y"], -3: []]
    mixed.flags = (0..<20).map { $0 % 3 == 0 ? nil : $0 % 2 == 0 }
    mixed.doubles = (0..<20).map { Double($0) / 100 } + [.nan, -0.0, .infinity]
    mixed.optional = .some(.some(["s", nil]))
    mixed.hidden = "hidden"
    return mixed
  }
}

/// Hash tables whose keys are objects, and those that hold such.
final class Hashed: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "hashed.Hashed") }
  var byObject: [Mixed.Label: Int] = [:]
  var objects: Set<Mixed.Label> = []
  var inArrays: [Set<[Mixed.Label]>] = []
  var keys: Set<AnyHashable> = []
  var byAnything: [AnyHashable: Mixed.Label] = [:]
  var optional: [Mixed.Label?: Hashed] = [:]

  static func make() -> Hashed {
    let labels = (0..<12).map { Mixed.Label("label \($0)", $0) }
    let hashed = Hashed()
    hashed.byObject = [labels[0]: 1, labels[1]: 2]
    hashed.objects = Set(labels[2..<6])
    hashed.inArrays = [[], [[labels[0], labels[7]], []]]
    (hashed.keys, hashed.byAnything) = ([1, "two", 3.0], [5: labels[1], "six": labels[8]])
    hashed.optional = [nil: Hashed(), labels[9]: hashed]
    return hashed
  }
}

/// Objects that others are archived and read for.
final class Proxied: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "proxied.Proxied", subclasses: [Proxy.self]) }
  var shared: [MirrorCoding] = []
  var single: MirrorCoding?
  var names: [String: MirrorCoding] = [:]

  final class Proxy: MirrorCoding, ArchiveSubstitution {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "proxied.Proxy") }
    var name = ""
    var other: MirrorCoding?
    func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? {
      switch name {
      case "nothing": nil
      case "other": other ?? self
      default: self
      }
    }
  }

  static func make() -> Proxied {
    let proxied = Proxied()
    let proxies = (0..<9).map { number in
      let proxy = Proxy()
      proxy.name = number % 3 == 0 ? "other" : "proxy \(number)"
      return proxy
    }
    for number in 1..<9 { proxies[number].other = proxies[number - 1] }
    (proxied.shared, proxied.single, proxied.names) = (proxies, proxies[3], ["a": proxies[0]])
    return proxied
  }
}
