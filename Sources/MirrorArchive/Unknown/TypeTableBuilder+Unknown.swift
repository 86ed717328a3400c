import ArchiveFormat
import ArchiveReflection

/// Archived descriptions of types go into the table of another archive.
extension TypeTableBuilder {
  /// As deep as readers follow types in types.
  private static let maximumDepth = 128

  /// The number of an archived type in this table. What a type of the program is described by, too, is described once.
  mutating func describe(_ type: ArchiveType) throws -> TypeID { try describe(type, depth: 0) }

  private mutating func describe(_ type: ArchiveType, depth: Int) throws -> TypeID {
    guard let index = type.id.entryIndex else { return type.id }
    guard let entry = type.table.types[type.id] else {
      throw ArchiveError(.malformed, message: "type \(type.id.rawValue) does not exist")
    }
    if depth > Self.maximumDepth {
      throw ArchiveError(.nestingTooDeep, message: "an archived type is nested more than \(Self.maximumDepth) deep")
    }
    if let describe = type.table.ownDescription(of: index, isExact: isExact) { return try describe(&self) }
    return try byDeclaration { types in
      try types.id(for: type.table.key(of: index)) { types in try types.entry(entry, in: type.table, depth: depth + 1) }
    }
  }

  private mutating func entry(_ entry: TypeEntry, in table: ArchiveType.Table, depth: Int) throws -> TypeEntry {
    func number(_ id: TypeID, _ types: inout TypeTableBuilder) throws -> TypeID {
      try types.describe(ArchiveType(id, in: table), depth: depth)
    }
    func members(_ members: [Property], of owner: String? = nil, _ types: inout TypeTableBuilder) throws -> [Property] {
      // Readers refuse it. Types of one's own making can have one.
      if let owner, members.contains(where: { $0.key.isEmpty }) {
        throw ArchiveError(.invalidValue, message: "the key of a property of \(owner) is empty")
      }
      return try members.map { Property(key: $0.key, type: try number($0.type, &types)) }
    }
    switch entry {
    case .optional(let inner): return .optional(try number(inner, &self))
    case .array(let inner): return .array(try number(inner, &self))
    case .set(let inner): return .set(try number(inner, &self))
    case .dictionary(let key, let value):
      let key = try number(key, &self)
      return .dictionary(key: key, value: try number(value, &self))
    case .inlineArray(let inner, let count): return .inlineArray(try number(inner, &self), count: count)
    case .tuple(let fields): return .tuple(try members(fields, &self))
    case .structure(let name, let version, let fields):
      return .structure(name: name, version: version, fields: try members(fields, of: name, &self))
    case .enumeration(let name, let version, let cases):
      return .enumeration(
        name: name, version: version,
        cases: try cases.map { one in
          var copy = one
          copy.payload = try one.payload.map { try number($0, &self) }
          return copy
        })
    case .object(let name, let version, let superclass, let properties):
      // In the order in which the archiver describes its own classes.
      let properties = try members(properties, of: name, &self)
      return .object(name: name, version: version, superclass: try superclass.map { try number($0, &self) }, properties: properties)
    }
  }
}

extension ArchiveType.Table {
  typealias Description = (inout TypeTableBuilder) throws -> TypeID

  /// What stands for an entry among the types of an archive that is being written.
  func key(of index: Int) -> ObjectIdentifier { notes.withLock { ObjectIdentifier($0.key(of: index)) } }

  /// Remembers types of the program that entries of the table were read into.
  func note(_ types: [(index: Int, type: Any.Type)]) {
    notes.withLock { notes in
      for (index, type) in types where !notes.types[index, default: []].contains(where: { $0 == type }) {
        notes.types[index, default: []].append(type)
        notes.descriptions = [:]
      }
    }
  }

  /// How a type of the program describes itself in the very words of an entry; nil if none does.
  ///
  /// - Parameter isExact: As in `TypeTableBuilder`.
  func ownDescription(of index: Int, isExact: Bool) -> Description? {
    let (candidates, known) = notes.withLock { notes in
      (notes.types[index] ?? [], notes.descriptions[Notes.Question(index: index, isExact: isExact)])
    }
    if candidates.isEmpty { return nil }
    if let known { return known }
    let found = candidates.lazy.compactMap { self.description(of: index, by: $0, isExact: isExact) }.first
    notes.withLock { $0.descriptions[Notes.Question(index: index, isExact: isExact)] = .some(found) }
    return found
  }

  private func description(of index: Int, by type: Any.Type, isExact: Bool) -> Description? {
    let describe: Description
    if case .object? = types[TypeID(entry: index)] {
      guard let type = type as? AnyClass, let plan = try? PlanRegistry.shared.classPlan(for: type) else { return nil }
      describe = { try plan.describe(&$0) }
    } else {
      guard let codec = try? PlanRegistry.shared.codec(for: type) else { return nil }
      describe = { try codec.describe(&$0) }
    }
    var trial = TypeTableBuilder()
    let id = isExact ? try? trial.exactly { try describe(&$0) } : try? describe(&trial)
    guard let id, ArchiveType(id, in: ArchiveType.Table(trial.table)) == ArchiveType(TypeID(entry: index), in: self) else { return nil }
    return describe
  }

  /// What is known about the entries beyond their description.
  struct Notes {
    final class Key: Sendable {}
    struct Question: Hashable {
      let index: Int
      let isExact: Bool
    }

    var types: [Int: [Any.Type]] = [:]
    var descriptions: [Question: Description?] = [:]
    private var keys: [Int: Key] = [:]

    mutating func key(of index: Int) -> Key {
      if let known = keys[index] { return known }
      let key = Key()
      keys[index] = key
      return key
    }
  }
}
