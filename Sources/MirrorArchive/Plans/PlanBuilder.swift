import ArchiveFormat
import ArchiveReflection

/// Builds the codecs of one type and of everything it is made of.
///
/// A codec is entered before its parts are resolved, so types that contain themselves (through arrays or indirect enums) end.
/// If anything is refused the builder is dropped, and with it all that it has entered.
struct PlanBuilder {
  let registry: PlanRegistry
  private var codecs: [ObjectIdentifier: ValueCodec] = [:]

  init(registry: PlanRegistry) { self.registry = registry }

  /// Hands over what was built. From then on other threads read it, so nothing of it may change: the builder forgets it.
  mutating func publish() {
    ValueCodec.resolveTraits(of: Array(codecs.values))
    registry.publish(codecs)
    codecs = [:]
  }

  mutating func codec(for type: Any.Type) throws -> ValueCodec {
    let key = ObjectIdentifier(type)
    if let known = codecs[key] ?? registry.published(key) { return known }
    if let provider = type as? any CodecProviding.Type { return try provider.makeCodec(&self) }
    do {
      switch Reflection.kind(of: type) {
      case .structure: return try structCodec(for: type)
      case .tuple: return try tupleCodec(for: type)
      case .enumeration: return try enumCodec(for: type)
      case .classType:
        guard let type = type as? AnyClass else { throw unsupported(type) }
        return enter(ReferenceCodec(type, declared: .instances(of: type)))
      case .existential: return enter(existentialCodec(for: type))
      default: throw unsupported(type)
      }
    } catch let error as ReflectionError {
      throw ArchiveError(error)
    }
  }

  /// Enters a codec under its type; what it is made of is resolved afterwards.
  @discardableResult
  mutating func enter<Codec: ValueCodec>(_ codec: Codec) -> Codec {
    codecs[ObjectIdentifier(codec.type)] = codec
    return codec
  }

  private func existentialCodec(for type: Any.Type) -> ValueCodec {
    type == AnyObject.self ? ReferenceCodec(type, declared: .anyObject) : AnyCodec(type)
  }

  private func unsupported(_ type: Any.Type) -> ArchiveError {
    if let refusal = Reflection.refusal(forType: type, property: nil, in: "\(type)") { return ArchiveError(refusal) }
    return ArchiveError(
      .unsupportedType, path: "\(type)",
      message: "values of type \(type) cannot be archived; make the property @Transient, or archive something it can be made from")
  }

  private mutating func tupleCodec(for type: Any.Type) throws -> ValueCodec {
    if type == Void.self { return enter(FixedCodec(type, .void)) }
    let shape = try Reflection.structShape(of: type)
    let codec = enter(StructCodec(type, isTuple: true, name: ArchivedName("")))
    codec.resolve(try elements(shape.fields, in: "\(type)"), omitted: .none)
    return codec
  }

  private mutating func structCodec(for type: Any.Type) throws -> ValueCodec {
    let typeName = Reflection.unqualifiedName(of: type)
    if let library = LibraryTypes.module(of: type), !LibraryTypes.isTransparent(type) {
      if typeName == "CGFloat", MemoryLayout<Double>.size == ValueWitnesses(type).size { return enter(DoubleCodec(type, .cgFloat)) }
      // Another library's private layout is not ours to depend on; its raw value is public.
      if let raw = type as? any RawRepresentable.Type { return try rawCodec(for: raw) }
      throw ArchiveError(
        .unsupportedType, path: typeName,
        message:
          "\(type) belongs to \(library), whose stored properties are private; make the property @Transient, or keep its parts in properties of your own"
      )
    }
    let rules = try EffectiveRules(try Reflection.structShape(of: type)).levels[0]
    let codec = enter(StructCodec(type, isTuple: false, name: valueTypeName(type), version: rules.version))
    var members: [StructCodec.Member] = []
    for property in rules.properties where !property.isExcluded {
      let inner = try fieldCodec(property.field, in: typeName)
      members.append(
        StructCodec.Member(
          key: property.key, codec: inner, offset: inner.witnesses.size == 0 ? 0 : property.field.offset, name: property.name,
          formerKeys: property.formerKeys, rule: property.valueRule, defaultValue: property.defaultValue))
    }
    codec.resolve(members, omitted: try omitted(rules.properties, of: type))
    return codec
  }

  private func omitted(_ properties: [RuledProperty], of type: Any.Type) throws -> StructCodec.Omitted {
    let outside = properties.filter(\.isExcluded)
    if let initializable = type as? any MirrorInitializable.Type {
      let defaults = outside.compactMap { property in
        property.defaultValue.map { (value: $0, offset: property.field.offset, witnesses: ValueWitnesses(property.field.type)) }
      }
      return .initializer(initializable, defaults)
    }
    return outside.isEmpty ? .none : .fields(try outside.map { try omittedField($0, of: type) })
  }

  /// What is put into a property that is not archived, where no initializer does it.
  func omittedField(_ property: RuledProperty, of type: Any.Type) throws -> OmittedField {
    let conditional = property.field.ownership == .strong ? nil : conditionalCodec(property.field)
    let refusal = Reflection.refusal(for: property.field, in: "")
    if refusal?.code != .noncopyable, refusal?.code != .missingMetadata, let field = OmittedField(property, conditional: conditional) {
      return field
    }
    if property.transient != nil {
      throw ArchiveError(
        .unsupportedType, path: "\(type)",
        message: "\(type) has a @Transient property '\(property.name)' that is not Optional and no init() to fill it; make it Optional, "
          + "give it a default in archiveRules, or let \(type) conform to MirrorInitializable")
    }
    throw ArchiveError.invalidRules(
      type, property.name,
      "'\(property.name)' is not archived and no init() fills it; make it Optional, give it a default (PropertyRule(\"\(property.name)\", "
        + "default: .value(...))), or let \(Reflection.unqualifiedName(of: type)) conform to MirrorInitializable")
  }

  private mutating func elements(_ fields: [Field], in typeName: String) throws -> [StructCodec.Member] {
    try zip(fields, PropertyKeys.keys(of: fields, isTuple: true)).map { field, key in
      let codec = try fieldCodec(field, in: typeName)
      return StructCodec.Member(key: key, codec: codec, offset: codec.witnesses.size == 0 ? 0 : field.offset, name: key)
    }
  }

  /// The codec of a stored property, by its ownership.
  mutating func fieldCodec(_ field: Field, in typeName: String) throws -> ValueCodec {
    if let refusal = Reflection.refusal(for: field, in: typeName) { throw ArchiveError(refusal) }
    if field.ownership != .strong {
      return conditionalCodec(field)
    }
    do {
      return try codec(for: field.type)
    } catch var error as ArchiveError {
      let place = "\(typeName).\(PropertyKeys.displayName(field.name))"
      error.path = place + (error.path.isEmpty ? "" : " → \(error.path)")
      error.message = "\(place): \(error.message)"
      throw error
    }
  }

  private func conditionalCodec(_ field: Field) -> ConditionalReferenceCodec {
    let wrapped = (field.type as? any OptionalType.Type)?.wrappedType
    let target = wrapped ?? field.type
    let declared: DeclaredObject = (target as? AnyClass).map { .instances(of: $0) } ?? .anyObject
    let codec = ConditionalReferenceCodec(field.type, declared: declared, ownership: field.ownership, isOptional: wrapped != nil)
    ValueCodec.resolveTraits(of: [codec])
    return codec
  }

  private mutating func enumCodec(for type: Any.Type) throws -> ValueCodec {
    let shape = try Reflection.enumShape(of: type)
    let typeName = Reflection.unqualifiedName(of: type)
    let rules = try EnumRules(shape)
    let codec = enter(EnumCodec(type, shape: shape, name: valueTypeName(type), rules: rules))
    let payloads = shape.cases.filter { $0.payload != nil }.count
    codec.resolve(
      try zip(shape.cases, rules.cases).map { one, rule in
        let payload = try one.payload.map { payload in
          let field = Field(name: one.name, type: payload, offset: 0, isVar: true, ownership: .strong, size: 0)
          if let refusal = Reflection.refusal(forType: payload, property: one.name, in: typeName) { throw ArchiveError(refusal) }
          return try fieldCodec(field, in: typeName)
        }
        return EnumCodec.Case(
          name: one.name, key: rule.key, formerKeys: rule.formerKeys, payload: payload, isInPlace: payloads == 1 && !one.isIndirect,
          isIndirect: one.isIndirect)
      })
    return codec
  }

  private mutating func rawCodec<T: RawRepresentable>(for type: T.Type) throws -> ValueCodec {
    let codec = enter(RepresentedCodec(RawValueRepresentation<T>.self))
    codec.resolve(try self.codec(for: RawValueRepresentation<T>.self))
    return codec
  }

  /// The name of a struct or enum. Reached through a declared property the name is not needed to find the type,
  /// so private value types go by their short name; in `Any` they are refused by the gate, which asks for a stable one.
  private func valueTypeName(_ type: Any.Type) -> ArchivedName {
    ArchivedName(registry.archiveName(of: type) ?? Reflection.unqualifiedName(of: type), former: PlanRegistry.formerNames(of: type))
  }
}

/// A library type stored by its raw value.
struct RawValueRepresentation<T: RawRepresentable>: Representation {
  static var archiveName: String { Reflection.unqualifiedName(of: T.self) }
  var rawValue: T.RawValue
  init(_ value: T) { rawValue = value.rawValue }
  func restored() -> T? { T(rawValue: rawValue) }
}

/// Whether an empty `@Transient` storage can be made at all, found out once per plan.
enum TransientStorageCheck {
  static func hasEmpty(_ type: any TransientStorage.Type) -> Bool {
    let witnesses = ValueWitnesses(type)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(witnesses.size, 1), alignment: witnesses.alignmentMask + 1)
    defer { unsafe memory.deallocate() }
    // SAFETY: the memory is as large and aligned as the type asks, and destroyed if it was filled.
    guard unsafe type.makeEmpty(at: memory) else { return false }
    unsafe witnesses.destroy(memory)
    return true
  }
}
