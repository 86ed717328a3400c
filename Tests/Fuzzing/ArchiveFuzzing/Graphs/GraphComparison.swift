import MirrorArchive

/// Whether two graphs are the same: each object of one is exactly one of the other.
struct GraphComparison {
  /// The objects that something holds strongly; a weak reference to any other one is nil in an archive.
  private(set) var reached: Set<ObjectIdentifier> = []
  private var partners: [ObjectIdentifier: ObjectIdentifier] = [:]
  private var taken: Set<ObjectIdentifier> = []
  private var pending: [(GraphNode, GraphNode)] = []
  private var hands = 0
  /// How many objects an archive of the graph has.
  var objectCount: Int { reached.count + hands }

  init(from root: GraphNode) {
    var pending = [root]
    var hands: Set<ObjectIdentifier> = []
    while let node = pending.popLast() {
      guard reached.insert(ObjectIdentifier(node)).inserted else { continue }
      pending += node.others + node.table.values
      if let next = node.next { pending.append(next) }
      if let other = node.anything as? GraphNode { pending.append(other) }
      guard let branch = node as? GraphBranch else { continue }
      pending += branch.maybe.compactMap(\.self)
      guard let hand = branch.hand else { continue }
      hands.insert(ObjectIdentifier(hand))
      if let other = hand.node { pending.append(other) }
    }
    self.hands = hands.count
  }

  /// - Throws: what is different.
  mutating func compare(_ root: GraphNode, _ other: GraphNode) throws(FuzzFailure) {
    try pair(root, other, "the root")
    while let (one, other) = pending.popLast() {
      try compareParts(one, other)
    }
  }

  private mutating func pair(_ one: GraphNode?, _ other: GraphNode?, _ place: String) throws(FuzzFailure) {
    guard let one, let other else { return try require(one == nil && other == nil, "\(place) is nil on one side") }
    if let partner = partners[ObjectIdentifier(one)] {
      return try require(partner == ObjectIdentifier(other), "\(place) is another object")
    }
    try require(taken.insert(ObjectIdentifier(other)).inserted, "\(place) is an object that stands for another one")
    partners[ObjectIdentifier(one)] = ObjectIdentifier(other)
    pending.append((one, other))
  }

  private mutating func pairs(_ one: [GraphNode?], _ other: [GraphNode?], _ place: String) throws(FuzzFailure) {
    try require(one.count == other.count, "\(place) has \(other.count) elements and not \(one.count)")
    for (one, other) in zip(one, other) { try pair(one, other, place) }
  }

  private mutating func compareParts(_ one: GraphNode, _ other: GraphNode) throws(FuzzFailure) {
    let place = "node \(one.number)"
    try require(type(of: one) == type(of: other), "\(place) has another class")
    try require(one.number == other.number && Array(one.name.utf8) == Array(other.name.utf8), "\(place) has another name or number")
    try require(one.values == other.values, "\(place) has other values")
    try require(isSame(one.kind, other.kind), "\(place) has another kind")
    try pair(one.next, other.next, place + ".next")
    let boss = one.boss.flatMap { reached.contains(ObjectIdentifier($0)) ? $0 : nil }
    try pair(boss, other.boss, place + ".boss")
    try pairs(one.others, other.others, place + ".others")
    try require(one.table.keys == other.table.keys, "\(place).table has other keys")
    for (key, node) in one.table { try pair(node, other.table[key], place + ".table") }
    try compareAnything(one.anything, other.anything, place)
    guard let one = one as? GraphBranch, let other = other as? GraphBranch else { return }
    try require(one.text == other.text && one.optional == other.optional && one.late == other.late, "\(place) has other own values")
    try pairs(one.maybe, other.maybe, place + ".maybe")
    try require((one.hand == nil) == (other.hand == nil) && one.hand?.words == other.hand?.words, "\(place).hand is another one")
    try pair(one.hand?.node, other.hand?.node, place + ".hand.node")
  }

  private mutating func compareAnything(_ one: Any, _ other: Any, _ place: String) throws(FuzzFailure) {
    try require(type(of: one) == type(of: other), "\(place).anything is \(type(of: other)) and not \(type(of: one))")
    switch (one, other) {
    case (let one as GraphNode, let other as GraphNode): try pair(one, other, place + ".anything")
    case (let one as Double, let other as Double): try require(one.bitPattern == other.bitPattern, "\(place).anything is \(other)")
    case (let one as GraphKind, let other as GraphKind): try require(isSame(one, other), "\(place).anything is another kind")
    case (let one as AnyHashable, let other as AnyHashable): try require(one == other, "\(place).anything is \(other) and not \(one)")
    default: break
    }
  }

  private func isSame(_ one: GraphKind, _ other: GraphKind) -> Bool {
    switch (one, other) {
    case (.named(let a, let b), .named(let c, let d)): a == c && b.bitPattern == d.bitPattern
    case (.twice(let a, let b), .twice(let c, let d)): isSame(a, c) && isSame(b, d)
    default: one == other
    }
  }
}
