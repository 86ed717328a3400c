import Foundation
import MirrorArchive
import Testing

/// Classes that conform to `MirrorCodable` and have no `init()`: the decoder makes them out of nothing.
@Suite("Classes without init()")
struct WithoutInitTests {
  class Record: MirrorCodable {
    let title: String
    private var scores: [Double?]
    var table: [String: [Int]]
    var shape: Enums.Shape
    var place: Pair<URL?, (Int, String)>
    var next: Record?
    weak var previous: Record?
    lazy var label = "\(title)?"

    init(title: String, scores: [Double?], shape: Enums.Shape) {
      self.title = title
      self.scores = scores
      self.shape = shape
      table = [title: [1, 2]]
      place = Pair(first: URL(string: "https://example.com/\(title)"), second: (7, "a text that is longer than inline"))
    }
    var state: String { "\(title) \(scores) \(table) \(shape) \(place.first?.absoluteString ?? "nil") \(place.second)" }
  }
  final class Heir: Record {
    let own: Data
    init(own: Data) {
      self.own = own
      super.init(title: "heir", scores: [], shape: .named("a name that is longer than inline"))
    }
  }

  static func heir() -> Heir {
    let heir = Heir(own: Data([1, 2, 3]))
    let record = Record(title: "record", scores: [1, nil], shape: .list([1, 2]))
    heir.next = record
    record.previous = heir
    return heir
  }

  @Test("A process that never made one reads one") func newProcess() async throws {
    let path = try HandOver.write(KeyedArchiver.archivedData(withRootObject: Self.heir()))
    defer { HandOver.remove(path) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported {
        let read = try KeyedUnarchiver.unarchivedObject(ofClass: Heir.self, from: HandOver.read(path))
        let expected = WithoutInitTests.heir()
        #expect(read.state == expected.state && read.own == expected.own && read.label == "heir?")
        #expect(read.next?.state == expected.next?.state && read.next?.previous === read)
      }
    }
  }

  @Test("Many of them come back, across chunk borders", arguments: [1, 8, 1_025]) func many(count: Int) throws {
    let written = (0..<count).map {
      Record(title: "\($0)", scores: [Double($0)], shape: $0.isMultiple(of: 2) ? .none : .circle(r: Double($0)))
    }
    #expect(try roundTrip(written).map(\.state) == written.map(\.state))
  }

  final class Keyed: MirrorCodable {
    var byMode: [Enums.Mode: Int]
    var byPlace: [DictionaryKeyTests.Place: String]
    var set: Set<AnyHashable>
    var after = 3
    init(mode: Enums.Mode) {
      byMode = [mode: 1]
      byPlace = [DictionaryKeyTests.Place(row: 1, column: nil): "a"]
      set = [AnyHashable(1), AnyHashable("a")]
    }
  }

  @Test("They may have dictionaries and sets with keys of any kind") func keyed() throws {
    let read = try roundTrip(Keyed(mode: .fast))
    #expect(read.byMode == [.fast: 1] && read.byPlace == [DictionaryKeyTests.Place(row: 1, column: nil): "a"])
    #expect(read.set == [AnyHashable(1), AnyHashable("a")] && read.after == 3)
  }

  final class Anything: MirrorCodable {
    var any: Any
    var optional: Any?
    var list: [Any]
    var after = 3
    init(_ any: Any) {
      self.any = any
      optional = any
      list = [any, 1]
    }
  }

  @Test("They may have properties of any type") func anything() throws {
    let read = try roundTrip(Anything("text"))
    #expect(read.any as? String == "text" && read.optional as? String == "text" && read.list.count == 2 && read.after == 3)
  }

  final class Cached: MirrorCodable {
    var name: String
    @Transient var cache: [Int]? = nil
    init(name: String) { self.name = name }
  }

  @Test("An optional transient property needs no init()") func transient() throws {
    let written = Cached(name: "c")
    written.cache = [1]
    let read = try roundTrip(written)
    #expect(read.name == "c" && read.cache == nil)
  }
}
