extension Reflection {
  /// The field at `index` of a class, struct or tuple as the runtime reports it.
  ///
  /// - Parameter record: What the compiler wrote about it; nil for a tuple.
  /// - Throws: `.namelessFields` or `.missingMetadata`.
  static func field(of type: Any.Type, at index: Int, record: FieldRecord?) throws(ReflectionError) -> Field {
    // SAFETY: `index` is below the runtime's own count. The name lives as long as `metadata` says: until its function is called.
    var metadata = unsafe RuntimeFieldMetadata()
    let declared = unsafe runtimeFieldType(type, index: index, fieldMetadata: &metadata)
    var name = unsafe metadata.name.map { unsafe String(cString: $0) } ?? ""
    unsafe metadata.freeFunction?(metadata.name)
    if name.isEmpty, record == nil { name = ".\(index)" }

    if let record {
      guard !name.isEmpty else { throw nameless(type) }
      guard name == record.name else { throw missing(type) }
    }
    guard let declared else { throw missing(type) }
    let isVar = unsafe metadata.isVar || record == nil
    let witnesses = ValueWitnesses(declared)
    var field = Field(
      name: name, type: declared, offset: runtimeFieldOffset(type, index: index), isVar: isVar,
      ownership: record?.ownership ?? .strong, size: witnesses.size)
    if !witnesses.isCopyable {
      field.obstacle = .noncopyable
    } else if declared == Void.self, let mangled = record?.mangledType, !mangled.canBeVoid {
      // What the runtime cannot represent it reports as `()`.
      field.obstacle = mangled.usesAccessor ? .noncopyable : .unresolved
      field.size = 0
    }
    return field
  }

  /// Makes sure that no property reaches into the next one or out of its container.
  ///
  /// Properties that will be refused anyway are passed over: their metadata may well misstate their size.
  static func checkLayout(of type: Any.Type, fields: [Field], size: Int) throws(ReflectionError) {
    let solid = fields.filter { $0.size > 0 }
    for (index, field) in solid.enumerated() {
      let limit = index + 1 < solid.count ? solid[index + 1].offset : size
      let isInside = field.offset >= 0 && field.offset <= limit && field.size <= limit &- field.offset
      if !isInside, refusal(for: field, in: "") == nil {
        throw ReflectionError(
          code: .layoutMismatch, typeName: displayName(of: type), property: field.name,
          message: "It takes \(field.size) bytes at offset \(field.offset), where only those up to \(limit) are free; make it @Transient.")
      }
    }
  }

  static func missing(_ type: Any.Type) -> ReflectionError {
    ReflectionError(
      code: .missingMetadata, typeName: displayName(of: type),
      message: "The names or types of its stored properties or cases are not in the program; "
        + "compile its module without -disable-reflection-metadata, or make the property that leads here @Transient.")
  }

  static func nameless(_ type: Any.Type) -> ReflectionError {
    ReflectionError(
      code: .namelessFields, typeName: displayName(of: type),
      message: "The names of its stored properties or cases are not in the program; compile its module without -disable-reflection-names.")
  }
}
