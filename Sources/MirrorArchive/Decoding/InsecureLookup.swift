import ArchiveReflection

/// What turning secure decoding off allows: a plain dotted name may be looked up, nothing more.
enum InsecureLookup {
  static func classPlan(named name: String) throws -> ClassPlan {
    let unknown = ArchiveError(.unknownType, message: "this program has no class '\(name)' that can be archived")
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.utf8.count <= 256, (2...16).contains(parts.count), parts.allSatisfy(isIdentifier) else { throw unknown }
    // Module.Outer.Inner is mangled as lengths and names, each nested type closed by the letter of its kind; classes in enums and structs
    // need the letters of those, so all combinations that are plausible for the depth are tried.
    for type in candidates(parts) {
      if let found = type as? AnyClass, found is any Archivable.Type { return try PlanRegistry.shared.classPlan(for: found) }
    }
    throw unknown
  }

  private static func isIdentifier(_ part: Substring) -> Bool {
    guard let first = part.utf8.first, !(48...57).contains(first) else { return false }
    return part.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95 }
  }

  private static func candidates(_ parts: [Substring]) -> [Any.Type] {
    var names = ["\(parts[0].utf8.count)\(parts[0])"]
    for (index, part) in parts.enumerated().dropFirst() {
      let isLast = index == parts.count - 1
      names = names.flatMap { name in (isLast ? ["C"] : ["C", "V", "O"]).map { "\(name)\(part.utf8.count)\(part)\($0)" } }
      if names.count > 729 { return [] }
    }
    return names.compactMap { _typeByName($0) }
  }
}
