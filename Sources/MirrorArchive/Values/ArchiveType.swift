package import ArchiveFormat

/// The type of a value in an archive, as the archive describes it.
///
/// Two types are equal if their descriptions say the same, in whatever archives they stand.
public struct ArchiveType: Sendable {
  /// The descriptions of one archive, shared by all types that are taken from it.
  final class Table: Sendable {
    let types: TypeTable
    let notes = Locked(Notes())
    init(_ types: TypeTable) { self.types = types }

    /// That of types which need no description.
    static let none = Table(TypeTable(entries: []))
  }

  package let id: TypeID
  let table: Table

  init(_ id: TypeID, in table: Table) {
    self.id = id
    self.table = table
  }
}

extension ArchiveType {
  /// Whether both are the same entry, or the same type that needs none.
  func isIdentical(to other: ArchiveType) -> Bool { id == other.id && (table === other.table || id.entryIndex == nil) }
}

extension ArchiveType: CustomStringConvertible {
  /// The type in words, such as `[Int]?`; what is too long ends with an ellipsis.
  public var description: String { table.types.describe(id) }
}

extension ArchiveType: Equatable {
  /// Whether both descriptions say the same.
  ///
  /// - Complexity: O(1) for two types of one archive with the same number, else O(size of the descriptions).
  public static func == (a: ArchiveType, b: ArchiveType) -> Bool {
    if a.table === b.table && a.id == b.id { return true }
    return Comparison(a.table.types, b.table.types).areEqual(a.id, b.id)
  }

  /// Compares descriptions that may contain themselves: two entries that are being compared count as equal until something tells them apart.
  private struct Comparison {
    struct Pair: Hashable {
      let a: TypeID
      let b: TypeID
    }

    let a: TypeTable
    let b: TypeTable
    var pending: [Pair] = []
    var seen: Set<Pair> = []

    init(_ a: TypeTable, _ b: TypeTable) {
      self.a = a
      self.b = b
    }

    func areEqual(_ first: TypeID, _ second: TypeID) -> Bool {
      var comparison = self
      comparison.add(first, second)
      while let pair = comparison.pending.popLast() {
        if !comparison.compare(pair) { return false }
      }
      return true
    }

    private mutating func add(_ first: TypeID, _ second: TypeID) {
      let pair = Pair(a: first, b: second)
      if seen.insert(pair).inserted { pending.append(pair) }
    }

    private mutating func add(_ first: TypeID?, _ second: TypeID?) -> Bool {
      guard let first, let second else { return first == nil && second == nil }
      add(first, second)
      return true
    }

    private mutating func add(_ first: [Property], _ second: [Property]) -> Bool {
      guard first.count == second.count else { return false }
      for (one, other) in zip(first, second) {
        if one.key != other.key { return false }
        add(one.type, other.type)
      }
      return true
    }

    private mutating func compare(_ pair: Pair) -> Bool {
      // An Optional of a scalar has two spellings.
      if let first = a.optionalPayload(of: pair.a), let second = b.optionalPayload(of: pair.b) {
        add(first, second)
        return true
      }
      switch (a[pair.a], b[pair.b]) {
      case (nil, nil): return pair.a == pair.b
      case (.array(let one), .array(let other)), (.set(let one), .set(let other)): add(one, other)
      case (.dictionary(let key, let value), .dictionary(let otherKey, let otherValue)):
        add(key, otherKey)
        add(value, otherValue)
      case (.inlineArray(let one, let count), .inlineArray(let other, let otherCount)):
        if count != otherCount { return false }
        add(one, other)
      case (.tuple(let one), .tuple(let other)): return add(one, other)
      case (.structure(let name, let version, let fields), .structure(let otherName, let otherVersion, let otherFields)):
        return name == otherName && version == otherVersion && add(fields, otherFields)
      case (.enumeration(let name, let version, let cases), .enumeration(let otherName, let otherVersion, let otherCases)):
        guard name == otherName, version == otherVersion, cases.count == otherCases.count else { return false }
        for (one, other) in zip(cases, otherCases) {
          if one.name != other.name || one.rawValue != other.rawValue || !add(one.payload, other.payload) { return false }
        }
      case (
        .object(let name, let version, let superclass, let properties),
        .object(let otherName, let otherVersion, let otherSuperclass, let otherProperties)
      ):
        return name == otherName && version == otherVersion && add(superclass, otherSuperclass) && add(properties, otherProperties)
      default: return false
      }
      return true
    }
  }
}
