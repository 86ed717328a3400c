import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

@Suite("Archives made key by key") struct ArchiverTests {
  @Test func `every key is a root of the archive`() throws {
    let archiver = KeyedArchiver()
    try archiver.encode(5, forKey: "int")
    try archiver.encode("x", forKey: "string")
    try archiver.encode(HandFruit("apple", 1), forKey: "fruit")
    try archiver.encode([HandFruit("pear", 2)], forKey: "list")
    try archiver.encodeContainer(forKey: "box") { try $0.encode(1.5, forKey: "w") }
    unsafe try [1, 2].withUnsafeBytes { try unsafe archiver.encodeBytes($0, forKey: "bytes") }
    let data = try archiver.encodedData
    let dump = try RecordDump(data)
    #expect(dump.roots.map(\.key) == ["int", "string", "fruit", "list", "box", "bytes"])
    #expect(dump.roots.prefix(3).map(\.type) == [.int, .string, .reference])
    #expect(dump.roots["bytes"]?.bytes.count == 17)
    #expect(try dump.contents(of: try #require(dump.roots["box"])).map(\.key) == ["w"])
    #expect(dump.records["MirrorArchiveTests.HandFruit"]?.map { $0[1].bytes } == [[2], [4]])
    // A reader of one key passes over what the other one reaches.
    #expect(dump.blocks.map(\.count) == [1, 1])
    #expect(try archiver.encodedData == data)

    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    #expect(try unarchiver.decodeInt(forKey: "int") == 5)
    #expect(try unarchiver.decodeObject(of: HandFruit.self, forKey: "fruit").name == "apple")
    #expect(try unarchiver.decodeArrayOfObjects(ofClass: HandFruit.self, forKey: "list").map(\.count) == [2])
    #expect(try unarchiver.decodeContainer(forKey: "box") { try $0.decodeDouble(forKey: "w") } == 1.5)
  }

  @Test func `an archiver that nothing was encoded with gives an archive without keys`() throws {
    let dump = try RecordDump(KeyedArchiver().encodedData)
    #expect(dump.roots.isEmpty)
    #expect(dump.blocks.isEmpty)
  }

  @Test func `one object under two keys is one object, as it was first`() throws {
    let node = HandNode("first")
    let archiver = KeyedArchiver()
    try archiver.encode(node, forKey: "a")
    node.title = "second"
    try archiver.encode([node, HandNode("other")], forKey: "b")
    let dump = try RecordDump(archiver.encodedData)
    #expect(dump.records["MirrorArchiveTests.HandNode"]?.map { $0[1].bytes } == [[5] + Array("first".utf8), [5] + Array("other".utf8)])
  }

  @Test func `reflected objects are taken as they are when their key is encoded`() throws {
    let box = Box(1)
    let archiver = KeyedArchiver()
    try archiver.encode(box, forKey: "a")
    box.value = 2
    try archiver.encode(0, forKey: "b")
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    #expect(try unarchiver.decodeObject(of: Box<Int>.self, forKey: "a").value == 1)
  }

  @Test func `weak references find what a later key archives`() throws {
    let owner = Box(7)
    let owned = Owned()
    owned.owner = owner
    let lost = Owned()
    let gone = Box(8)
    lost.owner = gone
    let archiver = KeyedArchiver(allowing: [Box<Int>.self])
    try archiver.encode([owned, lost], forKey: "owned")
    try archiver.encode(owner, forKey: "owner")
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    let found = try unarchiver.decode([Owned].self, forKey: "owned", allowing: [Box<Int>.self])
    let foundOwner = try unarchiver.decodeObject(of: Box<Int>.self, forKey: "owner")
    #expect(found[0].owner === foundOwner)
    #expect(found[1].owner == nil)
    withExtendedLifetime((owner, gone)) {}
  }

  @Test func `conditional objects are kept whenever something archives them`() throws {
    let early = HandFruit("early", 1)
    let late = HandFruit("late", 2)
    let never = HandFruit("never", 3)
    let archiver = KeyedArchiver()
    try archiver.encode(early, forKey: "early")
    for (key, object) in [("c-early", early), ("c-late", late), ("c-never", never)] {
      try archiver.encodeConditionalObject(object, forKey: key)
    }
    try archiver.encodeConditionalObject(nil, forKey: "c-nil")
    try archiver.encode(
      Scripted { coder in
        try coder.encodeContainer(forKey: "box") { inner in
          try inner.encodeConditionalObject(late, forKey: "late")
          try inner.encode("between", forKey: "text")
          try inner.encodeContainer { try $0.encodeConditionalObject(never) }
          try inner.encodeConditionalObject(early, forKey: "early")
        }
        try coder.encode(5, forKey: "five")
      }, forKey: "scripted")
    try archiver.encode(late, forKey: "late")
    let dump = try RecordDump(archiver.encodedData)
    let lateReference = [1] + (try #require(dump.roots["late"]).bytes)
    #expect(dump.roots["c-early"]?.bytes == [1, 0])
    #expect(dump.roots["c-late"]?.bytes == lateReference)
    #expect(dump.roots["c-never"]?.bytes == [0])
    #expect(dump.roots["c-nil"]?.bytes == [0])
    let record = try #require(dump.records[Scripted.archiveName]?.first)
    #expect(record.map(\.key) == ["box", "five"])
    #expect(record[1].bytes == [10])
    let box = try dump.contents(of: record[0])
    #expect(box.map(\.key) == ["late", "text", "\0", "early"])
    #expect(box[0].bytes == lateReference)
    #expect(box[1].bytes == [7] + Array("between".utf8))
    #expect(try dump.contents(of: box[2]).map(\.bytes) == [[0]])
    #expect(box[3].bytes == [1, 0])
    #expect(dump.roots.map { $0.type.rawValue } == [4, 36, 36, 36, 36, 4, 4])
  }

  @Test func `values with weak references inside find what comes later`() throws {
    let owner = HandFruit("owner", 1)
    let archiver = KeyedArchiver()
    try archiver.encode(WeakPair(number: 4, owner: owner), forKey: "pair")
    try archiver.encode(Scripted { try $0.encode([WeakPair(number: 5, owner: owner)], forKey: "pairs") }, forKey: "scripted")
    try archiver.encode(Scripted { try $0.encode([WeakPair(number: 6, owner: owner) as Any], forKey: "any") }, forKey: "open")
    try archiver.encode(owner, forKey: "owner")
    let dump = try RecordDump(archiver.encodedData)
    let reference = try #require(dump.roots["owner"]).bytes
    #expect(dump.roots["pair"]?.bytes == [8, 1] + reference)
    #expect(dump.records[Scripted.archiveName]?.first?.first?.bytes == [2, 10, 1] + reference)
    #expect(dump.records[Scripted.archiveName]?.last?.first?.bytes.suffix(reference.count + 2) == ArraySlice([12, 1] + reference))
  }

  @Test func `objects with weak references are taken as they are at the end, with what they refer to then`() throws {
    let branch = Bough()
    branch.leaves = [Box(1)]
    let archiver = KeyedArchiver()
    try archiver.encode(branch, forKey: "branch")
    branch.leaves.append(Box(2))
    let side = Bough()
    side.leaves = [Box(3)]
    branch.side = side
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    let found = try unarchiver.decodeObject(of: Bough.self, forKey: "branch")
    #expect(found.leaves.map(\.value) == [1, 2])
    #expect(found.side?.leaves.map(\.value) == [3])
  }

  @Test func `an Optional of a protocol comes back`() throws {
    let archiver = KeyedArchiver(allowing: [Round.self])
    let none: (any Figure)? = nil
    try archiver.encode(Round(radius: 2) as (any Figure)?, forKey: "some")
    try archiver.encode(none, forKey: "none")
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    let some = try unarchiver.decodeIfPresent((any Figure).self, forKey: "some", allowing: [Round.self])
    #expect((some as? Round)?.radius == 2)
    #expect(try unarchiver.decodeIfPresent((any Figure).self, forKey: "none", allowing: [Round.self]) == nil)
  }

  // MARK: Misuse

  @Test func `a finished archiver takes nothing more`() throws {
    let archiver = KeyedArchiver()
    try archiver.encode(1, forKey: "a")
    try archiver.finishEncoding()
    try archiver.finishEncoding()
    expectRefusal(.finished) { try archiver.encode(1, forKey: "b") }
    expectRefusal(.finished) { try archiver.encodeContainer(forKey: "b") { _ in } }
    #expect(try RecordDump(archiver.encodedData).roots.map(\.key) == ["a"])
  }

  @Test func `keys at the top level differ, and values have one`() throws {
    let archiver = KeyedArchiver()
    try archiver.encode(1, forKey: "\u{e9}")
    let error = expectRefusal(.duplicateKey) { try archiver.encode(1, forKey: "e\u{301}") }
    #expect(error?.path == "e\u{301}")
    expectRefusal(.invalidValue, naming: ["key"]) { try KeyedArchiver().encode(1) }
    expectRefusal(.invalidValue, naming: ["key"]) { try KeyedArchiver().encodeContainer { _ in } }
    expectRefusal(.invalidValue, naming: ["key"]) { try KeyedArchiver().encodeConditionalObject(nil) }
  }

  @Test func `after an error there is only that error`() throws {
    let archiver = KeyedArchiver()
    try archiver.encode(1, forKey: "a")
    #expect(throws: OwnError(number: 1)) { try archiver.encode(Scripted { _ in throw OwnError(number: 1) }, forKey: "b") }
    #expect(throws: OwnError(number: 1)) { try archiver.encode(2, forKey: "c") }
    #expect(throws: OwnError(number: 1)) { try archiver.finishEncoding() }
    #expect(throws: OwnError(number: 1)) { try archiver.encodedData }
  }

  @Test func `an error frees the objects that were kept`() throws {
    let alive = Tally()
    let archiver = KeyedArchiver()
    try archiver.encode([Counted(alive, "a"), Counted(alive, "b")], forKey: "a")
    #expect(alive.value == 2)
    expectRefusal(.duplicateKey) { try archiver.encode(1, forKey: "a") }
    #expect(alive.value == 0)
    withExtendedLifetime(archiver) {}
  }

  @Test func `finishing frees the objects that were kept`() throws {
    let alive = Tally()
    let archiver = KeyedArchiver()
    try archiver.encode(Counted(alive, "a"), forKey: "a")
    try archiver.encodeConditionalObject(Counted(alive, "b"), forKey: "b")
    try archiver.encode(Scripted { try $0.encodeConditionalObject(Counted(alive, "c"), forKey: "c") }, forKey: "c")
    #expect(alive.value == 3)
    try archiver.finishEncoding()
    #expect(alive.value == 0)
    withExtendedLifetime(archiver) {}
  }

  @Test func `hooks may not encode`() throws {
    let archiver = KeyedArchiver()
    let hooked = Hooked { try archiver.encode(1, forKey: "inside") }
    expectRefusal(.reentrant) { try archiver.encode(hooked, forKey: "a") }
  }

  @Test func `an archive isn't finished while an object hands its values over`() throws {
    expectRefusal(.reentrant) { try record { try $0.finishEncoding() } }
    let archiver = KeyedArchiver()
    expectRefusal(.reentrant) { try archiver.encodeContainer(forKey: "a") { _ = try $0.encodedData } }
  }

  @Test func `a coder that was kept is of no use afterwards`() throws {
    var kept: KeyedArchiver?
    _ = try record { kept = $0 }
    let coder = try #require(kept)
    expectRefusal(.finished) { try coder.encode(1, forKey: "a") }
    expectRefusal(.finished) { try coder.finishEncoding() }
    var inner: KeyedArchiver?
    let archiver = KeyedArchiver()
    try archiver.encode(Scripted { inner = $0 }, forKey: "a")
    #expect(inner === archiver)
    // The archiver keeps the object, the object its script, and that this variable.
    inner = nil
  }

  @Test func `types that would admit everything are refused at the first value`() throws {
    expectRefusal(.invalidAllowList) { try KeyedArchiver(allowing: [MirrorCoding.self]).encode(1, forKey: "a") }
  }

  @Test func `each key admits what its own type reaches`() throws {
    let archiver = KeyedArchiver()
    try archiver.encode(HandFruit("a", 1), forKey: "fruit")
    let error = expectRefusal(.typeNotAllowed, naming: ["OddShelfItem"]) {
      try archiver.encode([ShelfItem(), OddShelfItem()], forKey: "items")
    }
    #expect(error?.path == "items[1]")
    try KeyedArchiver(allowing: [OddShelfItem.self]).encode([ShelfItem(), OddShelfItem()], forKey: "items")
    try KeyedArchiver(requiringSecureCoding: false).encode([ShelfItem(), OddShelfItem()], forKey: "items")
    try KeyedArchiver().encode(OddShelfItem() as ShelfItem, forKey: "item")
  }

  @Test func `an error below a key has its path`() throws {
    let archiver = KeyedArchiver()
    let deep = Scripted { try $0.encode(["a": [Scripted { _ in throw OwnError(number: 1) }]], forKey: "table") }
    try archiver.encode(1, forKey: "first")
    let shelf = Box<[ShelfItem]>([ShelfItem(), OddShelfItem()])
    let error = expectRefusal(.typeNotAllowed) {
      try archiver.encode(Scripted { coder in try coder.encode(["x": shelf], forKey: "table") }, forKey: "second")
    }
    #expect(error?.path == "second.table[\"x\"].value[1]" || error?.path.hasPrefix("second.table") == true, "\(error?.path ?? "")")
    #expect(throws: OwnError(number: 1)) { try KeyedArchiver().encode(deep, forKey: "x") }
  }

  // MARK: Limits

  @Test func `a size limit ends the encoding before anything is handed out`() throws {
    let limited = KeyedArchiver()
    limited.maximumByteCount = 10_000
    try limited.encode(Data(count: 4_000), forKey: "a")
    expectRefusal(.limitExceeded) { try limited.encode(Data(count: 7_000), forKey: "b") }
    expectRefusal(.limitExceeded) { try limited.encodedData }

    // While an object hands its values over, it is noticed before the object is done.
    let inner = KeyedArchiver()
    inner.maximumByteCount = 10_000
    var count = 0
    expectRefusal(.limitExceeded, at: "a.k") {
      try inner.encode(
        Scripted { coder in
          for i in 0..<1_000 {
            try coder.encode(Data(count: 1_000), forKey: "k\(i)")
            count += 1
          }
        }, forKey: "a")
    }
    #expect(count == 9)
  }

  @Test func `an archive of exactly the limit is complete`() throws {
    func archive(_ limit: Int?) throws -> Data {
      let archiver = KeyedArchiver()
      archiver.maximumByteCount = limit
      try archiver.encode([HandFruit("apple", 1)], forKey: "a")
      try archiver.encode(AnyBox("text"), forKey: "b")
      return try archiver.encodedData
    }
    let data = try archive(nil)
    #expect(try archive(data.count) == data)
    expectRefusal(.limitExceeded) { try archive(data.count - 1) }
  }

  @Test func `equal graphs give equal bytes with sorted keys`() throws {
    func archive(_ keys: [String]) throws -> Data {
      let archiver = KeyedArchiver()
      archiver.outputFormatting = .sortedKeys
      var table: [String: Int] = [:]
      for key in keys { table[key] = key.count }
      try archiver.encode(table, forKey: "table")
      try archiver.encode(Scripted { try $0.encode(Set(keys), forKey: "set") }, forKey: "object")
      return try archiver.encodedData
    }
    let keys = (0..<50).map { "key\($0)" }
    #expect(try archive(keys) == archive(keys.reversed()))
  }
}

protocol Figure {}
struct Round: Figure, Equatable { var radius: Double }

final class Bough: MirrorCoding {
  var leaves: [Box<Int>] = []
  var side: Bough?
  weak var trunk: Bough?
}

struct WeakPair {
  var number: Int
  weak var owner: AnyObject?
}

/// Runs what it is given before it is archived.
final class Hooked: MirrorCodable {
  let number = Int.random(in: 0..<5)
  @Transient var hook: (() throws -> Void)?
  init(_ hook: @escaping () throws -> Void) { self.hook = hook }
  func willEncode() throws { try hook?() }
}
