import ArchiveReflection

/// A stored property that archives never hold, in objects and values that no initializer fills.
struct OmittedField: @unchecked Sendable {
  /// What is put there.
  private enum Filling {
    /// A ``Transient`` Optional, which is nil.
    case transient(any TransientStorage.Type)
    /// An Optional, which is nil.
    case none(wrapped: ValueWitnesses)
    /// A weak or unowned Optional reference, which is nil.
    case noReference(ConditionalReferenceCodec)
    /// What the rules say.
    case value(PropertyDefault)
  }

  /// Knows how a value is destroyed; archives nothing.
  let codec: ValueCodec
  let offset: Int
  private let filling: Filling

  /// - Returns: nil if there is nothing to put there.
  init?(_ property: RuledProperty, conditional: ConditionalReferenceCodec?) {
    let field = property.field
    let codec = conditional ?? ValueCodec(field.type)
    self.codec = codec
    offset = codec.witnesses.size == 0 ? 0 : field.offset
    if let conditional {
      guard conditional.isOptional else { return nil }
      filling = .noReference(conditional)
    } else if let value = property.defaultValue {
      // The storage of a wrapper with one stored property lies in memory as that property does.
      filling = .value(value)
    } else if let transient = property.transient {
      guard TransientStorageCheck.hasEmpty(transient) else { return nil }
      filling = .transient(transient)
    } else if let optional = field.type as? any OptionalType.Type {
      filling = .none(wrapped: ValueWitnesses(optional.wrappedType))
    } else {
      return nil
    }
  }

  /// Initialises the field in rows of objects or values.
  func initialize(_ rows: Rows) {
    let fields = rows.advanced(by: offset)
    // SAFETY: the caller hands over memory that holds no value at this offset.
    switch filling {
    case .transient(let type): unsafe fields.visit { _, p in _ = unsafe type.makeEmpty(at: p) }
    case .none(let wrapped): unsafe fields.visit { _, p in unsafe wrapped.storeNone(p) }
    case .noReference(let reference): reference.initializeNone(fields)
    case .value(let value): value.initialize(fields)
    }
  }
}

extension ConditionalReferenceCodec {
  /// Initialises rows with nil. Only where `isOptional`.
  func initializeNone(_ rows: Rows) {
    // SAFETY: the caller hands over uninitialised fields of this ownership.
    unsafe rows.visit { _, p in _ = unsafe WeakField.initialize(p, to: nil, declared: field, ownership: ownership) }
  }
}
