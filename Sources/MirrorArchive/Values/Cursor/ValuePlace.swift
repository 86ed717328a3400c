import ArchiveFormat

/// Where a value stands in an archive, for whoever looks for one of its parts instead of going over all of them.
package struct ValuePlace {
  /// What a value is, without its parts.
  package enum Kind {
    case scalar(ArchiveValue)
    case null
    case node(ValueNode, count: Int)
  }

  let column: ColumnCursor
  let row: Int

  /// What stands there; an Optional that is there is what it holds.
  package func kind() throws -> Kind {
    switch try found() {
    case .scalar(let value): .scalar(value)
    case .node(let node, _, let count): .node(node, count: count)
    default: .null
    }
  }

  /// The place of a part; of a dictionary that of the value of an entry. Nil if there is none.
  package func part(_ index: Int) throws -> ValuePlace? {
    guard case .node(_, let parts, let count) = try found(), index >= 0, index < count else { return nil }
    switch parts {
    case .none: return nil
    case .rows(let group, let column, let first): return ValuePlace(column: try group.cursor(column), row: first + index)
    case .members(let group, let row): return ValuePlace(column: try group.cursor(index), row: row)
    case .entries(let entries, let first):
      let (_, values, row) = try entries.columns(of: first + index)
      return ValuePlace(column: values, row: row)
    }
  }

  /// The place of the key of an entry of a dictionary; nil if there is none.
  package func key(_ index: Int) throws -> ValuePlace? {
    guard case .node(_, .entries(let entries, let first), let count) = try found(), index >= 0, index < count else { return nil }
    let (keys, _, row) = try entries.columns(of: first + index)
    return ValuePlace(column: keys, row: row)
  }

  /// Shows the value to a visitor.
  ///
  /// - Throws: `FormatError` or `ArchiveError` if the archive is damaged, and what the visitor throws.
  package func visit(_ visitor: inout some ValueVisitor) throws {
    var walk = ValueWalk()
    try walk.visit(column, row: row, &visitor)
  }

  /// All of the value.
  ///
  /// - Throws: `FormatError` or `ArchiveError` if the archive is damaged.
  package func value() throws -> ArchiveValue {
    var builder = ValueBuilder(column.source.values.table)
    try visit(&builder)
    return builder.made ?? .void
  }

  private func found() throws -> ColumnCursor.Row {
    var (column, row) = (column, row)
    while true {
      let found = try column.row(row)
      guard case .present(let wrapped, let place) = found else { return found }
      (column, row) = (wrapped, place)
    }
  }
}
