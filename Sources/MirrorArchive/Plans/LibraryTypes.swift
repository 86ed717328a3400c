import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which types belong to the standard library or Foundation.
enum LibraryTypes {
  /// The library's name, or nil for everybody else's types.
  static func module(of type: Any.Type) -> String? {
    guard let name = Reflection.stableName(of: type) else { return nil }
    for module in [
      "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "Synchronization", "Dispatch", "_Concurrency",
    ]
    where name.hasPrefix(module + ".") {
      return module
    }
    return nil
  }

  /// Structs whose public properties are exactly what they store.
  static func isTransparent(_ type: Any.Type) -> Bool {
    ["CGPoint", "CGSize", "CGRect", "CGVector", "AffineTransform", "_NSRange"].contains(Reflection.unqualifiedName(of: type))
  }
}

/// Types whose `hash(into:)` and `==` are the library's: using them as keys runs no user code.
enum HashedByLibrary {
  static func covers(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalType.Type { return covers(optional.wrappedType) }
    // A generic type of the library hashes what the program puts into it.
    guard LibraryTypes.module(of: type) != nil, !"\(type)".contains("<"), type != AnyHashable.self else { return false }
    return !(type is any Sequence.Type) || type == String.self || type == Data.self
  }
}
