package import ArchiveFormat

extension TypeTable {
  package func optionalPayload(of id: TypeID) -> TypeID? {
    if let scalar = id.wrappedScalar { return scalar }
    if case .optional(let inner)? = self[id] { return inner }
    return nil
  }

  /// The type in words; an archive may describe types that are too large to be printed whole.
  package func describe(_ id: TypeID) -> String {
    var budget = 64
    return describe(id, depth: 0, &budget)
  }

  private func describe(_ id: TypeID, depth: Int, _ budget: inout Int) -> String {
    budget -= 1
    if depth > 8 || budget < 0 { return "…" }
    if let inner = id.wrappedScalar { return describe(inner, depth: depth + 1, &budget) + "?" }
    switch self[id] {
    case nil: return id.scalarName
    case .optional(let inner): return describe(inner, depth: depth + 1, &budget) + "?"
    case .array(let inner): return "[" + describe(inner, depth: depth + 1, &budget) + "]"
    case .set(let inner): return "Set<" + describe(inner, depth: depth + 1, &budget) + ">"
    case .dictionary(let key, let value):
      let keyName = describe(key, depth: depth + 1, &budget)
      return "[\(keyName): \(describe(value, depth: depth + 1, &budget))]"
    case .inlineArray(let inner, let count): return "[\(count) of \(describe(inner, depth: depth + 1, &budget))]"
    case .tuple(let fields) where fields.count == 1:
      return describe(optionalPayload(of: fields[0].type) ?? fields[0].type, depth: depth + 1, &budget)
    case .tuple(let fields):
      var names: [String] = []
      for field in fields where budget >= 0 { names.append(describe(field.type, depth: depth + 1, &budget)) }
      return "(" + names.joined(separator: ", ") + ")"
    case .structure(let name, _, _), .enumeration(let name, _, _), .object(let name, _, _, _): return name
    }
  }
}

extension TypeID {
  fileprivate var scalarName: String {
    let names = [
      "Bool", "Int", "Double", "String", "an object", "Date", "Data", "UUID", "Float", "Int32", "UInt8", "Int8", "Int16", "Int64", "UInt",
      "UInt16", "UInt32", "UInt64", "Int128", "UInt128", "Float16", "Decimal", "Character", "Any", "CGFloat", "Substring", "Unicode.Scalar",
      "Void", "Duration", "a class", "a container", "String",
    ]
    return rawValue < names.count ? names[Int(rawValue)] : "type \(rawValue)"
  }
}
