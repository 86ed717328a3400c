import ArchiveFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The scalars of the format that are converted.
enum ScalarTypes {
  /// The scalars that are converted, by the type they have in memory.
  static let all: [TypeID: any ExactScalar.Type] = {
    var types: [TypeID: any ExactScalar.Type] = [
      .bool: Bool.self, .int: Int.self, .int8: Int8.self, .int16: Int16.self, .int32: Int32.self, .int64: Int64.self, .int128: Int128.self,
      .uint: UInt.self, .uint8: UInt8.self, .uint16: UInt16.self, .uint32: UInt32.self, .uint64: UInt64.self, .uint128: UInt128.self,
      .double: Double.self, .float: Float.self, .cgFloat: Double.self, .decimal: Decimal.self, .string: String.self,
      .pooledString: String.self,
    ]
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      types[.float16] = Float16.self
    #endif
    return types
  }()

  /// How values of an archived scalar are converted; nil for other types.
  static func family(of id: TypeID) -> ExactFamily? { all[id]?.family }
}
