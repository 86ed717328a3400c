import Foundation
import MirrorArchive
import Testing

/// Code of the program that misuses the unarchiver, and bytes that no archiver writes.
@Suite("Hostile users and bytes of hand coding")
struct KeyedHostileTests {
  final class Leaf: KeyedCoding {
    let name: String
    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { name = try coder.decodeString(forKey: "name") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(name, forKey: "name") }
  }
  final class Tree: MirrorCoding, KeyedExtras {
    var title = ""
    var leaf: Leaf?
    @Transient var note = ""
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(note, forKey: "note") }
    func decodeExtras(with coder: KeyedUnarchiver) throws { note = try coder.decodeString(forKey: "note") }
  }
  final class Wide: MirrorCoding { var number = 300 }
  final class Narrow: MirrorCoding { var number: Int8 = 0 }
  /// No initializer fills it.
  final class Solid: MirrorCodable {
    let text: String
    let wide: Wide
    let leaf: KeyedScripted
    init(_ text: String) { (self.text, wide, leaf) = (text, Wide(), KeyedScripted()) }
  }

  @Test("Every value of every byte of a small archive decodes or throws an ArchiveError", .timeLimit(.minutes(5))) func bytes() async {
    await #expect(processExitsWith: .success) {
      reported {
        let forgery = try #require(Forgery(KeyedArchiver.archivedData(withRootObject: Leaf("leaf"))))
        var intact = 0
        for position in forgery.body.indices {
          for value in UInt8.min...UInt8.max {
            var damaged = forgery
            damaged.body[position] = value
            do {
              let leaf = try KeyedUnarchiver.unarchivedObject(ofClass: Leaf.self, from: damaged.sealed())
              if leaf.name == "leaf" { intact += 1 }
            } catch is ArchiveError {
            } catch {
              Issue.record(error, "byte \(position), value \(value)")
            }
          }
        }
        #expect(intact >= forgery.body.count)
      }
    }
  }

  /// Asks for more when it is let go of.
  final class Pest {
    let coder: KeyedUnarchiver
    init(_ coder: KeyedUnarchiver) { self.coder = coder }
    deinit { for _ in 0..<50 { try? coder.decodeObject(of: Leaf.self, forKey: "leaf") { _ in } } }
  }

  @Test("A deinit may ask for objects while the references of a failed object are forgotten") func pests() async {
    await #expect(processExitsWith: .success) {
      reported {
        let script = Script(
          write: { try $0.encode(Leaf("leaf"), forKey: "leaf") },
          read: { coder in
            for _ in 0..<40 {
              let pest = Pest(coder)
              try coder.decodeObject(of: Leaf.self, forKey: "leaf") { _ in withExtendedLifetime(pest) {} }
            }
            throw OwnError(number: 3)
          })
        try script.run {
          let data = try KeyedArchiver.archivedData(withRootObject: KeyedScripted())
          #expect(throws: OwnError(number: 3)) { try KeyedUnarchiver.unarchivedObject(ofClass: KeyedScripted.self, from: data) }
        }
      }
    }
  }

  final class Asking: MirrorCoding {
    @Transient var tree: Tree?
    @Transient var leaf: Leaf?
    nonisolated(unsafe) static var coder: KeyedUnarchiver?
    override func didDecode(_ context: DecodingContext) throws {
      tree = unsafe try Self.coder?.decodeObject(of: Tree.self, forKey: "tree")
      unsafe try Self.coder?.decodeObject(of: Leaf.self, forKey: "leaf") { self.leaf = $0 }
    }
  }

  @Test("What a didDecode asks for is complete when the call returns") func didDecode() throws {
    let data = try keyedArchive {
      let tree = Tree()
      (tree.title, tree.leaf, tree.note) = ("title", Leaf("child"), "note")
      try $0.encode(Asking(), forKey: "asking")
      try $0.encode(tree, forKey: "tree")
      try $0.encode(Leaf("alone"), forKey: "leaf")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    unsafe Asking.coder = coder
    defer { unsafe Asking.coder = nil }
    let asking = try coder.decodeObject(of: Asking.self, forKey: "asking")
    #expect(asking.tree?.title == "title")
    #expect(asking.tree?.leaf?.name == "child")
    #expect(asking.tree?.note == "note")
    #expect(asking.leaf?.name == "alone")
  }

  @Test("An init(coder:) that catches the error of a graph in pieces does not go on") func caught() throws {
    let script = Script(
      write: { try $0.encode(Wide(), forKey: "wide") },
      read: { coder in
        coder.setClass(Narrow.self, forClassName: "MirrorArchiveTests.KeyedHostileTests.Wide")
        _ = try? coder.decodeObject(of: Narrow.self, forKey: "wide")
      })
    try script.run {
      let data = try keyedArchive {
        try $0.encode(KeyedScripted(), forKey: "root")
        try $0.encode(5, forKey: "number")
      }
      let coder = try KeyedUnarchiver(forReadingFrom: data)
      for _ in 0..<2 {
        let error = #expect(throws: ArchiveError.self) { try coder.decodeObject(of: KeyedScripted.self, forKey: "root") }
        #expect(error?.code == .invalidValue)
      }
      #expect(throws: ArchiveError.self) { try coder.decodeInt(forKey: "number") }
    }
  }

  @Test("A container at the top that fails, or catches a failure, leaves nothing that is freed twice", arguments: [true, false])
  func container(catches: Bool) async {
    await #expect(processExitsWith: .success) { [catches = catches as Bool] in
      reported {
        let script = Script(write: { _ in }, read: { _ in throw OwnError(number: 7) })
        try script.run {
          let data = try keyedArchive {
            try $0.encodeContainer(forKey: "box") {
              try $0.encode((0..<9).map { Solid("a text that is longer than sixteen bytes, number \($0)") }, forKey: "solids")
            }
          }
          let coder = try KeyedUnarchiver(forReadingFrom: data)
          #expect(throws: OwnError(number: 7)) {
            try coder.decodeContainer(forKey: "box") { box in
              let solids = Result { try box.decode([Solid].self, forKey: "solids") }
              if !catches { _ = try solids.get() }
            }
          }
          #expect(throws: OwnError(number: 7)) { try coder.decodeContainer(forKey: "box") { _ in } }
        }
      }
    }
  }

  final class Impatient: KeyedUnarchiverDelegate {
    var calls: [String] = []
    func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) {
      calls.append("will")
      unarchiver.finishDecoding()
    }
    func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) {
      calls.append("did")
      unarchiver.finishDecoding()
    }
  }

  @Test("A delegate that finishes the unarchiver that is finishing is called once") func finishing() throws {
    let coder = try KeyedUnarchiver(forReadingFrom: keyedArchive { try $0.encode(5, forKey: "number") })
    let delegate = Impatient()
    coder.delegate = delegate
    #expect(try coder.decodeInt(forKey: "number") == 5)
    coder.finishDecoding()
    #expect(delegate.calls == ["will", "did"])
  }
}
