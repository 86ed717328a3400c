import Foundation
import MirrorArchive
import Testing

/// What a user declares: base class, protocols, rules, hooks and wrappers.
@Suite("Public types")
struct TypeTests {
  class Shape: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "public-api-shape", subclasses: [Circle.self]) }
    var label = "shape"
  }
  final class Circle: Shape {
    override class var archiveRules: ArchiveRules { ArchiveRules() }
    var radius = 1.0
  }

  @Test("Rules are values with a name and subclasses, and admit the subclasses") func rules() throws {
    var rules = Shape.archiveRules
    #expect(rules.name == "public-api-shape" && rules.subclasses.count == 1)
    rules.name = nil
    rules.subclasses = []
    #expect(rules.name == nil && rules.subclasses.isEmpty)
    let circle = Circle()
    circle.radius = 2.5
    let data = try KeyedArchiver.archivedData(withRootObject: [Shape(), circle])
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Shape.self, from: data)
    #expect(read.count == 2 && !(read[0] is Circle) && (read[1] as? Circle)?.radius == 2.5)
  }

  final class Counter: MirrorCoding {
    var text = "raw"
    @Transient var callback: () -> Int = { 17 }
    @Transient var versions: [UInt64] = []

    override func willEncode() throws {
      try super.willEncode()
      text = "prepared"
    }
    override func didDecode(_ context: DecodingContext) throws {
      try super.didDecode(context)
      versions.append(context.typeVersion)
      if text.isEmpty { throw ArchiveError(.invalidValue, path: "text", offset: nil, message: "a counter needs a text") }
    }
  }

  @Test("Hooks run on both sides and transient properties keep their defaults") func hooks() throws {
    let written = Counter()
    written.callback = { 99 }
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Counter.self, from: data)
    #expect(written.text == "prepared" && read.text == "prepared" && read.callback() == 17 && read.versions == [0])
  }

  final class Ticket: MirrorCodable {
    let code: String
    @Transient var cache: [String]?
    init(code: String) { self.code = code }
  }
  final class Settings: MirrorCodable, MirrorInitializable {
    var volume = 5
    @Transient var changed = Date()
    init() {}
  }
  struct Mark: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "public-api-mark") }
    var value = 1
  }

  @Test("Classes with a base of their own and structs conform to MirrorCodable without writing anything") func codable() throws {
    try Ticket(code: "").willEncode()
    #expect(Ticket.archiveRules.name == nil && Ticket.archiveRules.subclasses.isEmpty)
    let tickets = try KeyedArchiver.archivedData(withRootObject: [Ticket(code: "A1")])
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Ticket.self, from: tickets)
    #expect(read.map(\.code) == ["A1"] && read[0].cache == nil)
    let settings = Settings()
    settings.volume = 11
    let data = try KeyedArchiver.archivedData(withRootObject: settings)
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Settings.self, from: data).volume == 11)
    let marks = try KeyedArchiver.archivedData(withRootObject: [Mark(value: 3)])
    #expect(try KeyedUnarchiver.unarchivedObject(of: [Mark].self, from: marks) == [Mark(value: 3)])
  }

  @Test("A transient value is a property wrapper like others") func transient() {
    var number = Transient(wrappedValue: 3)
    number.wrappedValue += 1
    #expect(number.wrappedValue == 4)
    let sendable: any Sendable = number
    #expect(sendable is Transient<Int>)
  }
}
