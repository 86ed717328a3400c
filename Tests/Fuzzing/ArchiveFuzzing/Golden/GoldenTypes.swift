import Foundation
import MirrorArchive

extension Golden {
  // MARK: Enums

  enum Named: String, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Named") }
    case north, east, south
  }
  enum Counted: Int, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Counted") }
    case zero, one, two
  }
  enum Texts: String, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Texts") }
    case red = "#f00"
    case green = "#0f0"
  }
  enum Numbers: Int16, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Numbers") }
    case minus = -5
    case large = 30_000
  }
  enum Factors: Double, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Factors") }
    case half = 0.5
    case twice = 2
  }
  enum Shape: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Shape", version: 7) }
    case none
    case circle(radius: Double)
    case rectangle(width: Int, height: Int)
    case sized(Size)
    case text(String?)
  }
  indirect enum Tree: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Tree") }
    case leaf(Int)
    case node(Tree, Tree)
  }
  final class Enums: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Enums") }
    var named = Named.north
    var counted: [Counted] = []
    var texts: Texts?
    var numbers = Numbers.minus
    var factors: [String: Factors] = [:]
    var shapes: [Shape] = []
    var tree = Tree.leaf(0)
    var optionals: [Named?] = []

    convenience init(written: Void) {
      self.init()
      (named, counted, texts, numbers) = (.south, [.two, .zero, .one], .green, .large)
      (factors, tree) = (["f": .twice], .node(.node(.leaf(1), .leaf(2)), .leaf(3)))
      shapes = [.circle(radius: 1.5), .none, .rectangle(width: 1, height: 2), .sized(Size(width: 3, height: nil)), .text(nil), .text("t")]
      shapes += shapes
      optionals = [.east, nil, .north]
    }
    func expected() -> Bool {
      named == .south && counted == [.two, .zero, .one] && texts == .green && numbers == .large && factors == ["f": .twice]
        && shapes == Enums(written: ()).shapes && tree == .node(.node(.leaf(1), .leaf(2)), .leaf(3)) && optionals == [.east, nil, .north]
    }
  }

  // MARK: Graphs

  class Base: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Base", version: 3, subclasses: [Node.self]) }
    private var id = 0
    var label = ""
    final var baseID: Int {
      get { id }
      set { id = newValue }
    }
  }
  final class Node: Base {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Node") }
    private var id = ""
    var next: Node?
    weak var previous: Node?
    unowned var first: Base?
    var children: [Base] = []
    lazy var late = [1]
    lazy var untouched = [2]
    var nodeID: String {
      get { id }
      set { id = newValue }
    }
  }
  /// Without `init()`, and with constants.
  final class Ticket: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Ticket") }
    let code: String
    let holder: Node
    let seat: (row: Int, letter: Character)
    init(code: String, holder: Node, seat: (Int, Character)) { (self.code, self.holder, self.seat) = (code, holder, seat) }
  }
  final class Constant: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Constant") }
    let number: Int
    let kind = 5
    required init() { number = 0 }
    init(_ number: Int) { self.number = number }
  }
  final class Graph: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Graph") }
    var nodes: [Node] = []
    var tickets: [Ticket] = []
    var constants: [Constant] = []
    var byName: [String: Base] = [:]

    convenience init(written: Void) {
      self.init()
      // More than a block holds.
      nodes = (0..<1_030).map { number in
        let node = Node()
        (node.baseID, node.nodeID, node.label) = (number, "node \(number)", number % 2 == 0 ? "even" : "odd")
        if number % 3 == 0 { node.late = [number] }
        return node
      }
      for (number, node) in nodes.enumerated() {
        node.first = nodes[0]
        node.next = number + 1 < nodes.count ? nodes[number + 1] : nil
        node.previous = number > 0 ? nodes[number - 1] : nil
        node.children = number == 5 ? [nodes[1_029], nodes[6]] : []
      }
      tickets = (0..<3).map { Ticket(code: "code \($0)", holder: nodes[$0 * 400], seat: ($0, "abc".first ?? " ")) }
      constants = [Constant(7), Constant(0)]
      byName = ["first": nodes[0]]
    }
    func expected() -> Bool {
      guard nodes.count == 1_030, tickets.count == 3, constants.map(\.number) == [7, 0], constants.map(\.kind) == [5, 5] else {
        return false
      }
      for (number, node) in nodes.enumerated() {
        guard node.baseID == number, node.nodeID == "node \(number)", node.label == (number % 2 == 0 ? "even" : "odd"),
          node.first === nodes[0], node.next === (number + 1 < nodes.count ? nodes[number + 1] : nil),
          node.previous === (number > 0 ? nodes[number - 1] : nil), node.late == (number % 3 == 0 ? [number] : [1]), node.untouched == [2],
          node.children.count == (number == 5 ? 2 : 0)
        else { return false }
      }
      return nodes[5].children[0] === nodes[1_029] && nodes[5].children[1] === nodes[6] && byName["first"] === nodes[0]
        && tickets.enumerated().allSatisfy { $0.element.code == "code \($0.offset)" && $0.element.holder === nodes[$0.offset * 400] }
        && tickets[2].seat == (2, "a")
    }
    /// The list is taken apart from its end, so that letting go of it does not recurse.
    func untie() {
      for node in nodes { (node.next, node.children) = (nil, []) }
    }
  }

  // MARK: Anything

  final class Anything: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "golden.Anything", subclasses: [Constant.self, Size.self, Named.self])
    }
    var any: Any = 0
    var list: [Any] = []
    var table: [String: Any] = [:]
    var none: Any? = 1
    var key: AnyHashable = 0
    var object: AnyObject?
    var objects: [AnyObject] = []

    convenience init(written: Void) {
      self.init()
      let constant = Constant(9)
      any = Size(width: 4, height: nil)
      list = [
        1, "two", 3.5, true, [1, 2] as [Int], UInt8(3), Named.east, constant, [constant], Int?.none as Any,
        Date(timeIntervalSinceReferenceDate: 9), (),
      ]
      (table, none, key, object, objects) = (["k": [1, "x"] as [Any]], nil, AnyHashable("key"), constant, [constant, Constant(8)])
    }
    func expected() -> Bool {
      guard list.count == 12, let constant = object as? Constant, constant.number == 9, objects.count == 2 else { return false }
      let isEqual = list[0] as? Int == 1 && list[1] as? String == "two" && list[2] as? Double == 3.5 && list[3] as? Bool == true
      let isSame = list[7] as? Constant === constant && (list[8] as? [Constant])?.first === constant && objects[0] === constant
      return isEqual && isSame && any as? Size == Size(width: 4, height: nil) && list[4] as? [Int] == [1, 2] && list[5] as? UInt8 == 3
        && list[6] as? Named == .east && list[9] as? Int? == .some(nil) && list[10] as? Date == Date(timeIntervalSinceReferenceDate: 9)
        && list[11] is Void && (table["k"] as? [Any])?.count == 2 && none == nil && key == AnyHashable("key")
        && (objects[1] as? Constant)?.number == 8
    }
  }

  // MARK: Values of the libraries

  final class Library: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Library") }
    var url: URL?
    var interval: DateInterval?
    var zone: TimeZone?
    var locale: Locale?
    var calendar: Calendar?
    var components: DateComponents?
    var path = IndexPath()
    var range = 0..<1
    var closed = 0.0...1.0
    var from = 0...
    var vector = SIMD3<Float>(0, 0, 0)
    var rect = CGRect.zero
    var result = Result<Int, Failure>.success(0)

    enum Failure: Error, MirrorCodable, Equatable {
      // The archive has the name that the type had as an argument of Result.
      static var archiveRules: ArchiveRules {
        ArchiveRules(name: "golden.Failure", formerNames: ["MirrorArchiveTests.Golden.Library.Failure"])
      }
      case status(Int, body: String)
    }

    convenience init(written: Void) {
      self.init()
      url = URL(string: "c?d=e", relativeTo: URL(string: "https://example.com/a/b"))
      interval = DateInterval(start: Date(timeIntervalSinceReferenceDate: 100), duration: 5)
      (zone, locale) = (TimeZone(secondsFromGMT: 3_600), Locale(identifier: "zh_CN"))
      calendar = Calendar(identifier: .gregorian)
      calendar?.timeZone = TimeZone(secondsFromGMT: 0) ?? .gmt
      calendar?.locale = Locale(identifier: "de_DE")
      components = DateComponents(year: 2024, month: 2, nanosecond: 5)
      (path, range, closed, from) = (IndexPath(indexes: [1, 2]), 3..<9, 1.5...2.5, 7...)
      (vector, rect) = (SIMD3(1, 2, 3), CGRect(x: 1, y: 2, width: 3, height: 4))
      result = .failure(.status(404, body: "no"))
    }
    func expected() -> Bool {
      let other = Library(written: ())
      return url == other.url && url?.baseURL == other.url?.baseURL && interval == other.interval && zone == other.zone
        && locale == other.locale && calendar == other.calendar && components == other.components && path == other.path && range == 3..<9
        && closed == 1.5...2.5 && from.lowerBound == 7 && vector == SIMD3(1, 2, 3) && rect == other.rect && result == other.result
    }
  }
}
