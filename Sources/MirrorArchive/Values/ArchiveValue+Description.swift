#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ArchiveValue: CustomStringConvertible {
  /// The value in words, for people: `[1, 2]`, `Point(x: 1.0, y: 2.0)`. At most some hundred characters; what is left out is an ellipsis.
  public var description: String {
    var text = Text()
    text.add(self, depth: 0)
    return text.text
  }

  /// Text that ends before it becomes too long.
  private struct Text {
    var text = ""
    /// How many more values may be shown.
    private var budget = 64
    private static let maximumDepth = 8
    private static let maximumLength = 80

    mutating func add(_ value: ArchiveValue, depth: Int) {
      budget -= 1
      if budget < 0 || depth > Self.maximumDepth {
        text += "…"
        return
      }
      switch value {
      case .null: text += "nil"
      case .present(let inner): add(inner, depth: depth + 1)
      case .constant: text += "a constant of the program"
      case .string(let string), .substring(let string): add(quoted: string)
      case .character(let character): add(quoted: String(character))
      case .unicodeScalar(let scalar): add(quoted: String(scalar))
      case .data(let data): text += "\(data.count) bytes"
      case .void: text += "()"
      case .metatype(let type): text += "\(type).self"
      case .reference(let number): text += "object \(number)"
      case .array(let elements), .set(let elements), .inlineArray(let elements):
        add(elements, "[", "]", depth) { text, element, depth in text.add(element, depth: depth) }
      case .dictionary(let entries):
        if entries.isEmpty {
          text += "[:]"
          return
        }
        add(entries, "[", "]", depth) { text, entry, depth in
          text.add(entry.key, depth: depth)
          text.text += ": "
          text.add(entry.value, depth: depth)
        }
      case .tuple(let fields): add(fields, depth)
      case .structure(let structure):
        text += structure.name
        add(structure.fields, depth)
      case .enumeration(let enumeration): add(enumeration, depth)
      case .any(let typed): add(typed.value, depth: depth + 1)
      case .container(let members):
        add(members, "{", "}", depth) { text, member, depth in
          if let key = member.key { text.text += "\(key): " }
          text.add(member.value, depth: depth)
        }
      default: text += Self.plain(value)
      }
    }

    /// Numbers and the like.
    private static func plain(_ value: ArchiveValue) -> String {
      switch value {
      case .bool(let value): "\(value)"
      case .int(let value), .int64(let value): "\(value)"
      case .int8(let value): "\(value)"
      case .int16(let value): "\(value)"
      case .int32(let value): "\(value)"
      case .int128(let value): "\(value)"
      case .uint(let value), .uint64(let value): "\(value)"
      case .uint8(let value): "\(value)"
      case .uint16(let value): "\(value)"
      case .uint32(let value): "\(value)"
      case .uint128(let value): "\(value)"
      case .float(let value): "\(value)"
      case .double(let value), .cgFloat(let value): "\(value)"
      case .float16: value.doubleValue.map { "\($0)" } ?? ""
      case .decimal(let value): value.shown
      case .date(let value): "\(value.timeIntervalSinceReferenceDate) s since 2001"
      case .duration(let value): "\(value)"
      case .uuid(let value): value.uuidString
      default: ""
      }
    }

    private mutating func add(quoted string: String) {
      text += string.count > Self.maximumLength ? "\"\(string.prefix(Self.maximumLength))…\"" : "\"\(string)\""
    }

    private mutating func add(_ enumeration: ArchiveValue.Enumeration, _ depth: Int) {
      text += "\(enumeration.name).\(enumeration.caseName)"
      switch enumeration.payload {
      case nil: break
      case .tuple(let fields): add(fields, depth)
      case let payload?:
        text += "("
        add(payload, depth: depth + 1)
        text += ")"
      }
    }

    private mutating func add(_ fields: [ArchiveValue.Field], _ depth: Int) {
      add(fields, "(", ")", depth) { text, field, depth in
        if !field.key.isEmpty && !field.key.hasPrefix(".") { text.text += "\(field.key): " }
        text.add(field.value, depth: depth)
      }
    }

    private mutating func add<Part>(
      _ parts: [Part], _ open: String, _ close: String, _ depth: Int, _ part: (inout Text, Part, Int) -> Void
    ) {
      text += open
      for (index, one) in parts.enumerated() {
        if index > 0 { text += ", " }
        if budget <= 0 {
          text += "…"
          break
        }
        part(&self, one, depth + 1)
      }
      text += close
    }
  }
}
