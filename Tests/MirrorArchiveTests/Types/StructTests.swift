import Foundation
import MirrorArchive
import Testing

/// CASES rows 20, 21 and R8: structs and tuples that conform to nothing.
@Suite("Structs and tuples")
struct StructTests {
  struct Link: Equatable {
    var title: String
    var target: URL?
    fileprivate var visits = 0
    let created: Date
  }

  struct Empty: Equatable {}
  struct Wrapper<Value> { var value: Value }
  struct Mixed: Equatable {
    var a: UInt8
    var b: Double
    var empty: Empty
    var c: Bool
    var d: String
    var e: Int16?
  }

  final class Page: MirrorCoding {
    var links: [Link]?
    var first: Link?
    var byName: [String: Link] = [:]
    var empty = Empty()
    var empties: [Empty] = []
    var count = 0
  }

  private func link(_ number: Int) -> Link {
    Link(
      title: "link \(number)", target: number.isMultiple(of: 2) ? nil : URL(fileURLWithPath: "/\(number)"), visits: number,
      created: Date(timeIntervalSinceReferenceDate: Double(number)))
  }

  @Test("An optional array of structs comes back, private fields included", arguments: [0, 1, 7, 8, 1_025]) func optionalArray(count: Int)
    throws
  {
    let written = Page()
    written.links = (0..<count).map(link)
    written.first = link(5)
    written.byName = ["a": link(1), "b": link(2)]
    written.count = count
    let read = try roundTrip(written)
    #expect(read.links == written.links && read.first == written.first && read.byName == written.byName && read.count == count)
  }

  @Test("A nil array of structs stays nil") func nilArray() throws {
    #expect(try roundTrip(Page()).links == nil)
  }

  @Test("Empty structs cost nothing and damage nothing", arguments: [0, 1, 5, 2_000]) func empty(count: Int) throws {
    let written = Page()
    written.empties = Array(repeating: Empty(), count: count)
    written.count = -1
    let read = try roundTrip(written)
    #expect(read.empties.count == count && read.count == -1)
    #expect(try roundTrip(Empty()) == Empty())
  }

  @Test("Structs are roots, fields, elements and payloads") func positions() {
    expectSurvival(of: [link(1), link(2)], in: [.root, .declared])
    expectSurvival(
      of: [Mixed(a: 255, b: -0.0, empty: Empty(), c: true, d: "苹果", e: nil), Mixed(a: 0, b: 1, empty: Empty(), c: false, d: "", e: .min)],
      in: [.root, .declared])
    expectSurvival(of: [Pair(first: link(3), second: [link(4)])], in: [.root, .declared])
  }

  @Test("Generic structs come back, nested in themselves") func generic() throws {
    let read = try roundTrip(Slot(Wrapper(value: Wrapper(value: [Wrapper(value: "deep")])))).value
    #expect(read.value.value.map(\.value) == ["deep"])
    let optional = try roundTrip(Slot(Wrapper<Int??>(value: .some(nil)))).value
    #expect(optional.value == .some(nil))
  }

  final class Places: MirrorCoding {
    var position: (lat: Double, lon: Double) = (0, 0)
    var range: (Int, Int) = (0, 0)
    var route: [(name: String, at: (lat: Double, lon: Double))] = []
    var optional: (Int, String?)?
    var mixed: (UInt8, Double, Bool, String) = (0, 0, false, "")
    var list: (tags: [String], table: [Int: Bool], owner: Places?) = ([], [:], nil)
    var after = 1
  }

  @Test("Tuples come back: labelled, nested, optional, in arrays, with references") func tuples() throws {
    let written = Places()
    written.position = (31.2304, -0.0)
    written.range = (.min, .max)
    written.route = [("start", (1, 2)), ("end", (3, 4))]
    written.optional = (3, nil)
    written.mixed = (255, .infinity, true, "a longer text than inline")
    written.list = (["a", "b"], [1: true], written)
    let read = try roundTrip(written)
    #expect(read.position.lat == 31.2304 && read.position.lon.sign == .minus && read.range == (.min, .max))
    #expect(read.route.map(\.name) == ["start", "end"] && read.route.map(\.at.lon) == [2, 4])
    let optional = try #require(read.optional)
    #expect(optional.0 == 3 && optional.1 == nil)
    #expect(read.mixed == (255, .infinity, true, "a longer text than inline"))
    #expect(read.list.tags == ["a", "b"] && read.list.table == [1: true] && read.list.owner === read)
    #expect(read.after == 1)
    read.list.owner = nil
    written.list.owner = nil
  }

  @Test("Tuples keep their rows in long columns", arguments: [8, 1_025]) func manyTuples(count: Int) throws {
    let written = (0..<count).map { (number: $0, text: "\($0)", flag: $0.isMultiple(of: 2)) }
    let read = try roundTrip(Slot(written)).value
    #expect(read.count == count && zip(read, written).allSatisfy { $0 == $1 })
  }

  @Test("What can't be archived in a struct is an error at encode, never a silent nil") func refusedField() {
    struct Bad { var title = "", action: () -> Void = {} }
    final class Holder: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "StructTests.Holder") }
      var list: [Bad]? = [Bad()]
    }
    expectRefusal(.unsupportedType, naming: ["action", "Bad"]) { try KeyedArchiver.archivedData(withRootObject: Holder()) }
  }

  /// A struct with rules of its own and defaults for what is never archived.
  struct Ruled: MirrorCodable, MirrorInitializable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "ruled") }
    var name = ""
    @Transient var cache = 7

    static func == (left: Ruled, right: Ruled) -> Bool { left.name == right.name }
  }

  @Test("A struct with init() keeps the defaults of its transient fields") func transientField() throws {
    var written = Ruled()
    written.name = "a"
    written.cache = 99
    let read = try roundTrip(Slot([written])).value
    #expect(read.map(\.name) == ["a"] && read.map(\.cache) == [7])
    #expect(try roundTrip(written).cache == 7)
  }

  /// Two editions of one struct: one without fields.
  enum Bare {
    struct Note: MirrorCodable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "StructTests.Note") }
    }
  }
  enum Full {
    struct Note: MirrorCodable, Equatable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "StructTests.Note") }
      var text: String?
      var count: Int?
    }
  }

  @Test("A struct may get its first fields and lose its last ones", arguments: [1, 20, 1_500]) func firstFields(count: Int) throws {
    let bare = try KeyedArchiver.archivedData(withRootObject: Array(repeating: Bare.Note(), count: count))
    #expect(try KeyedUnarchiver.unarchivedObject(of: [Full.Note].self, from: bare) == Array(repeating: Full.Note(), count: count))
    let notes = (0..<count).map { Full.Note(text: "note \($0)", count: $0) }
    let full = try KeyedArchiver.archivedData(withRootObject: notes)
    #expect(try KeyedUnarchiver.unarchivedObject(of: [Bare.Note].self, from: full).count == count)
  }
}
