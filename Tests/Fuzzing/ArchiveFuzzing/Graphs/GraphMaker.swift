import Foundation
import MirrorArchive

/// Makes a graph as bytes say; where they end everything is 0.
struct GraphMaker {
  private var bytes: ArraySlice<UInt8>
  /// What long columns may still hold, all together.
  private var room = 6_000

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  private mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }

  /// The nodes, the first of which is the root.
  mutating func make() -> [GraphNode] {
    let size = byte()
    let count = size == 255 ? 1_030 : [1, 2, 3, 5, 7, 8, 9, 20, 60][size % 9]
    let isBranch = byte()
    let nodes = (0..<count).map { number in isBranch >> (number % 8) & 1 == 1 ? GraphBranch() : GraphNode() }
    // The last bytes decide for all that follow, so that a large graph needs no large input.
    for (number, node) in nodes.enumerated() {
      if bytes.isEmpty, number > 0 { link(node, nodes, number) } else { fill(node, nodes, number) }
    }
    return nodes
  }

  /// Something simple, so that every object is reached.
  private func link(_ node: GraphNode, _ nodes: [GraphNode], _ number: Int) {
    (node.number, node.name) = (number, "node \(number)")
    node.next = number + 1 < nodes.count ? nodes[number + 1] : nodes[0]
    node.boss = nodes[number / 2]
  }

  private mutating func fill(_ node: GraphNode, _ nodes: [GraphNode], _ index: Int) {
    let wanted = byte()
    node.number = wanted & 1 == 0 ? index : number()
    node.name = wanted & 2 == 0 ? "node \(index)" : text()
    if wanted & 4 != 0 { node.next = nodes[byte() % nodes.count] } else if index + 1 < nodes.count { node.next = nodes[index + 1] }
    if wanted & 8 != 0 { node.boss = nodes[byte() % nodes.count] }
    if wanted & 16 != 0 { node.others = (0..<(byte() % 12)).map { _ in nodes[byte() % nodes.count] } }
    if wanted & 32 != 0 { for _ in 0..<(byte() % 10) { node.table[text()] = nodes[byte() % nodes.count] } }
    if wanted & 64 != 0 { node.values = values() }
    if wanted & 128 != 0 {
      node.kind = kind(0)
      node.anything = anything(nodes)
    }
    guard let branch = node as? GraphBranch else { return }
    let also = byte()
    if also & 1 != 0 { branch.text = text() }
    if also & 2 != 0 { branch.hand = GraphHand((0..<(byte() % 9)).map { _ in text() }, also & 4 != 0 ? nodes[byte() % nodes.count] : nil) }
    if also & 8 != 0 { branch.optional = also & 16 != 0 ? .some(nil) : .some(number()) }
    if also & 32 != 0 { branch.maybe = (0..<(byte() % 12)).map { $0 % 3 == 0 ? nil : nodes[byte() % nodes.count] } }
    if also & 64 != 0 { branch.late = [number()] }
  }

  // MARK: Values

  private mutating func number() -> Int {
    switch byte() % 8 {
    case 0: byte()
    case 1: -byte()
    case 2: byte() << 8 | byte()
    case 3: Int.max - byte()
    case 4: Int.min + byte()
    case 5: 1 << (byte() % 63)
    case 6: ~(1 << (byte() % 63))
    default: (0..<8).reduce(0) { sum, _ in sum << 8 | byte() }
    }
  }

  private mutating func text() -> String {
    let kind = byte()
    let length = byte() % 24
    switch kind % 6 {
    case 0:
      return ["", "a", "apple", "a name of 15 byt", "a name of sixteen", "a name that is rather long and comes again", "苹果", "🍎"][
        length % 8]
    case 1: return "number \(length)"
    case 2: return String(decoding: (0..<length).map { _ in UInt8(byte() & 0x7F) }, as: UTF8.self)
    case 3: return String(decoding: (0..<length).map { _ in UInt8(byte()) }, as: UTF8.self)
    case 4: return String(repeating: "é", count: length)
    default: return String(String.UnicodeScalarView((0..<length).compactMap { _ in Unicode.Scalar(UInt32(byte() << 8 | byte())) }))
    }
  }

  private mutating func kind(_ depth: Int) -> GraphKind {
    switch byte() % 5 {
    case 0: .none
    case 1: .other
    case 2: .number(number())
    case 3: .named(text(), weight: Float(bitPattern: UInt32(truncatingIfNeeded: number())))
    default: depth > 20 ? .none : .twice(kind(depth + 1), kind(depth + 1))
    }
  }

  private mutating func anything(_ nodes: [GraphNode]) -> Any {
    switch byte() % 9 {
    case 0: number()
    case 1: text()
    case 2: nodes[byte() % nodes.count]
    case 3: integers()
    case 4: [text(), text()]
    case 5: Int?.none as Any
    case 6: kind(0)
    case 7: [text(): number()]
    default: Double(bitPattern: UInt64(bitPattern: Int64(number())))
    }
  }

  private mutating func values() -> GraphValues {
    var values = GraphValues()
    let wanted = byte()
    if wanted & 1 != 0 { values.integers = integers() }
    if wanted & 2 != 0 { values.doubles = doubles() }
    if wanted & 4 != 0 { values.texts = texts() }
    if wanted & 8 != 0 { values.flags = integers().map { $0 & 1 != 0 } }
    if wanted & 16 != 0 {
      values.narrow = integers().map { Int16(truncatingIfNeeded: $0) }
      values.floats = doubles().enumerated().map { $0.offset % 5 == 4 ? nil : Float($0.element) }
    }
    if wanted & 32 != 0 {
      for _ in 0..<(byte() % 12) { values.counts[number()] = text() }
      for _ in 0..<(byte() % 12) { values.letters.insert(text()) }
    }
    if wanted & 64 != 0 { values.pair = (Double(number()) / 100, wanted & 1 == 0 ? nil : text()) }
    if wanted & 128 != 0 { values.data = Data((0..<(byte() % 40)).map { _ in UInt8(byte()) }) }
    return values
  }

  // MARK: Long columns of a few bytes

  private mutating func count() -> Int {
    let count = min([0, 1, 2, 7, 8, 9, 30, 100, 1_023, 1_024, 1_025, 2_050][byte() % 12], room)
    room -= count
    return count
  }

  private mutating func integers() -> [Int] {
    let count = count()
    let pattern = byte()
    let (base, step) = (number(), number())
    var noise = SeededGenerator(seed: UInt64(pattern))
    let mask = (1 << (pattern / 6 % 63)) - 1
    return (0..<count).map { row in
      switch pattern % 6 {
      case 0: base
      case 1: base &+ row &* step
      case 2: base &+ (Int(truncatingIfNeeded: noise.next()) & mask)
      case 3: base &+ row &* step &+ (Int(truncatingIfNeeded: noise.next()) & mask)
      case 4: base &+ row / (1 + pattern / 6) &* step
      default: row % 17 == pattern % 17 ? step : base
      }
    }
  }

  private mutating func doubles() -> [Double] {
    let integers = integers()
    let scale = [1.0, 10, 100, 1_000, 1e9, 3][byte() % 6]
    let special = byte()
    return integers.enumerated().map { row, number in
      if special & 1 != 0, row % 13 == special % 13 { return [.nan, -0.0, .infinity, .leastNonzeroMagnitude][special / 2 % 4] }
      return special & 128 != 0 ? Double(bitPattern: UInt64(bitPattern: Int64(number))) : Double(number) / scale
    }
  }

  private mutating func texts() -> [String] {
    let integers = integers()
    let (front, back) = (text(), text())
    let form = byte()
    return integers.map { number in
      switch form % 5 {
      case 0: front + "\(number)" + back
      case 1: number & 3 == 0 ? front : number & 3 == 1 ? back : front + back
      case 2: front + String(String(number % 1_000_000 + 1_000_000).suffix(6)) + back
      case 3: number & 1 == 0 ? front : "\(number)"
      default: front
      }
    }
  }
}
