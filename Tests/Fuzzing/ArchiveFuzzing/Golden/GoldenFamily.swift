import Foundation
import MirrorArchive

/// Classes below classes, references of every kind, constants and what wraps a property.
enum GoldenFamily {
  @propertyWrapper struct Clamped: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Clamped") }
    private var stored: Int
    var wrappedValue: Int {
      get { stored }
      set { stored = min(newValue, 10) }
    }
    init(wrappedValue: Int) { stored = wrappedValue }
  }

  class Being: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "golden.Being", version: 1, subclasses: [Animal.self, Dog.self, Puppy.self])
    }
    private let id: Int
    private var secret = 0
    required init() { id = 0 }
    init(_ id: Int) {
      self.id = id
      super.init()
      secret = id * 2
    }
    var beingWords: String { "\(id) \(secret)" }
  }
  /// Adds nothing, and has no entry where an object is of another class.
  class Animal: Being {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Animal") }
  }
  class Dog: Animal {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Dog", version: 9) }
    private var secret = ""
    weak var owner: Being?
    weak var friend: Dog?
    lazy var tricks = ["sit"]
    final func rename(_ name: String) { secret = name }
    var words: String { "\(beingWords) \(secret) \(tricks)" }
  }
  final class Puppy: Dog {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Puppy") }
    unowned var mother: Dog?
    @Clamped var age = 3
    var siblings: [Puppy] = []
  }

  /// Constants of an `init()`: some it gives, some it does not.
  final class Constants: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Constants") }
    let number: Int
    let text: String
    let flag: Bool
    let list: [Int]
    let size: Golden.Size
    let other: Constants?
    required init() { (number, text, flag, list, size, other) = (1, "one", true, [1], Golden.Size(width: 1, height: nil), nil) }
    init(_ row: Int, other: Constants?) {
      (number, text, flag) = (row % 3, row % 2 == 0 ? "one" : "another text", row % 4 == 0)
      (list, size, self.other) = ([Int](repeating: 1, count: row % 3), Golden.Size(width: row % 2, height: nil), other)
    }
    var words: String { "\(number) \(text) \(flag) \(list) \(size) \(other?.number ?? -1)" }
  }

  /// Without `init()`.
  final class Link: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Link") }
    let number: Int
    var next: Link?
    unowned var first: Link?
    init(_ number: Int) { self.number = number }
  }

  final class Family: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Family") }
    var beings: [Being] = []
    var constants: [Constants] = []
    var fewConstants: [Constants?] = []
    var circle: Link?
    var links: [Link] = []
    // References, stored in every way.
    var same: [Link] = []
    var runs: [Link] = []
    var packed: [Link] = []
    var bytes: [Link] = []
    var rising: [Link] = []
    var missing: [Link?] = []
    weak var loose: Link?
    weak var lost: Link?
    var byLink: [String: Link] = [:]

    convenience init(written: Void) {
      self.init()
      let (animal, mother, puppies) = (Animal(7), Dog(20), (0..<9).map { Puppy($0 + 30) })
      mother.rename("mother")
      (mother.owner, mother.tricks) = (animal, ["sit", "roll"])
      for (row, puppy) in puppies.enumerated() {
        (puppy.mother, puppy.owner, puppy.siblings) = (mother, row % 2 == 0 ? nil : animal, row == 0 ? puppies.suffix(2) : [])
        (puppy.friend, puppy.age) = (row == 3 ? puppy : nil, row + 4)
        puppy.rename("puppy \(row)")
      }
      beings = [Being(1), animal, mother] + puppies
      let first = Constants(5, other: nil)
      constants = [first] + (0..<9).map { Constants($0, other: $0 % 5 == 0 ? nil : first) }
      fewConstants = [nil, constants[4], Constants()]
      links = (0..<140).map { Link($0) }
      for (row, link) in links.enumerated() { (link.first, link.next) = (links[0], row == 2 ? links[0] : row < 2 ? links[row + 1] : nil) }
      (circle, same, runs) = (links[1], [Link](repeating: links[7], count: 9), (0..<40).map { links[$0 / 10 * 30] })
      packed = (0..<20).map { links[$0 * $0 % 61] }
      bytes = (0..<20).map { links[$0 * $0 * 7 % 139] }
      rising = (0..<20).map { links[$0 * 6 + $0 % 2] }
      missing = (0..<9).map { $0 % 3 == 0 ? nil : links[$0] }
      (loose, byLink) = (links[100], ["a": links[3], "b": links[3]])
    }

    var words: [String] {
      let dogs = beings.compactMap { $0 as? Dog }
      let puppies = beings.compactMap { $0 as? Puppy }
      let numbers = [links, same, runs, packed, bytes, rising].map { "\($0.map(\.number))" }
      return beings.map { "\(type(of: $0)) \($0.beingWords)" } + dogs.map(\.words) + puppies.map { "\($0.age) \($0.siblings.map(\.words))" }
        + constants.map(\.words) + fewConstants.map { $0?.words ?? "none" } + numbers + ["\(missing.map { $0?.number ?? -1 })"]
    }
    func expected() -> Bool {
      let other = Family(written: ())
      defer { other.untie() }
      let (animal, mother, puppies) = (beings[1], beings[2] as? Dog, beings.compactMap { $0 as? Puppy })
      let isFamily = mother?.owner === animal && puppies.count == 9 && puppies.allSatisfy { $0.mother === mother }
      let areOwned = puppies.enumerated().allSatisfy { $0.element.owner === ($0.offset % 2 == 0 ? nil : animal) }
      let isLinked = links.allSatisfy { $0.first === links[0] } && circle === links[1] && circle?.next?.next === links[0]
      return words == other.words && isFamily && areOwned && isLinked && puppies[3].friend === puppies[3]
        && puppies[0].siblings[0] === puppies[7]
        && loose === links[100] && lost == nil && byLink["a"] === links[3] && byLink["b"] === links[3] && fewConstants[1] === constants[4]
        && constants[2].other === constants[0]
    }
    func untie() {
      for link in links { link.next = nil }
    }
  }
}
