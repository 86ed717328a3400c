import ArchiveFormat
import ArchiveReflection

/// The properties that an archive has of one class, level by level, and which properties of today they become.
struct ArchivedProperties {
  struct Column {
    /// The archived name of the class that declared the property.
    let level: String
    let property: Property
  }

  /// Base first, as the columns of a block stand.
  private(set) var columns: [Column] = []
  /// The version of the class itself.
  private(set) var version: UInt64 = 0
  private var names: [String] = []

  init(_ id: TypeID, _ types: TypeTable) {
    var chain: [(name: String, properties: [Property])] = []
    var next: TypeID? = id
    while let current = next, case .object(let name, let itsVersion, let superclass, let properties)? = types[current] {
      if current == id { version = itsVersion }
      chain.append((name, properties))
      next = superclass
    }
    for (name, properties) in chain.reversed() {
      if !names.contains(name) { names.append(name) }
      for property in properties { columns.append(Column(level: name, property: property)) }
    }
  }

  /// Finds the column of each property of today: by its key, then by its former keys in order, on the level of its class; then in the same
  /// way on the levels of the classes that declared it formerly. What stands there for a property of that class itself is not taken away.
  ///
  /// - Returns: Per column the property that it becomes, and the properties that have none.
  /// - Throws: `malformed` if a level has a key twice.
  func bind(to plan: ClassPlan, _ binder: Binder) throws -> (bound: [PropertyPlan?], missing: [PropertyPlan]) {
    var bound = [PropertyPlan?](repeating: nil, count: columns.count)
    var unbound: [PropertyPlan] = []
    for level in plan.levels {
      let names = levelNames(of: level, binder)
      for property in level.properties {
        if let place = try find(property, on: names, &bound) { bound[place] = property } else { unbound.append(property) }
      }
    }
    var missing: [PropertyPlan] = []
    for property in unbound {
      let names = property.formerClasses.flatMap { former in
        self.names.filter { $0 == former || binder.currentName(of: $0) == former }
      }
      if !names.isEmpty, let place = try find(property, on: names, &bound) { bound[place] = property } else { missing.append(property) }
    }
    return (bound, missing)
  }

  /// The archived names that mean a level of today: its own before former ones.
  private func levelNames(of level: ClassPlan.Level, _ binder: Binder) -> [String] {
    guard let name = level.name else { return [] }
    if names.contains(name), binder.names == nil, level.formerNames.isEmpty { return [name] }
    let known = ArchivedName(name, former: level.formerNames)
    let fitting = names.filter { binder.isName($0, of: known) }
    return fitting.filter { binder.currentName(of: $0) == name } + fitting.filter { binder.currentName(of: $0) != name }
  }

  private func find(_ property: PropertyPlan, on levels: [String], _ bound: inout [PropertyPlan?]) throws -> Int? {
    for key in CollectionOfOne(property.key) + property.formerKeys {
      for level in levels {
        var found: Int?
        for (place, column) in columns.enumerated() where column.property.key == key && column.level == level {
          if column.property.type == .record { continue }
          if found != nil { throw ArchiveError(.malformed, message: "the archive has the property '\(key)' twice") }
          found = place
        }
        if let found, bound[found] == nil { return found }
      }
    }
    return nil
  }
}
