import Foundation
import MirrorArchive
import Testing

/// `encodeConditionalObject`: kept if something else archives the object, whatever the order.
@Suite("Conditional objects")
struct KeyedConditionalTests {
  final class Leaf: KeyedCoding {
    let name: String
    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { name = try coder.decodeString(forKey: "name") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(name, forKey: "name") }
  }

  @Test("Before and after the strong encode it is the same object; without one it is nil", arguments: KeyedPlace.allCases)
  func order(place: KeyedPlace) throws {
    let strong = Leaf("strong")
    let fruit = Models.Fruit(3)
    let lonely = Leaf("lonely")
    let data = try place.write {
      try $0.encodeConditionalObject(strong, forKey: "before")
      try $0.encodeConditionalObject(fruit, forKey: "fruit before")
      try $0.encodeConditionalObject(lonely, forKey: "lonely")
      try $0.encodeConditionalObject(nil, forKey: "nil")
      try $0.encode([strong], forKey: "strong")
      try $0.encode(fruit, forKey: "fruit")
      try $0.encodeConditionalObject(strong, forKey: "after")
      try $0.encodeConditionalObject(fruit, forKey: "fruit after")
    }
    try place.read(data) { coder throws in
      let read = try coder.decodeArrayOfObjects(ofClass: Leaf.self, forKey: "strong")[0]
      #expect(read.name == "strong")
      #expect(try coder.decodeObject(of: Leaf.self, forKey: "before") === read)
      #expect(try coder.decodeObjectIfPresent(of: Leaf.self, forKey: "after") === read)
      let fruit = try coder.decodeObject(of: Models.Fruit.self, forKey: "fruit")
      #expect(try coder.decodeObject(of: Models.Fruit.self, forKey: "fruit before") === fruit)
      #expect(try coder.decodeObject(of: Models.Fruit.self, forKey: "fruit after") === fruit)
      for key in ["lonely", "nil"] {
        #expect(coder.containsValue(forKey: key))
        #expect(try coder.decodeObjectIfPresent(of: Leaf.self, forKey: key) == nil)
        expectRefusal(.missingValue, at: key) { try coder.decodeObject(of: Leaf.self, forKey: key) }
      }
    }
  }

  @Test("A lonely object is not in the bytes, and its encode(with:) is not called") func lonely() throws {
    final class Counting: KeyedCoding {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedConditionalTests.Counting") }
      var calls = 0
      init() {}
      init(coder: KeyedUnarchiver) throws {}
      func encode(with coder: KeyedArchiver) throws {
        calls += 1
        try coder.encode("a text of the lonely one", forKey: "text")
      }
    }
    let object = Counting()
    let data = try KeyedPlace.object.write { try $0.encodeConditionalObject(object, forKey: "o") }
    #expect(object.calls == 0 && data.range(of: Data("a text of the lonely one".utf8)) == nil)
    let both = try KeyedPlace.object.write {
      try $0.encodeConditionalObject(object, forKey: "o")
      try $0.encode(object, forKey: "p")
      try $0.encode(object, forKey: "q")
    }
    #expect(object.calls == 1 && both.range(of: Data("a text of the lonely one".utf8)) != nil)
  }

  /// A tree with links to the parent, as with `NSCoding`.
  final class Tree: KeyedCoding {
    let name: String
    let children: [Tree]
    private(set) weak var parent: Tree?
    init(_ name: String, _ children: [Tree] = []) {
      self.name = name
      self.children = children
      for child in children { child.parent = self }
    }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      children = try coder.decodeArrayOfObjects(ofClass: Tree.self, forKey: "children")
      try coder.decodeObjectIfPresent(of: Tree.self, forKey: "parent") { self.parent = $0 }
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encodeConditionalObject(parent, forKey: "parent")
      try coder.encode(name, forKey: "name")
      try coder.encode(children, forKey: "children")
    }
  }

  @Test("The parents of a tree are kept as far as the archive reaches") func parents() throws {
    let tree = Tree("root", [Tree("a", [Tree("a1"), Tree("a2")]), Tree("b")])
    let read = try roundTrip(tree)
    #expect(read.parent == nil && read.children.map(\.name) == ["a", "b"] && read.children.allSatisfy { $0.parent === read })
    #expect(
      read.children[0].children.map(\.name) == ["a1", "a2"] && read.children[0].children.allSatisfy { $0.parent === read.children[0] })
    // From a branch on, its parent is not part of the archive.
    let branch = try roundTrip(tree.children[0])
    #expect(branch.parent == nil && branch.name == "a" && branch.children[1].parent === branch)
  }

  @Test("An object that a reflected property holds strongly counts, and weak properties do not") func mixed() throws {
    final class Keeper: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedConditionalTests.Keeper") }
      var strong: Leaf?
      weak var loose: Leaf?
    }
    let leaf = Leaf("kept")
    let other = Leaf("lost")
    let keeper = Keeper()
    (keeper.strong, keeper.loose) = (leaf, other)
    try KeyedPlace.object.pass(
      write: {
        try $0.encodeConditionalObject(leaf, forKey: "kept")
        try $0.encodeConditionalObject(other, forKey: "lost")
        try $0.encode(keeper, forKey: "keeper")
      },
      read: { coder throws in
        let keeper = try coder.decodeObject(of: Keeper.self, forKey: "keeper")
        let kept = try coder.decodeObject(of: Leaf.self, forKey: "kept")
        #expect(kept.name == "kept" && keeper.strong === kept)
        #expect(try coder.decodeObjectIfPresent(of: Leaf.self, forKey: "lost") == nil && keeper.loose == nil)
      })
  }

  @Test("Across root keys: what a later key archives is kept for an earlier one") func rootKeys() throws {
    let leaf = Leaf("leaf")
    let data = try keyedArchive {
      try $0.encodeConditionalObject(leaf, forKey: "first")
      try $0.encodeConditionalObject(Leaf("gone"), forKey: "gone")
      try $0.encode([leaf], forKey: "second")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    let read = try coder.decodeObject(of: Leaf.self, forKey: "first")
    #expect(read.name == "leaf")
    #expect(try coder.decodeArrayOfObjects(ofClass: Leaf.self, forKey: "second")[0] === read)
    #expect(try coder.decodeObjectIfPresent(of: Leaf.self, forKey: "gone") == nil)
  }

  @Test("Conditional unkeyed values and values in containers") func unkeyed() throws {
    let leaf = Leaf("leaf")
    try KeyedPlace.object.pass(
      write: { coder throws in
        try coder.encodeConditionalObject(leaf)
        try coder.encodeConditionalObject(nil)
        try coder.encodeContainer(forKey: "c") {
          try $0.encodeConditionalObject(leaf)
          try $0.encodeConditionalObject(leaf, forKey: "k")
        }
        try coder.encode(1)
        try coder.encode(leaf, forKey: "leaf")
      },
      read: { coder throws in
        let leaf = try coder.decodeObject(of: Leaf.self, forKey: "leaf")
        #expect(coder.unkeyedCount == 3)
        #expect(try coder.decode(Leaf?.self) === leaf)
        #expect(try coder.decode(Leaf?.self) == nil)
        #expect(try coder.decode(Int.self) == 1)
        try coder.decodeContainer(forKey: "c") { coder throws in
          #expect(try coder.decode(Leaf?.self) === leaf)
          #expect(try coder.decodeObject(of: Leaf.self, forKey: "k") === leaf)
        }
      })
  }

  @Test("Many conditional references of many objects", arguments: [9, 1_030]) func many(count: Int) throws {
    let trees = (0..<count).map { number in Tree("t\(number)", [Tree("c\(number)")]) }
    // The children alone: their parents are archived for every second one only.
    let children = trees.map { $0.children[0] }
    let kept = trees.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    let read = try roundTrip(Pair(first: children, second: kept))
    for (index, child) in read.first.enumerated() {
      let parent = child.parent?.name
      if parent != (index.isMultiple(of: 2) ? "t\(index)" : nil) { Issue.record("child \(index) has \(parent ?? "nil")") }
    }
  }
}
