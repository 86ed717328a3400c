import MirrorArchive

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
    case step(ArchivePath.Component)
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

  /// The path as the rest of the tool, and the library, understand it.
  func text(_ place: Place) -> String {
    var path = ArchivePath(.root(""))
    var next: Place? = place
    while let place = next {
      switch place.component {
      case .root(let key): path.start = .root(key)
      case .step(let step): path.components.append(step)
      }
      next = nodes.indices.contains(place.parent) ? nodes[place.parent] : nil
    }
    path.components.reverse()
    return "\(path)"
  }
}
