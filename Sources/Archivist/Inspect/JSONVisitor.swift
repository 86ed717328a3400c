import ArchiveFormat
import MirrorArchive

/// How much of an archive is shown.
package struct InspectBounds: Sendable {
  /// How many levels of values are shown that have parts of their own.
  package var depth: Int
  /// How many elements of a collection are shown.
  package var limit: Int

  package init(depth: Int = .max, limit: Int = .max) {
    self.depth = depth
    self.limit = limit
  }
}

/// Writes values as JSON.
struct JSONVisitor {
  var writer: JSONWriter
  let names: TypeText
  let bounds: InspectBounds
  /// The values that have begun.
  private var open: [Open] = []
  /// How many of them count as levels.
  private var depth = 0

  private struct Open {
    enum Kind { case plain, constant, omitted }
    var kind: Kind
    var isLevel: Bool
    /// What stands behind the last part.
    var close: String
    var isEmpty = true
  }

  init(_ output: Output, _ types: TypeTable, _ bounds: InspectBounds) {
    writer = JSONWriter(output)
    names = TypeText(types)
    self.bounds = bounds
  }
}

extension JSONVisitor: ValueVisitor {
  mutating func scalar(_ value: ArchiveValue) throws {
    try writer.scalar(value) { [names] type in names.text(type.id) }
  }

  mutating func null(inside levels: Int) throws {
    // What a `let` may have is an Optional as well.
    let levels = open.last?.kind == .constant ? levels + 1 : levels
    try writer.raw(String(repeating: "{\"$some\": ", count: levels) + "null" + String(repeating: "}", count: levels))
  }

  mutating func begin(_ node: ValueNode, count: Int) throws -> Int {
    var isLevel = true
    switch node {
    case .constant, .any, .enumeration: isLevel = false
    default: break
    }
    if isLevel, depth >= bounds.depth, count > 0 {
      try writer.omitted(count)
      open.append(Open(kind: .omitted, isLevel: false, close: ""))
      return 0
    }
    if isLevel { depth += 1 }
    var next = Open(kind: .plain, isLevel: isLevel, close: "")
    var wanted = count
    switch node {
    case .array, .inlineArray:
      try writer.raw("[")
      next.close = "]"
      wanted = min(count, bounds.limit)
    case .set:
      try writer.raw("{\"$set\": [")
      next.close = "]}"
      wanted = min(count, bounds.limit)
    case .dictionary:
      try writer.raw("{\"$dictionary\": [")
      next.close = "]}"
      wanted = min(count, bounds.limit)
    case .constant:
      next.kind = .constant
      try writer.raw("{\"$tuple\": [[\"\", ")
      if count == 0 { try writer.raw("null") }
      next.close = "]]}"
    case .tuple:
      try writer.raw("{\"$tuple\": [")
      next.close = "]}"
    case .structure(let name, _, _):
      try writer.raw("{\"$structure\": ")
      try writer.string(name)
      try writer.raw(", \"properties\": [")
      next.close = "]}"
    case .enumeration(let name, _, let one, let index):
      try writer.raw("{\"$case\": ")
      try writer.string(one.name)
      try writer.raw(", \"of\": ")
      try writer.string(name)
      try writer.raw(", \"index\": \(index)")
      next.close = "}"
    case .any(let type):
      try writer.raw("{\"$any\": ")
      try writer.string(names.text(type))
      next.close = "}"
    case .record:
      try writer.raw("{\"$record\": [")
      next.close = "]}"
    }
    open.append(next)
    return wanted
  }

  mutating func part(_ index: Int, of node: ValueNode) throws {
    switch node {
    case .constant: return
    case .enumeration: return try writer.raw(", \"payload\": ")
    case .any: return try writer.raw(", \"value\": ")
    default: break
    }
    if index > 0 { try endPart(node) }
    switch node {
    case .tuple(let members), .structure(_, _, let members):
      try writer.raw("[")
      try writer.string(members[index].key)
      try writer.raw(", ")
    case .record(let members):
      try writer.raw("[")
      if let key = RecordKey.key(of: members[index]) { try writer.string(key) } else { try writer.raw("null") }
      try writer.raw(", ")
      try writer.string(names.text(members[index].type))
      try writer.raw(", ")
    case .dictionary: try writer.raw("[")
    default: break
    }
    open[open.count - 1].isEmpty = false
  }

  private mutating func endPart(_ node: ValueNode) throws {
    switch node {
    case .tuple, .structure, .record, .dictionary: try writer.raw("], ")
    default: try writer.raw(", ")
    }
  }

  mutating func entryValue() throws { try writer.raw(", ") }

  mutating func end(_ node: ValueNode, omitted: Int) throws {
    guard let last = open.popLast() else { return }
    if last.isLevel { depth -= 1 }
    if last.kind == .omitted { return }
    if !last.isEmpty {
      switch node {
      case .tuple, .structure, .record, .dictionary: try writer.raw("]")
      default: break
      }
    }
    if omitted > 0 {
      if !last.isEmpty { try writer.raw(", ") }
      try writer.omitted(omitted)
    }
    try writer.raw(last.close)
  }
}

/// The keys of records as the program knows them.
enum RecordKey {
  /// Nil for a value without a key.
  static func key(of member: Property) -> String? {
    if member.key.utf8.elementsEqual(CollectionOfOne(0)) { return nil }
    return member.key.utf8.first == 0 ? String(member.key.unicodeScalars.dropFirst()) : member.key
  }
}
