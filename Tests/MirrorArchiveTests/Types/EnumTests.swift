import Foundation
import MirrorArchive
import Testing

/// CASES row 20: enums of every kind, as properties, elements, keys, values and payloads.
@Suite("Enums")
struct EnumTests {
  @Test("Enums with raw values keep their case") func raw() {
    expectSurvival(of: Enums.Mode.allCases, in: [.root, .declared])
    expectSurvival(of: Enums.Level.allCases, in: [.root, .declared])
    expectSurvival(of: Enums.Letter.allCases, in: [.root, .declared])
  }

  @Test("Plain enums keep their case, also with a single one") func plain() {
    expectSurvival(of: Enums.Plain.allCases, in: [.root, .declared])
    expectSurvival(of: Enums.Only.allCases, in: [.root, .declared])
  }

  @Test("Payloads with and without labels come back") func payloads() {
    let shapes: [Enums.Shape] = [
      .circle(r: 2.5), .rectangle(width: 1, height: -0.0), .named("苹果🍎 with a long name"), .none, .unlabelled(7, nil), .unlabelled(8, "x"),
      .list([]),
      .list([1, 2, 3]),
    ]
    expectSurvival(of: shapes, in: [.root, .declared])
  }

  @Test("An enum with one payload case comes back") func single() {
    expectSurvival(of: [Enums.Single.value(""), .value("a text longer than inline"), .nothing, .less], in: [.root, .declared])
    expectSurvival(of: [Enums.Kind.daily, .weekly(day: 3), .weekly(day: .min)], in: [.root, .declared])
  }

  @Test("Cases that differ by their labels alone stay apart") func overloaded() {
    expectSurvival(of: [Enums.Size.of(height: 1), .of(width: 2), .unknown, .of(name: "n")], in: [.root, .declared])
  }

  @Test("Payloads without size come back as their case") func hollow() throws {
    let read = try roundTrip(Slot<[Enums.Hollow]>([.void(()), .empty(.init()), .full(3), .void(())])).value
    guard read.count == 4, case .void = read[0], case .empty = read[1], case .full(3) = read[2], case .void = read[3] else {
      Issue.record("read \(read)")
      return
    }
  }

  @Test("Enums in enums come back") func nested() {
    let values: [Enums.Nested] = [
      .optional(nil), .optional(3), .shape(.none), .shape(.named("n")), .deep(nil, [], [:]),
      .deep(.list([1]), [.west, .north], ["a": .fast, "b": .off]),
    ]
    expectSurvival(of: values, in: [.root, .declared])
  }

  @Test("A generic enum comes back, whatever it holds") func generic() {
    expectSurvival(of: [Either<Int, String>.left(1), .right("r"), .neither], in: [.root, .declared])
    expectSurvival(of: [Either<Enums.Shape, [Enums.Plain]>.left(.circle(r: 1)), .right([.south]), .neither], in: [.root, .declared])
    expectSurvival(of: [Either<Int?, Int??>.left(nil), .right(.some(nil)), .right(nil), .neither], in: [.root, .declared])
  }

  @Test("An enum in a generic struct comes back") func nestedInGeneric() throws {
    let written: [Enums.Outer<String>.Inner] = [.element("e"), .nothing, .element("f")]
    let read = try roundTrip(Slot(written)).value
    guard read.count == 3, case .element("e") = read[0], case .nothing = read[1], case .element("f") = read[2] else {
      Issue.record("read \(read)")
      return
    }
  }

  @Test("Result keeps success and failure") func result() {
    let values: [Result<Int, Enums.Failure>] = [
      .success(5), .failure(.offline), .failure(.status(404, body: "not found, in more than fifteen bytes")),
    ]
    expectSurvival(of: values, in: [.root, .declared])
  }

  @Test("Enums are dictionary keys, dictionary values and set elements") func keys() throws {
    let byMode: [Enums.Mode: Int] = [.off: 0, .slow: 1, .fast: 2]
    #expect(try roundTrip(Box(byMode)).value == byMode)
    let byPlain: [Enums.Plain: [Enums.Shape]] = [.north: [.none], .south: []]
    #expect(try roundTrip(Box(byPlain)).value == byPlain)
    let byPayload: [Enums.Hashed: String?] = [.number(1): "one", .text("t"): nil, .neither: "n"]
    #expect(try roundTrip(Box(byPayload)).value == byPayload)
    let set: Set<Enums.Hashed> = [.number(1), .number(2), .text(""), .neither]
    #expect(try roundTrip(Box(set)).value == set)
    #expect(try roundTrip(Box(Set(Enums.Level.allCases))).value == Set(Enums.Level.allCases))
  }

  @Test("A tree of an indirect enum comes back") func tree() {
    let tree = Enums.Tree.node(.node(.leaf(1), .nothing), .node(.leaf(.min), .node(.nothing, .leaf(.max))))
    expectSurvival(of: [tree, .nothing, .leaf(0)], in: [.root, .declared])
  }

  @Test("A single indirect case, 1 to 500 deep, comes back", arguments: [1, 8, 100, 500]) func chain(depth: Int) throws {
    var chain = Enums.Chain.end
    for number in 1..<depth { chain = .link(number, chain) }
    var read = try roundTrip(Slot(chain)).value
    var found: [Int] = []
    while case .link(let number, let rest) = read {
      found.append(number)
      read = rest
    }
    #expect(found == Array((1..<depth).reversed()))
  }

  @Test("Class references in payloads keep their identity") func references() throws {
    let apple = Enums.Fruit()
    apple.name = "apple"
    let pear = Enums.Fruit()
    pear.name = "pear"
    let read = try roundTrip(
      Slot<[Enums.Owner]>([.fruit(apple), .pair(apple, extra: pear), .pair(pear, extra: nil), .many([pear, apple]), .none])
    ).value
    guard read.count == 5, case .fruit(let first) = read[0], case .pair(let second, let third?) = read[1],
      case .pair(let fourth, nil) = read[2],
      case .many(let list) = read[3], case .none = read[4], list.count == 2
    else {
      Issue.record("read \(read)")
      return
    }
    #expect(first.name == "apple" && second === first && third.name == "pear" && fourth === third && list[0] === third && list[1] === first)
  }

  @Test("Cases keep their rows in long columns", arguments: [7, 8, 1_024, 1_025, 3_000]) func longColumns(count: Int) throws {
    let written: [Enums.Shape] = (0..<count).map { number in
      switch number % 6 {
      case 0: .circle(r: Double(number))
      case 1: .none
      case 2: .named("\(number)")
      case 3: .unlabelled(number, number.isMultiple(of: 2) ? nil : "odd")
      case 4: .list(Array(0..<number % 5))
      default: .rectangle(width: Double(number), height: 1)
      }
    }
    #expect(try roundTrip(Slot(written)).value == written)
    #expect(try roundTrip(written.map { Slot($0) }).map(\.value) == written)
    #expect(try roundTrip(written.map { Box($0 == .none ? nil : $0) }).map(\.value) == written.map { $0 == .none ? nil : $0 })
    let plain = (0..<count).map { Enums.Plain.allCases[$0 * 7 % 4] }
    #expect(try roundTrip(plain.map { Slot($0) }).map(\.value) == plain)
  }

  @Test("An enum without cases as an argument of a generic type is no obstacle") func never() {
    expectSurvival(of: [Either<Int, Never>.left(3), .neither], in: [.root, .declared])
    expectSurvival(of: [Result<String, Never>.success("s")], in: [.root, .declared])
  }
}
