import ArchiveFormat
import ArchiveReflection

/// How a property comes by its value where the archive holds one of another type.
extension Binder {
  /// The reader of a stored property of a class or struct.
  ///
  /// In this order: the declared type itself; a rule's closure for the archived type; the rule's other conversions; what converts by itself; a
  /// rule's closure for a type that the archived one converts to exactly.
  mutating func propertyReader(
    _ codec: ValueCodec, _ id: TypeID, rule: PropertyRule? = nil, below component: String
  ) throws -> ColumnReader {
    if codec is LetCodec || letPayload(of: id) == nil, rule?.conversions.isEmpty ?? true { return try reader(codec, id, below: component) }
    path.append(component)
    let reader = try nested { try $0.convertedReader(codec, id, rule?.conversions ?? []) }
    path.removeLast()
    return reader
  }

  private mutating func convertedReader(
    _ codec: ValueCodec, _ id: TypeID, _ conversions: [ArchiveConversion]
  ) throws -> ColumnReader {
    if conversions.isEmpty { return try letReader(codec, id) }
    let inner = (codec as? LetCodec)?.inner ?? codec
    guard let payload = letPayload(of: id) else { return try ruledReader(inner, id, conversions) }
    return LetReader(try ruledReader(inner, payload, conversions))
  }

  private mutating func ruledReader(_ codec: ValueCodec, _ id: TypeID, _ conversions: [ArchiveConversion]) throws -> ColumnReader {
    if types.describes(codec.type, as: id) { return try reader(codec, id) }
    let closures = conversions.compactMap { conversion in
      if case .closure(let closure) = conversion.form { closure } else { nil }
    }
    for closure in closures {
      if let reader = try closureReader(codec, id, closure, where: { $0.isStored($1, as: $2) }) { return reader }
    }
    for conversion in conversions {
      if let reader = try namedReader(codec, id, conversion.form) { return reader }
    }
    if !closures.isEmpty, !binds(codec, id) {
      for closure in closures {
        if let reader = try closureReader(codec, id, closure, where: { $0.binds($1, $2) }) { return reader }
      }
    }
    return try reader(codec, id)
  }

  /// The type of the elements of an array or set; both are archived in the same way.
  func elements(of id: TypeID) -> TypeID? {
    switch types[id] {
    case .array(let inner), .set(let inner): inner
    default: nil
    }
  }

  // MARK: Closures

  /// A reader through `closure`, if it makes what the property holds from the archived type or from what that is an Optional of.
  private mutating func closureReader(
    _ codec: ValueCodec, _ id: TypeID, _ closure: any ClosureConverting, where fits: (Binder, ValueCodec, TypeID) -> Bool
  ) throws -> ColumnReader? {
    let isOptional: Bool
    if closure.valueType == codec.type {
      isOptional = false
    } else if let optional = codec as? OptionalCodec, closure.valueType == optional.wrapped.type {
      isOptional = true
    } else {
      return nil
    }
    let isLenient = options.conversionPolicy == .lenient
    let stored = try PlanRegistry.shared.codec(for: closure.storedType)
    if fits(self, stored, id) {
      // What takes a nil itself is asked about it.
      if optionalPayload(of: id) == nil || stored is OptionalCodec {
        return ClosureReader(
          codec, try reader(stored, id), closure, hasPresence: false, isOptional: isOptional, isLenient: isLenient)
      }
    }
    guard let payload = optionalPayload(of: id), fits(self, stored, payload) else { return nil }
    return ClosureReader(codec, try reader(stored, payload), closure, hasPresence: true, isOptional: isOptional, isLenient: isLenient)
  }

  /// Whether values of the codec's type are what the archived type is, but for the width of a number.
  private func isStored(_ codec: ValueCodec, as id: TypeID) -> Bool {
    if types.describes(codec.type, as: id) { return true }
    // What can say what becomes of nil does not need one.
    if let optional = codec as? OptionalCodec, optionalPayload(of: id) == nil { return isStored(optional.wrapped, as: id) }
    guard let scalar = (codec as? ScalarCodec)?.scalar, let family = ScalarTypes.family(of: id) else { return false }
    return (family == .integer || family == .floating) && ScalarTypes.family(of: scalar) == family
  }

  // MARK: Conversions with a name

  private mutating func namedReader(_ codec: ValueCodec, _ id: TypeID, _ form: ArchiveConversion.Form) throws -> ColumnReader? {
    let payload = optionalPayload(of: id)
    let optional = codec as? OptionalCodec
    if case .wrapping = form, optional == nil, let payload, let collection = codec as? any CollectionCodec {
      // Nil is no element, unless the elements are Optionals.
      let isElement = collection.elementCodec is OptionalCodec
      return try wrappingReader(collection, isElement ? id : payload, hasPresence: !isElement)
    }
    guard let inner = try namedReader(optional?.wrapped ?? codec, below: payload ?? id, form) else { return nil }
    if options.conversionPolicy == .lenient, optional != nil || payload != nil {
      let reader = LenientOptionalReader(codec, wraps: optional != nil, hasPresence: payload != nil)
      reader.wrapped = inner
      return reader
    }
    switch (optional, payload) {
    case (let optional?, _?):
      let reader = OptionalReader(optional)
      reader.wrapped = inner
      return reader
    case (let optional?, nil):
      let reader = PresentReader(optional)
      reader.wrapped = inner
      return reader
    case (nil, _?):
      let reader = RequiredReader(codec)
      reader.wrapped = inner
      return reader
    case (nil, nil): return inner
    }
  }

  /// The same for what stands in no Optional on either side.
  private mutating func namedReader(
    _ codec: ValueCodec, below id: TypeID, _ form: ArchiveConversion.Form
  ) throws -> ColumnReader? {
    switch form {
    case .closure: return nil
    case .seconds(let zero): return try secondsReader(codec, id, zero)
    case .wrapping:
      guard let collection = codec as? any CollectionCodec else { return nil }
      return try wrappingReader(collection, id, hasPresence: false)
    case .structAndClass: return try objectReader(codec, id) ?? objectValueReader(codec, id)
    }
  }

  private mutating func wrappingReader(
    _ collection: any CollectionCodec, _ id: TypeID, hasPresence: Bool
  ) throws -> ColumnReader? {
    guard binds(collection.elementCodec, id) else { return nil }
    return WrappingReader(collection, try reader(collection.elementCodec, id), hasPresence: hasPresence)
  }

  private mutating func secondsReader(_ codec: ValueCodec, _ id: TypeID, _ zero: Double) throws -> ColumnReader? {
    guard let scalar = codec as? ScalarCodec else { return nil }
    if id == .date { return try ConvertingReader(fromDatesTo: scalar, zero: zero) }
    guard scalar.scalar == .date, let family = ScalarTypes.family(of: id), family == .integer || family == .floating || family == .decimal
    else { return nil }
    return DateReader(codec, try reader(PlanRegistry.shared.codec(for: Double.self), id), zero: zero)
  }
}
