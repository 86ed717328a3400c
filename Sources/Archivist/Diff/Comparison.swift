import MirrorArchive

/// Walks over two archives in step, from their roots, and hands out each difference in the order of the paths.
///
/// Lists stand in for recursion, whose depth the archives would decide.
package struct Comparison {
  typealias Place = PathTree.Place

  /// What is still to be compared, the next one last.
  private enum Task {
    case both(ArchiveValue, ArchiveValue, Place)
    case removed(ArchiveValue, Place)
    case added(ArchiveValue, Place)
  }

  private let old: Side
  private let new: Side
  private var paths = PathTree()
  private var tasks: [Task] = []
  /// The objects that have been compared, each with its counterpart and where they were met.
  private var newOfOld: [Int: (number: Int, place: Place)] = [:]
  private var oldOfNew: [Int: (number: Int, place: Place)] = [:]

  package init(_ old: Side, _ new: Side) {
    self.old = old
    self.new = new
  }

  /// - Complexity: O(values of both); each pair of objects is compared once.
  package mutating func run(_ report: (Difference) throws -> Void) throws {
    var found = matched(old.roots.map { ($0.key, $0.value) }, new.roots.map { ($0.key, $0.value) })
    while true {
      tasks.append(contentsOf: found.reversed())
      guard let task = tasks.popLast() else { break }
      found = []
      switch task {
      case .removed(let value, let place):
        try report(Difference(path: paths.text(place), change: .removed, old: old.text(value), new: nil))
      case .added(let value, let place):
        try report(Difference(path: paths.text(place), change: .added, old: nil, new: new.text(value)))
      case .both(let first, let second, let place): found = try compare(first, second, place, report)
      }
    }
    try TypeComparison(old.types, new.types).run(report)
  }

  /// Compares two values and returns what is in them and has to be compared next.
  private mutating func compare(
    _ first: ArchiveValue, _ second: ArchiveValue, _ place: Place, _ report: (Difference) throws -> Void
  ) throws -> [Task] {
    // A statement of its own: in an argument, `self` would be copied in front of it, and the tree with it.
    let node = first.isPlain ? -1 : paths.enter(place)
    switch (first, second) {
    case (.reference(let a), .reference(let b)): return try compare(object: a, b, place, node, report)
    case (.present(let a), .present(let b)): return [.both(a, b, place)]
    case (.array(let a), .array(let b)), (.inlineArray(let a), .inlineArray(let b)): return elements(a, b, node)
    case (.set(let a), .set(let b)):
      return matched(
        a.map { (Fingerprint.text($0, in: old), $0) }, b.map { (Fingerprint.text($0, in: new), $0) }, node
      ) { _, index in .index(index) }
    case (.dictionary(let a), .dictionary(let b)): return entries(a, b, node)
    case (.tuple(let a), .tuple(let b)):
      if a.count != b.count { break }
      return fields(a, b, node)
    case (.structure(let a), .structure(let b)):
      if a.name != b.name { break }
      return fields(a.fields, b.fields, node)
    case (.enumeration(let a), .enumeration(let b)):
      // Cases of one name are told apart by their place.
      guard a.name == b.name, a.caseName == b.caseName, (a.payload == nil) == (b.payload == nil) else { break }
      guard let first = a.payload, let second = b.payload else { return [] }
      return [.both(first, second, Place(parent: node, component: .step(.key(a.caseName))))]
    case (.any(let a), .any(let b)):
      let types = ("\(a.type)", "\(b.type)")
      if types.0 != types.1, a.value.kindName == b.value.kindName {
        try report(Difference(path: paths.text(place), change: .changed, old: "Any as \(types.0)", new: "Any as \(types.1)"))
      }
      return [.both(a.value, b.value, place)]
    case (.container(let a), .container(let b)): return members(a, b, node)
    default: if Self.areSame(first, second) { return [] }
    }
    let texts = words(first, second)
    try report(Difference(path: paths.text(place), change: .changed, old: texts.old, new: texts.new))
    return []
  }

  // MARK: Parts

  private func elements(_ a: [ArchiveValue], _ b: [ArchiveValue], _ node: Int) -> [Task] {
    var found: [Task] = []
    for index in 0..<max(a.count, b.count) {
      let place = Place(parent: node, component: .step(.index(index)))
      if index >= b.count {
        found.append(.removed(a[index], place))
      } else if index >= a.count {
        found.append(.added(b[index], place))
      } else if !Self.areSame(a[index], b[index]) {
        found.append(.both(a[index], b[index], place))
      }
    }
    return found
  }

  /// Whether two values are plain and equal: most are, and need no task.
  private static func areSame(_ a: ArchiveValue, _ b: ArchiveValue) -> Bool {
    switch (a, b) {
    // Byte by byte, and not as Swift compares texts.
    case (.string(let a), .string(let b)), (.substring(let a), .substring(let b)): a.utf8.elementsEqual(b.utf8)
    case (.character(let a), .character(let b)): a.utf8.elementsEqual(b.utf8)
    default: a.isPlain && b.isPlain && a == b
    }
  }

  private func fields(_ a: [ArchiveValue.Field], _ b: [ArchiveValue.Field], _ node: Int) -> [Task] {
    if a.count == b.count, zip(a, b).allSatisfy({ $0.key == $1.key }) {
      return zip(a, b).enumerated().compactMap { index, pair in
        if Self.areSame(pair.0.value, pair.1.value) { return nil }
        let step: ArchivePath.Component = pair.0.key.isEmpty ? .index(index) : .key(pair.0.key)
        return .both(pair.0.value, pair.1.value, Place(parent: node, component: .step(step)))
      }
    }
    return matched(a.map { ($0.key, $0.value) }, b.map { ($0.key, $0.value) }, node) { key, _ in .key(key) }
  }

  private func members(_ a: [ArchiveValue.Member], _ b: [ArchiveValue.Member], _ node: Int) -> [Task] {
    // Values without a key are told apart by their order.
    func unnamed(_ members: [ArchiveValue.Member]) -> [ArchiveValue] { members.filter { $0.key == nil }.map(\.value) }
    func named(_ members: [ArchiveValue.Member]) -> [(String, ArchiveValue)] {
      members.compactMap { member in member.key.map { ($0, member.value) } }
    }
    return matched(named(a), named(b), node) { key, _ in .key(key) } + elements(unnamed(a), unnamed(b), node)
  }

  private func entries(_ a: [ArchiveValue.Entry], _ b: [ArchiveValue.Entry], _ node: Int) -> [Task] {
    var steps: [String: ArchivePath.Component] = [:]
    func keyed(_ entries: [ArchiveValue.Entry], _ side: Side) -> [(String, ArchiveValue)] {
      entries.map { entry in
        let print = Fingerprint.text(entry.key, in: side)
        steps[print] = Self.step(entry.key, side)
        return (print, entry.value)
      }
    }
    let (first, second) = (keyed(a, old), keyed(b, new))
    return matched(first, second, node) { print, _ in steps[print] ?? .entry(print) }
  }

  /// The step to the entry of a dictionary.
  private static func step(_ key: ArchiveValue, _ side: Side) -> ArchivePath.Component {
    switch key {
    case .string(let text), .substring(let text): .entry(text)
    default: key.intValue.map { .index(Int($0)) } ?? .entry(side.text(key))
    }
  }

  /// Pairs parts that have the same key, those of one key by their order: first all of the first archive in its order, then what only the
  /// second one has.
  ///
  /// - Parameter step: The step to a part, by its key and its place; nil for values at the top level.
  private func matched(
    _ a: [(String, ArchiveValue)], _ b: [(String, ArchiveValue)], _ node: Int = -1,
    _ step: ((String, Int) -> ArchivePath.Component)? = nil
  ) -> [Task] {
    func place(_ key: String, _ index: Int) -> Place {
      Place(parent: node, component: step.map { .step($0(key, index)) } ?? .root(key))
    }
    var places: [String: [Int]] = [:]
    for index in b.indices.reversed() { places[b[index].0, default: []].append(index) }
    var isPaired = [Bool](repeating: false, count: b.count)
    var found: [Task] = []
    for (index, (key, value)) in a.enumerated() {
      let place = place(key, index)
      guard let index = places[key]?.popLast() else {
        found.append(.removed(value, place))
        continue
      }
      isPaired[index] = true
      if !Self.areSame(value, b[index].1) { found.append(.both(value, b[index].1, place)) }
    }
    for index in b.indices where !isPaired[index] {
      found.append(.added(b[index].1, place(b[index].0, index)))
    }
    return found
  }

  // MARK: Objects

  private mutating func compare(
    object a: Int, _ b: Int, _ place: Place, _ node: Int, _ report: (Difference) throws -> Void
  ) throws -> [Task] {
    let (knownNew, knownOld) = (newOfOld[a], oldOfNew[b])
    if knownNew?.number == b { return [] }
    guard knownNew == nil, knownOld == nil else {
      // One archive has an object in two places where the other one has two objects. The objects have been compared.
      try report(
        Difference(
          path: paths.text(place), change: .changed, old: identity(a, knownNew?.place, old), new: identity(b, knownOld?.place, new)))
      return []
    }
    newOfOld[a] = (b, place)
    oldOfNew[b] = (a, place)
    guard let first = old.object(a), let second = new.object(b) else { return [] }
    if first.className != second.className {
      try report(Difference(path: paths.text(place), change: .changed, old: "\(first.className)#\(a)", new: "\(second.className)#\(b)"))
      return []
    }
    return fields(Self.plain(first), Self.plain(second), node) + members(Self.coded(first), Self.coded(second), node)
  }

  /// The properties that are not coded by hand.
  private static func plain(_ object: ArchiveDocument.Object) -> [ArchiveValue.Field] {
    object.properties.compactMap { property in
      if case .container = property.value { nil } else { ArchiveValue.Field(property.key, property.value) }
    }
  }

  /// What is coded by hand, of all classes of the hierarchy. Its keys are steps of their own.
  private static func coded(_ object: ArchiveDocument.Object) -> [ArchiveValue.Member] {
    object.properties.flatMap { property -> [ArchiveValue.Member] in
      if case .container(let members) = property.value { return members }
      return []
    }
  }

  private func identity(_ number: Int, _ known: Place?, _ side: Side) -> String {
    let text = side.text(.reference(number))
    return known.map { "\(text), the object at \(paths.text($0))" } ?? "\(text), met here first"
  }

  // MARK: Words

  /// Two values that differ, in words that differ.
  private func words(_ first: ArchiveValue, _ second: ArchiveValue) -> (old: String, new: String) {
    let texts = (old.text(first), new.text(second))
    if texts.0 != texts.1 { return texts }
    if first.kindName != second.kindName { return ("\(texts.0) (\(first.kindName))", "\(texts.1) (\(second.kindName))") }
    switch (first, second) {
    case (.string(let a), .string(let b)), (.substring(let a), .substring(let b)):
      return Self.around(texts, Array(a.unicodeScalars), Array(b.unicodeScalars), "character")
    case (.data(let a), .data(let b)): return Self.around(texts, Array(a), Array(b), "byte")
    default: return ("\(texts.0)", "\(texts.1), of other bits")
    }
  }

  /// Says where two lists begin to differ.
  private static func around<Element: Equatable>(
    _ texts: (String, String), _ a: [Element], _ b: [Element], _ what: String
  ) -> (String, String) {
    let place = zip(a, b).enumerated().first { $1.0 != $1.1 }?.offset ?? min(a.count, b.count)
    return (texts.0, "\(texts.1), different from \(what) \(place) on")
  }
}
