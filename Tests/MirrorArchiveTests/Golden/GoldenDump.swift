import ArchiveFormat
import Foundation
import MirrorArchive

/// The contents of an archive as a text that a person can compare: its types, and every value without any type of the program.
struct GoldenDump {
  private(set) var text = ""

  init(_ data: Data) throws {
    let header = try KeyedUnarchiver.header(of: data)
    line(
      "format \(header.formatVersion), for readers of \(header.minimumReaderVersion), \(header.byteCount) bytes, \(header.objectCount) objects"
    )
    line("\ntypes")
    try addTypes(data)
    let contents = try ArchiveDocument(of: data)
    line("\nroots")
    for (root, described) in zip(contents.roots, header.roots) {
      line("  \(Self.escaped(root.key)): \(described.typeName) = \(Self.words(root.value))")
    }
    line("\nobjects")
    for (index, object) in contents.objects.enumerated() {
      // The middle of a large block adds nothing.
      let isInMiddle = object.number & 1023 >= 12 && contents.objects.dropFirst(index + 3).first?.className == object.className
      if isInMiddle { continue }
      line("  #\(object.number) \(object.className)")
      for property in object.properties { line("    \(Self.escaped(property.key)) = \(Self.words(property.value))") }
    }
  }

  private mutating func addTypes(_ data: Data) throws {
    let types = unsafe try data.withUnsafeBytes { bytes in unsafe try ArchiveLayout(parsing: bytes).types }
    func members(_ properties: [Property]) -> String {
      "(" + properties.map { "\(Self.escaped($0.key)): \(Self.words($0.type, types))" }.joined(separator: ", ") + ")"
    }
    func words(_ version: UInt64) -> String { version == 0 ? "" : " version \(version)" }
    for entry in types.entries {
      switch entry {
      case .structure(let name, let version, let fields): line("  struct \(name)\(words(version)) \(members(fields))")
      case .enumeration(let name, let version, let cases):
        let cases = cases.map { one in
          let raw =
            switch one.rawValue {
            case .text(let text): " = \"\(text)\""
            case .integer(let number): " = \(number)"
            case .floating(let number): " = \(number)"
            case nil: ""
            }
          return one.name + (one.payload.map { ": \(Self.words($0, types))" } ?? "") + raw
        }
        line("  enum \(name)\(words(version)) (\(cases.joined(separator: ", ")))")
      case .object(let name, let version, let superclass, let properties):
        line("  class \(name)\(superclass.map { ": \(Self.words($0, types))" } ?? "")\(words(version)) \(members(properties))")
      default: break
      }
    }
  }

  private static let scalars = [
    "Bool", "Int", "Double", "String", "object", "Date", "Data", "UUID", "Float", "Int32", "UInt8", "Int8", "Int16", "Int64", "UInt",
    "UInt16", "UInt32", "UInt64", "Int128", "UInt128", "Float16", "Decimal", "Character", "Any", "CGFloat", "Substring", "Unicode.Scalar",
    "Void", "Duration", "class", "record", "pooled String",
  ]

  /// A type as in Swift; the page about the format has the numbers.
  private static func words(_ type: TypeID, _ types: TypeTable) -> String {
    switch types[type] {
    case .optional(let payload): words(payload, types) + "?"
    case .array(let element): "[\(words(element, types))]"
    case .set(let element): "Set<\(words(element, types))>"
    case .dictionary(let key, let value): "[\(words(key, types)): \(words(value, types))]"
    case .inlineArray(let element, let count): "[\(count) of \(words(element, types))]"
    case .tuple(let members):
      "(" + members.map { ($0.key.isEmpty ? "" : "\($0.key): ") + words($0.type, types) }.joined(separator: ", ") + ")"
    case .structure(let name, _, _), .enumeration(let name, _, _), .object(let name, _, _, _): name
    case nil: scalars[Int(type.rawValue & 31)] + (type.rawValue & 32 == 0 ? "" : "?")
    }
  }

  private mutating func line(_ words: String) { text += words + "\n" }

  // MARK: Values

  private static func words(_ value: ArchiveValue) -> String {
    switch value {
    case .null: "nil"
    case .present(let value): "some(\(words(value)))"
    case .constant: "constant"
    case .void: "()"
    case .bool(let value): "\(value)"
    case .string(let text), .substring(let text): quoted(text)
    case .character(let character): quoted("\(character)")
    case .unicodeScalar(let scalar): "U+" + String(scalar.value, radix: 16, uppercase: true)
    case .double(let number), .cgFloat(let number): bits(number)
    case .float(let number): "\(number)" + (number.isNaN ? " " + String(number.bitPattern, radix: 16) : "")
    case .date(let date): "\(bits(date.timeIntervalSinceReferenceDate)) s"
    case .data(let data): "<" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + ">"
    case .uuid(let id): id.uuidString
    case .reference(let number): "#\(number)"
    case .array(let elements), .set(let elements), .inlineArray(let elements): list(elements.map(words))
    case .dictionary(let entries): list(entries.map { "\(words($0.key)): \(words($0.value))" })
    case .tuple(let fields): "(" + fields.map(member).joined(separator: ", ") + ")"
    case .structure(let structure): "\(structure.name)(" + structure.fields.map(member).joined(separator: ", ") + ")"
    case .enumeration(let value): "\(value.name).\(value.caseName)" + (value.payload.map { "(\(words($0)))" } ?? "")
    case .any(let typed): "\(typed.type) \(words(typed.value))"
    case .container(let members):
      "{" + members.map { "\($0.key.map(escaped) ?? "-"): \($0.type) = \(words($0.value))" }.joined(separator: ", ") + "}"
    default: "\(value)"
    }
  }

  private static func member(_ field: ArchiveValue.Field) -> String {
    field.key.isEmpty || field.key.hasPrefix(".") ? words(field.value) : "\(field.key): \(words(field.value))"
  }

  private static func list(_ elements: [String]) -> String {
    let elements = elements.count > 64 ? elements.prefix(60) + ["… \(elements.count) in all"] : elements[...]
    return "[" + elements.joined(separator: ", ") + "]"
  }

  private static func bits(_ number: Double) -> String { "\(number)" + (number.isNaN ? " " + String(number.bitPattern, radix: 16) : "") }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { $0.value < 32 || $0 == "\"" ? "\\u{\(String($0.value, radix: 16))}" : "\($0)" }.joined()
  }
}
