import ArchiveFormat
import MirrorArchive

/// The names of types as JSON has them.
final class TypeText {
  private let types: TypeTable
  private var known: [TypeID: String] = [:]
  /// Descriptions may contain themselves, and be longer than anybody can read.
  private static let maximumLength = 65_536
  private static let maximumDepth = 1_600

  init(_ types: TypeTable) { self.types = types }

  func text(_ type: TypeID) -> String {
    if let text = known[type] { return text }
    var text = ""
    add(type, to: &text, 0)
    // A few long ones must not fill the memory.
    if text.utf8.count < 256 { known[type] = text }
    return text
  }

  private func add(_ type: TypeID, to text: inout String, _ depth: Int) {
    guard text.utf8.count < Self.maximumLength, depth < Self.maximumDepth else {
      if !text.hasSuffix("…") { text += "…" }
      return
    }
    if let wrapped = types.optionalPayload(of: type) {
      add(wrapped, to: &text, depth + 1)
      text += "?"
      return
    }
    switch types[type] {
    case .array(let element): enclose("[", element, "]", &text, depth)
    case .set(let element): enclose("Set<", element, ">", &text, depth)
    case .inlineArray(let element, let count): enclose("[\(count) of ", element, "]", &text, depth)
    case .dictionary(let key, let value):
      enclose("[", key, ": ", &text, depth)
      enclose("", value, "]", &text, depth)
    case .tuple(let members):
      text += "("
      for (index, member) in members.enumerated() where text.utf8.count < Self.maximumLength {
        if index > 0 { text += ", " }
        if !member.key.isEmpty { text += "\(member.key): " }
        add(member.type, to: &text, depth + 1)
      }
      text += ")"
    case .structure(let name, _, _), .enumeration(let name, _, _), .object(let name, _, _, _): text += name
    case nil, .optional:
      switch type {
      case .reference: text += "reference"
      case .metatype: text += "class"
      case .record: text += "record"
      default: text += types.describe(type)
      }
    }
  }

  private func enclose(_ open: String, _ type: TypeID, _ close: String, _ text: inout String, _ depth: Int) {
    text += open
    add(type, to: &text, depth + 1)
    text += close
  }
}
