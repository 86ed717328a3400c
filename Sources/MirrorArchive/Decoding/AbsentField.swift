import ArchiveReflection

/// A property that an archive does not have, in objects or values that no initializer fills.
struct AbsentField {
  let codec: ValueCodec
  let offset: Int
  private let value: PropertyDefault?

  /// - Returns: nil if there is nothing to put there: no default, and no Optional that could be nil.
  init?(_ codec: ValueCodec, _ offset: Int, _ value: PropertyDefault?) {
    let isOptional = codec is OptionalCodec || (codec as? ConditionalReferenceCodec)?.isOptional ?? false
    if value == nil && !isOptional { return nil }
    self.codec = codec
    self.offset = offset
    self.value = value
  }

  /// Initialises the field in rows of objects or values.
  func initialize(_ rows: Rows) {
    let fields = rows.advanced(by: offset)
    if let value { return value.initialize(fields) }
    if let reference = codec as? ConditionalReferenceCodec { return reference.initializeNone(fields) }
    // SAFETY: the caller hands over memory that holds no value at this offset.
    unsafe fields.visit { _, p in unsafe codec.initializeBlank(p) }
  }
}
