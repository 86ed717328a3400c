import Foundation
import MirrorArchive
import Synchronization
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

  // MARK: Values that init() draws

  final class Drawn: MirrorCoding {
    let coin = Bool.random()
    let die = UInt8.random(in: 1...6)
    let side: Side = [.heads, .tails].randomElement() ?? .heads
    let even = Bool.random() ? "even" : "odd"
    let maybe = Bool.random() ? 1 : nil
  }
  enum Side { case heads, tails }

  @Test("Equal by chance to what init() gives, a value comes back all the same", arguments: [1, 50]) func drawn(count: Int) throws {
    for _ in 0..<(200 / count) {
      let written = (0..<count).map { _ in Drawn() }
      let read = try roundTrip(written)
      #expect(read.map(\.coin) == written.map(\.coin))
      #expect(read.map(\.die) == written.map(\.die))
      #expect(read.map(\.side) == written.map(\.side))
      #expect(read.map(\.even) == written.map(\.even))
      #expect(read.map(\.maybe) == written.map(\.maybe))
    }
  }

  final class Numbered: MirrorCoding {
    let number = Tally.next()

    /// Counts like an application does that gives out numbers; starts again where `start` says.
    enum Tally {
      static let count = Mutex(0)
      static func next() -> Int {
        count.withLock { value in
          defer { value += 1 }
          return value
        }
      }
    }
  }

  @Test("A number that comes from a counter comes back, whatever the counter has reached") func counted() throws {
    let written = (0..<20).map { _ in Numbered() }
    for start in 0..<30 {
      // A program that starts anew gives the same numbers again.
      Numbered.Tally.count.withLock { $0 = start }
      #expect(try roundTrip(written).map(\.number) == written.map(\.number))
    }
  }

  // MARK: From let to var and back

  enum Constant {
    final class Note: MirrorCoding {
      let id: UUID
      let title: String
      let level: Int
      let due: Date?
      let size: Size
      let fixed = 5

      required init() { (id, title, level, due, size) = (UUID(), "", 0, nil, Size(width: 0, name: "")) }
      init(title: String, level: Int, due: Date?, size: Size) {
        (self.id, self.title, self.level, self.due, self.size) = (UUID(), title, level, due, size)
      }
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "LetTests.Note") }
    }
  }

  enum Variable {
    final class Note: MirrorCoding {
      var id = UUID()
      var title = "untitled"
      var level = 9
      var due: Date?
      var size = Size(width: 7, name: "seven")
      var fixed = 6
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "LetTests.Note") }
    }
  }

  /// Made without an initializer.
  final class BareNote: MirrorCodable {
    let id: UUID
    var title: String
    init() { (id, title) = (UUID(), "") }
    static var archiveRules: ArchiveRules { ArchiveRules(name: "LetTests.Note") }
  }

  struct Size: Equatable {
    var width: Int
    var name: String
  }

  @Test("A property that was a let is read into a var", arguments: [1, 20]) func letToVar(count: Int) throws {
    let due = Date(timeIntervalSinceReferenceDate: 1.5)
    let written = (0..<count).map { Constant.Note(title: "t\($0)", level: $0 + 1, due: due, size: Size(width: $0 + 1, name: "n")) }
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    let read = try KeyedUnarchiver.unarchivedObject(of: [Variable.Note].self, from: data)
    #expect(read.map(\.id) == written.map(\.id) && read.map(\.title) == written.map(\.title))
    #expect(read.map(\.level) == written.map(\.level) && read.map(\.size) == written.map(\.size))
    #expect(read.allSatisfy { $0.due == due })
    #expect(read.allSatisfy { $0.fixed == 6 }, "a constant of the old program says nothing about the new one")
  }

  @Test("A property that was a var is read into a let", arguments: [1, 20]) func varToLet(count: Int) throws {
    let written = (0..<count).map { index in
      let note = Variable.Note()
      (note.title, note.level, note.due) = ("t\(index)", index, index == 0 ? nil : Date(timeIntervalSinceReferenceDate: 2))
      return note
    }
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    let read = try KeyedUnarchiver.unarchivedObject(of: [Constant.Note].self, from: data)
    #expect(read.map(\.id) == written.map(\.id) && read.map(\.title) == written.map(\.title))
    #expect(read.map(\.level) == written.map(\.level) && read.map(\.due) == written.map(\.due))
    #expect(read.map(\.size) == written.map(\.size))
  }

  @Test("A class that has lost its init() reads what was set, and names what was left out") func withoutInit() throws {
    let note = Constant.Note(title: "t", level: 1, due: nil, size: Size(width: 1, name: ""))
    let data = try KeyedArchiver.archivedData(withRootObject: note)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: BareNote.self, from: data)
    #expect(read.id == note.id && read.title == "t")
    let plain = try KeyedArchiver.archivedData(withRootObject: Constant.Note())
    expectRefusal(.missingValue, at: "title", naming: ["BareNote.title", "init()"]) {
      try KeyedUnarchiver.unarchivedObject(ofClass: BareNote.self, from: plain)
    }
  }
}
