#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The colours of a terminal, or none.
package struct Style: Sendable {
  package let isColored: Bool

  /// What a text is.
  package enum Role: String, Sendable {
    /// The key of a property.
    case key = "36"
    /// The name of a type.
    case type = "33"
    case number = "35"
    /// A string.
    case text = "32"
    /// What matters less: offsets, references to what stands elsewhere.
    case faint = "2"
    case heading = "1"
    case removed = "31"
    case added = "92"
  }

  package init(isColored: Bool) { self.isColored = isColored }

  /// - Parameter when: The value of `--color`.
  /// - Throws: `UsageError`.
  package init(when: String?, isTerminal: Bool) throws {
    switch when {
    case nil, "auto":
      // SAFETY: nobody changes the environment.
      let refusal = unsafe getenv("NO_COLOR")
      isColored = unsafe isTerminal && (refusal == nil || refusal?.pointee == 0)
    case "always": isColored = true
    case "never": isColored = false
    case let other?: throw UsageError("'\(other)' is no value of --color: auto, always or never")
    }
  }

  /// The text in the colour of its role.
  package func paint(_ text: String, _ role: Role) -> String { isColored ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text }
}
