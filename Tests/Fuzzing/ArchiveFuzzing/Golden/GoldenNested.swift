import Foundation
import MirrorArchive

/// Collections, Optionals, tuples and inline arrays in one another, and more elements than a chunk has.
enum GoldenNested {
  struct Pair<First: Sendable & Equatable, Second: Sendable & Equatable>: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Pair of \(First.self) and \(Second.self)") }
    var first: First
    var second: Second
  }
  typealias Point = (x: Int, y: Int)
  typealias Area = (from: Point, to: (Int, Int), String)

  static func roots() -> [GoldenRoot] { collections() + counts() + chunks() + tuples() }

  private static func collections() -> [GoldenRoot] {
    [
      GoldenRoot("arrays", [[[1, 2], []], [], [[3]]]),
      GoldenRoot("dictionaries", ["a": ["b": [1: [true]], "c": [:]], "d": [:]]),
      GoldenRoot("array keys", [[1, 2]: ["x"], []: []]),
      GoldenRoot("sets", Set([Set([1, 2]), Set(), Set([3])])),
      GoldenRoot("set of optionals", Set([1, nil, 3] as [Int?])),
      GoldenRoot("optional arrays", [[1, nil], nil, [], [nil]] as [[Int?]?]),
      GoldenRoot("array of sets", (0..<9).map { Set(0..<$0) }),
      GoldenRoot("array of dictionaries", (0..<9).map { $0 % 2 == 0 ? ["k": $0] : ["a": 1, "b": $0] }),
      GoldenRoot("contiguous", ContiguousArray([[1.5], []][...].map { ArraySlice($0) })),
      GoldenRoot("generic", Pair(first: [Pair(first: 1, second: "a")], second: Data([1]) as Data?)),
      GoldenRoot("present all", (0..<9).map { Int?.some($0) }),
      GoldenRoot("present none", [Int?](repeating: nil, count: 9)),
      GoldenRoot("present some", (0..<9).map { $0 % 4 == 1 ? nil : "\($0 * $0)" }),
    ]
  }

  /// How many elements each row has, stored in every way.
  private static func counts() -> [GoldenRoot] {
    func root(_ key: String, _ counts: [Int]) -> GoldenRoot {
      GoldenRoot("counts \(key)", counts.map { [Bool](repeating: true, count: $0) })
    }
    func table(_ key: String, _ counts: [Int]) -> GoldenRoot {
      GoldenRoot("entries \(key)", counts.map { count in Dictionary(uniqueKeysWithValues: (0..<count).map { (UInt8($0), true) }) })
    }
    let irregular = [3, 0, 5, 1, 6, 2, 7, 3, 1, 5]
    let runs = (0..<24).map { $0 / 8 * 7 }
    let rising = [0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8, 9, 9, 10, 11, 11, 12, 13]
    return [
      root("constant", [Int](repeating: 2, count: 9)), root("steps", Array(0..<9)), root("packed", irregular), root("runs", runs),
      root("rising", rising), root("bytes", [130, 2, 77, 9, 41, 101, 1, 63, 128]), table("constant", [Int](repeating: 1, count: 9)),
      table("steps", Array(0..<9)), table("packed", irregular), table("runs", runs), table("rising", rising),
    ]
  }

  /// More elements than one chunk has, all but the last of them in full ones.
  private static func chunks() -> [GoldenRoot] {
    let many = 1_030
    return [
      GoldenRoot("long array", (0..<(many * 2)).map { Int16($0 / 1_024) }),
      GoldenRoot("long set", Set(0..<many)),
      GoldenRoot("long dictionary", Dictionary(uniqueKeysWithValues: (0..<many).map { ($0, $0 / 1_024) })),
      GoldenRoot("across rows", [[UInt8](repeating: 1, count: 1_000), [UInt8](repeating: 2, count: 1_100)]),
      GoldenRoot("long inline", InlineArray<1_030, Bool>(repeating: true)) { values in values.indices.allSatisfy { values[$0] } },
      GoldenRoot("long strings", (0..<many).map { "n\($0)" }),
      GoldenRoot("inline in inline", inline) { values in values.indices.map { row in values[row].indices.map { values[row][$0] } } },
    ]
  }

  private static let inline: InlineArray<3, InlineArray<3, Int>> = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]

  private static func tuples() -> [GoldenRoot] {
    [
      GoldenRoot("unlabelled", (1, "b", 2.5)) { "\($0)" },
      GoldenRoot("labelled", (x: 1, y: "b")) { "\($0)" },
      GoldenRoot("some labels", (1, b: "b", nil as Int?, d: [true])) { "\($0)" },
      GoldenRoot("nested", ((x: 1, y: 2), (3, 4), "c") as Area) { "\($0)" },
      GoldenRoot("rows", (0..<9).map { (x: $0, y: -$0) as Point }) { "\($0)" },
      GoldenRoot("optional", [(x: 1, y: 2), nil] as [Point?]) { "\($0)" },
      GoldenRoot("by key", ["a": (1, "x"), "b": (2, "y")]) { $0.map { "\($0)" }.sorted() },
    ]
  }
}
