import MirrorArchive

/// A struct without `init()`.
struct RandomInner<N: Guise, S: Side>: MirrorCodable, Sendable {
  static var archiveRules: ArchiveRules {
    Change.current.rules(
      .inner, isReader: S.isReader,
      defaults: [
        "x": .value(N(guise: Lens.ruled("x"))), "y": .value(N(guise: Lens.ruled("y"))), "z": .value("\(Lens.ruled("z"))"),
      ], needsDefaults: true)
  }
  var x: N
  var y: N?
  var z: String

  init(_ number: Int, _ lens: Lens = .identity) {
    x = N(guise: lens(.inner, "x", number).number)
    y = N(guise: lens(.inner, "y", number).number)
    z = "\(lens(.inner, "z", number).number)"
  }
  static func several(_ number: Int, _ lens: Lens = .identity) -> [RandomInner] {
    (0...number % 3).map { RandomInner(number + $0, lens) }
  }
  var text: String { "\(x.text)/\(y?.text ?? "nil")/\(z)" }
}

/// A class without `init()`.
final class RandomLeaf<N: Guise, S: Side>: MirrorCodable {
  static var archiveRules: ArchiveRules {
    Change.current.rules(
      .leaf, isReader: S.isReader,
      defaults: ["p": .value(N(guise: Lens.ruled("p"))), "q": .value([N(guise: Lens.ruled("q"))])], needsDefaults: true)
  }
  let p: N
  let q: [N]

  init(_ number: Int, _ lens: Lens = .identity) {
    p = N(guise: lens(.leaf, "p", number).number)
    q = [N(guise: lens(.leaf, "q", number).number)]
  }
  var text: String { "\(p.text)/\(q.map { $0.text })" }
}

/// An enum whose unknown cases are one of its own.
enum RandomChoice<N: Guise, S: Side>: MirrorCodable, Sendable {
  static var archiveRules: ArchiveRules { Change.current.caseRules(isReader: S.isReader, unknown: .value(RandomChoice.unknown)) }
  case unknown
  case one
  case two(N)
  case three(inner: RandomInner<N, S>, N?)

  init(_ number: Int, _ lens: Lens = .identity) {
    let name = Change.names[.choice, default: []][number % 3]
    if let change = lens.change, change.cases[name]?.isKnown == false {
      self = .unknown
      return
    }
    switch number % 3 {
    case 0: self = .one
    case 1: self = .two(N(guise: number))
    default: self = .three(inner: RandomInner(number, lens), N(guise: number))
    }
  }
  var text: String {
    switch self {
    case .unknown: "unknown"
    case .one: "one"
    case .two(let number): "two \(number.text)"
    case .three(let inner, let number): "three \(inner.text) \(number?.text ?? "nil")"
    }
  }
}
