/// The types an archive describes, numbered from `TypeID(entry: 0)`.
package struct TypeTable: Sendable {
  package var entries: [TypeEntry] {
    didSet { summary = nil }
  }
  /// Known for a table that was read or made whole, not for one that is being put together.
  var summary: TypeSummary?

  package init() { entries = [] }

  package init(entries: [TypeEntry]) {
    self.entries = entries
    summary = TypeSummary(of: entries)
  }

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

  /// The members of a record of the shape that a column of records gives as `number`, nil if that is not the number of a tuple.
  package func shape(of number: Int64) -> [Property]? {
    guard let raw = UInt32(exactly: number), case .tuple(let members)? = self[TypeID(raw)] else { return nil }
    return members
  }
}

extension TypeTable: Equatable {
  package static func == (a: TypeTable, b: TypeTable) -> Bool { a.entries == b.entries }
}
