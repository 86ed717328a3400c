import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What lenient decoding reads in addition.
extension Binder {
  /// The reader that `make` makes; one that passes over the column if the types do not fit.
  mutating func lenientReader(
    _ codec: ValueCodec, _ id: TypeID, _ make: (inout Binder) throws -> ColumnReader
  ) throws -> ColumnReader {
    switch try attempt(make) {
    case .success(let reader): return reader
    case .failure(let mismatch):
      skip(id)
      return AbsentReader(codec, id, mismatch)
    }
  }

  mutating func lenientReader(_ optional: OptionalCodec, _ id: TypeID) throws -> ColumnReader {
    let levels = optional.levels
    let archivedLevels = optionalLevels(of: id, limit: levels + 1)
    if archivedLevels > levels, let payload = optionalPayload(of: id) { return try optional.makeRequiredReader(id, payload, &self) }
    let payload = archivedLevels == levels ? optionalPayload(of: id) : nil
    return try reader(for: id, optional) { reader, binder in
      reader.wrapped = try binder.reader(optional.wrapped, payload ?? id)
    } make: {
      LenientOptionalReader(optional, wraps: true, hasPresence: payload != nil)
    }
  }

  /// A reader for types that the exact mode does not convert, or whose values it would refuse one by one; nil for other pairs.
  mutating func lenientReader(_ codec: ValueCodec, _ id: TypeID) throws -> ColumnReader? {
    if let scalar = codec as? ScalarCodec, id.isScalar {
      if id == scalar.scalar || (scalar.scalar == .string && scalar.textReader(id) != nil) { return nil }
      if let reader = try LenientReader(from: id, to: scalar, self) { return reader }
    }
    if let reader = try namedReader(codec, id) { return reader }
    guard let collection = codec as? any CollectionCodec, elements(of: id) == nil, id != .data else { return nil }
    let element = try reader(collection.elementCodec, id)
    if element is AbsentReader { return nil }
    let altered = "the archive holds one \(types.describe(id)) where the program declares \(codec.type)"
    return WrappingReader(collection, element, hasPresence: false, altered: altered)
  }

  /// Types that have a text each.
  private mutating func namedReader(_ codec: ValueCodec, _ id: TypeID) throws -> ColumnReader? {
    let isText = [.string, .pooledString, .substring, .character].contains(id)
    if codec.type == UUID.self, isText { return try mapping(codec, id) { (text: String) in UUID(uuidString: text) } }
    if codec.type == URL.self, isText { return try mapping(codec, id) { (text: String) in text.isEmpty ? nil : URL(string: text) } }
    if codec.type == Character.self, isText, id != .character {
      return try mapping(codec, id, isAlteration: false) { (text: String) in text.count == 1 ? text.first : nil }
    }
    guard codec.type == String.self else { return nil }
    if id == .uuid { return try mapping(codec, id) { (uuid: UUID) in uuid.uuidString } }
    if types.describes(URL.self, as: id) { return try mapping(codec, id) { (url: URL) in url.absoluteString } }
    return nil
  }

  private mutating func mapping<Stored, Value>(
    _ codec: ValueCodec, _ id: TypeID, isAlteration: Bool = true, _ make: @escaping @Sendable (Stored) -> Value?
  ) throws -> ColumnReader {
    MappingReader(
      codec, try reader(PlanRegistry.shared.codec(for: Stored.self), id), Mapping(make: make), named: types.describe(id),
      refusal: "no \(codec.type)", isAlteration: isAlteration, isLenient: true, mismatch: isAlteration ? mismatch(id, codec.type) : nil)
  }
}
