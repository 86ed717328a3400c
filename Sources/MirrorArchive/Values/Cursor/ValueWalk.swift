import ArchiveFormat

/// Goes over one value from its beginning to its end.
///
/// A list stands in for recursion, whose depth the bytes would decide.
struct ValueWalk {
  private enum Step {
    case value(ColumnCursor, row: Int)
    case entryValue(ColumnCursor, row: Int)
    case parts(ValueNode, ColumnCursor.Parts, next: Int, wanted: Int, count: Int)
  }

  private var steps: [Step] = []

  mutating func visit(_ column: ColumnCursor, row: Int, _ visitor: inout some ValueVisitor) throws {
    steps.append(.value(column, row: row))
    while let step = steps.popLast() {
      switch step {
      case .value(let column, let row): try value(column, row, &visitor)
      case .entryValue(let column, let row):
        try visitor.entryValue()
        try value(column, row, &visitor)
      case .parts(let node, let parts, let next, let wanted, let count):
        if next >= wanted {
          if case .record = node, case .members(let body, _) = parts, wanted == count { try body.checkEnd(hasMark: false) }
          try visitor.end(node, omitted: count - next)
        } else {
          steps.append(.parts(node, parts, next: next + 1, wanted: wanted, count: count))
          try visitor.part(next, of: node)
          try part(parts, next)
        }
      }
    }
  }

  private mutating func value(_ column: ColumnCursor, _ row: Int, _ visitor: inout some ValueVisitor) throws {
    var (column, row) = (column, row)
    var levels = 0
    while true {
      switch try column.row(row) {
      case .scalar(let value): return try visitor.scalar(value)
      case .absent: return try visitor.null(inside: levels)
      case .present(let wrapped, let place):
        levels += 1
        (column, row) = (wrapped, place)
      case .node(let node, let parts, let count):
        let wanted = max(0, min(try visitor.begin(node, count: count), count))
        steps.append(.parts(node, parts, next: 0, wanted: wanted, count: count))
        return
      }
    }
  }

  private mutating func part(_ parts: ColumnCursor.Parts, _ index: Int) throws {
    switch parts {
    case .none: break
    case .rows(let group, let column, let first): steps.append(.value(try group.cursor(column), row: first + index))
    case .members(let group, let row): steps.append(.value(try group.cursor(index), row: row))
    case .entries(let entries, let first):
      let (keys, values, row) = try entries.columns(of: first + index)
      steps.append(.entryValue(values, row: row))
      steps.append(.value(keys, row: row))
    }
  }
}
