import ArchiveFixtures
import Foundation
import MirrorArchive
import Testing

/// Classes of this module whose successors are in another one, under the same names.
final class MovedEntry: MirrorCoding {
  var title = ""
  var part: Part?
  var kind = Kind.plain
  var size = MovedSize(width: 1)
  var box: MovedBox<MovedEntry.Part>?
  final class Part: MirrorCoding {
    var number = 0
  }
  enum Kind: Equatable {
    case plain
    case special(Int)
  }
}
struct MovedSize: Hashable {
  var width: Int
}
final class MovedBox<Value>: MirrorCoding {
  var value: Value?
}

/// One class under three names, of which each version of the program wrote one.
enum ManyNames {
  final class V1: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "App.User") }
    var name = ""
    var friend: V1?
  }
  final class V2: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "App.Person", formerNames: ["App.User"]) }
    var name = ""
    var friend: V2?
  }
  final class V3: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Contact", formerNames: ["App.User", "App.Person"]) }
    var name = ""
    var friend: V3?
  }
  struct Value1: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "App.Address") }
    var city: String
  }
  struct Value2: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "Address", formerNames: ["App.Place", "App.Address"]) }
    var city: String
  }
  enum Kind1: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "App.Kind") }
    case home(Value1)
    case other
  }
  enum Kind2: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "Kind", formerNames: ["App.Kind"]) }
    case other
    case home(Value2)
  }
  final class Hand1: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "App.Hand") }
    let number: Int
    init(_ number: Int) { self.number = number }
    init(coder: KeyedUnarchiver) throws { number = try coder.decodeInt(forKey: "number") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(number, forKey: "number") }
  }
  final class Hand2: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "Hand", formerNames: ["App.Hand"]) }
    let number: Int
    init(_ number: Int) { self.number = number }
    init(coder: KeyedUnarchiver) throws { number = try coder.decodeInt(forKey: "number") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(number, forKey: "number") }
  }
  /// Two classes that claim the same name.
  final class Rival: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Rival", formerNames: ["App.User"]) }
    var name = ""
  }
  final class Both: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Both") }
    var contact: V3?
    var rival: Rival?
  }
}

/// Types that stand inside of the names of generic ones, which go by their Swift names there.
enum Arguments {
  final class OldEntry: MirrorCoding { var title = "" }
  struct OldValue: Hashable { var number = 0 }
  enum OldFailure: Error, Equatable { case status(Int) }
  final class Entry: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Entry", formerNames: ["MirrorArchiveTests.Arguments.OldEntry"]) }
    var title = ""
  }
  struct Value: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(formerNames: ["Lost.Value", "MirrorArchiveTests.Arguments.OldValue"]) }
    var number = 0
  }
  enum Failure: Error, MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(formerNames: ["MirrorArchiveTests.Arguments.OldFailure"]) }
    case status(Int)
  }
}

@Suite("Types that were renamed or moved since")
struct MovedClassTests {
  private func entry() -> MovedEntry {
    let entry = MovedEntry()
    (entry.title, entry.kind, entry.size) = ("title", .special(5), MovedSize(width: 40))
    let part = MovedEntry.Part()
    part.number = 7
    entry.part = part
    let box = MovedBox<MovedEntry.Part>()
    box.value = part
    entry.box = box
    return entry
  }

  @Test("CASES 1: a class that moved to another module is read with a module remap, and what it holds with it") func moduleRemap() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: entry())
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    unarchiver.setModule("ArchiveFixtures", forModuleName: "MirrorArchiveTests")
    let read = try unarchiver.decodeObject(of: ArchiveFixtures.MovedEntry.self, forKey: "root")
    #expect(read.title == "title" && read.part?.number == 7 && read.kind == .special(5) && read.size.width == 40)
    #expect(read.box?.value === read.part && read.added == "new in this module")
  }

  @Test("CASES 1: without it the error names the class that the archive has") func withoutRemap() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: entry())
    expectRefusal(.typeNotAllowed, naming: ["MirrorArchiveTests.MovedEntry"]) {
      try KeyedUnarchiver.unarchivedObject(ofClass: ArchiveFixtures.MovedEntry.self, from: data)
    }
    expectRefusal(.typeNotAllowed, naming: ["MirrorArchiveTests.MovedEntry"]) {
      try converted([entry()], to: [ArchiveFixtures.MovedEntry].self)
    }
  }

  @Test("CASES 1: former names read a class that moved to another module, as a root, a property and an element") func formerNameOfMoved()
    throws
  {
    let old = MovedParcel()
    old.weight = 2.5
    old.labels = [MovedSize(width: 9)]
    let read = try converted(old, to: ArchiveFixtures.MovedParcel.self)
    #expect(read.weight == 2.5 && read.labels.map(\.width) == [9] && read.sender == "nobody")
    let list = try converted([old, old], to: [ArchiveFixtures.MovedParcel].self)
    #expect(list.count == 2 && list[0] === list[1] && list[0].weight == 2.5)
    let holder = try converted(Retyped(Optional(old)), to: Retyped<ArchiveFixtures.MovedParcel?>.self)
    #expect(holder.value?.weight == 2.5)
  }

  @Test("CASES 2: three names are read, one is written") func renamedTwice() throws {
    func pair1() -> ManyNames.V1 {
      let (first, second) = (ManyNames.V1(), ManyNames.V1())
      (first.name, second.name, first.friend) = ("first", "second", second)
      return first
    }
    func pair2() -> ManyNames.V2 {
      let (first, second) = (ManyNames.V2(), ManyNames.V2())
      (first.name, second.name, first.friend) = ("first", "second", second)
      return first
    }
    let archives = try [
      KeyedArchiver.archivedData(withRootObject: pair1()), KeyedArchiver.archivedData(withRootObject: pair2()),
      KeyedArchiver.archivedData(withRootObject: converted(pair1(), to: ManyNames.V3.self)),
    ]
    for data in archives {
      let read = try KeyedUnarchiver.unarchivedObject(ofClass: ManyNames.V3.self, from: data)
      #expect(read.name == "first" && read.friend?.name == "second" && read.friend?.friend == nil)
      let written = try KeyedArchiver.archivedData(withRootObject: read)
      #expect(written.range(of: Data("Contact".utf8)) != nil)
      #expect(written.range(of: Data("App.User".utf8)) == nil && written.range(of: Data("App.Person".utf8)) == nil)
    }
    expectRefusal(.typeNotAllowed, naming: ["Contact"]) {
      try KeyedUnarchiver.unarchivedObject(ofClass: ManyNames.V1.self, from: archives[2])
    }
  }

  @Test("Former names of classes, structs, enums and hand-coded classes count in every place") func everyKind() {
    let old = ManyNames.V1()
    old.name = "x"
    expectEverywhere(old, as: ManyNames.V2.self) { $0.name == "x" }
    expectEverywhere(old, as: ManyNames.V3.self) { $0.name == "x" }
    expectEverywhere(ManyNames.Value1(city: "x"), as: ManyNames.Value2.self) { $0 == ManyNames.Value2(city: "x") }
    expectEverywhere(ManyNames.Kind1.home(ManyNames.Value1(city: "x")), as: ManyNames.Kind2.self) {
      $0 == .home(ManyNames.Value2(city: "x"))
    }
    expectEverywhere(ManyNames.Hand1(5), as: ManyNames.Hand2.self) { $0.number == 5 }
  }

  @Test("Former names count for what stands in Any") func any() throws {
    let old = ManyNames.V1()
    old.name = "x"
    let values: [Any] = [old, ManyNames.Value1(city: "c"), ManyNames.Kind1.other, [ManyNames.Value1(city: "d")]]
    let data = try KeyedArchiver.archivedData(
      withRootObject: Retyped(values), allowing: [ManyNames.V1.self, ManyNames.Value1.self, ManyNames.Kind1.self, [ManyNames.Value1].self])
    let read = try KeyedUnarchiver.unarchivedObject(
      of: Retyped<[Any]>.self, from: data,
      allowing: [ManyNames.V3.self, ManyNames.Value2.self, ManyNames.Kind2.self, [ManyNames.Value2].self])
    #expect((read.value[0] as? ManyNames.V3)?.name == "x")
    #expect(read.value[1] as? ManyNames.Value2 == ManyNames.Value2(city: "c"))
    #expect(read.value[2] as? ManyNames.Kind2 == .other)
    #expect(read.value[3] as? [ManyNames.Value2] == [ManyNames.Value2(city: "d")])
  }

  @Test("Two admitted classes cannot both have had one name") func rivals() throws {
    let old = ManyNames.V1()
    let data = try KeyedArchiver.archivedData(withRootObject: old)
    expectRefusal(.duplicateName, naming: ["App.User", "Rival", "V3"]) {
      try KeyedUnarchiver.unarchivedObject(of: ManyNames.V3.self, from: data, allowing: [ManyNames.Rival.self])
    }
    expectRefusal(.duplicateName, naming: ["App.User"]) { try KeyedUnarchiver.unarchivedObject(of: ManyNames.Both.self, from: data) }
  }

  @Test("A class that was set for a name wins over former names") func setClass() throws {
    let old = ManyNames.V1()
    old.name = "x"
    let data = try KeyedArchiver.archivedData(withRootObject: old)
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    unarchiver.setClass(ManyNames.Rival.self, forClassName: "App.User")
    #expect(try unarchiver.decodeObject(of: ManyNames.Rival.self, forKey: "root").name == "x")
  }

  @Test("A generic type is found when the types in its name were renamed") func genericArguments() throws {
    let entry = Arguments.OldEntry()
    entry.title = "title"
    let box = try converted(Box(entry), to: Box<Arguments.Entry>.self)
    #expect(box.value?.title == "title")
    let boxes = try converted([Box([entry, entry])], to: [Box<[Arguments.Entry]>].self)
    #expect(boxes[0].value?.map(\.title) == ["title", "title"])
    let pair = try converted(Pair(first: Arguments.OldValue(number: 5), second: 6), to: Pair<Arguments.Value, Int>.self)
    #expect(pair == Pair(first: Arguments.Value(number: 5), second: 6))
    let nested = try converted(
      Retyped([Pair(first: Pair(first: 1, second: Arguments.OldValue(number: 2)), second: "s")]),
      to: Retyped<[Pair<Pair<Int, Arguments.Value>, String>]>.self)
    #expect(nested.value == [Pair(first: Pair(first: 1, second: Arguments.Value(number: 2)), second: "s")])
    let result = try converted(
      Retyped(Result<Int, Arguments.OldFailure>.failure(.status(404))), to: Retyped<Result<Int, Arguments.Failure>>.self)
    #expect(result.value == .failure(.status(404)))
    let either = try converted(
      Retyped([Either<Arguments.OldValue, Int>.left(Arguments.OldValue(number: 7)), .neither]),
      to: Retyped<[Either<Arguments.Value, Int>]>.self)
    #expect(either.value == [.left(Arguments.Value(number: 7)), .neither])
  }
}
