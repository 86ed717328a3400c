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
    for type in header.types {
      let version = type.version == 0 ? "" : " version \(type.version)"
      let base = type.superclass.map { ": \($0)" } ?? ""
      let objects = type.objectCount == 0 ? "" : ", \(type.objectCount) objects"
      line("  \(type.kind) \(type.name)\(base)\(version) (\(type.propertyKeys.joined(separator: ", ")))\(objects)")
    }
    let contents = try ArchiveContents(of: data)
    line("\nroots")
    for (root, described) in zip(contents.roots, header.roots) {
      line("  \(root.key): \(described.typeName) = \(Self.words(root.value))")
    }
    line("\nobjects")
    for object in contents.objects {
      line("  #\(object.number) \(object.className)")
      for property in object.properties { line("    \(property.key) = \(Self.words(property.value))") }
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
      "{" + members.map { "\($0.key ?? "-"): \($0.type) = \(words($0.value))" }.joined(separator: ", ") + "}"
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

  private static func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0.value < 32 || $0 == "\"" ? "\\u{\(String($0.value, radix: 16))}" : "\($0)" }.joined() + "\""
  }
}
