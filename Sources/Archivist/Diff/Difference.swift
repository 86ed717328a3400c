/// Something in which two archives differ.
package struct Difference: Equatable {
  package enum Change: String {
    case changed
    /// Only the first archive has it.
    case removed
    /// Only the second archive has it.
    case added
  }

  package var path: String
  package var change: Change
  /// In words; nil if it was added.
  package var old: String?
  /// In words; nil if it was removed.
  package var new: String?
}

/// A way from a root to a value: a tree of which each path is a chain to the outermost node, so that paths cost nothing until they are shown.
struct PathTree {
  enum Component {
    case root(String)
    case key(String)
    case index(Int)
    /// The key of an entry of a dictionary in words.
    case entry(String)
    /// One of the elements of a set.
    case element
  }

  /// A node and what is below it.
  struct Place {
    var parent: Int
    var component: Component
  }

  private var nodes: [Place] = []

  /// Makes a node of a place, so that other places can be below it.
  mutating func enter(_ place: Place) -> Int {
    nodes.append(place)
    return nodes.count - 1
  }

  func text(_ place: Place) -> String {
    var components = [place.component]
    var next = place.parent
    while nodes.indices.contains(next) {
      components.append(nodes[next].component)
      next = nodes[next].parent
    }
    return components.reversed().map(Self.text).joined()
  }

  private static func text(_ component: Component) -> String {
    switch component {
    case .root(let key): isPlain(key) ? key : "[\(Text.quoted(key))]"
    case .key(let key): isPlain(key) ? ".\(key)" : "[\(Text.quoted(key))]"
    case .index(let index): "[\(index)]"
    case .entry(let text): "[\(text)]"
    case .element: ", element"
    }
  }

  /// Whether a key can stand without quotes.
  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty
      && key.unicodeScalars.allSatisfy { $0 == "_" || $0 == "$" || $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }
}
