import Foundation
import MirrorArchive
import Testing

/// What was made of an archive that turns out to be damaged, at whatever byte, is let go of: nothing stays alive and nothing is released twice.
///
/// The archives are sealed again after the damage, so that the checksum does not keep it from the readers. Each test runs in a process of its
/// own; under AddressSanitizer that process also fails for buffers that nobody has freed.
@Suite("Half-decoded graphs", .timeLimit(.minutes(5)))
struct ReleaseTests {
  /// Counts itself in whatever holds it.
  final class Leaf: MirrorCoding, Hashable {
    static let live = Tally()
    var name = "a name that is longer than fifteen bytes"
    weak var trunk: Trunk?
    required init() {
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
    static func == (left: Leaf, right: Leaf) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// Made without an initializer, so that nothing in it is valid before the archive has filled it.
  final class Bare: MirrorCodable {
    let text: String
    let leaf: Leaf
    let leaves: [Leaf?]
    let choice: Choice
    unowned let owner: Leaf
    init(_ leaf: Leaf) {
      text = "a text that is longer than fifteen bytes"
      self.leaf = leaf
      leaves = [leaf, nil, Leaf()]
      choice = .leaf(leaf)
      owner = leaf
    }
    deinit {
      // A half-made object must not get here.
      Self.lengths.add(text.utf8.count + leaf.name.utf8.count + leaves.count)
    }
    static let lengths = Tally()
  }

  final class Hand: KeyedCoding {
    static let live = Tally()
    let leaf: Leaf
    let texts: [String]
    private(set) weak var trunk: Trunk?
    init(_ leaf: Leaf) {
      (self.leaf, texts) = (leaf, ["a text of a hand-coded object", "another text of a hand-coded object"])
      Self.live.add(1)
    }
    init(coder: KeyedUnarchiver) throws {
      leaf = try coder.decodeObject(of: Leaf.self, forKey: "leaf")
      texts = try coder.decode([String].self, forKey: "texts")
      Self.live.add(1)
      try coder.decodeObjectIfPresent(of: Trunk.self, forKey: "trunk") { [weak self] in self?.trunk = $0 }
    }
    deinit { Self.live.add(-1) }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(leaf, forKey: "leaf")
      try coder.encode(texts, forKey: "texts")
      try coder.encodeConditionalObject(trunk, forKey: "trunk")
    }
  }

  enum Choice {
    case none
    case leaf(Leaf)
    case pair(Leaf, text: String)
    indirect case deep(Choice)
  }
  struct Wrapper {
    var leaf: Leaf?
    var text = "a text in a struct, longer than fifteen bytes"
  }

  final class Trunk: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Leaf.self]) }
    static let live = Tally()
    var one: Leaf?
    var list: [Leaf] = []
    var table: [String: Leaf] = [:]
    var keys: [Leaf: String] = [:]
    var set: Set<Leaf> = []
    var choices: [Choice] = []
    var wrappers: [Wrapper?] = []
    var any: [Any] = []
    var tuple: (Leaf?, String) = (nil, "")
    var texts: Set<String> = []
    var data = Data()
    weak var weakLeaf: Leaf?
    unowned var owner: Leaf?
    var bare: [Bare] = []
    required init() {
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
  }
  /// The same with hand-coded objects, which are read in another way.
  final class Grafted: MirrorCoding {
    static let live = Tally()
    var trunk: Trunk?
    var hands: [Hand] = []
    var byName: [String: Hand] = [:]
    required init() {
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
  }

  private static func trunk() -> Trunk {
    let trunk = Trunk()
    let leaf = Leaf()
    leaf.trunk = trunk
    trunk.one = leaf
    trunk.list = [leaf, Leaf()]
    trunk.table = ["a": leaf, "a key that is longer than fifteen bytes": Leaf()]
    trunk.keys = [leaf: "a value that is longer than fifteen bytes"]
    trunk.set = [leaf, Leaf()]
    trunk.choices = [.leaf(leaf), .none, .pair(Leaf(), text: "a payload text, longer than fifteen bytes"), .deep(.leaf(Leaf()))]
    trunk.wrappers = [Wrapper(leaf: Leaf()), nil]
    trunk.any = [leaf, 1, "a text in Any, longer than fifteen bytes", ["k": [Leaf()] as [Any]] as [String: Any]]
    trunk.tuple = (Leaf(), "a text in a tuple, longer than fifteen bytes")
    trunk.texts = ["an element that is longer than fifteen bytes", "b"]
    trunk.data = Data(repeating: 3, count: 40)
    trunk.weakLeaf = leaf
    trunk.owner = leaf
    trunk.bare = [Bare(leaf), Bare(trunk.list[1])]
    return trunk
  }

  private static func grafted() -> Grafted {
    let grafted = Grafted()
    let trunk = trunk()
    grafted.trunk = trunk
    grafted.hands = [Hand(trunk.list[1]), Hand(Leaf())]
    grafted.byName = ["a": grafted.hands[0]]
    return grafted
  }

  private static var live: [Int] { [Leaf.live.value, Trunk.live.value, Hand.live.value, Grafted.live.value] }

  /// A graph and how it is read.
  enum Graph: String, CaseIterable, Sendable {
    /// One of each, and enough of each for long columns.
    case one, many, grafted

    func archive() throws -> Data {
      switch self {
      case .one: try KeyedArchiver.archivedData(withRootObject: ReleaseTests.trunk())
      case .many: try KeyedArchiver.archivedData(withRootObject: (0..<9).map { _ in ReleaseTests.trunk() })
      case .grafted: try KeyedArchiver.archivedData(withRootObject: ReleaseTests.grafted())
      }
    }

    func read(_ data: Data) throws {
      // A damaged archive may say that an object stands in its own Any, and such a graph is never let go of.
      switch self {
      case .one: ReleaseTests.untie([try KeyedUnarchiver.unarchivedObject(of: Trunk.self, from: data)])
      case .many: ReleaseTests.untie(try KeyedUnarchiver.unarchivedObject(of: [Trunk].self, from: data))
      case .grafted:
        let grafted = try KeyedUnarchiver.unarchivedObject(of: Grafted.self, from: data)
        ReleaseTests.untie(grafted.trunk.map { [$0] } ?? [])
      }
    }
  }

  /// Takes apart what stands in `Any`, as deep as it goes.
  private static func untie(_ values: [Any]) {
    var pending = values
    while let value = pending.popLast() {
      switch value {
      case let trunk as Trunk:
        pending += trunk.any
        trunk.any = []
      case let grafted as Grafted:
        if let trunk = grafted.trunk { pending.append(trunk) }
        grafted.trunk = nil
      case let list as [Any]: pending += list
      case let table as [String: Any]: pending += table.values
      default: break
      }
    }
  }

  /// What is done to one byte of an archive's body.
  enum Damage: String, CaseIterable, Sendable {
    case cut, remove, insert, zero, one, increment, flip, high

    func apply(to body: inout [UInt8], at position: Int) {
      switch self {
      case .cut: body.removeSubrange(position...)
      case .remove: body.remove(at: position)
      case .insert: body.insert(2, at: position)
      case .zero: body[position] = 0
      case .one: body[position] = 1
      case .increment: body[position] &+= 1
      case .flip: body[position] ^= 0xFF
      case .high: body[position] |= 0x80
      }
    }
  }

  @Test("Whatever is done to any byte, nothing stays alive", arguments: Graph.allCases) func damaged(graph: Graph) async {
    await #expect(processExitsWith: .success) { [name = graph.rawValue as String] in
      reported {
        let graph = try #require(Graph(rawValue: name))
        let forgery = try #require(try Forgery(graph.archive()))
        try graph.read(forgery.sealed())
        #expect(ReleaseTests.live == [0, 0, 0, 0])
        // Of long archives each byte gets some of the damages, of short ones all.
        let step = graph == .many ? 5 : Resources.damageStride
        var failures = 0
        for position in forgery.body.indices {
          for (index, damage) in Damage.allCases.enumerated() where (position + index).isMultiple(of: step) {
            var damaged = forgery
            damage.apply(to: &damaged.body, at: position)
            do {
              try graph.read(damaged.sealed())
            } catch is ArchiveError {
              failures += 1
            }
            if ReleaseTests.live != [0, 0, 0, 0] {
              Issue.record("alive after \(damage) of byte \(position) of \(forgery.body.count): \(ReleaseTests.live)")
              return
            }
          }
        }
        #expect(failures > forgery.body.count / Resources.damageStride)
        try graph.read(forgery.sealed())
        #expect(ReleaseTests.live == [0, 0, 0, 0])
      }
    }
  }
}
