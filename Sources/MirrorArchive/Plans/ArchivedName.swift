/// The name of a type in archives, and those that older archives have for it.
struct ArchivedName: Sendable {
  let current: String
  let former: [String]

  init(_ current: String, former: [String] = []) {
    self.current = current
    self.former = former
  }
}

extension Binder {
  /// Whether an archived type is the one that goes by this name today.
  ///
  /// What the program says about single archives (`setClass`, `setModule`) comes first; a former name is also one that was never moved.
  func isName(_ archived: String, of name: ArchivedName) -> Bool {
    let current = currentName(of: archived)
    if current == name.current { return true }
    if name.former.isEmpty { return false }
    return name.former.contains(current) || (names?.classes[archived] == nil && name.former.contains(archived))
  }

  /// The admitted class that has, or had, this archived name.
  func admittedPlan(named archived: String) -> ClassPlan? {
    if let plan = universe.classes[currentName(of: archived)] { return plan }
    guard names != nil, let plan = universe.classes[archived], plan.formerNames.contains(archived) else { return nil }
    return plan
  }

  /// The type that may stand in `Any` under this archived name, or that had it.
  func openValue(named archived: String) -> Any.Type? {
    if let type = universe.openValues[currentName(of: archived)] { return type }
    guard names != nil, let type = universe.openValues[archived], PlanRegistry.formerNames(of: type).contains(archived) else { return nil }
    return type
  }
}
