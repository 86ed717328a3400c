import ArchiveFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Binder {
  /// A reader between `Data` and arrays of bytes, in both directions; nil for other pairs.
  mutating func bytesReader(_ codec: ValueCodec, _ id: TypeID) throws -> ColumnReader? {
    if codec.type == Data.self, case .array(.uint8)? = types[id] { return try mappingReader(codec, id) { (bytes: [UInt8]) in Data(bytes) } }
    guard id == .data else { return nil }
    if codec.type == [UInt8].self { return try mappingReader(codec, id) { (data: Data) in Array(data) } }
    if codec.type == ContiguousArray<UInt8>.self { return try mappingReader(codec, id) { (data: Data) in ContiguousArray(data) } }
    if codec.type == ArraySlice<UInt8>.self { return try mappingReader(codec, id) { (data: Data) in ArraySlice(data) } }
    return nil
  }

  private mutating func mappingReader<Stored, Value>(
    _ codec: ValueCodec, _ id: TypeID, _ make: @escaping @Sendable (Stored) -> Value
  ) throws -> ColumnReader {
    let stored = try reader(PlanRegistry.shared.codec(for: Stored.self), id)
    return MappingReader(codec, stored, Mapping(make: make), named: types.describe(id), refusal: "refused", isLenient: false)
  }
}
