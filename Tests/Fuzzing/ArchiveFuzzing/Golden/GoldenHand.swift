import Foundation
import MirrorArchive

/// What is coded by hand: keys of every kind, none, containers, references that keep nothing alive, and levels of classes.
enum GoldenHand {
  static let keys = ["", "\0", "\0\0", "\0x", "x\0", "$keys", "a key of more than fifteen bytes", "键", "e\u{301}"]

  /// Other keys in each object.
  final class Loose: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Loose") }
    let number: Int
    let isRight: Bool
    init(_ number: Int) { (self.number, isRight) = (number, true) }

    init(coder: KeyedUnarchiver) throws {
      number = try coder.decodeInt(forKey: "number")
      var isRight = Array(coder.allKeys.dropFirst()) == Self.keys(number)
      for (place, key) in Self.keys(number).enumerated() { isRight = try isRight && coder.decodeInt(forKey: key) == place }
      let unkeyed = try (0..<number).map { _ in try coder.decode(String.self) }
      self.isRight = isRight && unkeyed == (0..<number).map { "unkeyed \($0)" } && coder.isAtEnd
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(number, forKey: "number")
      for (place, key) in Self.keys(number).enumerated() { try coder.encode(place, forKey: key) }
      for place in 0..<number { try coder.encode("unkeyed \(place)") }
    }
    private static func keys(_ number: Int) -> [String] { Array(GoldenHand.keys.suffix(number % 3 * 5)) }
  }

  /// A tree whose leaves know where they hang.
  final class Branch: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Branch") }
    let name: String
    let children: [Branch]
    private(set) weak var parent: Branch?
    private(set) weak var elsewhere: Branch?

    init(_ name: String, _ children: [Branch] = [], elsewhere: Branch? = nil) {
      (self.name, self.children, self.elsewhere) = (name, children, elsewhere)
      for child in children { child.parent = self }
    }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      children = try coder.decodeArrayOfObjects(ofClass: Branch.self, forKey: "children")
      try coder.decodeObjectIfPresent(of: Branch.self, forKey: "parent") { self.parent = $0 }
      try coder.decodeObjectIfPresent(of: Branch.self, forKey: "elsewhere") { self.elsewhere = $0 }
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encodeConditionalObject(parent, forKey: "parent")
      try coder.encodeConditionalObject(elsewhere, forKey: "elsewhere")
      try coder.encode(name, forKey: "name")
      try coder.encode(children, forKey: "children")
    }
  }

  /// Containers in containers, bytes, and values of types that need entries.
  final class Box: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Box") }
    let isRight: Bool
    init() { isRight = true }

    init(coder: KeyedUnarchiver) throws {
      let outer = try coder.decodeContainer(forKey: "outer") { coder in
        let inner = try coder.decodeContainer(forKey: "inner") { coder in
          try coder.decodeContainer { try $0.decode([Int].self) } == [1, 2] && coder.decodeContainer { $0.unkeyedCount } == 0
        }
        return try inner && coder.decode([String: Double?].self, forKey: "table") == ["a": 0.5, "b": nil]
      }
      let rest = try coder.decodeBytes(forKey: "bytes") == [0, 255, 7] && coder.decode(Golden.Size?.self, forKey: "size") == nil
      isRight = try outer && rest && coder.decodeContainer(forKey: "last") { try $0.decode(Bool??.self, forKey: "deep") } == .some(.none)
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encodeContainer(forKey: "outer") { coder in
        try coder.encodeContainer(forKey: "inner") { coder in
          try coder.encodeContainer { try $0.encode([1, 2]) }
          try coder.encodeContainer { _ in }
        }
        try coder.encode(["a": 0.5, "b": nil] as [String: Double?], forKey: "table")
      }
      let bytes: [UInt8] = [0, 255, 7]
      unsafe try bytes.withUnsafeBytes { unsafe try coder.encodeBytes($0, forKey: "bytes") }
      try coder.encode(Golden.Size?.none, forKey: "size")
      try coder.encodeContainer(forKey: "last") { try $0.encode(Bool??.some(nil), forKey: "deep") }
    }
  }

  /// A level of properties, extras and a property that has the name of the record.
  class Level: MirrorCoding, KeyedExtras {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "golden.Level", properties: [PropertyRule("keys", key: "$keys")], subclasses: [Upper.self])
    }
    var keys = ""
    @Transient var extra = 0
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(extra, forKey: "extra") }
    func decodeExtras(with coder: KeyedUnarchiver) throws { extra = try coder.decodeInt(forKey: "extra") }
  }
  final class Upper: Level {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Upper") }
    var top = 0.0
    @Transient var more = ""
    override func encodeExtras(with coder: KeyedArchiver) throws {
      try super.encodeExtras(with: coder)
      try coder.encode(more, forKey: "more")
    }
    override func decodeExtras(with coder: KeyedUnarchiver) throws {
      try super.decodeExtras(with: coder)
      more = try coder.decodeString(forKey: "more")
    }
  }

  /// Hand-coded levels that a subclass adds to.
  class Base: KeyedCoding {
    class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.HandBase", subclasses: [Derived.self]) }
    private let id: Int
    init(id: Int) { self.id = id }
    required init(coder: KeyedUnarchiver) throws { id = try coder.decodeInt(forKey: "base.id") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(id, forKey: "base.id") }
    final var baseID: Int { id }
  }
  final class Derived: Base {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.HandDerived") }
    let tags: [String]
    init(_ tags: [String]) {
      self.tags = tags
      super.init(id: tags.count)
    }
    required init(coder: KeyedUnarchiver) throws {
      tags = try coder.decode([String].self, forKey: "tags")
      try super.init(coder: coder)
    }
    override func encode(with coder: KeyedArchiver) throws {
      try super.encode(with: coder)
      try coder.encode(tags, forKey: "tags")
    }
  }
}
