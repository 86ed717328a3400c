import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// Errors say where they are, from the root on, whatever lies between.
@Suite("Paths in errors")
struct PathTests {
  final class Stranger {}
  class Leaf: MirrorCoding {
    var name = ""
    var stranger: AnyObject?
  }
  final class Undeclared: Leaf {}
  struct Pair {
    var left: Leaf?
    var right: [Leaf] = []
  }
  enum Choice {
    case none
    case one(Leaf)
    case two(first: Leaf, second: [Leaf])
  }
  final class Hub: MirrorCoding {
    var list: [Leaf] = []
    var table: [String: Leaf] = [:]
    var pair = Pair()
    var choice = Choice.none
    var any: Any = 0
    var next: Hub?
    var grid: [[Leaf?]] = []

    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Leaf.self]) }
  }

  /// Each way to a bad leaf, and the path that has to name it.
  static let ways: [(path: String, link: @Sendable (Hub, Leaf) -> Void)] = [
    ("root.list[1]", { $0.list = [Leaf(), $1] }),
    ("root.table[key]", { $0.table = ["key": $1] }),
    ("root.pair.left", { $0.pair.left = $1 }),
    ("root.pair.right[2]", { $0.pair.right = [Leaf(), Leaf(), $1] }),
    ("root.choice.one", { $0.choice = .one($1) }),
    ("root.choice.two.second[0]", { $0.choice = .two(first: Leaf(), second: [$1]) }),
    ("root.any", { $0.any = $1 }),
    ("root.any[1]", { $0.any = [Leaf(), $1] }),
    ("root.grid[1][2]", { $0.grid = [[nil], [Leaf(), nil, $1]] }),
    (
      "root.next.next.list[0]",
      { hub, leaf in
        hub.next = Hub()
        hub.next?.next = Hub()
        hub.next?.next?.list = [leaf]
      }
    ),
  ]

  @Test("A class that is not archivable is named by its place", arguments: ways.indices) func notArchivable(way: Int) {
    let hub = Hub()
    let leaf = Leaf()
    leaf.stranger = Stranger()
    Self.ways[way].link(hub, leaf)
    expectRefusal(.notArchivable, at: Self.ways[way].path + ".stranger") { try KeyedArchiver.archivedData(withRootObject: hub) }
  }

  @Test("A subclass that nobody declared is named by its place", arguments: ways.indices) func undeclared(way: Int) {
    let hub = Hub()
    Self.ways[way].link(hub, Undeclared())
    expectRefusal(.typeNotAllowed, at: Self.ways[way].path) { try KeyedArchiver.archivedData(withRootObject: hub) }
  }

  @Test("A bad value is named by its place when it is read", arguments: ways.indices) func badValue(way: Int) throws {
    let hub = Hub()
    let leaf = Leaf()
    leaf.name = "a name that is found once in the archive"
    Self.ways[way].link(hub, leaf)
    var data = try KeyedArchiver.archivedData(withRootObject: hub)
    let at = try #require(data.range(of: Data("found once".utf8)))
    data[at.lowerBound] = 0xFF
    let damaged = data
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchivedObject(of: Hub.self, from: damaged, verifyingChecksum: false)
    }
    #expect(error?.code == .invalidValue)
    // A dictionary's keys are not looked up for an error; its entries are numbered.
    let path = Self.ways[way].path.replacingOccurrences(of: "[key]", with: "[0]")
    #expect(error?.path == path + ".name")
  }
}
