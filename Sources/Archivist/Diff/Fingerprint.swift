import MirrorArchive

/// A text that is the same for values that are the same: what entries of dictionaries and elements of sets are found by.
///
/// Objects count with their class and their own plain values, since their numbers say nothing.
enum Fingerprint {
  private enum Piece {
    case value(ArchiveValue)
    case text(String)
  }

  static func text(_ value: ArchiveValue, in side: Side) -> String {
    var text = ""
    // Lists stand in for recursion, whose depth the archive would decide. The next one last.
    var pieces: [Piece] = [.value(value)]
    var isInObject = false
    while let piece = pieces.popLast() {
      switch piece {
      case .text(let own): text += own
      case .value(.reference(let number)):
        guard let object = side.object(number), !isInObject else {
          text += side.object(number).map(\.className) ?? "none"
          continue
        }
        // Its references are not followed: they may lead back to it.
        isInObject = true
        add(object.properties.map { ($0.key, $0.value) }, object.className, to: &pieces)
      case .value(let value): add(value, &text, &pieces)
      }
      if pieces.isEmpty { isInObject = false }
    }
    return text
  }

  private static func add(_ value: ArchiveValue, _ text: inout String, _ pieces: inout [Piece]) {
    switch value {
    case .present(let inner): add([("", inner)], "some", to: &pieces)
    case .array(let elements), .inlineArray(let elements): add(elements.map { ("", $0) }, "array", to: &pieces)
    case .set(let elements): add(elements.map { ("", $0) }, "set", to: &pieces)
    case .dictionary(let entries): add(entries.flatMap { [("", $0.key), ("", $0.value)] }, "dictionary", to: &pieces)
    case .tuple(let fields): add(fields.map { ($0.key, $0.value) }, "tuple", to: &pieces)
    case .structure(let structure): add(structure.fields.map { ($0.key, $0.value) }, structure.name, to: &pieces)
    case .enumeration(let one):
      add(one.payload.map { [("", $0)] } ?? [], "\(one.name).\(one.caseName) \(one.caseIndex)", to: &pieces)
    case .any(let typed): add([("", typed.value)], "\(typed.type)", to: &pieces)
    case .container(let members): add(members.map { ($0.key ?? "", $0.value) }, "container", to: &pieces)
    case .string(let string): text += Text.quoted(string)
    case .data(let data): text += data.map { String($0, radix: 16) }.joined(separator: " ")
    default: text += "\(value.kindName) \(value)"
    }
  }

  private static func add(_ parts: [(String, ArchiveValue)], _ name: String, to pieces: inout [Piece]) {
    pieces.append(.text(")"))
    for (key, value) in parts.reversed() {
      pieces.append(.text(","))
      pieces.append(.value(value))
      if !key.isEmpty { pieces.append(.text("\(Text.quoted(key)):")) }
    }
    pieces.append(.text("\(name)("))
  }
}

extension ArchiveValue {
  /// The name of the kind of value, such as `Int8`.
  var kindName: String {
    switch self {
    case .null: "nil"
    case .present: "Optional"
    case .constant: "constant"
    case .bool: "Bool"
    case .int: "Int"
    case .int8: "Int8"
    case .int16: "Int16"
    case .int32: "Int32"
    case .int64: "Int64"
    case .int128: "Int128"
    case .uint: "UInt"
    case .uint8: "UInt8"
    case .uint16: "UInt16"
    case .uint32: "UInt32"
    case .uint64: "UInt64"
    case .uint128: "UInt128"
    case .float16: "Float16"
    case .float: "Float"
    case .double: "Double"
    case .cgFloat: "CGFloat"
    case .decimal: "Decimal"
    case .string: "String"
    case .substring: "Substring"
    case .character: "Character"
    case .unicodeScalar: "Unicode.Scalar"
    case .date: "Date"
    case .duration: "Duration"
    case .data: "Data"
    case .uuid: "UUID"
    case .void: "Void"
    case .metatype: "class"
    case .reference: "object"
    case .array: "array"
    case .set: "set"
    case .dictionary: "dictionary"
    case .inlineArray: "inline array"
    case .tuple: "tuple"
    case .structure(let structure): structure.name
    case .enumeration(let enumeration): enumeration.name
    case .any: "Any"
    case .container: "container"
    }
  }

  /// Whether it has no other values in it and is no reference.
  var isPlain: Bool {
    switch self {
    case .present, .reference, .array, .set, .dictionary, .inlineArray, .tuple, .structure, .enumeration, .any, .container: false
    default: true
    }
  }
}
