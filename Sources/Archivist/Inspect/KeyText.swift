import MirrorArchive

/// Keys as labels of lines, and as steps of paths.
enum KeyText {
  /// The step to a property or the like.
  static func step(_ key: String) -> String { text(.key(key)) }

  /// The step to the entry of a dictionary with this key.
  static func step(_ key: ArchiveValue) -> String {
    if let number = key.int64Value.flatMap({ Int(exactly: $0) }), number >= 0 { return text(.index(number)) }
    return text(.entry(key.asKey))
  }

  private static func text(_ component: ArchivePath.Component) -> String {
    String(ArchivePath(.object(0), [component]).description.dropFirst(2))
  }

  /// What stands in front of the value of an entry.
  static func label(_ key: ArchiveValue) -> String {
    switch key {
    case .any(let typed): label(typed.value)
    case .reference(let number): "#\(number)"
    case .array, .set, .inlineArray, .dictionary, .tuple, .structure, .enumeration, .container, .null, .present, .constant:
      Text.safe(key.description)
    default: ScalarText.span(key).text
    }
  }
}
