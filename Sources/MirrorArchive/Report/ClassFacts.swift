import ArchiveFormat
import ArchiveReflection

/// What binding has found out about the properties of one archived class.
final class ClassFacts: Sendable {
  struct UnknownKey: Sendable {
    /// As the context gives it.
    let name: String
    let key: String
    /// The place among the archived properties of all levels.
    let step: Int
  }

  struct Conversion: Sendable {
    let key: String
    /// The archived and the declared type, in words.
    let archived: String
    let declared: String
  }

  let version: UInt64
  let unknown: [UnknownKey]
  let defaulted: [String]
  let converted: [Conversion]

  init(version: UInt64, unknown: [UnknownKey] = [], defaulted: [String] = [], converted: [Conversion] = []) {
    self.version = version
    self.unknown = unknown
    self.defaulted = defaulted
    self.converted = converted
  }

  /// Whether today's type is the archived one.
  var isExact: Bool { unknown.isEmpty && defaulted.isEmpty && converted.isEmpty }

  /// Names unknown keys; of those that several classes of a hierarchy have, only the most derived one goes by the key alone.
  ///
  /// - Parameter keys: The key, the archived name of the class that declares it, and the place among all archived properties, base first.
  static func unknownKeys(_ keys: [(key: String, owner: String, step: Int)]) -> [UnknownKey] {
    var seen: Set<String> = []
    let named = keys.reversed().map { key, owner, step in
      UnknownKey(name: seen.insert(key).inserted ? key : "\(owner).\(key)", key: key, step: step)
    }
    return named.reversed()
  }
}

extension ClassReader {
  /// Decodes what the archive has of a block's objects and the program has no property for.
  func unknownValues(
    count: Int, in bytes: ByteReader, _ values: ArchiveValues
  ) throws -> [[String: ArchiveValue]] {
    var rows = [[String: ArchiveValue]](repeating: [:], count: count)
    try columns(count: count, in: bytes, ColumnSkipper(types: values.types)) { index, step, column in
      guard let unknown = facts.unknown.first(where: { $0.step == index }) else { return true }
      var column = column
      let decoded = try values.values(step.type, count: count, from: &column, poolID: step.poolID)
      for (row, value) in decoded.enumerated() where row < count { rows[row][unknown.name] = value }
      return true
    }
    return rows
  }
}
