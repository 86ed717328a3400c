/// What is asked about the types of a table again and again, found out once for all of them.
struct TypeSummary: Sendable {
  /// For each entry whether a value of it may hold a reference; empty if all entries are classes, whose values are references.
  private let referring: [Bool]
  /// Whether a class has a property of the type record.
  let hasRecords: Bool

  /// - Complexity: O(members of all entries).
  init(of entries: [TypeEntry]) {
    var hasRecords = false
    var hasOthers = false
    for entry in entries {
      guard case .object(_, _, _, let properties) = entry else {
        hasOthers = true
        continue
      }
      hasRecords = hasRecords || properties.contains { $0.type == .record }
    }
    self.hasRecords = hasRecords
    referring = hasOthers ? Self.referring(entries) : []
  }

  func mayRefer(_ index: Int) -> Bool { referring.isEmpty || referring[index] }

  private static func referring(_ entries: [TypeEntry]) -> [Bool] {
    var referring = [Bool](repeating: false, count: entries.count)
    var hasLinks = false
    for (index, entry) in entries.enumerated() {
      if entry.isObject { referring[index] = true }
      entry.forEachPart { part in
        if part.isReferringScalar { referring[index] = true }
        if part.entryIndex != nil { hasLinks = true }
      }
    }
    if hasLinks { passOn(&referring, entries) }
    return referring
  }

  /// Lets everything refer that has a part that does.
  private static func passOn(_ referring: inout [Bool], _ entries: [TypeEntry]) {
    // The entries that an entry is a part of, as lists linked by place.
    var first = [Int](repeating: -1, count: entries.count)
    var links: [(whole: Int, next: Int)] = []
    for (index, entry) in entries.enumerated() where !referring[index] {
      entry.forEachPart { part in
        guard let partIndex = part.entryIndex, partIndex < entries.count else { return }
        links.append((whole: index, next: first[partIndex]))
        first[partIndex] = links.count - 1
      }
    }
    var news = entries.indices.filter { referring[$0] }
    while let part = news.popLast() {
      var link = first[part]
      while link >= 0 {
        let whole = links[link].whole
        if !referring[whole] {
          referring[whole] = true
          news.append(whole)
        }
        link = links[link].next
      }
    }
  }
}

extension TypeTable {
  /// Whether a value of this type may hold a reference to an object, itself or deeper down. Any and records always may.
  ///
  /// - Complexity: O(1) for a table that was read or made whole, O(members of all entries) while entries are still being added.
  package func mayRefer(_ type: TypeID) -> Bool {
    guard let index = type.entryIndex else { return type.isReferringScalar }
    guard index < entries.count else { return false }
    return (summary ?? TypeSummary(of: entries)).mayRefer(index)
  }

  /// Whether a class has a property of the type record: its objects were coded by hand.
  ///
  /// - Complexity: as for `mayRefer`.
  package var hasRecords: Bool { (summary ?? TypeSummary(of: entries)).hasRecords }
}

extension TypeID {
  /// Whether this is a reference, Any or a record, or an optional of these by number.
  fileprivate var isReferringScalar: Bool {
    switch wrappedScalar ?? self {
    case .reference, .any, .record: true
    default: false
    }
  }
}

extension TypeEntry {
  /// The types that a value of this one is made of. None for a class: a value of that type is a reference.
  fileprivate func forEachPart(_ body: (TypeID) -> Void) {
    switch self {
    case .optional(let part), .array(let part), .set(let part), .inlineArray(let part, _): body(part)
    case .dictionary(let key, let value):
      body(key)
      body(value)
    case .tuple(let members), .structure(_, _, let members):
      for member in members { body(member.type) }
    case .enumeration(_, _, let cases):
      for enumCase in cases { if let payload = enumCase.payload { body(payload) } }
    case .object: break
    }
  }
}
