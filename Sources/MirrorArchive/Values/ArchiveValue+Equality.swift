#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ArchiveValue: Equatable {
  /// Whether both are the same case and hold the same: numbers bit by bit, text as Swift compares it, everything else part by part.
  ///
  /// - Complexity: O(size of the values).
  // Literals are values, too: where both sides are literals, or take their type from one, they are to stay what they always are.
  @_disfavoredOverload
  public static func == (a: ArchiveValue, b: ArchiveValue) -> Bool {
    // A list stands in for recursion: values may be nested deeply.
    var comparison = Comparison()
    if !comparison.compare(a, b) { return false }
    while let (a, b) = comparison.pending.popLast() {
      if !comparison.compare(a, b) { return false }
    }
    return true
  }

  private struct Comparison {
    var pending: [(ArchiveValue, ArchiveValue)] = []

    /// Compares two values but for their parts, which wait.
    mutating func compare(_ a: ArchiveValue, _ b: ArchiveValue) -> Bool {
      switch (a, b) {
      case (.present(let a), .present(let b)): add(CollectionOfOne(a), CollectionOfOne(b))
      case (.array(let a), .array(let b)), (.set(let a), .set(let b)), (.inlineArray(let a), .inlineArray(let b)): add(a, b)
      case (.dictionary(let a), .dictionary(let b)):
        add(a.lazy.map(\.key), b.lazy.map(\.key)) && add(a.lazy.map(\.value), b.lazy.map(\.value))
      case (.tuple(let a), .tuple(let b)): add(a, b)
      case (.structure(let a), .structure(let b)): a.name == b.name && a.version == b.version && add(a.fields, b.fields)
      case (.enumeration(let a), .enumeration(let b)):
        a.name == b.name && a.version == b.version && a.caseName == b.caseName && a.caseIndex == b.caseIndex
          && add(a.payload.map { [$0] } ?? [], b.payload.map { [$0] } ?? [])
          && add(a.rawValue.map { [$0] } ?? [], b.rawValue.map { [$0] } ?? [])
      case (.any(let a), .any(let b)): a.type == b.type && add(CollectionOfOne(a.value), CollectionOfOne(b.value))
      case (.container(let a), .container(let b)):
        a.elementsEqual(b) { $0.key == $1.key && $0.type == $1.type } && add(a.lazy.map(\.value), b.lazy.map(\.value))
      default: ArchiveValue.areEqualScalars(a, b)
      }
    }

    private mutating func add(_ a: some Collection<ArchiveValue>, _ b: some Collection<ArchiveValue>) -> Bool {
      if a.count != b.count { return false }
      pending.append(contentsOf: zip(a, b))
      return true
    }

    private mutating func add(_ a: [Field], _ b: [Field]) -> Bool {
      a.elementsEqual(b) { $0.key == $1.key } && add(a.lazy.map(\.value), b.lazy.map(\.value))
    }
  }

  private static func areEqualScalars(_ a: ArchiveValue, _ b: ArchiveValue) -> Bool {
    switch (a, b) {
    case (.null, .null), (.constant, .constant), (.void, .void): true
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
    case (.decimal(let a), .decimal(let b)): haveEqualBits(a, b)
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
    default: false
    }
  }

  private static func haveEqualBits(_ a: Decimal, _ b: Decimal) -> Bool {
    // SAFETY: the bytes are only looked at, while the values are there.
    unsafe withUnsafeBytes(of: a) { a in unsafe withUnsafeBytes(of: b) { b in unsafe a.elementsEqual(b) } }
  }
}
