import Foundation
import MirrorArchive

/// A zoo as the program was that wrote the archives: with dogs.
enum OldZoo {
  class Animal: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Animal", subclasses: [Cat.self, Dog.self]) }
    var name = ""
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }

  final class Cat: Animal {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Cat") }
    var lives = 9
  }

  final class Dog: Animal {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Dog") }
    var tricks = ["sit"]
    var friend: Animal?
    var place = Place(row: 1, tag: .open(7))
    var age: Int? = 3
    var notes: [String: Any] = ["weight": 12.5]
  }

  struct Place: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "Place") }
    var row = 0
    var tag = Tag.closed
  }

  enum Tag: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "Tag") }
    case closed
    case open(Int)
  }

  final class Zoo: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Zoo", subclasses: [Animal.self, Cat.self, Dog.self]) }
    var animals: [Animal] = []
    var slice: ArraySlice<Animal> = []
    var favourite: Animal?
    var table: [String: Animal] = [:]
    var optionals: [Animal?] = []
    var list: [Any] = []
    var named: [String: Any] = [:]
    var any: Any?
    weak var oldest: Animal?
    var nested: [[Animal]] = []
    var place = Place(row: 5)
  }

  final class Cage: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Cage") }
    var animal = Animal("empty")
  }

  /// Three cats and two dogs in every place.
  static func zoo() -> Zoo {
    let (tom, kit, leo) = (Cat("Tom"), Cat("Kit"), Cat("Leo"))
    let (rex, pug) = (Dog("Rex"), Dog("Pug"))
    rex.friend = tom
    pug.friend = rex
    let zoo = Zoo()
    zoo.animals = [tom, rex, kit, pug, leo]
    zoo.slice = [rex, tom, pug]
    zoo.favourite = rex
    zoo.table = ["tom": tom, "rex": rex, "kit": kit]
    zoo.optionals = [tom, nil, rex, kit]
    zoo.list = [tom, rex, 5, pug, "text"]
    zoo.named = ["cat": kit, "dog": rex]
    zoo.any = pug
    zoo.oldest = rex
    zoo.nested = [[tom, rex], [pug], [], [leo]]
    return zoo
  }
}

/// The same today: nobody knows what a dog is.
enum NewZoo {
  class Animal: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Animal", subclasses: [Cat.self]) }
    var name = ""
  }

  final class Cat: Animal {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Cat") }
    var lives = 9
  }

  struct Place: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "Place") }
    var row = 0
    var tag = Tag.closed
  }

  enum Tag: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "Tag") }
    case closed
    case open(Int)
  }

  final class Zoo: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Zoo", subclasses: [Animal.self, Cat.self]) }
    var animals: [Animal] = []
    var slice: ArraySlice<Animal> = []
    var favourite: Animal?
    var table: [String: Animal] = [:]
    var optionals: [Animal?] = []
    var list: [Any] = []
    var named: [String: Any] = [:]
    var any: Any?
    weak var oldest: Animal?
    var nested: [[Animal]] = []
    var place = Place(row: 5)
  }

  /// Any animal may be in any place, known or not.
  final class OpenZoo: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Zoo", subclasses: [Animal.self, Cat.self]) }
    var animals: [MirrorCoding] = []
    var slice: ArraySlice<AnyObject> = []
    var favourite: MirrorCoding?
    var table: [String: MirrorCoding] = [:]
    var optionals: [AnyObject?] = []
    var list: [Any] = []
    var named: [String: Any] = [:]
    var any: Any?
    weak var oldest: AnyObject?
    var nested: [[MirrorCoding]] = []
    var place = Place(row: 5)
  }

  final class Cage: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Cage") }
    var animal = Animal()
  }
}
