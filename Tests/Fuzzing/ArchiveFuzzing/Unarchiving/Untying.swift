import MirrorArchive

/// Takes circles apart: a damaged archive may say that an object holds itself, and such a graph would never be let go.
enum Untying {
  static func untie(_ root: Any) {
    var pending: [Any] = [root]
    while let value = pending.popLast() {
      switch value {
      case let object as any Tied: object.untie(into: &pending)
      case let unknown as UnknownObject:
        pending += unknown.references as [Any]
        unknown.removeReferences()
      // What has no references inside, and would be looked at value by value.
      case is String, is [Int], is [Double], is [String]: break
      default: for child in Mirror(reflecting: value).children { pending.append(child.value) }
      }
    }
  }
}

/// An object that may be part of a circle.
protocol Tied: AnyObject {
  /// Lets go of all objects and hands them over.
  func untie(into pending: inout [Any])
}

extension Golden.Graph: Tied {
  func untie(into pending: inout [Any]) {
    pending += nodes as [Any]
    pending += tickets.map(\.holder)
    pending += byName.values.map { $0 as Any }
    (nodes, tickets, byName) = ([], [], [:])
  }
}

extension Golden.Node: Tied {
  func untie(into pending: inout [Any]) {
    pending += children as [Any]
    if let next { pending.append(next) }
    (next, children) = (nil, [])
  }
}

extension Golden.Anything: Tied {
  func untie(into pending: inout [Any]) {
    pending += [any, list, table, none as Any, key, object as Any, objects]
    (any, list, table, none, key, object, objects) = (0, [], [:], nil, 0, nil, [])
  }
}

extension Golden.Note: Tied {
  func untie(into pending: inout [Any]) {
    if let reply { pending.append(reply) }
    reply = nil
  }
}

extension Golden.Photo: Tied {
  func untie(into pending: inout [Any]) {
    if let note { pending.append(note) }
    note = nil
  }
}

extension Zoo.Dog: Tied {
  func untie(into pending: inout [Any]) {
    pending += [friend as Any, notes]
    (friend, notes) = (nil, [:])
  }
}

extension Zoo.Yesterday: Tied {
  func untie(into pending: inout [Any]) {
    pending += [animals, favourite as Any, table, list, nested]
    (animals, favourite, table, list, nested) = ([], nil, [:], [], [])
  }
}

extension Zoo.Today: Tied {
  func untie(into pending: inout [Any]) {
    pending += [animals, favourite as Any, table, list, nested]
    (animals, favourite, table, list, nested) = ([], nil, [:], [], [])
  }
}

extension Mixed: Tied {
  func untie(into pending: inout [Any]) {
    pending += [tree, next as Any, hidden, slots]
    (tree, next, hidden, slots) = (.leaf(nil), nil, 5, [])
  }
}

/// Not looked at through a mirror, which would meet an owner that is gone.
extension Mixed.Slot: Tied {
  func untie(into pending: inout [Any]) { pending.append(value) }
}

extension Proxied: Tied {
  func untie(into pending: inout [Any]) {
    pending += [shared, single as Any, names]
    (shared, single, names) = ([], nil, [:])
  }
}

extension Proxied.Proxy: Tied {
  func untie(into pending: inout [Any]) {
    if let other { pending.append(other) }
    other = nil
  }
}

extension Hashed: Tied {
  func untie(into pending: inout [Any]) {
    pending += [keys, Array(optional.values)]
    (keys, optional) = ([], [:])
  }
}
