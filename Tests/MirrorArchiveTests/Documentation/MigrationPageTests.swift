import Foundation
import MirrorArchive
import Testing

/// The code of the page for users of `NSKeyedArchiver`, as it stands there.
@Suite("The page about coming from NSKeyedArchiver")
struct MigrationPageTests {
  @Test("Every Swift block is compiled here") func isCompiled() throws {
    let page = try PageBlocks("Sources/MirrorArchive/MirrorArchive.docc/ComingFromNSKeyedArchiver.md")
    #expect(page.paragraphs.count == 5)
    #expect(try page.missing(in: #filePath).isEmpty)
  }

  /// Something with the keys of the page's classes, which have no other initializer than `init(coder:)`.
  final class Seed: KeyedCoding {
    let children: [Seed]
    weak var parent: Seed?

    init(_ children: [Seed] = []) {
      self.children = children
      for child in children { child.parent = self }
    }
    init(coder: KeyedUnarchiver) throws { children = [] }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode("apple", forKey: "name")
      try coder.encode(7, forKey: "count")
      try coder.encode(children, forKey: "children")
      try coder.encodeConditionalObject(parent, forKey: "parent")
    }
  }

  private func read<Object: AnyObject>(_ type: Object.Type, from seed: Seed) throws -> Object {
    let archiver = KeyedArchiver()
    archiver.setClassName("Seed", for: Seed.self)
    try archiver.encode(seed, forKey: "seed")
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    unarchiver.setClass(type, forClassName: "Seed")
    return try unarchiver.decodeObject(of: type, forKey: "seed")
  }

  @Test("The code that was kept reads and writes its keys") func kept() throws {
    let fruit = try read(MigrationKept.Fruit.self, from: Seed())
    fruit.count = 8
    let data = try KeyedArchiver.archivedData(withRootObject: fruit)
    let copy = try KeyedUnarchiver.unarchivedObject(ofClass: MigrationKept.Fruit.self, from: data)
    #expect(copy.name == "apple" && copy.count == 8)
  }

  @Test("Without the code the properties are archived as well") func deleted() throws {
    let fruit = MigrationDeleted.Fruit()
    (fruit.name, fruit.count) = ("apple", 7)
    let data = try KeyedArchiver.archivedData(withRootObject: fruit)
    let copy = try KeyedUnarchiver.unarchivedObject(ofClass: MigrationDeleted.Fruit.self, from: data)
    #expect(copy.name == "apple" && copy.count == 7)
  }

  @Test("Children get the parent that was being made, when it is ready") func cycle() throws {
    let root = try read(MigrationCycle.Node.self, from: Seed([Seed([Seed()]), Seed()]))
    #expect(root.parent == nil && root.children.map(\.children.count) == [1, 0])
    #expect(root.children.allSatisfy { $0.parent === root })
    #expect(root.children[0].children[0].parent === root.children[0])
  }

  @Test("Keys beside reflected properties come back with them") func extras() throws {
    let photo = MigrationExtras.Photo()
    (photo.title, photo.pixels) = ("sunset", [1, 2, 255])
    let data = try KeyedArchiver.archivedData(withRootObject: photo)
    let copy = try KeyedUnarchiver.unarchivedObject(ofClass: MigrationExtras.Photo.self, from: data)
    #expect(copy.title == "sunset" && copy.pixels == [1, 2, 255])
  }
}

enum MigrationBefore {
  // Before
  class Fruit: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let name: String
    var count: Int
    required init?(coder: NSCoder) {
      guard let name = coder.decodeObject(of: NSString.self, forKey: "name") as String? else { return nil }
      self.name = name
      count = coder.decodeInteger(forKey: "count")
    }
    func encode(with coder: NSCoder) {
      coder.encode(name as NSString, forKey: "name")
      coder.encode(count, forKey: "count")
    }
  }
}

enum MigrationKept {
  // The code kept
  class Fruit: KeyedCoding {
    let name: String
    var count: Int
    required init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      count = try coder.decodeInt(forKey: "count")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(count, forKey: "count")
    }
  }
}

enum MigrationDeleted {
  // The code deleted
  class Fruit: MirrorCoding {
    var name = ""
    var count = 0
  }
}

enum MigrationCycle {
  final class Node: KeyedCoding {
    let children: [Node]
    weak var parent: Node?
    init(coder: KeyedUnarchiver) throws {
      children = try coder.decodeArrayOfObjects(ofClass: Node.self, forKey: "children")
      try coder.decodeObjectIfPresent(of: Node.self, forKey: "parent") { [unowned self] in parent = $0 }
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(children, forKey: "children")
      try coder.encodeConditionalObject(parent, forKey: "parent")
    }
  }
}

enum MigrationExtras {
  final class Photo: MirrorCoding, KeyedExtras {
    var title = ""
    @Transient var pixels: [UInt8] = []
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(Data(pixels), forKey: "pixels") }
    func decodeExtras(with coder: KeyedUnarchiver) throws { pixels = try coder.decodeBytes(forKey: "pixels") }
  }
}
