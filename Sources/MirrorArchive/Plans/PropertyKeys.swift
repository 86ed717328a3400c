import ArchiveReflection

/// The keys under which stored properties are archived: their names as the programmer wrote them.
enum PropertyKeys {
  /// The key of each field of one struct or one class level, in order.
  ///
  /// The storage `_x` of a property wrapper and `$__lazy_storage_$_x` become `x`, unless a stored `x` exists beside it.
  static func keys(of fields: [Field], isTuple: Bool = false) -> [String] {
    if isTuple { return fields.map(\.name) }
    let names = Set(fields.map(\.name))
    return fields.map { field in
      let short = displayName(field.name)
      if short == field.name || names.contains(short) { return field.name }
      if field.name.hasPrefix(lazyPrefix) { return short }
      if names.contains(lazyPrefix + short) { return field.name }
      // A wrapper is always somebody's own struct, class or enum; `_count: Int` is just a property with that name.
      let mayBeWrapper: Bool
      switch Reflection.kind(of: field.type) {
      case .structure, .enumeration, .classType: mayBeWrapper = LibraryTypes.module(of: field.type) == nil
      default: mayBeWrapper = false
      }
      return mayBeWrapper ? short : field.name
    }
  }

  private static let lazyPrefix = "$__lazy_storage_$_"

  static func displayName(_ name: String) -> String {
    if name.hasPrefix(lazyPrefix) { return String(name.dropFirst(lazyPrefix.count)) }
    if name.hasPrefix("_"), name.count > 1 { return String(name.dropFirst()) }
    return name
  }
}
