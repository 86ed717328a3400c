import Foundation
import MirrorArchive
import Testing

/// Objects of any class, each as often as it likes.
final class UnknownHolder: MirrorCoding {
  var objects: [MirrorCoding] = []
  var any: [Any] = []
  var title = "holder"
  convenience init(_ objects: [MirrorCoding], any: [Any] = []) {
    self.init()
    self.objects = objects
    self.any = any
  }
}

@Suite("Objects of unknown classes are kept")
struct UnknownKeepTests {
  private let keeping = DecodingOptions(unknownClasses: .keep)

  private func openZoo(_ data: Data) throws -> NewZoo.OpenZoo {
    try KeyedUnarchiver.unarchivedObject(ofClass: NewZoo.OpenZoo.self, from: data, options: keeping)
  }

  @Test("They have class, superclasses and properties, and are the same object everywhere") func zoo() throws {
    let zoo = try openZoo(try sortedArchive(OldZoo.zoo()))
    let rex = try #require(zoo.animals[1] as? UnknownObject)
    #expect(rex.className == "Dog" && rex.superclassNames == ["Animal"] && rex.classVersion == 0)
    #expect(rex.properties.map(\.key) == ["name", "tricks", "friend", "place", "age", "notes"])
    #expect(rex["name"] == .string("Rex") && rex["tricks"] == .array([.string("sit")]) && rex["age"] == .int(3))
    #expect(rex["place"]?["row"] == .int(1) && rex["missing"] == nil)
    #expect(rex["notes"]?["weight"]?.doubleValue == 12.5)
    let tom = try #require(zoo.animals[0] as? NewZoo.Cat)
    #expect(rex.references.count == 1 && rex.references.first === tom && rex.object(forKey: "friend") === tom)
    #expect(rex["friend"]?.referenceValue.flatMap { rex.object($0) } === tom)
    let pug = try #require(zoo.any as? UnknownObject)
    #expect(pug["name"] == .string("Pug") && pug.object(forKey: "friend") === rex)
    #expect(zoo.slice.first as? UnknownObject === rex && zoo.favourite as? UnknownObject === rex && zoo.table["rex"] === rex)
    #expect(zoo.optionals[2] === rex && zoo.list[1] as? UnknownObject === rex && zoo.oldest === rex)
    #expect(zoo.animals.count == 5 && zoo.nested.map(\.count) == [2, 1, 0, 1])
  }

  @Test("Archived again they give the same bytes") func identical() throws {
    let data = try sortedArchive(OldZoo.zoo())
    #expect(try sortedArchive(try openZoo(data)) == data)
    let again = try openZoo(try sortedArchive(try openZoo(data)))
    #expect(try sortedArchive(again) == data)
    let old = try KeyedUnarchiver.unarchivedObject(ofClass: OldZoo.Zoo.self, from: try sortedArchive(again))
    #expect(old.animals.map(\.name) == ["Tom", "Rex", "Kit", "Pug", "Leo"])
    #expect((old.animals[3] as? OldZoo.Dog)?.friend === old.animals[1])
  }

  static let graphs: [(String, @Sendable () -> [MirrorCoding], [Any.Type])] = [
    ("every type of value", { [ValueTests.Everything()] }, [ValueTests.Everything.self]),
    ("every type of value, many times", { (0..<20).map { _ in ValueTests.Everything() } }, [ValueTests.Everything.self]),
    ("repeated strings", { (0..<3_000).map { Models.Fruit($0) } }, [Models.Fruit.self]),
    ("columns of numbers", { [Models.Numbers(), Models.Numbers()] }, [Models.Numbers.self]),
    ("enums", { [Models.Shapes()] }, [Models.Shapes.self]),
    ("optionals and structs", { [Models.Values(), Models.Values()] }, [Models.Values.self]),
    ("sets and dictionaries", { [Models.Tables()] }, [Models.Tables.self]),
    ("Foundation values", { [Models.Foreign()] }, [Models.Foreign.self]),
    ("Any", { [Models.Bag(), Models.Fruit(1)] }, [Models.Bag.self]),
    ("lets", { (0..<9).map { _ in ValueTests.Lets() } }, [ValueTests.Lets.self]),
    (
      "several classes with one base", { [Models.Base(), Models.Heir(), Models.Base(), Models.Heir()] },
      [Models.Base.self, Models.Heir.self]
    ),
    ("no properties", { [Empty(), Empty()] }, [Empty.self]),
    ("nothing", { [] }, []),
  ]

  final class Empty: MirrorCoding {}

  @Test("The same bytes, whatever they hold", arguments: graphs.indices) func identicalGraphs(index: Int) throws {
    let (name, make, types) = Self.graphs[index]
    let data = try sortedArchive(UnknownHolder(make(), any: [1, "x", [2.5]]))
    let holder = try KeyedUnarchiver.unarchivedObject(ofClass: UnknownHolder.self, from: data, options: keeping)
    #expect(holder.objects.allSatisfy { $0 is UnknownObject }, "\(name)")
    #expect(try sortedArchive(holder) == data, "\(name)")
    // Beside objects that the program knows.
    let known = try KeyedUnarchiver.unarchivedObject(of: UnknownHolder.self, from: data, allowing: types)
    #expect(try sortedArchive(known) == data, "\(name)")
  }

  @Test("Types that known objects have, too, are described once") func sharedTypes() throws {
    let zoo = OldZoo.zoo()
    let data = try sortedArchive(zoo)
    let before = try KeyedUnarchiver.header(of: data).types.map(\.name)
    let after = try KeyedUnarchiver.header(of: try sortedArchive(try openZoo(data))).types.map(\.name)
    #expect(before == after && Set(before).count == before.count)
  }

  @Test("Hand-coded objects keep their keys, and give the same bytes") func handCoded() throws {
    let holder = HandHolder()
    let parent = HandNode("parent")
    let child = HandNode("child")
    parent.children = [child, HandNode("other")]
    child.parent = parent
    holder.objects = [parent, HandFruit("apple", 3), HandFruit("pear", 4)] + (0..<200).map { HandFruit("same", $0) }
    let types: [Any.Type] = [HandNode.self, HandFruit.self]
    let data = try sortedArchive(holder)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: HandHolder.self, from: data, options: keeping)
    let node = try #require(read.objects.first as? UnknownObject)
    #expect(node["title"] == .string("parent"))
    #expect(node.references.count == 2 && node.references.allSatisfy { ($0 as? UnknownObject)?.className == node.className })
    let kept = try #require(node.references.first as? UnknownObject)
    #expect(kept.object(forKey: "parent") === node)
    let again = try sortedArchive(read)
    #expect(again == data)
    let back = try KeyedUnarchiver.unarchivedObject(of: HandHolder.self, from: again, allowing: types)
    #expect((back.objects[0] as? HandNode)?.children.map(\.title) == ["child", "other"])
    #expect((back.objects[2] as? HandFruit)?.count == 4 && (back.objects[202] as? HandFruit)?.name == "same")
    // The two nodes hold each other now.
    kept.removeReferences()
    #expect(kept.references.isEmpty)
    expectRefusal(.invalidValue, naming: ["HandNode"]) { try KeyedArchiver.archivedData(withRootObject: read) }
  }

  final class HandHolder: MirrorCoding {
    var objects: [AnyObject] = []
  }

  @Test("A place with a class of its own admits none") func refused() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: OldZoo.zoo())
    expectRefusal(.typeNotAllowed, at: "root") {
      try KeyedUnarchiver.unarchivedObject(ofClass: NewZoo.Zoo.self, from: data, options: keeping)
    }
  }

  @Test("The root may be kept") func root() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: OldZoo.Dog("Rex"))
    let any = try KeyedUnarchiver.unarchivedObject(
      of: AnyBox.self,
      from: try KeyedArchiver.archivedData(
        withRootObject: AnyBox(OldZoo.Dog("Rex")), allowing: [OldZoo.Dog.self]), options: keeping)
    #expect((any.value as? UnknownObject)?["name"] == .string("Rex"))
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    unarchiver.options = keeping
    let root = try unarchiver.decodeObject(of: UnknownObject.self, forKey: "root")
    #expect(root.className == "Dog" && root["tricks"]?[0]?.stringValue == "sit")
  }

  @Test("What is kept is reported with its path") func report() throws {
    let unarchiver = try KeyedUnarchiver(forReadingFrom: try KeyedArchiver.archivedData(withRootObject: OldZoo.zoo()))
    unarchiver.options = keeping
    _ = try unarchiver.decodeObject(of: NewZoo.OpenZoo.self, forKey: "root")
    let kept = unarchiver.report.entries.filter { $0.kind == .keptUnknownObject }
    #expect(kept.map(\.path) == ["root.animals[1]", "root.animals[3]"])
    #expect(kept.allSatisfy { $0.message.contains("Dog") })
    let type = try #require(unarchiver.report.types.first { $0.archivedName == "Dog" })
    #expect(type.currentName == nil && type.unknownKeys.isEmpty)
  }

  @Test("Kept objects of several archives go into one") func mixed() throws {
    let first = try openZoo(try sortedArchive(OldZoo.zoo()))
    let second = try openZoo(try sortedArchive(OldZoo.zoo()))
    first.animals += second.animals
    let data = try KeyedArchiver.archivedData(withRootObject: first)
    let old = try KeyedUnarchiver.unarchivedObject(ofClass: OldZoo.Zoo.self, from: data)
    #expect(old.animals.map(\.name) == ["Tom", "Rex", "Kit", "Pug", "Leo", "Tom", "Rex", "Kit", "Pug", "Leo"])
    #expect(try KeyedUnarchiver.header(of: data).types.filter { $0.name == "Dog" }.count == 1)
  }

  @Test("A long chain of kept objects needs no deep stack") func chain() throws {
    let last = OldZoo.Dog("0")
    var first = last
    for number in 1..<50_000 {
      let next = OldZoo.Dog("\(number)")
      next.friend = first
      first = next
    }
    let data = try KeyedArchiver.archivedData(withRootObject: UnknownHolder([first]), allowing: [OldZoo.Dog.self, OldZoo.Animal.self])
    // The chain of the program's own objects has to be taken apart from its end.
    var current: OldZoo.Animal? = first
    while let dog = current as? OldZoo.Dog {
      current = dog.friend
      dog.friend = nil
    }
    let options = keeping
    try onSmallStack {
      let holder = try KeyedUnarchiver.unarchivedObject(ofClass: UnknownHolder.self, from: data, options: options)
      #expect((holder.objects.first as? UnknownObject)?["name"] == .string("49999"))
      let again = try KeyedArchiver.archivedData(withRootObject: holder)
      #expect(again == data)
    }
  }

  @Test("An object that no archive has brought cannot be archived") func fresh() {
    let object = UnknownObject()
    #expect(object.className.isEmpty && object.properties.isEmpty && object.references.isEmpty && object["x"] == nil)
    expectRefusal(.notArchivable) { try KeyedArchiver.archivedData(withRootObject: UnknownHolder([object])) }
  }

  @Test("Nothing of a graph that fails stays alive") func failure() throws {
    let dog = OldZoo.Dog("Rex")
    let friend = OldZoo.Dog("Pug")
    dog.friend = friend
    friend.friend = dog
    let cage = FailingHolder()
    cage.objects = [dog]
    let data = try KeyedArchiver.archivedData(withRootObject: cage, allowing: [OldZoo.Dog.self, OldZoo.Animal.self])
    (dog.friend, friend.friend) = (nil, nil)
    FailingHolder.seen.removeAll()
    #expect(throws: OwnError.self) {
      try KeyedUnarchiver.unarchivedObject(ofClass: FailingHolder.self, from: data, options: keeping)
    }
    #expect(FailingHolder.seen.count == 1 && FailingHolder.seen.objects.isEmpty)
  }

  @Test("Damaged archives decode or throw, whatever is kept, and can be archived again") func fuzzed() throws {
    let zoo = try sortedArchive(OldZoo.zoo())
    let everything = try sortedArchive(UnknownHolder([ValueTests.Everything(), Models.Bag()]))
    var random = SeededGenerator(seed: 0x5EED)
    for round in 0..<1_500 {
      guard var forgery = Forgery(round % 2 == 0 ? zoo : everything) else { return }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        forgery.body[Int.random(in: 0..<forgery.body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        let data = forgery.sealed()
        if round % 2 == 0 {
          let zoo = try openZoo(data)
          _ = try KeyedArchiver.archivedData(withRootObject: zoo)
          for case let dog as UnknownObject in zoo.animals { dog.removeReferences() }
        } else {
          let holder = try KeyedUnarchiver.unarchivedObject(ofClass: UnknownHolder.self, from: data, options: keeping)
          _ = try KeyedArchiver.archivedData(withRootObject: holder)
          for case let object as UnknownObject in holder.objects { object.removeReferences() }
        }
      } catch is ArchiveError {}
    }
  }
}

/// Weak references to objects that were seen.
final class Seen: @unchecked Sendable {
  private struct Weak { weak var object: AnyObject? }
  private let lock = NSLock()
  private var list: [Weak] = []
  var count: Int { lock.withLock { list.count } }
  var objects: [AnyObject] { lock.withLock { list.compactMap(\.object) } }
  func add(_ object: AnyObject) { lock.withLock { list.append(Weak(object: object)) } }
  func removeAll() { lock.withLock { list = [] } }
}

final class FailingHolder: MirrorCoding {
  static let seen = Seen()
  var objects: [MirrorCoding] = []
  override func didDecode(_ context: DecodingContext) throws {
    for object in objects { Self.seen.add(object) }
    throw OwnError(number: 7)
  }
}
