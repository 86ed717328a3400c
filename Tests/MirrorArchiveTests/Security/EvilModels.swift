import MirrorArchive

/// A class that nobody asks for. Its counters say whether anything of it ran.
class Evil: MirrorCoding {
  static let made = Tally()
  static let decoded = Tally()
  var payload = "evil"
  required init() {
    super.init()
    Self.made.add(1)
  }
  override func didDecode(_ context: DecodingContext) throws { Self.decoded.add(1) }
}

/// What is asked for.
final class Allowed: MirrorCoding { var name = "" }

/// Places where an object can hide.
class Host: MirrorCoding { var name = "" }

/// Evil dressed as a subclass of a declared property's class.
final class EvilHost: Host {
  static let made = Tally()
  required init() {
    super.init()
    Self.made.add(1)
  }
}

final class Hideouts: MirrorCoding {
  var host: Host?
  var hosts: [Host] = []
  var hostByName: [String: Host] = [:]
  var any: Any = 0
  var anyList: [Any] = []
  var anyTable: [String: Any] = [:]
  var object: AnyObject?
  var choice: Either<Host, Int> = .neither
  var pair = Pair<Host?, Int>(first: nil, second: 0)
  var optional: Host??
  var tuple: (Int, Host?) = (0, nil)
  weak var weakHost: Host?
  var inline: InlineArray<2, Host?> = [nil, nil]
}

/// How an evil object gets into `Hideouts`.
enum Hideout: String, CaseIterable, Sendable {
  case host, hosts, hostByName, any, anyList, anyTable, anyNested, object, choice, pair, optional, tuple, weak, inline

  /// A graph with the evil object at this place, made anew.
  func graph() -> Hideouts { graph { EvilHost() } }

  /// A graph with an object at this place.
  func graph(_ make: () -> Host) -> Hideouts {
    let hideouts = Hideouts()
    switch self {
    case .host: hideouts.host = make()
    case .hosts: hideouts.hosts = [Host(), make(), Host()]
    case .hostByName: hideouts.hostByName = ["a": Host(), "b": make()]
    case .any: hideouts.any = make()
    case .anyList: hideouts.anyList = [1, "two", make()]
    case .anyTable: hideouts.anyTable = ["a": 1, "b": make()]
    case .anyNested: hideouts.anyTable = ["a": [["b": make()] as [String: Any]] as [Any]]
    case .object: hideouts.object = make()
    case .choice: hideouts.choice = .left(make())
    case .pair: hideouts.pair = Pair(first: make(), second: 1)
    case .optional: hideouts.optional = .some(.some(make()))
    case .tuple: hideouts.tuple = (1, make())
    case .weak:
      let host = make()
      hideouts.weakHost = host
      hideouts.anyList = [host]
    case .inline: hideouts.inline = [Host(), make()]
    }
    return hideouts
  }
}
