import MirrorArchive

/// Enums of every kind, in columns that store their cases in every way.
enum GoldenChoices {
  enum Direction: String, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Direction") }
    case up, down, left, right
  }
  enum Signed: Int, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Signed") }
    case lowest = -9_223_372_036_854_775_808
    case minus = -1
    case zero = 0
    case highest = 9_223_372_036_854_775_807
  }
  enum Small: Int8, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Small") }
    case zero, one
    case five = 5
  }
  enum Ratio: Float, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Ratio") }
    case tenth = 0.1
    case minus = -1e20
  }
  enum Texts: String, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.OtherTexts") }
    case empty = ""
    case apple = "苹果 🍎"
    case plain
  }
  // Raw values that archives do not know.
  enum Octet: UInt8, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Octet") }
    case zero, one
  }
  enum Sign: Character, MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Sign") }
    case plus = "+"
    case minus = "-"
  }
  /// Under other keys than its names.
  enum Renamed: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(name: "golden.Renamed", cases: [CaseRule("new", key: "old name"), CaseRule("b", key: "second (b)")])
    }
    case new(Int)
    case b
  }
  enum Payloads: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Payloads") }
    case none
    case one(Int)
    case label(value: String)
    case two(Int, String)
    case mixed(Int, b: Double?, c: [Direction])
    case inner(Inner)
    case optional(Inner?)
    case nothing(Void)
    case last

    // A payload of (): equal by itself.
    static func == (a: Payloads, b: Payloads) -> Bool { "\(a)" == "\(b)" }
  }
  enum Inner: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Inner") }
    case x(Bool)
    case y
  }
  indirect enum Expression: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Expression") }
    case number(Double)
    case list([Expression])
    case sum(Expression, Expression)
    case named([String: Expression])
    case maybe(Expression?)
  }
  enum Chain: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Chain") }
    case end
    indirect case link(Int, Chain)
  }

  static func roots() -> [GoldenRoot] {
    let directions: [Direction] = [.up, .down, .left, .right]
    return [
      GoldenRoot("one", Direction.left),
      GoldenRoot("same", [Direction](repeating: .right, count: 9)),
      GoldenRoot("in turn", (0..<9).map { directions[$0 % 4] }),
      GoldenRoot("runs", (0..<60).map { directions[$0 / 20] }),
      GoldenRoot("falling", (0..<20).map { GoldenMembers.Letter.allCases[15 - $0 * 3 / 4] }),
      GoldenRoot("steps", GoldenMembers.Letter.allCases),
      GoldenRoot("signed", [Signed.lowest, .minus, .zero, .highest]),
      GoldenRoot("small", [Small.five, .zero, .one]),
      GoldenRoot("ratios", [Ratio.minus, .tenth]),
      GoldenRoot("texts", [Texts.apple, .empty, .plain]),
      GoldenRoot("octets", [Octet.one, .zero]),
      GoldenRoot("signs", [Sign.minus, .plus]),
      GoldenRoot("renamed", [Renamed.new(5), .b]),
      GoldenRoot("payloads", payloads),
      GoldenRoot("more payloads", payloads + payloads.reversed()),
      GoldenRoot("of one case", (0..<9).map { Payloads.two($0, "text \($0)") }),
      GoldenRoot("expression", expression),
      GoldenRoot("expressions", (0..<9).map { Expression.sum(.number(Double($0)), $0 % 2 == 0 ? expression : .list([])) }),
      GoldenRoot("chain", (0..<20).reduce(Chain.end) { .link($1, $0) }),
      GoldenRoot("keys", [Direction.up: Signed.minus, .down: .zero]),
      GoldenRoot("set", Set([Direction.left, .right])),
      GoldenRoot("optional", [Inner?.none, .y, .x(true)]),
      GoldenRoot("deep", [Inner??.none, .some(nil), .some(.y)]),
    ]
  }

  private static let payloads: [Payloads] = [
    .none, .one(5), .label(value: "v"), .two(1, "two"), .mixed(1, b: nil, c: [.up, .left]), .inner(.x(false)), .optional(nil),
    .optional(.y), .nothing(()), .last,
  ]
  private static let expression = Expression.list([
    .number(0.5), .sum(.maybe(nil), .maybe(.number(1))), .named(["a": .list([.list([])]), "b": .number(-1)]),
  ])
}
