import MirrorArchive
import Synchronization

/// Types of the random models, which have properties and rules of their own.
enum Part: String, CaseIterable, Sendable {
  case base, derived, inner, leaf, choice
  var archiveName: String { "random.\(rawValue)" }
}

/// Which program a model belongs to: the one that wrote or the one that reads.
protocol Side: Sendable { static var isReader: Bool { get } }
enum Writer: Side { static let isReader = false }
enum Reader: Side { static let isReader = true }

/// What has become of one property between the writing and the reading program.
struct PropertyChange: Sendable {
  var writerKey: String
  var isWritten: Bool
  var readerKey: String
  var formerKeys: [String] = []
  var isRead: Bool
  var hasDefault: Bool
  /// Whether the reader's rules say that the property may have stood in another class.
  var followsClasses: Bool
}

/// Everything that has changed between two random programs.
struct Change: Sendable {
  let seed: UInt64
  private var properties: [Part: [String: PropertyChange]] = [:]
  /// Case -> its name in the writer's archives, and whether the reader knows that name.
  private(set) var cases: [String: (key: String, isKnown: Bool)] = [:]
  private var listsIncluded: [Part: (writer: Bool, reader: Bool)] = [:]

  static let names: [Part: [String]] = [
    .base: ["a", "b", "c", "moved", "late"],
    .derived: ["a", "moved", "table", "pair", "list", "choice", "inner", "inners", "leaf", "next", "back", "text"],
    .inner: ["x", "y", "z"], .leaf: ["p", "q"], .choice: ["one", "two", "three"],
  ]

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    for part in Part.allCases {
      if part == .choice { continue }
      listsIncluded[part] = (happens(40), happens(40))
      for name in Self.names[part, default: []] {
        let writerKey = happens(70) ? name : "old \(name)"
        var change = PropertyChange(
          writerKey: writerKey, isWritten: happens(85), readerKey: writerKey, isRead: happens(90), hasDefault: happens(30),
          followsClasses: name == "moved" && happens(60))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: break
        case 5..<8:
          change.readerKey = writerKey == name ? "new \(name)" : name
          change.formerKeys = [writerKey]
          if happens(50) { change.formerKeys.insert("older \(name)", at: 0) }
          if happens(50) { change.formerKeys.append("oldest \(name)") }
        default: change.readerKey = "unlike \(name)"
        }
        properties[part, default: [:]][name] = change
      }
    }
    for name in Self.names[.choice, default: []] { cases[name] = (happens(60) ? name : "old \(name)", happens(80)) }
  }

  subscript(part: Part, name: String) -> PropertyChange? { properties[part]?[name] }

  /// Whether a property of the reader gets what the writer's property of that name had.
  func finds(_ name: String, of part: Part, writtenIn written: Part) -> Bool {
    guard let own = self[part, name], let other = self[written, name], own.isRead, other.isWritten else { return false }
    return (written == part || own.followsClasses) && (own.readerKey == other.writerKey || own.formerKeys.contains(other.writerKey))
  }

  /// The keys of the writer's records that the reader does not find, and of the reader's that the writer has not.
  func strays(writtenIn written: Part, readIn read: Part) -> (unknown: [String], defaulted: [String]) {
    var (unknown, defaulted): ([String], [String]) = ([], [])
    for part in [Part.base, .derived] {
      for name in Self.names[part, default: []] {
        guard let change = self[part, name] else { continue }
        let isMoved = name == "moved"
        if change.isWritten && (!isMoved || part == written) {
          if !finds(name, of: isMoved ? read : part, writtenIn: part) { unknown.append(change.writerKey) }
        }
        if change.isRead && (!isMoved || part == read) {
          if !finds(name, of: part, writtenIn: isMoved ? written : part) { defaulted.append(change.readerKey) }
        }
      }
    }
    // The two properties `a` may have one key; then that of the superclass goes by the name of its class.
    if let first = unknown.firstIndex(where: { key in unknown.filter { $0 == key }.count > 1 }) {
      unknown[first] = "\(Part.base.archiveName).\(unknown[first])"
    }
    return (unknown.sorted(), defaulted.sorted())
  }

  // MARK: Rules

  /// The rules of one class or struct of one side.
  /// - Parameters:
  ///   - owner: The class that declares them, said where a class and its superclass have a property of one name.
  ///   - defaults: The names of the properties that the type has in this version, with other values than `init()` gives.
  ///   - needsDefaults: Whether the type has no `init()`, so that every property has to have a default.
  func rules(
    _ part: Part, isReader: Bool, of owner: AnyClass? = nil, defaults: KeyValuePairs<String, DefaultValue?>, needsDefaults: Bool = false
  ) -> ArchiveRules {
    var rules = ArchiveRules(name: part.archiveName, version: isReader ? 2 : 1)
    var included: [String] = []
    for (name, value) in defaults {
      guard let change = self[part, name] else { continue }
      let isThere = isReader ? change.isRead : change.isWritten
      let key = isReader ? change.readerKey : change.writerKey
      if isThere { included.append(name) } else { rules.excluded.append(name) }
      var rule = PropertyRule(name, of: name == "a" ? owner : nil)
      if isThere {
        rule.key = key == name ? nil : key
        if isReader {
          rule.formerKeys = change.formerKeys
          if change.followsClasses {
            rule.formerClasses = [Part.base.archiveName, Part.derived.archiveName].filter { $0 != part.archiveName }
          }
        }
      }
      if needsDefaults || isThere && isReader && change.hasDefault { rule.defaultValue = value }
      let isEmpty = rule.key == nil && rule.formerKeys.isEmpty && rule.formerClasses.isEmpty && rule.defaultValue == nil
      if !isEmpty { rules.properties.append(rule) }
    }
    let lists = listsIncluded[part] ?? (false, false)
    // The same exclusion in a class and its superclass would be the superclass's.
    let isAmbiguous = part == .derived && rules.excluded.contains("a")
    if isAmbiguous || (isReader ? lists.reader : lists.writer) {
      rules.includedOnly = included
      rules.excluded = []
    }
    return rules
  }

  /// The rules of the enum.
  func caseRules(isReader: Bool, unknown: DefaultValue) -> ArchiveRules {
    var rules = ArchiveRules(name: Part.choice.archiveName)
    rules.unknownCase = unknown
    for (name, change) in cases.sorted(by: { $0.key < $1.key }) {
      if !isReader {
        if change.key != name { rules.cases.append(CaseRule(name, key: change.key)) }
      } else if !change.isKnown {
        rules.cases.append(CaseRule(name, key: "unlike \(name)"))
      } else if change.key != name {
        rules.cases.append(CaseRule(name, formerKeys: ["older \(name)", change.key]))
      }
    }
    return rules
  }

  // MARK: The change that the rules of the models follow

  private static let shared = Mutex(Change(seed: 0))
  static var current: Change { shared.withLock { $0 } }

  /// Makes it the current one; every plan of the models has to be dropped with it.
  func activate() { Self.shared.withLock { $0 = self } }
}

/// What becomes of the number that a property was written with.
struct Lens {
  /// nil: nothing happens to it.
  var change: Change?

  static let identity = Lens()

  /// The number that the property has in the end, and what is to become of its contents.
  func callAsFunction(_ part: Part, _ name: String, _ number: Int, written: Part? = nil) -> (number: Int, lens: Lens) {
    guard let change, let own = change[part, name] else { return (number, self) }
    if change.finds(name, of: part, writtenIn: written ?? part) { return (number, self) }
    return (own.isRead && own.hasDefault || part == .inner || part == .leaf ? Self.ruled(name) : Self.initial(name), .identity)
  }

  /// What `init()` gives.
  static func initial(_ name: String) -> Int { 50 + (name.utf8.first.map { Int($0) % 10 } ?? 0) }
  /// What the rules give.
  static func ruled(_ name: String) -> Int { 70 + (name.utf8.first.map { Int($0) % 10 } ?? 0) }
}
