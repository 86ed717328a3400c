import Foundation
import MirrorArchive
import Testing

/// What is left of a graph that was refused half-way or at the very end.
@Suite("Refused graphs", .serialized)
struct FailureTests {
  /// Made without an initializer.
  final class Badge: MirrorCodable {
    let name: String
    init(_ name: String) { self.name = name }
  }

  /// Looks at its badges when it goes, which may be on the way out of a failure.
  final class Wearer: MirrorCoding {
    static let letters = Tally()
    var badge = Badge("the badge that init() gives")
    var others: [Badge] = []
    var number = 1
    deinit { Self.letters.add(badge.name.utf8.count + others.reduce(0) { $0 + $1.name.utf8.count }) }
  }

  @Test("A deinit that runs when decoding fails sees complete objects") func deinitDuringFailure() async {
    await #expect(processExitsWith: .success) {
      reported {
        let wearers = (0..<3).map { number in
          let wearer = Wearer()
          wearer.badge = Badge("a badge with a long name \(number)")
          wearer.others = [wearer.badge, Badge("another badge with a long name")]
          return wearer
        }
        let archive = try KeyedArchiver.archivedData(withRootObject: wearers)
        var failures = 0
        for position in archive.indices.dropFirst(5).dropLast(8) {
          for byte in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
            var damaged = archive
            damaged[position] = byte
            do {
              _ = try KeyedUnarchiver.unarchivedObject(of: [Wearer].self, from: damaged, verifyingChecksum: false)
            } catch { failures += 1 }
          }
        }
        #expect(failures > 500)
        #expect(Wearer.letters.value > failures)
      }
    }
  }

  final class Link: MirrorCoding {
    static let live = Tally()
    var next: Link?
    var isLast = false
    required init() {
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
    override func didDecode(_ context: DecodingContext) throws {
      if isLast { throw CocoaError(.coderInvalidValue) }
    }
  }

  @Test("A cycle that didDecode refuses is let go completely", arguments: [1, 2, 2_000]) func refusedCycle(count: Int) throws {
    let links = (0..<count).map { _ in Link() }
    for (index, link) in links.enumerated() { link.next = links[(index + 1) % count] }
    links[count - 1].isLast = true
    let archive = try KeyedArchiver.archivedData(withRootObject: links[0])
    for link in links { link.next = nil }
    let before = Link.live.value
    #expect(throws: CocoaError.self) { try KeyedUnarchiver.unarchivedObject(of: Link.self, from: archive) }
    #expect(Link.live.value == before)
  }

  /// A circle through any kind of property.
  final class Knot: MirrorCoding, Hashable {
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Knot.self]) }
    static let live = Tally()
    enum Tie {
      case number(Int)
      case list([Knot])
      case one(Knot)
    }
    indirect enum Tree {
      case pair(Tree, Tree)
      case leaf(Knot?)
      case owner(Knot)
    }
    enum Bare {
      case text(String)
      case one(Knot)
    }
    var tie = Tie.number(1)
    var tree = Tree.leaf(nil)
    var bare = Bare.text("")
    var result: Result<[Knot], Refusal> = .success([])
    var inline: InlineArray<2, Knot?> = [nil, nil]
    var any: Any = 0
    var hashable: AnyHashable = 0
    var tuple: (Int, Tree) = (1, .leaf(nil))
    var trees: [Tree] = []

    enum Refusal: Error { case no }
    required init() {
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
    static func == (a: Knot, b: Knot) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(0) }
    override func didDecode(_ context: DecodingContext) throws { throw CocoaError(.coderInvalidValue) }

    static let places: [@Sendable (Knot, Knot) -> Void] = [
      { $0.tie = .one($1) }, { $0.tie = .list([$1]) }, { $0.tree = .owner($1) }, { $0.tree = .pair(.leaf(nil), .leaf($1)) },
      { $0.bare = .one($1) }, { $0.result = .success([$1]) }, { $0.inline[1] = $1 }, { $0.any = $1 }, { $0.any = [$1] },
      { $0.hashable = $1 }, { $0.tuple.1 = .owner($1) }, { $0.trees = [.owner($1)] },
    ]
    func untie() {
      (tie, tree, bare, result) = (.number(1), .leaf(nil), .text(""), .success([]))
      (inline, any, hashable, tuple, trees) = ([nil, nil], 0, 0, (1, .leaf(nil)), [])
    }
  }

  @Test("A circle through any kind of property is let go when it is refused", arguments: Knot.places.indices, [false, true])
  func refusedKnot(place: Int, isKeyed: Bool) throws {
    let (one, other) = (Knot(), Knot())
    Knot.places[place](one, other)
    Knot.places[place](other, one)
    let archive = try KeyedArchiver.archivedData(withRootObject: one)
    one.untie()
    other.untie()
    let before = Knot.live.value
    #expect(throws: CocoaError.self) {
      if isKeyed {
        _ = try KeyedUnarchiver(forReadingFrom: archive).decodeObject(of: Knot.self, forKey: "root")
      } else {
        _ = try KeyedUnarchiver.unarchivedObject(of: Knot.self, from: archive)
      }
    }
    #expect(Knot.live.value == before)
  }
}
