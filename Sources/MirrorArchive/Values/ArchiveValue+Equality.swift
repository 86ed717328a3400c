#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ArchiveValue: Equatable {
  /// Whether both are the same case and hold the same: numbers bit by bit, text as Swift compares it, everything else part by part.
  ///
  /// - Complexity: O(size of the values).
  public static func == (a: ArchiveValue, b: ArchiveValue) -> Bool {
    switch (a, b) {
    case (.null, .null), (.constant, .constant), (.void, .void): true
    case (.present(let a), .present(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)), (.int64(let a), .int64(let b)): a == b
    case (.int8(let a), .int8(let b)): a == b
    case (.int16(let a), .int16(let b)): a == b
    case (.int32(let a), .int32(let b)): a == b
    case (.int128(let a), .int128(let b)): a == b
    case (.uint(let a), .uint(let b)), (.uint64(let a), .uint64(let b)): a == b
    case (.uint8(let a), .uint8(let b)): a == b
    case (.uint16(let a), .uint16(let b)), (.float16(let a), .float16(let b)): a == b
    case (.uint32(let a), .uint32(let b)): a == b
    case (.uint128(let a), .uint128(let b)): a == b
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.double(let a), .double(let b)), (.cgFloat(let a), .cgFloat(let b)): a.bitPattern == b.bitPattern
    case (.decimal(let a), .decimal(let b)):
      unsafe withUnsafeBytes(of: a) { a in
        unsafe withUnsafeBytes(of: b) { b in unsafe a.elementsEqual(b) }
      }
    case (.string(let a), .string(let b)), (.substring(let a), .substring(let b)): a == b
    case (.character(let a), .character(let b)): a == b
    case (.unicodeScalar(let a), .unicodeScalar(let b)): a == b
    case (.date(let a), .date(let b)):
      a.timeIntervalSinceReferenceDate.bitPattern == b.timeIntervalSinceReferenceDate.bitPattern
    case (.duration(let a), .duration(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.metatype(let a), .metatype(let b)): a == b
    case (.reference(let a), .reference(let b)): a == b
    case (.array(let a), .array(let b)), (.set(let a), .set(let b)), (.inlineArray(let a), .inlineArray(let b)): a == b
    case (.dictionary(let a), .dictionary(let b)): a == b
    case (.tuple(let a), .tuple(let b)): a == b
    case (.structure(let a), .structure(let b)): a == b
    case (.enumeration(let a), .enumeration(let b)): a == b
    case (.any(let a), .any(let b)): a == b
    case (.container(let a), .container(let b)): a == b
    default: false
    }
  }
}
