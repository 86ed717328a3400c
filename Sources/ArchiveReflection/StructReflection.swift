extension Reflection {
  /// The elements of a struct or tuple.
  ///
  /// An element that cannot be archived is listed like any other; ask `refusal(for:in:)` about it.
  /// - Throws: `.unsupportedType` if the type is neither, `.missingMetadata`, `.namelessFields`, `.layoutMismatch`.
  package static func structShape(of type: Any.Type) throws(ReflectionError) -> StructShape {
    let size = ValueWitnesses(type).size
    var fields: [Field] = []
    switch kind(of: type) {
    case .tuple:
      for index in 0..<runtimeFieldCount(type) { fields.append(try field(of: type, at: index, record: nil)) }
    case .structure:
      guard let descriptor = TypeDescriptor(type) else { throw missing(type) }
      let records = try records(of: type, descriptor)
      // Imported unions and types of raw storage have bytes but no fields.
      guard runtimeFieldCount(type) == records.count, size == 0 || !records.isEmpty else { throw missing(type) }
      for (index, record) in records.enumerated() { fields.append(try field(of: type, at: index, record: record)) }
    default:
      throw ReflectionError(
        code: .unsupportedType, typeName: displayName(of: type), message: "It is neither a struct nor a tuple; make it @Transient.")
    }
    if isImported(type), !isGapless(fields, size: size) {
      throw ReflectionError(
        code: .missingMetadata, typeName: displayName(of: type),
        message: "There is room between its stored properties, where an imported struct may have bit fields that are not visible; "
          + "copy its values into a Swift struct, or make the property that leads here @Transient.")
    }
    try checkLayout(of: type, fields: fields, size: size)
    return StructShape(type: type, fields: fields)
  }

  private static func isImported(_ type: Any.Type) -> Bool {
    _typeName(type, qualified: true).hasPrefix("__C.")
  }

  /// Whether the fields fill the type from the first byte to the last.
  ///
  /// The bit fields of an imported struct take room without being stored properties, and may lie where others only have padding.
  private static func isGapless(_ fields: [Field], size: Int) -> Bool {
    var end = 0
    for field in fields where field.size > 0 {
      guard field.offset <= end else { return false }
      end = field.offset &+ field.size
    }
    return size <= end
  }
}
