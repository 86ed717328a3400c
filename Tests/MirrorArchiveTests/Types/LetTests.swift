import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// CASES row R7: what a `let` says in the program, and what an initializer puts into one.
@Suite("Constants")
struct LetTests {
  enum Old {
    final class Entry: MirrorCoding {
      let id: UUID
      let kind = 5
      let label = "first edition of a label"
      let tags: [Int]
      let note: String?
      var name = ""

      required init() {
        id = UUID()
        tags = []
        note = nil
      }

      init(tags: [Int], note: String?) {
        id = UUID()
        self.tags = tags
        self.note = note
      }

      override class var archiveRules: ArchiveRules { ArchiveRules(name: "LetTests.Entry") }
    }
  }

  enum New {
    final class Entry: MirrorCoding {
      let id: UUID
      let kind = 6
      let label = "second edition of a label"
      let tags: [Int]
      let note: String?
      var name = ""

      required init() {
        id = UUID()
        tags = [9]
        note = "unset"
      }

      override class var archiveRules: ArchiveRules { ArchiveRules(name: "LetTests.Entry") }
    }
  }

  private func entry() -> Old.Entry {
    let entry = Old.Entry(tags: [1, 2], note: "a note")
    entry.name = "n"
    return entry
  }

  @Test("What an initializer sets comes back") func roundTripped() throws {
    let written = entry()
    let read = try roundTrip(written)
    #expect(read.id == written.id && read.tags == [1, 2] && read.note == "a note" && read.name == "n")
    #expect(read.kind == 5 && read.label == "first edition of a label")
  }

  @Test("What init() gives is what it is") func defaults() throws {
    let written = Old.Entry()
    let read = try roundTrip(written)
    #expect(read.id == written.id && read.tags.isEmpty && read.note == nil)
  }

  @Test("A constant stays what the program says today; what was set comes back", arguments: [1, 20, 1_500]) func newEdition(count: Int)
    throws
  {
    let written = (0..<count).map { _ in entry() }
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    let read = try KeyedUnarchiver.unarchivedObject(of: [New.Entry].self, from: data)
    #expect(read.count == count)
    for (new, old) in zip(read, written) {
      #expect(new.kind == 6 && new.label == "second edition of a label")
      #expect(new.id == old.id && new.tags == [1, 2] && new.note == "a note" && new.name == "n")
    }
  }

  /// A constant whose archived type can be read in two ways, and a variable of the same type.
  final class Nested: MirrorCoding {
    let constant: Int??
    var variable: Int??

    required init() { constant = nil }

    override class var archiveRules: ArchiveRules { ArchiveRules(name: "LetTests.Nested") }
  }

  @Test("A reading that was tried in vain leaves nothing behind") func triedInVain() async {
    await #expect(processExitsWith: .success) {
      reported {
        // `constant` as a `var` would be archived, `variable` as nobody archives it.
        let types = TypeTable(entries: [
          .object(
            name: "LetTests.Nested", version: 0, superclass: nil,
            properties: [
              Property(key: "constant", type: TypeID(entry: 1)),
              Property(key: "variable", type: TypeID(rawValue: TypeID.int.rawValue + 32)),
            ]),
          .optional(TypeID(rawValue: TypeID.int.rawValue + 32)),
        ])
        var table = ByteWriter()
        types.encode(into: &table)
        let data = unsafe Forgery(flags: 1, body: Array(table.bytes) + [1, 1, 2, 1, 2]).sealed()
        expectRefusal(.typeMismatch, at: "variable") { try KeyedUnarchiver.unarchivedObject(ofClass: Nested.self, from: data) }
      }
    }
  }
}
