import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

@Suite("What hand-coded objects may not write") struct EncodingErrorTests {
  @Test func `a key encoded twice in one object is an error with its path`() throws {
    let bad = Scripted {
      try $0.encode(1, forKey: "a")
      try $0.encode(2, forKey: "b")
      try $0.encode("x", forKey: "a")
    }
    let root = Scripted { try $0.encode([Scripted { _ in }, bad], forKey: "list") }
    let error = expectRefusal(.duplicateKey) { try KeyedArchiver.archivedData(withRootObject: root) }
    #expect(error?.path == "root.list[1].a")
  }

  @Test func `keys that are equal for Unicode are one key`() throws {
    expectRefusal(.duplicateKey, at: "root.") {
      try record {
        try $0.encode(1, forKey: "\u{e9}")
        try $0.encode(2, forKey: "e\u{301}")
      }
    }
  }

  @Test(arguments: [1, 5, 20, 300]) func `a repeated key is found on known and on new ways through the shapes`(count: Int) throws {
    let keys = (0..<count).map { "k\($0)" }
    for repeated in [0, count / 2, count - 1] {
      let good = Scripted { coder in for key in keys { try coder.encode(1, forKey: key) } }
      let bad = Scripted { coder in
        for key in keys { try coder.encode(1, forKey: key) }
        try coder.encode(1, forKey: keys[repeated])
      }
      let error = expectRefusal(.duplicateKey) { try KeyedArchiver.archivedData(withRootObject: [good, good, bad]) }
      #expect(error?.path == "root[2].k\(repeated)")
    }
  }

  @Test func `one key of a container and of its object are two keys`() throws {
    _ = try record { coder in
      try coder.encode(1, forKey: "a")
      try coder.encodeContainer(forKey: "b") { try $0.encode(1, forKey: "a") }
      try coder.encodeContainer(forKey: "c") { try $0.encode(1, forKey: "a") }
    }
    let error = expectRefusal(.duplicateKey) {
      try record { coder in
        try coder.encodeContainer(forKey: "b") { inner in
          try inner.encode(1, forKey: "a")
          try inner.encode(1, forKey: "a")
        }
      }
    }
    #expect(error?.path == "root.b.a")
  }

  @Test func `errors of the program reach the caller unchanged`() throws {
    #expect(throws: OwnError(number: 5)) { try record { _ in throw OwnError(number: 5) } }
    #expect(throws: OwnError(number: 6)) {
      try record { coder in try coder.encodeContainer(forKey: "c") { _ in throw OwnError(number: 6) } }
    }
    #expect(throws: OwnError(number: 7)) {
      try KeyedArchiver.archivedData(withRootObject: [Scripted { _ in throw OwnError(number: 7) }])
    }
  }

  @Test func `an error that encode(with:) hides is thrown all the same`() throws {
    expectRefusal(.duplicateKey, at: "root.a") {
      try record {
        try $0.encode(1, forKey: "a")
        try? $0.encode(1, forKey: "a")
        try? $0.encode(1, forKey: "b")
      }
    }
  }

  @Test func `a value that can't be archived is named with its path`() throws {
    struct Holder { var action: () -> Void = {} }
    expectRefusal(.unsupportedType, naming: ["action", "@Transient"]) { try record { try $0.encode(Holder(), forKey: "holder") } }
    final class Foreign {}
    let error = expectRefusal(.notArchivable, naming: ["Foreign"]) {
      try record { try $0.encode(["a": [Foreign()]], forKey: "table") }
    }
    #expect(error?.path == "root.table[\"a\"][0]" || error?.path.hasPrefix("root.table") == true)
  }

  @Test func `private classes need a name, handed over or not`() throws {
    final class Hidden: MirrorCoding {}
    expectRefusal(.unnamedType, at: "root.x") { try record { try $0.encode(Hidden(), forKey: "x") } }
  }

  @Test func `containers count as nested values`() throws {
    @Sendable func nest(_ depth: Int) throws {
      @Sendable func go(_ coder: KeyedArchiver, _ left: Int) throws {
        if left > 0 { try coder.encodeContainer(forKey: "c") { try go($0, left - 1) } }
      }
      _ = try record { try go($0, depth) }
    }
    try onSmallStack(bytes: 16 << 20) {
      try nest(512)
      expectRefusal(.nestingTooDeep, at: "root.c.c") { try nest(513) }
    }
  }

  @Test func `objects handed over need not be declared, but those below them`() throws {
    final class Shelf: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "Shelf") }
      var items: [ShelfItem] = []
    }
    let shelf = Shelf()
    shelf.items = [ShelfItem()]
    _ = try record {
      try $0.encode([ShelfItem(), OddShelfItem()], forKey: "items")
      try $0.encode(shelf, forKey: "shelf")
      try $0.encode([OddShelfItem() as Any, 5, ShelfValue()], forKey: "any")
    }
    let odd = Shelf()
    odd.items = [OtherShelfItem()]
    let error = expectRefusal(.typeNotAllowed, naming: ["OtherShelfItem"]) { try record { try $0.encode(odd, forKey: "shelf") } }
    #expect(error?.path == "root.shelf.items[0]")
  }

  @Test func `what is handed over in Any is not admitted in the Any of reflected objects`() throws {
    let box = AnyBox(OddShelfItem())
    expectRefusal(.typeNotAllowed, at: "root.box.value", naming: ["OddShelfItem"]) {
      try record {
        try $0.encode([OddShelfItem() as Any], forKey: "any")
        try $0.encode(box, forKey: "box")
      }
    }
  }
}

class ShelfItem: MirrorCoding { var number = 1 }
final class OddShelfItem: ShelfItem { var odd = true }
final class OtherShelfItem: ShelfItem { var other = true }
struct ShelfValue: Equatable { var width = 1.5 }
