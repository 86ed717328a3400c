#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Values are written as in Swift. What a literal becomes in an archive depends on where it goes: `ArchiveDocument` makes `5` an `Int32` or a
// `Double` where the archive has one.
extension ArchiveValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// nil of an Optional.
  public init(nilLiteral: ()) { self = .null }

  /// A `Bool`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// An `Int`.
  public init(integerLiteral value: Int64) { self = .int(value) }

  /// A `Double`.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension ArchiveValue: ExpressibleByStringLiteral {
  /// A `String`.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension ArchiveValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// An `Array`.
  public init(arrayLiteral elements: ArchiveValue...) { self = .array(elements) }

  /// A `Dictionary` with the entries in this order; where a struct is wanted, its properties.
  public init(dictionaryLiteral entries: (ArchiveValue, ArchiveValue)...) { self = .dictionary(entries.map { Entry($0, $1) }) }
}
