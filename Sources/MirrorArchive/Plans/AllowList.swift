import ArchiveReflection

/// The lists of types that callers hand over: those that would switch the check off are refused before anything else is looked at.
enum AllowList {
  /// - Parameter isRoot: The types are what the caller asks for, where `Any` is a type like others; in a list it would admit everything.
  /// - Throws: `invalidAllowList`.
  static func check(_ types: [Any.Type], isRoot: Bool = false) throws {
    if types.isEmpty {
      throw ArchiveError(.invalidAllowList, message: "the list of allowed types is empty; name the types the archive may hold")
    }
    for type in types {
      let isOpen = Reflection.kind(of: type) == .existential && !(isRoot && type == Any.self)
      if type == MirrorCoding.self || isOpen {
        throw ArchiveError(
          .invalidAllowList, message: "\(type) names no class or value type and would admit all; name the types that the archive may hold")
      }
    }
  }
}
