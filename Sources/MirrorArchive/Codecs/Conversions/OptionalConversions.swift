import ArchiveFormat
import ArchiveReflection

extension ValueCodec {
  /// A reader for columns of the archived type `id`, which may be an Optional where the program declares none.
  final func makeConvertingReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    let isLenient = binder.options.conversionPolicy == .lenient
    switch self {
    case let optional as OptionalCodec where isLenient: return try binder.lenientReader(optional, id)
    case is OptionalCodec, is ConditionalReferenceCodec, is LetCodec: return try makeReader(id, &binder)
    default: break
    }
    if let payload = binder.optionalPayload(of: id) { return try makeRequiredReader(id, payload, &binder) }
    if isLenient, let reader = try binder.lenientReader(self, id) { return reader }
    return try binder.rawReader(self, id) ?? binder.bytesReader(self, id) ?? makeReader(id, &binder)
  }

  /// A reader for Optionals that have to hold a value.
  final func makeRequiredReader(_ id: TypeID, _ payload: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    if binder.options.conversionPolicy == .lenient {
      return try binder.reader(for: id, self) { reader, binder in
        reader.wrapped = try binder.reader(self, payload)
      } make: {
        LenientOptionalReader(self, wraps: false, hasPresence: true)
      }
    }
    return try binder.reader(for: id, self) { reader, binder in
      reader.wrapped = try reportingMismatch(of: id, &binder) { try $0.reader(self, payload) }
    } make: {
      RequiredReader(self)
    }
  }

  /// Reports that two types don't fit as what they are, and not as what was made of them on the way.
  final func reportingMismatch<Result>(of id: TypeID, _ binder: inout Binder, _ body: (inout Binder) throws -> Result) throws -> Result {
    let mismatch = binder.mismatch(id, type)
    do {
      return try body(&binder)
    } catch let error as ArchiveError where error.code == .typeMismatch && error.path == mismatch.path {
      throw mismatch
    }
  }
}

/// Reads Optionals into values that cannot be nil: every row has to hold one.
final class RequiredReader: ColumnReader, @unchecked Sendable {
  var wrapped: ColumnReader!
  override func unbind() { wrapped = nil }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    try requirePresence(rows, &d)
    if rows.count > 0 { try wrapped.read(rows, &d) }
  }

  override func assignColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    try requirePresence(rows, &d)
    if rows.count > 0 { try wrapped.assign(rows, &d) }
  }

  private func requirePresence(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: one flag per row.
    let presence = unsafe d.scratch.allocate(UInt8.self, rows.count)
    unsafe try BoolColumn.decode(count: rows.count, from: &d.reader, into: presence)
    for row in 0..<rows.count where unsafe presence[row] == 0 {
      throw LocatedError(
        .missingValue, row: row, offset: d.reader.offset,
        "the archive holds nil where the program declares \(codec.type), which is not Optional")
    }
  }
}

/// Reads values that were not Optional into Optionals, which hold a value in every row.
final class PresentReader: ColumnReader, @unchecked Sendable {
  var wrapped: ColumnReader!
  override func unbind() { wrapped = nil }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    if rows.count == 0 { return }
    // SAFETY: payloads are read into the Optionals' own memory (offset 0), all or none; then each row gets its tag.
    try wrapped.read(rows, &d)
    // Where a word of the payload tells, a payload is its own tag.
    if case .word? = codec.vacancy { return }
    let witnesses = wrapped.codec.witnesses
    unsafe rows.visit { _, p in unsafe witnesses.storeSome(p) }
  }
}
