import Foundation
import MirrorArchive

/// Types without content, and collections and objects with nothing in them.
enum GoldenNothing {
  struct Empty: MirrorCodable, Hashable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Empty") }
  }
  enum Signal: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Signal") }
    case empty(Empty)
    case plain
  }
  enum Only: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Only") }
    case one
  }

  /// Without properties, by reflection.
  final class Bare: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Bare") }
  }
  /// Inherits everything.
  class Named: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.NamedThing", subclasses: [Heir.self]) }
    var name = ""
  }
  final class Heir: Named {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Heir") }
  }
  /// Coded by hand, without a key.
  final class Silent: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Silent") }
    init() {}
    init(coder: KeyedUnarchiver) throws {}
    func encode(with coder: KeyedArchiver) throws {}
  }

  static func roots() -> [GoldenRoot] {
    [
      GoldenRoot("Void", ()) { 0 },
      GoldenRoot("Voids", [(), ()]) { $0.count },
      GoldenRoot("more Voids", [Void](repeating: (), count: 9)) { $0.count },
      GoldenRoot("Voids in chunks", [Void](repeating: (), count: 1_030)) { $0.count },
      GoldenRoot("Optional Voids", [(), nil, ()] as [Void?]) { $0.map { $0 == nil } },
      GoldenRoot("Voids by key", ["a": (), "b": ()]) { Set($0.keys) },
      GoldenRoot("structure", Empty()),
      GoldenRoot("structures", [Empty](repeating: Empty(), count: 9)),
      GoldenRoot("structures in chunks", [Empty?](repeating: Empty(), count: 1_030)),
      GoldenRoot("set", Set([Empty()])),
      GoldenRoot("keys", [Empty(): Empty()]),
      GoldenRoot("inline", []) { (_: InlineArray<0, Int>) in 0 },
      GoldenRoot("inlines", Array(repeating: [], count: 9)) { (values: [InlineArray<0, String>]) in values.count },
      GoldenRoot("inline Voids", [(), (), ()]) { (_: InlineArray<3, Void>) in 3 },
      GoldenRoot("tuple", ((), 1, Empty())) { $0.1 },
      GoldenRoot("signals", (0..<9).map { $0 % 3 == 0 ? Signal.plain : .empty(Empty()) }),
      GoldenRoot("cases", [Only](repeating: .one, count: 9)),
      GoldenRoot("array", [Int]()),
      GoldenRoot("arrays", [[Empty]](repeating: [], count: 9)),
      GoldenRoot("some arrays", (0..<9).map { [Int](repeating: 5, count: $0 / 8) }),
      GoldenRoot("dictionaries", [[Int: [Bool]]](repeating: [:], count: 2)),
      GoldenRoot("Data", Data()),
      GoldenRoot("Datas", [Data](repeating: Data(), count: 9)),
      GoldenRoot("nothing", Empty?.none),
      GoldenRoot("text", ""),
      GoldenRoot("bare", making: { [Bare()] }, isRight: { $0.count == 1 }),
      GoldenRoot("bare ones", making: { (0..<9).map { _ in Bare() } }, isRight: { (bare: [Bare]) in areDifferent(bare, 9) }),
      GoldenRoot("heirs", making: heirs, isRight: { $0.map(\.name) == ["heir"] }),
      GoldenRoot("silent", making: { (0..<8).map { _ in Silent() } }, isRight: { (silent: [Silent]) in areDifferent(silent, 8) }),
      GoldenRoot(
        "container", encode: { try $0.encodeContainer(forKey: "container") { _ in } },
        isRight: { try $0.decodeContainer(forKey: "container") { $0.allKeys.isEmpty && $0.unkeyedCount == 0 } }),
    ]
  }

  private static func heirs() -> [Heir] {
    let heir = Heir()
    heir.name = "heir"
    return [heir]
  }

  private static func areDifferent(_ objects: [AnyObject], _ count: Int) -> Bool {
    objects.count == count && Set(objects.map { ObjectIdentifier($0) }).count == count
  }
}
