extension Reflection {
  /// The cases of an enum, `Optional` included.
  ///
  /// - Throws: `.unsupportedType` if the type is not an enum, `.missingMetadata`, `.namelessFields`, `.noncopyable`.
  package static func enumShape(of type: Any.Type) throws(ReflectionError) -> EnumShape {
    guard let descriptor = TypeDescriptor(type), let declared = descriptor.declaredCaseCounts else {
      throw ReflectionError(code: .unsupportedType, typeName: displayName(of: type), message: "It is not an enum; make it @Transient.")
    }
    let witnesses = ValueWitnesses(type)
    guard witnesses.isCopyable else { throw noncopyable(type) }
    let records = descriptor.records ?? []
    guard records.count == declared.payload + declared.empty else { throw missing(type) }

    var cases: [CaseShape] = []
    for (index, record) in records.enumerated() {
      guard !record.name.isEmpty else { throw nameless(type) }
      // A payload without bits, such as `Void`, has a type in its record although the case counts among those without payload.
      guard record.mangledType != nil || index >= declared.payload else { throw missing(type) }
      var payload: Any.Type?
      if let mangled = record.mangledType {
        guard let resolved = mangled.resolve(in: type) else { throw mangled.usesAccessor ? noncopyable(type) : missing(type) }
        if resolved == Void.self, !mangled.canBeVoid { throw mangled.usesAccessor ? noncopyable(type) : missing(type) }
        payload = try withoutLoneLabel(resolved)
      }
      cases.append(CaseShape(name: record.name, payload: payload, isIndirect: record.isIndirect))
    }
    let isTrivialByte = cases.allSatisfy { $0.payload == nil } && witnesses.size == 1 && storesTagAsByte(witnesses, caseCount: cases.count)
    return EnumShape(type: type, cases: cases, isTrivialByte: isTrivialByte)
  }

  /// `Double` for the payload of `case circle(r: Double)`, whose record says `(r: Double)`: a tuple that the language cannot express. The
  /// layout is the same.
  private static func withoutLoneLabel(_ payload: Any.Type) throws(ReflectionError) -> Any.Type {
    guard kind(of: payload) == .tuple, runtimeFieldCount(payload) == 1 else { return payload }
    return try field(of: payload, at: 0, record: nil).type
  }

  private static func storesTagAsByte(_ witnesses: ValueWitnesses, caseCount: Int) -> Bool {
    guard caseCount <= 256 else { return false }
    // SAFETY: a value of the enum takes one byte and owns nothing.
    return unsafe withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
      guard let p = byte.baseAddress else { return false }
      return (0..<caseCount).allSatisfy { tag in
        unsafe p.storeBytes(of: 0, as: UInt8.self)
        unsafe witnesses.injectEnumTag(p, UInt32(tag))
        return unsafe Int(p.load(as: UInt8.self)) == tag && Int(witnesses.enumTag(p)) == tag
      }
    }
  }

  private static func noncopyable(_ type: Any.Type) -> ReflectionError {
    ReflectionError(
      code: .noncopyable, typeName: displayName(of: type),
      message: "It is, or a case of it holds, a value that cannot be copied; make the property that leads here @Transient.")
  }
}
