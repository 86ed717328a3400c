#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ArchiveValue {
  // MARK: What is inside

  /// The value itself for one that was stored as `Any` or in an Optional of an Optional, as deep as it goes.
  public var unwrapped: ArchiveValue {
    var value = self
    while true {
      switch value {
      case .any(let typed): value = typed.value
      case .present(let inner): value = inner
      default: return value
      }
    }
  }

  /// Whether this is nil.
  public var isNull: Bool {
    if case .null = unwrapped { true } else { false }
  }

  /// What stands under a key: a property of a struct, a labelled element of a tuple, what hand-written coding has stored, the value of a
  /// dictionary with strings as keys, or the same of an enum's payload. Nil if there is nothing.
  ///
  /// - Complexity: O(number of keys).
  public subscript(key: String) -> ArchiveValue? {
    switch unwrapped {
    case .structure(let structure): structure[key]
    case .tuple(let fields): fields.first { $0.key == key }?.value
    case .container(let members): members.first { $0.key == key }?.value
    case .dictionary(let entries): entries.first { $0.key.stringValue == key }?.value
    case .enumeration(let enumeration): enumeration.payload?[key]
    default: nil
    }
  }

  /// An element of an array, set or inline array, or of a tuple. Nil if there is none.
  public subscript(index: Int) -> ArchiveValue? {
    if case .tuple(let fields) = unwrapped { return fields.indices.contains(index) ? fields[index].value : nil }
    guard let elements = arrayValue, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The elements of an array, set or inline array; nil for anything else.
  public var arrayValue: [ArchiveValue]? {
    switch unwrapped {
    case .array(let elements), .set(let elements), .inlineArray(let elements): elements
    default: nil
    }
  }

  /// The entries of a dictionary in the order of the archive; nil for anything else.
  public var dictionaryValue: [Entry]? {
    if case .dictionary(let entries) = unwrapped { entries } else { nil }
  }

  // MARK: Scalars

  /// A truth value; nil for anything else.
  public var boolValue: Bool? {
    if case .bool(let value) = unwrapped { value } else { nil }
  }

  /// A whole number of any width, if `Int` has it; nil for anything else, floating-point numbers included.
  public var intValue: Int? { integer(Int.self) }

  /// A whole number of any width, if `Int64` has it; nil for anything else, floating-point numbers included.
  public var int64Value: Int64? { integer(Int64.self) }

  /// A whole number of any width, if `UInt64` has it; nil for anything else, floating-point numbers included.
  public var uint64Value: UInt64? { integer(UInt64.self) }

  private func integer<T: FixedWidthInteger>(_: T.Type) -> T? { unwrapped.whole(T.self) }

  /// A whole number of any width that stands here itself, and not in `Any` or an Optional.
  func whole<T: FixedWidthInteger>(_: T.Type) -> T? {
    switch self {
    case .int(let value), .int64(let value): T(exactly: value)
    case .int8(let value): T(exactly: value)
    case .int16(let value): T(exactly: value)
    case .int32(let value): T(exactly: value)
    case .int128(let value): T(exactly: value)
    case .uint(let value), .uint64(let value): T(exactly: value)
    case .uint8(let value): T(exactly: value)
    case .uint16(let value): T(exactly: value)
    case .uint32(let value): T(exactly: value)
    case .uint128(let value): T(exactly: value)
    default: nil
    }
  }

  /// A floating-point number, or a whole number that `Double` has exactly; nil for anything else.
  public var doubleValue: Double? {
    switch unwrapped {
    case .double(let value), .cgFloat(let value): value
    case .float(let value): Double(value)
    case .float16(let bits): Self.double(ofHalf: bits)
    default: integer(Int128.self).flatMap { Double(exactly: $0) } ?? integer(UInt128.self).flatMap { Double(exactly: $0) }
    }
  }

  /// The number that 16 bits are, on platforms without the type, too.
  private static func double(ofHalf bits: UInt16) -> Double {
    let sign: FloatingPointSign = bits >> 15 == 0 ? .plus : .minus
    let exponent = Int(bits >> 10 & 0x1F)
    let significand = Double(bits & 0x3FF)
    return switch exponent {
    case 0: Double(sign: sign, exponent: -24, significand: significand)
    case 31 where significand == 0: sign == .plus ? .infinity : -.infinity
    case 31: .nan
    default: Double(sign: sign, exponent: exponent - 25, significand: significand + 1_024)
    }
  }

  /// A `Decimal`; nil for anything else.
  public var decimalValue: Decimal? {
    if case .decimal(let value) = unwrapped { value } else { nil }
  }

  /// Text of any kind; nil for anything else.
  public var stringValue: String? {
    switch unwrapped {
    case .string(let value), .substring(let value): value
    case .character(let value): String(value)
    case .unicodeScalar(let value): String(value)
    default: nil
    }
  }

  /// Bytes; nil for anything else.
  public var dataValue: Data? {
    if case .data(let value) = unwrapped { value } else { nil }
  }

  /// A point in time; nil for anything else.
  public var dateValue: Date? {
    if case .date(let value) = unwrapped { value } else { nil }
  }

  /// A `UUID`; nil for anything else.
  public var uuidValue: UUID? {
    if case .uuid(let value) = unwrapped { value } else { nil }
  }

  /// The number of an object; nil for anything else.
  public var referenceValue: Int? {
    if case .reference(let number) = unwrapped { number } else { nil }
  }
}
