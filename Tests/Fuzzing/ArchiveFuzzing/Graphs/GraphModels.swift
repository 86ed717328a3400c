import Foundation
import MirrorArchive

/// The objects of generated graphs.
class GraphNode: MirrorCoding {
  override class var archiveRules: ArchiveRules {
    ArchiveRules(name: "graph.Node", subclasses: [GraphNode.self, GraphBranch.self, GraphKind.self])
  }
  private var id = 0
  var name = ""
  var next: GraphNode?
  weak var boss: GraphNode?
  var others: [GraphNode] = []
  var table: [String: GraphNode] = [:]
  var kind = GraphKind.none
  var anything: Any = 0
  var values = GraphValues()
  final var number: Int {
    get { id }
    set { id = newValue }
  }

  func untie() { (next, others, table, kind, anything) = (nil, [], [:], .none, 0) }
}

final class GraphBranch: GraphNode {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "graph.Branch") }
  private var id = ""
  var hand: GraphHand?
  var optional: Int??
  var maybe: [GraphNode?] = []
  lazy var late = [1, 2]
  var text: String {
    get { id }
    set { id = newValue }
  }

  override func untie() {
    super.untie()
    (hand, maybe) = (nil, [])
  }
}

/// Coded by hand, in the middle of the others.
final class GraphHand: KeyedCoding {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "graph.Hand") }
  var words: [String]
  var node: GraphNode?

  init(_ words: [String], _ node: GraphNode?) { (self.words, self.node) = (words, node) }
  init(coder: KeyedUnarchiver) throws {
    words = try coder.decode([String].self, forKey: "words")
    try coder.decodeObjectIfPresent(of: GraphNode.self, forKey: "node", whenReady: { [unowned self] in node = $0 })
  }
  func encode(with coder: KeyedArchiver) throws {
    try coder.encode(node, forKey: "node")
    try coder.encode(words, forKey: "words")
  }
}

indirect enum GraphKind: MirrorCodable, Equatable {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "graph.Kind") }
  case none, other
  case number(Int)
  case named(String, weight: Float)
  case twice(GraphKind, GraphKind)
}

struct GraphValues: MirrorCodable {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "graph.Values") }
  var integers: [Int] = []
  var narrow: [Int16] = []
  var doubles: [Double] = []
  var floats: [Float?] = []
  var texts: [String] = []
  var flags: [Bool] = []
  var counts: [Int: String] = [:]
  var letters: Set<String> = []
  var pair: (x: Double, label: String?) = (0, nil)
  var data = Data()
}

extension GraphValues: Equatable {
  static func == (a: GraphValues, b: GraphValues) -> Bool {
    a.integers == b.integers && a.narrow == b.narrow && a.doubles.map(\.bitPattern) == b.doubles.map(\.bitPattern)
      && a.floats.map { $0?.bitPattern } == b.floats.map { $0?.bitPattern }
      && a.texts.map { Array($0.utf8) } == b.texts.map { Array($0.utf8) }
      && a.flags == b.flags && a.counts == b.counts && a.letters == b.letters && a.pair.x.bitPattern == b.pair.x.bitPattern
      && a.pair.label == b.pair.label && a.data == b.data
  }
}
