package import ArchiveFormat
import MirrorArchive

/// The names of columns in columns, such as `stalls.keys` or `fruits[].counts`: a tree, so that a name costs nothing until it is shown.
package struct Labels {
  /// A name by its place in the tree.
  package typealias Label = Int

  /// What a name adds to that of the column around it.
  package enum Component: Hashable, Sendable {
    case root(Int)
    case property(entry: Int, ordinal: Int)
    case member(of: TypeID, Int)
    /// The payload of a case.
    case payload(of: TypeID, Int)
    /// The values of one type among those of Any.
    case type(TypeID)
    case element, keys, values
    case presence, counts, cases, types, shapes, lengths, places, numbers, high, low
  }

  private struct Key: Hashable {
    var parent: Label
    var component: Component
  }

  private var nodes: [(parent: Label, component: Component, depth: Int)] = []
  private var known: [Key: Label] = [:]

  /// Types may be nested in themselves: what is deeper than this has the name of what it is in.
  private static let maximumDepth = 24
  private static let maximumCount = 65_536

  package init() {}

  /// The label of a component in another one; -1 is the outermost.
  mutating func label(_ component: Component, in parent: Label) -> Label {
    let depth = parent < 0 ? 0 : nodes[parent].depth + 1
    if parent >= 0, depth > Self.maximumDepth || nodes.count >= Self.maximumCount { return parent }
    let key = Key(parent: parent, component: component)
    if let label = known[key] { return label }
    nodes.append((parent, component, depth))
    known[key] = nodes.count - 1
    return nodes.count - 1
  }

  /// Forgets all names.
  mutating func removeAll() {
    nodes.removeAll(keepingCapacity: true)
    known.removeAll(keepingCapacity: true)
  }

  /// The name.
  ///
  /// - Parameters:
  ///   - outermost: The name of the outermost component.
  ///   - leavesOutermost: Whether the name is that behind the outermost component.
  package func text(_ label: Label, _ types: TypeTable, outermost: (Component) -> String) -> String {
    var components: [Component] = []
    var next = label
    while nodes.indices.contains(next) {
      components.append(nodes[next].component)
      next = nodes[next].parent
    }
    var text = ""
    for (index, component) in components.reversed().enumerated() {
      text += index == 0 ? outermost(component) : Self.text(component, types)
    }
    return text
  }

  private static func text(_ component: Component, _ types: TypeTable) -> String {
    switch component {
    case .root, .property: return ""
    case .member(let type, let index):
      switch types[type] {
      case .tuple(let members)?, .structure(_, _, let members)?:
        guard members.indices.contains(index) else { return "" }
        let key = members[index].key
        if key.isEmpty { return members.count == 1 ? "" : ".\(index)" }
        return key.hasPrefix(".") ? key : ".\(key)"
      default: return ""
      }
    case .payload(let type, let index):
      if case .enumeration(_, _, let cases)? = types[type], cases.indices.contains(index) { return ".\(cases[index].name)" }
      return ""
    case .type(let type): return " as \(types.describe(type))"
    case .element: return "[]"
    case .keys: return ".keys"
    case .values: return ".values"
    case .presence: return ", present"
    case .counts: return ", counts"
    case .cases: return ", cases"
    case .types: return ", types"
    case .shapes: return ", shapes"
    case .lengths: return ", lengths"
    case .places: return ", places in the pool"
    case .numbers: return ", numbers"
    case .high: return ", high 64 bits"
    case .low: return ", low 64 bits"
    }
  }
}
