/// The types an archive describes, numbered from `TypeID(entry: 0)`.
package struct TypeTable: Equatable, Sendable {
  package var entries: [TypeEntry]

  package init() { entries = [] }

  package init(entries: [TypeEntry]) { self.entries = entries }

  /// The entry of a type, nil for scalars, their optionals and numbers beyond the table.
  package subscript(_ type: TypeID) -> TypeEntry? {
    guard let index = type.entryIndex, index < entries.count else { return nil }
    return entries[index]
  }

  /// Whether `type` is one a value can have: it exists. The type of a class stands for a reference to one of its objects; inside `Any`
  /// nothing else says which class an array of objects was declared with.
  package func isValueType(_ type: TypeID) -> Bool {
    if let index = type.entryIndex { return index < entries.count }
    return type.isScalar || type.wrappedScalar != nil
  }
}
