import Foundation
import MirrorArchive
import Testing

@Suite("Objects of unknown classes are left out")
struct UnknownSkipTests {
  private let skipping = DecodingOptions(unknownClasses: .skip)

  @Test("By default they are an error that names class and cure, before anything is made") func rejected() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: OldZoo.zoo())
    expectRefusal(.typeNotAllowed, at: "root", naming: ["Dog"]) {
      try KeyedUnarchiver.unarchivedObject(ofClass: NewZoo.Zoo.self, from: data)
    }
  }

  @Test("Elements and entries are left out, Optionals are nil, everything else is there") func zoo() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: OldZoo.zoo())
    let zoo = try KeyedUnarchiver.unarchivedObject(ofClass: NewZoo.Zoo.self, from: data, options: skipping)
    #expect(zoo.animals.map(\.name) == ["Tom", "Kit", "Leo"])
    #expect(zoo.slice.map(\.name) == ["Tom"])
    #expect(zoo.favourite == nil && zoo.any == nil && zoo.oldest == nil)
    #expect(zoo.table.mapValues(\.name) == ["tom": "Tom", "kit": "Kit"])
    #expect(zoo.optionals.map { $0?.name } == ["Tom", nil, nil, "Kit"])
    #expect(zoo.list.count == 3)
    #expect((zoo.list.first as? NewZoo.Cat)?.name == "Tom" && zoo.list[1] as? Int == 5 && zoo.list[2] as? String == "text")
    #expect(zoo.named.keys.sorted() == ["cat"])
    #expect(zoo.nested.map { $0.map(\.name) } == [["Tom"], [], [], ["Leo"]])
    #expect(zoo.animals[0] === zoo.table["tom"] && zoo.animals[0] === zoo.slice.first)
    #expect((zoo.animals[1] as? NewZoo.Cat)?.lives == 9 && zoo.place.row == 5)
  }

  @Test("What is left out is reported with its path") func report() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: OldZoo.zoo())
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    unarchiver.options = skipping
    _ = try unarchiver.decodeObject(of: NewZoo.Zoo.self, forKey: "root")
    let left = unarchiver.report.entries.filter { $0.kind == .leftOutObject }
    let paths = left.map(\.path)
    for path in [
      "root.animals[1]", "root.animals[3]", "root.slice[0]", "root.slice[2]", "root.favourite", "root.table[rex]", "root.optionals[2]",
      "root.list[1]", "root.list[3]", "root.named[dog]", "root.any", "root.oldest", "root.nested[0][1]", "root.nested[1][0]",
    ] { #expect(paths.contains(path), "\(path) is not among \(paths)") }
    #expect(paths.count == 14)
    #expect(left.allSatisfy { $0.message.contains("Dog") })
  }

  @Test("A place that needs an object keeps none in its stead, and says which one it was") func required() throws {
    let cage = OldZoo.Cage()
    cage.animal = OldZoo.Dog("Rex")
    let data = try KeyedArchiver.archivedData(withRootObject: cage)
    expectRefusal(.typeNotAllowed, at: "root.animal", naming: ["Dog"]) {
      try KeyedUnarchiver.unarchivedObject(ofClass: NewZoo.Cage.self, from: data, options: skipping)
    }
    var lenient = skipping
    lenient.conversionPolicy = .lenient
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: NewZoo.Cage.self, from: data, options: lenient)
    #expect(read.animal.name == "", "lenient decoding keeps the default")
  }

  @Test("The root itself cannot be left out; an array of such objects is empty") func roots() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: OldZoo.Dog("Rex") as OldZoo.Animal)
    expectRefusal(.typeNotAllowed, naming: ["Dog"]) {
      try KeyedUnarchiver.unarchivedObject(ofClass: NewZoo.Animal.self, from: data, options: skipping)
    }
    #expect(try KeyedUnarchiver.unarchivedObject(of: NewZoo.Animal?.self, from: data, options: skipping) == nil)
    let dogs = try KeyedArchiver.archivedData(
      withRootObject: (0..<3_000).map { $0 % 3 == 0 ? OldZoo.Cat("\($0)") : OldZoo.Dog("\($0)") } as [OldZoo.Animal])
    let cats = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: NewZoo.Animal.self, from: dogs, options: skipping)
    #expect(cats.map(\.name) == (0..<3_000).filter { $0 % 3 == 0 }.map { "\($0)" })
  }

  @Test("Sets of objects that hash themselves, and objects as keys") func hashed() throws {
    let old = OldHashed.Herd()
    old.set = [OldHashed.Sheep("a"), OldHashed.Wolf("w"), OldHashed.Sheep("b")]
    old.table = [OldHashed.Sheep("k"): 1, OldHashed.Wolf("v"): 2]
    old.mixed = [AnyHashable(1), AnyHashable("x")]
    let data = try KeyedArchiver.archivedData(withRootObject: old)
    let herd = try KeyedUnarchiver.unarchivedObject(ofClass: NewHashed.Herd.self, from: data, options: skipping)
    #expect(herd.set.map(\.name).sorted() == ["a", "b"])
    #expect(Dictionary(uniqueKeysWithValues: herd.table.map { ($0.key.name, $0.value) }) == ["k": 1])
    #expect(herd.mixed == [AnyHashable(1), AnyHashable("x")])
  }

  @Test("Nothing of what a dog leads to is made, and nothing leaks") func leaks() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: OldZoo.zoo())
    weak var cat: AnyObject?
    do {
      let zoo = try KeyedUnarchiver.unarchivedObject(ofClass: NewZoo.Zoo.self, from: data, options: skipping)
      cat = zoo.animals[0]
      #expect(cat != nil)
    }
    #expect(cat == nil)
  }

  @Test("Hand-coded objects ask and get nil, or an error") func handCoded() throws {
    let script = Scripted { coder in
      try coder.encode(OldZoo.Dog("Rex") as OldZoo.Animal, forKey: "dog")
      try coder.encode([OldZoo.Cat("Tom"), OldZoo.Dog("Pug")] as [OldZoo.Animal], forKey: "animals")
    }
    let data = try KeyedArchiver.archivedData(withRootObject: script)
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    unarchiver.options = skipping
    unarchiver.setClass(Asking.self, forClassName: Scripted.archiveName)
    let asking = try unarchiver.decodeObject(of: Asking.self, forKey: "root")
    #expect(asking.animals == ["Tom"] && asking.code == .typeNotAllowed && asking.isNil && asking.wasCalled == false)
  }

  final class Asking: KeyedCoding {
    var animals: [String] = []
    var code: ArchiveError.Code?
    var isNil = false
    var wasCalled = false
    init(coder: KeyedUnarchiver) throws {
      animals = try coder.decodeArrayOfObjects(ofClass: NewZoo.Animal.self, forKey: "animals").map(\.name)
      isNil = try coder.decodeObjectIfPresent(of: NewZoo.Animal.self, forKey: "dog") == nil
      do {
        _ = try coder.decodeObject(of: NewZoo.Animal.self, forKey: "dog")
      } catch let error as ArchiveError { code = error.code }
    }
    func encode(with coder: KeyedArchiver) throws {}
  }

  @Test("Damaged archives decode or throw, whatever is left out") func fuzzed() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: OldZoo.zoo())
    var random = SeededGenerator(seed: 0x5C1)
    for round in 0..<1_000 {
      guard var forgery = Forgery(data) else { return }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        forgery.body[Int.random(in: 0..<forgery.body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        let zoo = try KeyedUnarchiver.unarchivedObject(ofClass: NewZoo.Zoo.self, from: forgery.sealed(), options: skipping)
        #expect(zoo.animals.count < 100_000, "seed 0x5C1, round \(round)")
      } catch is ArchiveError {}
    }
  }
}

enum OldHashed {
  class Sheep: MirrorCoding, Hashable {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Sheep", subclasses: [Wolf.self]) }
    var name = ""
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
    static func == (a: Sheep, b: Sheep) -> Bool { a.name == b.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
  final class Wolf: Sheep {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Wolf") }
  }
  final class Herd: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Herd") }
    var set: Set<Sheep> = []
    var table: [Sheep: Int] = [:]
    var mixed: Set<AnyHashable> = []
  }
}

enum NewHashed {
  class Sheep: MirrorCoding, Hashable {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Sheep") }
    var name = ""
    static func == (a: Sheep, b: Sheep) -> Bool { a.name == b.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
  final class Herd: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Herd") }
    var set: Set<Sheep> = []
    var table: [Sheep: Int] = [:]
    var mixed: Set<AnyHashable> = []
  }
}
