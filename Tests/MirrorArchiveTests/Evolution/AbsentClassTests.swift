import Foundation
import MirrorArchive
import Testing

/// An archive of a program that has a class which the reading one has not.
private enum Full {
  class Animal: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "absent.Animal", subclasses: [Gone.self, Bird.self]) }
    var name = ""
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }
  final class Bird: Animal {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "absent.Bird") }
    var wings = 2
  }
  final class Gone: Animal {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "absent.Gone", version: 3) }
    var teeth = 32
    var prey: Animal?
  }
  final class Zoo: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "absent.Zoo") }
    var title = "zoo"
    var animals: [Animal] = []
    var favourite: Animal?
    var cages: [String: Animal] = [:]
    var mascots: [Animal?] = []
  }
}
private enum Today {
  class Animal: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "absent.Animal", subclasses: [Bird.self]) }
    var name = ""
  }
  final class Bird: Animal {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "absent.Bird") }
    var wings = 0
  }
  final class Zoo: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "absent.Zoo") }
    var title = ""
    var animals: [Animal] = []
    var favourite: Animal?
    var cages: [String: Animal] = [:]
    var mascots: [Animal?] = []
  }
  /// Where nothing can take the place of what is gone.
  final class StrictZoo: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "absent.Zoo") }
    var title: String
    var star: Animal
    init(star: Animal) { (title, self.star) = ("", star) }
  }
  final class OpenZoo: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "absent.Zoo", subclasses: [Animal.self, Bird.self]) }
    var title = ""
    var animals: [MirrorCoding] = []
    var favourite: AnyObject?
    var cages: [String: MirrorCoding] = [:]
    var mascots: [MirrorCoding?] = []
  }
}
private final class FullStrictZoo: MirrorCodable {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "absent.Zoo") }
  var title: String
  var star: Full.Animal
  init(star: Full.Animal) { (title, self.star) = ("strict", star) }
}

@Suite("Classes that the reading program does not have")
struct AbsentClassTests {
  private func zoo() -> Full.Zoo {
    let zoo = Full.Zoo()
    let (bird, gone) = (Full.Bird("bird"), Full.Gone("gone"))
    gone.prey = bird
    zoo.animals = [Full.Animal("first"), gone, bird, gone, Full.Animal("last")]
    zoo.favourite = gone
    zoo.cages = ["a": bird, "b": gone]
    zoo.mascots = [gone, bird, nil]
    return zoo
  }
  private func read<Zoo>(_: Zoo.Type, _ root: Any, _ policy: DecodingOptions.UnknownClassPolicy) throws -> Zoo {
    let data: Data
    if let strict = root as? FullStrictZoo {
      data = try KeyedArchiver.archivedData(withRootObject: strict)
    } else {
      data = try KeyedArchiver.archivedData(withRootObject: try #require(root as? Full.Zoo))
    }
    return try KeyedUnarchiver.unarchivedObject(of: Zoo.self, from: data, options: DecodingOptions(unknownClasses: policy))
  }

  @Test("CASES 4: by default the error names the class and where it is referred to") func reject() {
    expectRefusal(.typeNotAllowed, at: "root", naming: ["absent.Gone"]) { try read(Today.Zoo.self, zoo(), .reject) }
    expectRefusal(.typeNotAllowed, at: "root.star", naming: ["absent.Gone"]) {
      try read(Today.StrictZoo.self, FullStrictZoo(star: Full.Gone("g")), .reject)
    }
    expectRefusal(.typeNotAllowed, at: "root[1]", naming: ["absent.Gone"]) {
      try converted([Full.Animal("a"), Full.Gone("g"), Full.Animal("b")], to: [Today.Animal].self)
    }
  }

  @Test("CASES 4: skipped, it leaves collections shorter and Optionals nil, and nothing else") func skip() throws {
    let read = try read(Today.Zoo.self, zoo(), .skip)
    #expect(read.title == "zoo" && read.animals.map(\.name) == ["first", "bird", "last"] && read.favourite == nil)
    #expect(read.cages.keys.sorted() == ["a"] && read.cages["a"] === read.animals[1])
    #expect(read.mascots.count == 3 || read.mascots.count == 2)
    #expect(read.mascots.compactMap { $0 }.first === read.animals[1])
    expectRefusal(.typeNotAllowed, at: "root.star", naming: ["absent.Gone"]) {
      try self.read(Today.StrictZoo.self, FullStrictZoo(star: Full.Gone("g")), .skip)
    }
    let root = try KeyedUnarchiver.unarchivedObject(
      of: [Today.Animal].self, from: KeyedArchiver.archivedData(withRootObject: [Full.Animal("a"), Full.Gone("g"), Full.Animal("b")]),
      options: DecodingOptions(unknownClasses: .skip))
    #expect(root.map(\.name) == ["a", "b"])
  }

  @Test("CASES 4: kept, it is archived again as it was") func keep() throws {
    let old = zoo()
    let data = try KeyedArchiver.archivedData(withRootObject: old)
    let options = DecodingOptions(unknownClasses: .keep)
    let kept = try KeyedUnarchiver.unarchivedObject(of: Today.OpenZoo.self, from: data, options: options)
    #expect(kept.animals.count == 5 && kept.animals[1] === kept.animals[3] && kept.favourite === kept.animals[1])
    #expect((kept.animals[0] as? Today.Animal)?.name == "first" && (kept.animals[2] as? Today.Bird)?.wings == 2)
    let again = try KeyedArchiver.archivedData(withRootObject: kept)
    let back = try KeyedUnarchiver.unarchivedObject(of: Full.Zoo.self, from: again)
    #expect(back.animals.map(\.name) == ["first", "gone", "bird", "gone", "last"])
    let gone = try #require(back.animals[1] as? Full.Gone)
    #expect(gone.teeth == 32 && gone.prey === back.animals[2] && back.favourite === gone && back.cages["b"] === gone)
    #expect(back.mascots.map { $0?.name } == ["gone", "bird", nil])
    expectRefusal(.typeNotAllowed, at: "root.animals[1]") {
      try KeyedUnarchiver.unarchivedObject(of: Today.Zoo.self, from: data, options: options)
    }
  }
}
