import Foundation
import MirrorArchive
import Testing

@Suite("Dictionary keys and set elements")
struct DictionaryKeyTests {
  struct Place: Hashable {
    var row: Int
    var column: String?
  }

  /// Equal by its number, not by identity: the key's hash is only right when its properties are filled.
  final class Badge: MirrorCoding, Hashable {
    var number = 0
    var holder: Badge?

    static func == (left: Badge, right: Badge) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  final class Registry: MirrorCoding {
    var byBadge: [Badge: String] = [:]
    var badges: Set<Badge> = []
    var reserve: [Badge?: Badge] = [:]
    var chief: Badge?
  }

  private func badge(_ number: Int) -> Badge {
    let badge = Badge()
    badge.number = number
    return badge
  }

  @Test("Scalars are keys") func scalars() throws {
    #expect(try roundTrip(Slot([Int.min: "a", 0: "b", .max: "c"])).value == [Int.min: "a", 0: "b", .max: "c"])
    #expect(try roundTrip(Slot([true: 1, false: 0])).value == [true: 1, false: 0])
    #expect(try roundTrip(Slot([0.1: 1, -3.75: 2])).value == [0.1: 1, -3.75: 2])
    #expect(try roundTrip(Slot([UInt8(200): 1])).value == [200: 1])
    #expect(try roundTrip(Slot(["a" as Character: 1, "🍎": 2])).value == ["a": 1, "🍎": 2])
    #expect(try roundTrip(Slot(["": 1, "a\0b": 2])).value == ["": 1, "a\0b": 2])
  }

  @Test("Foundation values are keys") func foundation() throws {
    let identifier = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    #expect(try roundTrip(Slot([identifier: "a"])).value == [identifier: "a"])
    #expect(try roundTrip(Slot([Date.distantPast: 1, .distantFuture: 2])).value == [.distantPast: 1, .distantFuture: 2])
    #expect(try roundTrip(Slot([Data([1]): 1, Data(): 2])).value == [Data([1]): 1, Data(): 2])
    #expect(try roundTrip(Slot([URL(fileURLWithPath: "/a"): 1])).value == [URL(fileURLWithPath: "/a"): 1])
    #expect(try roundTrip(Slot(Set([IndexPath(indexes: [1, 2])]))).value == [IndexPath(indexes: [1, 2])])
  }

  @Test("Structs, optionals, arrays and tagged values are keys") func composed() throws {
    let places = [Place(row: 1, column: nil): "a", Place(row: 1, column: "x"): "b"]
    #expect(try roundTrip(Slot(places)).value == places)
    let optionals: [Int?: String] = [nil: "none", 0: "zero"]
    #expect(try roundTrip(Slot(optionals)).value == optionals)
    let lists: [[String]: Int] = [[]: 0, ["a", "b"]: 2]
    #expect(try roundTrip(Slot(lists)).value == lists)
    let sets: [Set<Int>: Int] = [[]: 0, [1, 2, 3]: 6]
    #expect(try roundTrip(Slot(sets)).value == sets)
    let results: Set<Enums.Hashed?> = [nil, .neither, .text("t")]
    #expect(try roundTrip(Slot(results)).value == results)
  }

  @Test("AnyHashable keys keep the type inside") func anyHashable() throws {
    let written: [AnyHashable: Int] = [AnyHashable(1): 1, AnyHashable("one"): 2, AnyHashable(true): 3, AnyHashable([1, 2]): 4]
    let read = try roundTrip(Slot(written)).value
    #expect(read == written)
    #expect(read.keys.contains { $0.base is Int })
    #expect(read.keys.contains { $0.base is String })
    #expect(read.keys.contains { $0.base is Bool })
    let set: Set<AnyHashable> = [AnyHashable(1.5), AnyHashable("a")]
    #expect(try roundTrip(Slot(set)).value == set)
  }

  @Test("Objects are keys, found by the hash of their filled properties") func objects() throws {
    let written = Registry()
    let badges = (1...20).map(badge)
    for badge in badges { written.byBadge[badge] = "holder of \(badge.number)" }
    written.badges = Set(badges)
    written.chief = badges[6]
    let read = try roundTrip(written)
    #expect(read.byBadge.count == 20 && read.badges.count == 20)
    for number in 1...20 {
      #expect(read.byBadge[badge(number)] == "holder of \(number)")
      #expect(read.badges.contains(badge(number)))
    }
    let chief = try #require(read.chief)
    #expect(chief.number == 7)
    #expect(read.byBadge.keys.contains { $0 === chief })
    #expect(read.badges.contains { $0 === chief })
  }

  @Test("An object that is a key of a dictionary reached from itself is found after decoding") func keyCycle() throws {
    final class Owner: MirrorCoding, Hashable {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "DictionaryKeyTests.Owner") }
      var name = ""
      var table: [Owner: Int] = [:]
      static func == (left: Owner, right: Owner) -> Bool { left.name == right.name }
      func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
    let written = Owner()
    written.name = "me"
    written.table = [written: 5]
    let read = try roundTrip(written)
    #expect(read.table[read] == 5)
    #expect(read.table.keys.first === read)
    read.table = [:]
    written.table = [:]
  }

  @Test("Optional object keys and object values keep their identity") func optionalObjects() throws {
    let written = Registry()
    let first = badge(1)
    written.chief = first
    written.reserve = [nil: first, first: first]
    let read = try roundTrip(written)
    #expect(read.reserve.count == 2)
    #expect(read.reserve[nil] === read.chief)
    #expect(read.reserve[badge(1)] === read.chief)
  }
}
