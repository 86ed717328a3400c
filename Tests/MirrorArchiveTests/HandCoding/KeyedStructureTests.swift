import Foundation
import MirrorArchive
import Testing

/// Values that are made of others, by key.
@Suite("Structures by key")
struct KeyedStructureTests {
  struct Point: Hashable { var x = 0.0, y = 0.0 }
  struct Label: Hashable {
    let text: String
    var point: Point?
    var tags: [String?]
  }
  enum Mode: String { case fast, slow }
  enum Shape: Equatable {
    case circle(r: Double)
    case polygon([Point], name: String?)
    indirect case twice(Shape)
    case none
  }
  protocol Drawable { var area: Double { get } }
  final class Square: MirrorCoding, Drawable {
    var side = 1.0
    var area: Double { side * side }
    convenience init(side: Double) {
      self.init()
      self.side = side
    }
  }
  final class Disc: KeyedCoding, Drawable {
    let radius: Double
    var area: Double { 3 * radius * radius }
    init(radius: Double) { self.radius = radius }
    init(coder: KeyedUnarchiver) throws { radius = try coder.decodeDouble(forKey: "radius") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(radius, forKey: "radius") }
  }

  @Test("Structs") func structs() {
    expectKeyed([Point(x: 1, y: -0.5), Point()], isOpen: false)
    expectKeyed(
      [Label(text: "l", point: nil, tags: [nil, "a"]), Label(text: "", point: Point(x: 1, y: 2), tags: [])], isOpen: false)
    expectKeyed([Pair(first: 1, second: Pair(first: "two", second: UInt8(3)))], isOpen: false)
  }

  @Test("Enums with and without payloads") func enums() {
    expectKeyed([Mode.fast, .slow], isOpen: false)
    expectKeyed(
      [Shape.circle(r: 1.5), .polygon([Point()], name: nil), .polygon([], name: "n"), .twice(.twice(.none)), .none], isOpen: false)
    expectKeyed([Either<Int, [String]>.left(1), .right(["a"]), .neither], isOpen: false)
    expectKeyed([Enums.Tree.node(.leaf(1), .node(.nothing, .leaf(2)))], isOpen: false)
  }

  @Test("Tuples", arguments: KeyedPlace.allCases) func tuples(place: KeyedPlace) throws {
    let read = try place.pass(
      write: {
        try $0.encode((lat: 31.23, lon: 121.47), forKey: "place")
        try $0.encode((1, "two", Point(x: 3, y: 4)), forKey: "mixed")
        try $0.encode([(1, true), (2, false)], forKey: "list")
      },
      read: { coder throws in
        (
          try coder.decode((lat: Double, lon: Double).self, forKey: "place"), try coder.decode((Int, String, Point).self, forKey: "mixed"),
          try coder.decode([(Int, Bool)].self, forKey: "list")
        )
      })
    #expect(read.0.lat == 31.23 && read.0.lon == 121.47)
    #expect(read.1.0 == 1 && read.1.1 == "two" && read.1.2 == Point(x: 3, y: 4))
    #expect(read.2.map(\.0) == [1, 2] && read.2.map(\.1) == [true, false])
  }

  @Test("Arrays, dictionaries and sets") func collections() {
    expectKeyed([[1, 2, 3], [], Array(0..<2_000)])
    expectKeyed([["a", ""], [], ["é", "苹果"]])
    expectKeyed([[[1], []], [], [[2, 3]]])
    expectKeyed([["a": 1, "b": 2], [:]])
    expectKeyed([[1: ["a"], -3: []]])
    expectKeyed([Set(["x", "y"]), []])
    expectKeyed([Set(0..<100)])
    expectKeyed([[Point(): [Point(x: 1, y: 1)]]], isOpen: false)
    expectKeyed([Set([Label(text: "a", point: nil, tags: [nil])])], isOpen: false)
  }

  @Test("[Int?] keeps three elements") func optionalElements() {
    expectKeyed([[1, nil, 3], [nil], []] as [[Int?]])
    expectKeyed([["a": nil, "b": 2]] as [[String: Int?]])
    expectKeyed([[[nil, "a"], nil]] as [[[String?]?]])
  }

  @Test("Nested optionals: .some(nil) is not nil", arguments: KeyedPlace.allCases) func nestedOptionals(place: KeyedPlace) throws {
    let written: [Int??] = [.none, .some(nil), .some(.some(5))]
    let read = try place.pass(
      write: { coder in for (index, value) in written.enumerated() { try coder.encode(value, forKey: "\(index)") } },
      read: { coder in try written.indices.map { try coder.decode(Int??.self, forKey: "\($0)") } })
    #expect(read == written)
  }

  @Test("Empty structs, enums without values and arrays of them", arguments: KeyedPlace.allCases) func empty(place: KeyedPlace) throws {
    struct Nothing: Equatable {}
    let read = try place.pass(
      write: {
        try $0.encode(Nothing(), forKey: "one")
        try $0.encode([Nothing(), Nothing()], forKey: "two")
      },
      read: { (try $0.decode(Nothing.self, forKey: "one"), try $0.decode([Nothing].self, forKey: "two").count) })
    #expect(read.0 == Nothing() && read.1 == 2)
  }

  @Test("Any holds what it held; types of one's own have to be named", arguments: KeyedPlace.allCases) func any(place: KeyedPlace) throws {
    let data = try place.write(allowing: [Square.self, Disc.self, Point.self]) {
      try $0.encode(5 as Any, forKey: "number")
      try $0.encode([1, "two", 3.0, true, nil as Int? as Any] as [Any], forKey: "list")
      try $0.encode(["a": 1, "b": [2.5, "c"] as [Any]] as [String: Any], forKey: "table")
      try $0.encode(Point(x: 1, y: 2) as Any, forKey: "point")
      try $0.encode([Square(side: 2), Disc(radius: 3)] as [Any], forKey: "objects")
      try $0.encode(nil as Any?, forKey: "nil")
    }
    try place.read(data) { coder throws in
      #expect(try coder.decode(Any.self, forKey: "number") as? Int == 5)
      let list = try coder.decode([Any].self, forKey: "list")
      #expect(list.count == 5 && list[0] as? Int == 1 && list[1] as? String == "two" && list[2] as? Double == 3 && list[3] as? Bool == true)
      let table = try coder.decode([String: Any].self, forKey: "table")
      #expect(table["a"] as? Int == 1 && (table["b"] as? [Any])?[1] as? String == "c")
      expectRefusal(.typeNotAllowed, at: "point") { try coder.decode(Any.self, forKey: "point") }
      #expect(try coder.decode(Any.self, forKey: "point", allowing: [Point.self]) as? Point == Point(x: 1, y: 2))
      expectRefusal(.typeNotAllowed, at: "objects") { try coder.decode([Any].self, forKey: "objects", allowing: [Square.self]) }
      let objects = try coder.decode([Any].self, forKey: "objects", allowing: [Square.self, Disc.self])
      #expect((objects[0] as? Square)?.side == 2 && (objects[1] as? Disc)?.radius == 3)
      let stored = try coder.decode(Any?.self, forKey: "nil")
      let present = try coder.decodeIfPresent(Any.self, forKey: "nil")
      #expect(stored == nil && present == nil)
    }
  }

  @Test("any P, in every kind of place, with the types named", arguments: KeyedPlace.allCases) func existential(place: KeyedPlace) throws {
    let data = try place.write(allowing: [Square.self, Disc.self]) {
      try $0.encode(Square(side: 2) as any Drawable, forKey: "one")
      try $0.encode([Square(side: 3), Disc(radius: 1)] as [any Drawable], forKey: "list")
      try $0.encode(["d": Disc(radius: 2)] as [String: (any Drawable)?], forKey: "table")
    }
    let types: [Any.Type] = [Square.self, Disc.self]
    try place.read(data) { coder throws in
      #expect(try coder.decode((any Drawable).self, forKey: "one", allowing: types).area == 4)
      #expect(try coder.decode([any Drawable].self, forKey: "list", allowing: types).map(\.area) == [9, 3])
      #expect(try coder.decode([String: (any Drawable)?].self, forKey: "table", allowing: types)["d"]??.area == 12)
      #expect(try coder.decodeIfPresent((any Drawable).self, forKey: "one", allowing: types)?.area == 4)
      expectRefusal(.typeNotAllowed, at: "list") { try coder.decode([any Drawable].self, forKey: "list", allowing: [Square.self]) }
    }
  }

  @Test("Objects in structs, enums, tuples and collections", arguments: KeyedPlace.allCases) func objects(place: KeyedPlace) throws {
    let square = Square(side: 2)
    let disc = Disc(radius: 1)
    let data = try place.write {
      try $0.encode(Pair(first: square, second: Pair(first: disc, second: 5)), forKey: "pair")
      try $0.encode(Either<Square, [Disc]>.right([disc, disc]), forKey: "either")
      try $0.encode((1, square), forKey: "tuple")
      try $0.encode(["a": disc, "b": disc], forKey: "table")
      try $0.encode([square, nil, square], forKey: "list")
    }
    try place.read(data) { coder throws in
      let pair = try coder.decode(Pair<Square, Pair<Disc, Int>>.self, forKey: "pair")
      guard case .right(let discs) = try coder.decode(Either<Square, [Disc]>.self, forKey: "either") else {
        Issue.record("another case")
        return
      }
      let tuple = try coder.decode((Int, Square).self, forKey: "tuple")
      let table = try coder.decode([String: Disc].self, forKey: "table")
      let list = try coder.decode([Square?].self, forKey: "list")
      #expect(pair.first === tuple.1 && list.count == 3 && list[0] === pair.first && list[1] == nil && list[2] === pair.first)
      #expect(pair.second.first === discs[0] && discs[1] === discs[0] && table["a"] === discs[0] && table["b"] === discs[0])
      #expect(pair.second.second == 5 && tuple.0 == 1 && discs.count == 2 && table.count == 2)
      // Inside a reflected root the properties are filled by now; values of other objects are, too.
      #expect(pair.second.first.radius == 1)
    }
  }

  @Test("A generic hand-coded class holds anything") func generic() throws {
    #expect(try roundTrip(Hand([1: "a"])).value == [1: "a"])
    #expect(try roundTrip(Hand(Hand(Hand(5.5)))).value.value.value == 5.5)
    #expect(try roundTrip([Hand<Int?>(nil), Hand<Int?>(3)]).map(\.value) == [nil, 3])
    #expect(try roundTrip(Box(Hand([Slot("s")]))).value?.value[0].value == "s")
    #expect(try roundTrip(Hand(Box(Hand(Shape.circle(r: 2))))).value.value?.value == .circle(r: 2))
  }

  @Test("What can't be archived is refused at the call, naming the key", arguments: KeyedPlace.allCases) func refused(place: KeyedPlace) {
    let error = expectRefusal(.unsupportedType) { try place.write { try $0.encode({ 1 } as () -> Int, forKey: "closure") } }
    #expect(error?.path.contains("closure") == true, "\(String(describing: error))")
    final class Stranger {}
    let stranger = expectRefusal(.notArchivable) { try place.write { try $0.encode(Stranger(), forKey: "stranger") } }
    #expect(stranger?.path.contains("stranger") == true || stranger?.path.contains("Stranger") == true, "\(String(describing: stranger))")
  }

  @Test("Values nested deeper than 512 throw instead of overflowing the stack") func tooDeep() async {
    await #expect(processExitsWith: .success) {
      reported {
        var list: [Any] = [7]
        for _ in 0..<600 { list = [list] }
        expectRefusal(.nestingTooDeep) { try KeyedPlace.object.write { try $0.encode(list, forKey: "deep") } }
        func nest(_ coder: KeyedArchiver, _ levels: Int) throws {
          if levels > 0 { try coder.encodeContainer(forKey: "c") { try nest($0, levels - 1) } }
        }
        for place in [KeyedPlace.top, .object] {
          expectRefusal(.nestingTooDeep) { try place.write { try nest($0, 600) } }
        }
      }
    }
  }
}
