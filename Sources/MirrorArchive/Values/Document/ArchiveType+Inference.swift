import ArchiveFormat

extension ArchiveType {
  /// As deep as readers follow types in types.
  private static let maximumDepth = 128

  /// The type that a value is of by itself.
  ///
  /// - Throws: `typeMismatch` where several types could be meant: nil, an empty collection, an enum that the document does not describe.
  init(inferredFrom value: ArchiveValue, in document: ArchiveDocument) throws { self = try Self.infer(value, document, depth: 0) }

  private static func infer(_ value: ArchiveValue, _ document: ArchiveDocument, depth: Int) throws -> ArchiveType {
    if depth > maximumDepth { throw ArchiveError(.nestingTooDeep, message: "values are nested more than \(maximumDepth) deep") }
    func open(_ what: String) -> ArchiveError {
      ArchiveError(.typeMismatch, message: "\(what) may be of several types: give the type, as ArchiveValue.any(.init(value, type))")
    }
    switch value {
    case .null: throw open("nil")
    case .present(let inner): return .optional(try infer(inner, document, depth: depth + 1))
    case .constant: throw open("a constant")
    case .any(let typed): return typed.type
    case .array(let elements): return .array(of: try infer(elements, document, depth: depth, open("an empty array")))
    case .set(let elements): return .set(of: try infer(elements, document, depth: depth, open("an empty set")))
    case .inlineArray(let elements):
      return .inlineArray(of: try infer(elements, document, depth: depth, open("an empty array")), count: elements.count)
    case .dictionary(let entries):
      let key = try infer(entries.map(\.key), document, depth: depth, open("an empty dictionary"))
      return .dictionary(key: key, value: try infer(entries.map(\.value), document, depth: depth, open("an empty dictionary")))
    case .tuple(let fields):
      return .tuple(Members(try fields.map { Member($0.key, try infer($0.value, document, depth: depth + 1)) }))
    case .structure(let structure):
      if let known = document.namedType(structure.name, version: structure.version) { return known }
      let fields = try structure.fields.map { Member($0.key, try infer($0.value, document, depth: depth + 1)) }
      return .structure(name: structure.name, version: structure.version, fields: Members(fields))
    case .enumeration(let one):
      if let known = document.namedType(one.name, version: one.version) { return known }
      throw open("a case of \(one.name), whose other cases the document does not know,")
    default: return ArchiveType(value.scalarType, in: .none)
    }
  }

  /// The one type of all elements, `Any` if they are of several. Some may be nil.
  private static func infer(
    _ elements: [ArchiveValue], _ document: ArchiveDocument, depth: Int, _ none: @autoclosure () -> ArchiveError
  ) throws -> ArchiveType {
    var found: ArchiveType?
    var hasNull = false
    for element in elements {
      if case .null = element {
        hasNull = true
        continue
      }
      let type = try infer(element, document, depth: depth + 1)
      if let found, found != type { return hasNull ? .optional(.any) : .any }
      found = type
    }
    guard let found else { throw none() }
    return hasNull ? .optional(found) : found
  }
}

extension ArchiveDocument {
  /// A struct or enum that the archive describes.
  fileprivate func namedType(_ name: String, version: UInt64) -> ArchiveType? {
    var tables: [ArchiveType.Table] = []
    let described = roots.map(\.type.table) + classes.keys.sorted().compactMap { classes[$0]?.type.table }
    for table in described where !tables.contains(where: { $0 === table }) { tables.append(table) }
    for table in tables {
      for (index, entry) in table.types.entries.enumerated() {
        switch entry {
        case .structure(name, version, _), .enumeration(name, version, _): return ArchiveType(TypeID(entry: index), in: table)
        default: continue
        }
      }
    }
    return nil
  }
}

extension ArchiveValue {
  /// The type of a scalar.
  fileprivate var scalarType: TypeID {
    switch self {
    case .bool: .bool
    case .int: .int
    case .int8: .int8
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .int128: .int128
    case .uint: .uint
    case .uint8: .uint8
    case .uint16: .uint16
    case .uint32: .uint32
    case .uint64: .uint64
    case .uint128: .uint128
    case .float16: .float16
    case .float: .float
    case .double: .double
    case .cgFloat: .cgFloat
    case .decimal: .decimal
    case .string: .string
    case .substring: .substring
    case .character: .character
    case .unicodeScalar: .unicodeScalar
    case .date: .date
    case .duration: .duration
    case .data: .data
    case .uuid: .uuid
    case .metatype: .metatype
    case .reference: .reference
    case .container: .record
    default: .void
    }
  }
}
