import Foundation
import MirrorArchive

/// A row of the shop, coded by hand.
final class HandFruit: KeyedCoding {
  let name: String
  let count: Int

  init(_ name: String, _ count: Int) {
    self.name = name
    self.count = count
  }
  init(coder: KeyedUnarchiver) throws {
    name = try coder.decodeString(forKey: "name")
    count = try coder.decodeInt(forKey: "count")
  }
  func encode(with coder: KeyedArchiver) throws {
    try coder.encode(name, forKey: "name")
    try coder.encode(count, forKey: "count")
  }
}

/// An object that counts itself.
final class Counted: KeyedCoding {
  let tally: Tally
  let name: String
  init(_ tally: Tally, _ name: String) {
    self.tally = tally
    self.name = name
    tally.add(1)
  }
  deinit { tally.add(-1) }
  init(coder: KeyedUnarchiver) throws {
    tally = Tally()
    name = try coder.decodeString(forKey: "name")
  }
  func encode(with coder: KeyedArchiver) throws { try coder.encode(name, forKey: "name") }
}

/// A node with a strong reference down and a conditional one up.
final class HandNode: KeyedCoding {
  var title: String
  var children: [HandNode] = []
  weak var parent: HandNode?

  init(_ title: String) { self.title = title }
  init(coder: KeyedUnarchiver) throws {
    title = try coder.decodeString(forKey: "title")
    children = try coder.decodeArrayOfObjects(ofClass: HandNode.self, forKey: "children")
    for child in children { child.parent = self }
  }
  func encode(with coder: KeyedArchiver) throws {
    try coder.encodeConditionalObject(parent, forKey: "parent")
    try coder.encode(title, forKey: "title")
    try coder.encode(children, forKey: "children")
  }
}

/// Whatever a test wants to encode, in an object that is coded by hand.
final class Scripted: KeyedCoding {
  let script: (KeyedArchiver) throws -> Void
  init(_ script: @escaping (KeyedArchiver) throws -> Void) { self.script = script }
  init(coder: KeyedUnarchiver) throws { script = { _ in } }
  func encode(with coder: KeyedArchiver) throws { try script(coder) }

  static let archiveName = "MirrorArchiveTests.Scripted"
}

/// An error of the program's own.
struct OwnError: Error, Equatable { var number: Int }

/// A reflected object with a reference to its owner.
final class Owned: MirrorCoding {
  var number = 0
  weak var owner: AnyObject?
}

/// What a script's object becomes in an archive.
func record(of script: @escaping (KeyedArchiver) throws -> Void) throws -> (record: [RecordDump.Value], dump: RecordDump) {
  let dump = try RecordDump(KeyedArchiver.archivedData(withRootObject: Scripted(script)))
  return (dump.records[Scripted.archiveName]?.first ?? [], dump)
}
