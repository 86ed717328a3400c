import Foundation
import MirrorArchive
import Testing

/// CASES row 22: an absent value is absent, a present one present, at every level.
@Suite("Optionals")
struct OptionalTests {
  enum Colour: String { case red, green }
  enum Shape: Equatable {
    case circle(r: Double)
    case dot
  }
  struct Point: Equatable { var x = 0, y: Int? = nil }
  final class Node: MirrorCoding { var name: String? }

  final class Model: MirrorCoding {
    var int: Int?
    var list: [Int?] = []
    var implicit: Bool!
    var implicitText: String!
    var double: Int??
    var doubleText: String??
    var triple: Int???
    var optionalList: [String?]?
    var deepList: [[Int?]?] = []
    var table: [Int: String?] = [:]
    var set: Set<Int?> = []
    var colour: Colour?
    var colours: [Colour?] = []
    var shape: Shape?
    var doubleShape: Shape??
    var point: Point?
    var points: [Point?]?
    var tuple: (Int?, String?)?
    var node: Node?
    var nodes: [Node?] = []
    var doubleNode: Node??
    var date: Date?
    var anything: Any?
    var after = 42
  }

  @Test("Everything nil stays nil") func allNil() throws {
    let read = try roundTrip(Model())
    #expect(
      read.int == nil && read.implicit == nil && read.implicitText == nil && read.colour == nil && read.shape == nil && read.point == nil)
    #expect(
      read.points == nil && read.tuple == nil && read.node == nil && read.date == nil && read.anything == nil && read.optionalList == nil)
    guard case .none = read.double, case .none = read.triple, case .none = read.doubleNode, case .none = read.doubleShape else {
      Issue.record("an outer nil became .some")
      return
    }
    #expect(read.after == 42)
  }

  @Test("A nil replaces a default that is not nil") func nilOverDefault() throws {
    final class Defaults: MirrorCodable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "OptionalTests.Defaults") }
      var int: Int? = 3
      var text: String? = "default"
      var list: [Int]? = [1]
    }
    let written = Defaults()
    written.int = nil
    written.text = nil
    written.list = nil
    let read = try roundTrip(written)
    #expect(read.int == nil && read.text == nil && read.list == nil)
  }

  @Test("Everything present comes back exactly") func present() throws {
    let written = Model()
    written.int = 0
    written.list = [1, nil, 3]
    written.implicit = false
    written.implicitText = ""
    written.optionalList = ["a", nil, ""]
    written.deepList = [[1, nil], nil, [], [nil]]
    written.table = [1: "one", 2: nil, 3: .some("")]
    written.set = [1, nil, 3]
    written.colour = .green
    written.colours = [.red, nil, .green, nil]
    written.shape = .circle(r: 2.5)
    written.point = Point(x: 1, y: 2)
    written.points = [Point(x: 1, y: nil), nil, Point(x: 3, y: 4)]
    written.tuple = (nil, "second")
    let node = Node()
    node.name = "shared"
    written.node = node
    written.nodes = [node, nil, node]
    written.date = Date(timeIntervalSinceReferenceDate: 1)
    written.anything = 5
    let read = try roundTrip(written)
    #expect(read.int == 0)
    #expect(read.list == [1, nil, 3])
    #expect(read.implicit == false && read.implicitText == "")
    #expect(read.optionalList == ["a", nil, ""])
    #expect(read.deepList == [[1, nil], nil, [], [nil]])
    #expect(read.table.count == 3 && read.table[1] == .some("one") && read.table[2] == .some(nil) && read.table[3] == .some(""))
    #expect(read.set == [1, nil, 3])
    #expect(read.colour == .green && read.colours == [.red, nil, .green, nil])
    #expect(read.shape == .circle(r: 2.5))
    #expect(read.point == Point(x: 1, y: 2) && read.points == [Point(x: 1, y: nil), nil, Point(x: 3, y: 4)])
    let tuple = try #require(read.tuple)
    #expect(tuple.0 == nil && tuple.1 == "second")
    #expect(
      read.node?.name == "shared" && read.nodes.count == 3 && read.nodes[0] === read.node && read.nodes[1] == nil
        && read.nodes[2] === read.node)
    #expect(read.date == Date(timeIntervalSinceReferenceDate: 1))
    #expect(read.anything as? Int == 5)
  }

  @Test("The level at which an optional is nil is kept") func nilLevels() throws {
    let ints: [Int??] = [.none, .some(.none), .some(.some(7))]
    for (index, read) in try ints.map({ try roundTrip(Slot($0)).value }).enumerated() {
      #expect(read == ints[index], "level \(index)")
    }
    #expect(try roundTrip(Slot(ints)).value == ints)
    #expect(try roundTrip(Slot(ints + ints + ints)).value == ints + ints + ints)
    let texts: [String??] = [.none, .some(.none), .some(.some("")), .some(.some("longer than fifteen bytes"))]
    #expect(try roundTrip(Slot(texts)).value == texts)
    let triples: [Int???] = [.none, .some(.none), .some(.some(.none)), .some(.some(.some(0)))]
    #expect(try roundTrip(Slot(triples)).value == triples)
    let bools: [Bool???] = [.none, .some(.none), .some(.some(.none)), .some(.some(.some(false))), .some(.some(.some(true)))]
    #expect(try roundTrip(Slot(bools)).value == bools)
    let shapes: [Shape??] = [.none, .some(.none), .some(.some(.dot)), .some(.some(.circle(r: -0.0)))]
    #expect(try roundTrip(Slot(shapes)).value == shapes)
    let colours: [Colour??] = [.none, .some(.none), .some(.some(.red))]
    #expect(try roundTrip(Slot(colours)).value == colours)
  }

  @Test("A doubly optional class reference keeps its level and its identity") func doubleReference() throws {
    let node = Node()
    let written: [Node??] = [.none, .some(.none), .some(.some(node)), .some(.some(node))]
    let read = try roundTrip(Slot(written)).value
    try #require(read.count == 4)
    guard case .none = read[0], case .some(.none) = read[1], case .some(.some(let first)) = read[2], case .some(.some(let second)) = read[3]
    else {
      Issue.record("levels were lost: \(read)")
      return
    }
    #expect(first === second)
  }

  @Test("Optional elements keep their places in long columns", arguments: [7, 8, 1_024, 1_025, 3_000]) func longColumns(count: Int) throws {
    let ints: [Int?] = (0..<count).map { $0.isMultiple(of: 3) ? nil : $0 }
    let texts: [String?] = (0..<count).map { $0.isMultiple(of: 5) ? "text \($0)" : nil }
    let nested: [[Int?]?] = (0..<count).map { $0 % 4 == 0 ? nil : Array(ints.prefix($0 % 4)) }
    let tables: [[Int: Int?]] = (0..<count).map { $0.isMultiple(of: 2) ? [$0: nil, $0 + 1: $0] : [:] }
    #expect(try roundTrip(Slot(ints)).value == ints)
    #expect(try roundTrip(Slot(texts)).value == texts)
    #expect(try roundTrip(Slot(nested)).value == nested)
    #expect(try roundTrip(Slot(tables)).value == tables)
    #expect(try roundTrip(ints.map { Box($0) }).map(\.value) == ints)
    #expect(try roundTrip(Slot([Int?](repeating: nil, count: count))).value == [Int?](repeating: nil, count: count))
  }

  @Test("Optional Foundation values keep presence") func foundation() throws {
    #expect(
      try roundTrip(Slot<[UUID?]>([nil, UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")])).value.map { $0?.uuidString } == [
        nil, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
      ])
    #expect(try roundTrip(Slot<[Data?]>([nil, Data(), Data([1])])).value == [nil, Data(), Data([1])])
    #expect(try roundTrip(Slot<[Decimal?]>([nil, 0])).value == [nil, 0])
    #expect(try roundTrip(Slot<[Range<Int>?]>([nil, 0..<3])).value == [nil, 0..<3])
  }
}
