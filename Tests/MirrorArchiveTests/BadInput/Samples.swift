import Foundation
import MirrorArchive

/// Ten archives of different kinds, made anew by each run, and how to read each.
struct Sample: Sendable, CustomStringConvertible {
  let name: String
  /// The archive.
  let make: @Sendable () throws -> Data
  /// Decodes the bytes and archives what came out again, so that every value of it is touched.
  let read: @Sendable (_ data: Data, _ verifyingChecksum: Bool) throws -> Void
  var description: String { name }

  /// - Parameter untie: Takes circles apart: a damaged archive may say that an object holds itself, and such a graph is never let go.
  init<Root>(_ name: String, _ root: @escaping @Sendable () -> Root, untie: @escaping @Sendable (Root) -> Void = { _ in }) {
    self.name = name
    make = { try KeyedArchiver.archivedData(withRootObject: root()) }
    read = { data, verifyingChecksum in
      let read = try KeyedUnarchiver.unarchivedObject(of: Root.self, from: data, verifyingChecksum: verifyingChecksum)
      defer { untie(read) }
      _ = try KeyedArchiver.archivedData(withRootObject: read)
    }
  }

  static func named(_ name: String) -> Sample? { all.first { $0.name == name } }

  static let all = [
    Sample("one small object") { Models.Fruit(1) },
    Sample("many objects with repeated strings") { (0..<40).map { Models.Fruit($0) } },
    Sample("a cyclic graph", { Models.graph() }, untie: Models.untie),
    Sample("enums with payloads") { Models.Shapes() },
    Sample("optionals, tuples and structs") { Models.Values() },
    Sample("anything in Any", { Models.Bag() }, untie: Models.untie),
    Sample("sets and dictionaries") { Models.Tables() },
    Sample("Foundation values") { Models.Foreign() },
    Sample("columns of numbers") { Models.Numbers() },
    Sample("classes with bases and without init()") { Models.family() },
  ]
}

/// The classes of the samples. Each has values from the start, so that a damaged archive meets objects that hold something.
enum Models {
  final class Fruit: MirrorCoding {
    var name = "apple"
    var count = 8_855
    var price = 6.23
    var onSale = false
    var tag: String? = "red"

    convenience init(_ number: Int) {
      self.init()
      name = ["苹果🍎", "pineapple with a long name", "cherry", ""][number % 4]
      count = number * 37
      price = Double(number) / 100
      onSale = number.isMultiple(of: 3)
      tag = number.isMultiple(of: 2) ? nil : "tag \(number % 5)"
    }
  }

  final class Node: MirrorCoding {
    var name = ""
    var next: Node?
    var friends: [Node] = []
    weak var boss: Node?
    var fruit: Fruit?
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }

  /// A graph with shared objects and a cycle through a weak reference only, so that nothing is left alive.
  static func graph() -> [Node] {
    let nodes = (0..<12).map { Node("node \($0)") }
    let shared = Fruit(7)
    for (index, node) in nodes.enumerated() {
      node.boss = nodes[(index * 5 + 1) % 12]
      node.friends = nodes[(index + 1)...].enumerated().filter { ($0.offset + index) % 3 == 0 }.map(\.element)
      node.next = index + 1 < 12 ? nodes[index + 1] : nil
      node.fruit = index.isMultiple(of: 2) ? shared : nil
    }
    return nodes
  }

  static func untie(_ nodes: [Node]) {
    var pending = nodes
    while let node = pending.popLast() {
      pending += node.friends
      if let next = node.next { pending.append(next) }
      (node.friends, node.next) = ([], nil)
    }
  }

  final class Shapes: MirrorCoding {
    var mode = Enums.Mode.slow
    var level = Enums.Level.high
    var kind = Enums.Kind.weekly(day: 3)
    var shapes: [Enums.Shape] = [.circle(r: 1.5), .rectangle(width: 1, height: 2), .named("n"), .none, .unlabelled(1, nil), .list([1, 2])]
    var tree = Enums.Tree.node(.leaf(1), .node(.nothing, .leaf(2)))
    var plain: [Enums.Plain?] = [.north, nil, .west, .east, .south, nil, .north, .west, .west]
    var owner = Enums.Owner.many([Enums.Fruit()])
    var result: Result<Int, Enums.Failure> = .failure(.status(404, body: "no"))
  }

  final class Values: MirrorCoding {
    var int: Int? = 5
    var double: Int?? = .some(nil)
    var list: [Int?] = [1, nil, 3]
    var nested: [[String?]?]? = [["a", nil], nil, []]
    var tuple: (lat: Double, lon: Double) = (31.23, 121.47)
    var pair = Pair(first: "first", second: Pair(first: UInt8(1), second: true))
    var pairs: [Pair<Int, String?>?] = (0..<9).map { $0 % 3 == 0 ? nil : Pair(first: $0, second: $0 % 2 == 0 ? nil : "s\($0)") }
    var inline: InlineArray<3, Int> = [1, 2, 3]
    var character: Character = "é"
    var range = 3..<9
    lazy var late = [1, 2]
  }

  final class Bag: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Fruit.self]) }
    var any: Any = 1
    var list: [Any] = [1, "two", 3.0, true, [1, 2] as [Int], ["k": "v"] as [String: String], Date.distantPast, UInt8(3), "nine", 10, 11]
    var table: [String: Any] = ["a": [1, ["b": 2.5] as [String: Any]] as [Any]]
    var optional: Any? = Int?.none as Any
    var key: AnyHashable = AnyHashable("key")
    var object: Any? = Bag.child()

    /// A bag in the bag, which holds none itself.
    private static func child() -> Any? { Fruit(3) }
    var fruit: Fruit?
  }

  static func untie(_ bag: Bag) {
    let values: [Any] = [bag.any, bag.list, bag.table, bag.optional as Any, bag.key, bag.object as Any]
    (bag.any, bag.list, bag.table, bag.optional, bag.key, bag.object) = (0, [], [:], nil, "", nil)
    var pending = values
    while let value = pending.popLast() {
      if let other = value as? Bag {
        untie(other)
      } else {
        pending += Mirror(reflecting: value).children.map(\.value)
      }
    }
  }

  final class Tables: MirrorCoding {
    var byName: [String: Int] = Dictionary(uniqueKeysWithValues: (0..<12).map { ("key \($0)", $0) })
    var byNumber: [Int: [String]] = [1: ["a"], 2: [], -3: ["b", "c"]]
    var set: Set<String> = ["x", "y", "z"]
    var numbers: Set<Int> = Set(0..<10)
    var byEnum: [Enums.Hashed: String?] = [.number(1): nil, .text("t"): "v", .neither: ""]
    var lists: Set<[Int]> = [[], [1], [1, 2]]
    var objects: [String: Fruit] = ["a": Fruit(1), "b": Fruit(2)]
  }

  final class Foreign: MirrorCoding {
    var date = Date(timeIntervalSinceReferenceDate: 542_911_754.165_382_98)
    var data = Data([1, 2, 3])
    var url = URL(string: "c?d=e", relativeTo: URL(string: "https://example.com/a/b"))
    var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var decimal = Decimal(string: "998.12")
    var interval = DateInterval(start: .distantPast, duration: 5)
    var components = DateComponents(timeZone: TimeZone(identifier: "GMT"), year: 2024, month: 2)
    var locale = Locale(identifier: "zh_CN")
    var calendar = Calendar(identifier: .gregorian)
    var path = IndexPath(indexes: [1, 2])
    var rect = CGRect(x: 1, y: 2, width: 3, height: 4)
    var duration = Duration.milliseconds(15)
    var closed = 1.5...2.5
  }

  final class Numbers: MirrorCoding {
    var sorted = Array(0..<100)
    var prices = (0..<20).map { Double($0) / 100 }
    var raw: [Double] = (0..<9).map { Double($0).squareRoot() }
    var narrow: [Int16] = (0..<30).map { $0 &* 997 }
    var flags = (0..<40).map { $0 % 3 == 0 }
    var bytes = (0..<30).map { UInt8($0) }
    var runs = (0..<60).map { $0 / 20 * 1_000_000 }
    var wide: [UInt128] = [.max, 0, 1]
    var floats: [Float] = [0, -0.0, .nan]
  }

  class Base: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Heir.self]) }
    private var id = 1
    var tags = ["base"]
  }
  final class Heir: Base {
    private var id = "heir"
    var box: Box<Int>? = Box(3)
  }
  final class Ticket: MirrorCodable {
    let code: String
    let holder: Base
    unowned let owner: Family
    init(code: String, holder: Base, owner: Family) {
      self.code = code
      self.holder = holder
      self.owner = owner
    }
  }
  final class Family: MirrorCoding {
    var members: [Base] = [Base(), Heir(), Heir(), Base()]
    var tickets: [Ticket] = []
  }

  static func family() -> Family {
    let family = Family()
    family.tickets = family.members.enumerated().map { Ticket(code: "ticket number \($0.offset)", holder: $0.element, owner: family) }
    return family
  }
}
