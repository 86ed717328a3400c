import ArchiveFormat

/// The shapes of hand-coded objects: which keys they hand over, of which types and in which order.
///
/// A node stands for the keys so far, an edge for the next one. A class whose objects always hand over the same keys walks the same edges
/// each time, and finds each of them with one comparison. Every distinct shape becomes one entry of the type table.
struct ShapeTrie {
  /// The next key of an object.
  struct Edge {
    /// As it is stored.
    let key: String
    /// What tells one kind of value from another: mostly the type.
    let kind: ObjectIdentifier
    /// Nil for values that are not of a Swift type: nested containers, conditional references.
    let codec: ValueCodec?
    let type: TypeID
    let target: Int
    /// In a nested container: its first edge, as last used.
    var firstEdge = 0
    /// Whether it is still to be found out if the strings under the key repeat.
    var isTrying = false
    /// Looks at them, from the second one on: a key that is there once needs nothing.
    var trial: StringTrial?
    /// The edge for the same key that has taken this one's place.
    var successor: Int?
  }

  private struct Node {
    let parent: Int
    let property: Property
    var edges: [Edge] = []
    /// The edge that was taken last.
    var last = 0
    /// What finds an edge, or the node that a key of a type leads to, where there are many.
    var edgeIndex: [EdgeName: Int] = [:]
    var targetIndex: [Property.Name: Int] = [:]
    var shape: TypeID?
  }

  private struct EdgeName: Hashable {
    let key: String
    let kind: ObjectIdentifier
  }

  private var nodes = [Node(parent: -1, property: Property(key: "", type: .void))]
  static let root = 0
  /// Up to this many edges are looked through one by one.
  private static let fewEdges = 8

  /// The key of values without a key.
  static let unkeyed = "\0"

  /// A key of the program as it is stored: one that begins like the one above gets another such character in front.
  @inline(__always)
  static func stored(_ key: String) -> String { key.utf8.first == 0 ? unkeyed + key : key }

  /// The edge last taken from a node: the best guess.
  func lastEdge(of node: Int) -> Int { nodes[node].last }

  /// Takes the edge for a key, if there is one.
  @inline(__always)
  mutating func edge(from node: Int, guess: Int, key: String, kind: ObjectIdentifier) -> Int? {
    if guess < nodes[node].edges.count, nodes[node].edges[guess].kind == kind, nodes[node].edges[guess].key == key,
      nodes[node].edges[guess].successor == nil
    {
      return guess
    }
    return search(from: node, key: key, kind: kind)
  }

  @inline(never)
  private mutating func search(from node: Int, key: String, kind: ObjectIdentifier) -> Int? {
    let found =
      nodes[node].edges.count <= Self.fewEdges
      ? nodes[node].edges.firstIndex { $0.kind == kind && $0.key == key }
      : nodes[node].edgeIndex[EdgeName(key: key, kind: kind)]
    guard var found else { return nil }
    if let successor = nodes[node].edges[found].successor { found = successor }
    nodes[node].last = found
    return found
  }

  subscript(node: Int, edge: Int) -> Edge { nodes[node].edges[edge] }

  @inline(__always)
  func isTrying(_ edge: Int, of node: Int) -> Bool { nodes[node].edges[edge].isTrying }

  /// Looks at a string that is being recorded under the key of an edge. Once it is clear that they repeat, an edge of pooled strings takes
  /// the place of the edge.
  @inline(__always)
  mutating func look(at string: UnsafeMutablePointer<String>, of edge: Int, from node: Int) {
    guard let trial = nodes[node].edges[edge].trial else {
      nodes[node].edges[edge].trial = StringTrial()
      return
    }
    switch unsafe trial.look(at: string) {
    case .undecided: break
    case .doesNotRepeat:
      nodes[node].edges[edge].trial = nil
      nodes[node].edges[edge].isTrying = false
    case .repeats:
      let old = nodes[node].edges[edge]
      nodes[node].edges[edge].trial = nil
      nodes[node].edges[edge].isTrying = false
      let isOptional = old.type != .string
      let successor = addEdge(
        from: node, key: old.key, kind: old.kind, codec: isOptional ? PooledStringCodec.optional : PooledStringCodec.shared,
        type: isOptional ? TypeID.pooledString.optionalOfScalar ?? .pooledString : .pooledString)
      nodes[node].edges[edge].successor = successor
    }
  }
  func target(of edge: Int, from node: Int) -> Int { nodes[node].edges[edge].target }
  mutating func setFirstEdge(_ first: Int, of edge: Int, from node: Int) { nodes[node].edges[edge].firstEdge = first }

  /// Adds an edge for a key that the node does not have yet with this kind of value.
  mutating func addEdge(from node: Int, key: String, kind: ObjectIdentifier, codec: ValueCodec?, type: TypeID) -> Int {
    let property = Property(key: key, type: type)
    // Two Swift types may be one archived type: then the shape is the same.
    let known =
      nodes[node].edges.count <= Self.fewEdges
      ? nodes[node].edges.first { $0.type == type && $0.key == key }?.target : nodes[node].targetIndex[property.name]
    let target = known ?? nodes.count
    if known == nil { nodes.append(Node(parent: node, property: property)) }
    let index = nodes[node].edges.count
    var edge = Edge(key: key, kind: kind, codec: codec, type: type, target: target)
    if type == .string && kind == ObjectIdentifier(String.self)
      || type == .string.optionalOfScalar && kind == ObjectIdentifier(String?.self)
    {
      edge.isTrying = true
    }
    nodes[node].edges.append(edge)
    nodes[node].last = index
    if index == Self.fewEdges {
      for (i, edge) in nodes[node].edges.enumerated() { enter(edge, i, of: node) }
    } else if index > Self.fewEdges {
      enter(nodes[node].edges[index], index, of: node)
    }
    return index
  }

  private mutating func enter(_ edge: Edge, _ index: Int, of node: Int) {
    nodes[node].edgeIndex[EdgeName(key: edge.key, kind: edge.kind)] = index
    nodes[node].targetIndex[nodes[edge.target].property.name] = edge.target
  }

  /// The keys on the way to a node.
  func keys(to node: Int) -> Set<String> { Set(properties(to: node).map(\.key)) }

  /// Keys and types on the way to a node.
  func properties(to node: Int) -> [Property] {
    var properties: [Property] = []
    var current = node
    while current > Self.root {
      properties.append(nodes[current].property)
      current = nodes[current].parent
    }
    return properties.reversed()
  }

  /// The entry of the type table that describes the shape which ends at a node.
  mutating func shape(of node: Int, _ types: inout TypeTableBuilder) -> TypeID {
    if let known = nodes[node].shape { return known }
    let shape = types.add(.tuple(properties(to: node)))
    nodes[node].shape = shape
    return shape
  }
}

extension Property {
  /// A key and a type, to look up.
  fileprivate struct Name: Hashable {
    let key: String
    let type: TypeID
  }
  fileprivate var name: Name { Name(key: key, type: type) }
}
