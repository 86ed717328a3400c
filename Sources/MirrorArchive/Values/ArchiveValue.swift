#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value of an archive as it stands there, without any type of the program.
///
/// What the program cannot give a type of its own is shown as such a tree: a property that it no longer has
/// (``DecodingContext/unknownValues``), an object whose class it does not know (``UnknownObject``), a whole archive that is looked at or changed
/// without its classes (``ArchiveDocument``). Nothing is lost
/// on the way: each width of integers has its own case, floating-point numbers keep their bits, named types, cases and keys their names, and
/// the entries of a dictionary their order.
///
/// ```swift
/// switch value {
/// case .structure(let point) where point.name == "Geometry.Point": move(to: point["x"]?.doubleValue, point["y"]?.doubleValue)
/// case .string(let text): show(text)
/// default: break
/// }
/// let city = value["address"]?["city"]?.stringValue
/// ```
/// Two values are equal if they are equal bit by bit: a NaN equals itself, 0 and -0 differ, and so do the `Int` 1 and the `Int8` 1. More cases
/// may be added in any release: switch with a `default`.
public enum ArchiveValue: Sendable {
  // MARK: What is not there

  /// nil of an Optional. A value that is there stands for itself, without a case around it.
  case null
  /// An Optional in an Optional that is there and nil itself: `.some(nil)` is `.present(.null)`.
  indirect case present(ArchiveValue)
  /// A `let` whose value the archive leaves out, because it is a constant of the program.
  case constant

  // MARK: Scalars

  /// A `Bool`.
  case bool(Bool)
  /// An `Int`, which has 64 bits in an archive.
  case int(Int64)
  /// An `Int8`.
  case int8(Int8)
  /// An `Int16`.
  case int16(Int16)
  /// An `Int32`.
  case int32(Int32)
  /// An `Int64`.
  case int64(Int64)
  /// An `Int128`.
  indirect case int128(Int128)
  /// A `UInt`, which has 64 bits in an archive.
  case uint(UInt64)
  /// A `UInt8`.
  case uint8(UInt8)
  /// A `UInt16`.
  case uint16(UInt16)
  /// A `UInt32`.
  case uint32(UInt32)
  /// A `UInt64`.
  case uint64(UInt64)
  /// A `UInt128`.
  indirect case uint128(UInt128)
  /// The bits of a `Float16`, a type that not every platform has.
  case float16(UInt16)
  /// A `Float`.
  case float(Float)
  /// A `Double`.
  case double(Double)
  /// A `CGFloat`, which has 64 bits in an archive.
  case cgFloat(Double)
  /// A `Decimal`.
  indirect case decimal(Decimal)
  /// A `String`.
  case string(String)
  /// A `Substring`.
  case substring(String)
  /// A `Character`.
  case character(Character)
  /// A `Unicode.Scalar`.
  case unicodeScalar(Unicode.Scalar)
  /// A `Date`.
  case date(Date)
  /// A `Duration`.
  indirect case duration(Duration)
  /// A `Data`.
  case data(Data)
  /// A `UUID`.
  case uuid(UUID)
  /// A `Void`.
  case void
  /// A class itself, and not an object of it.
  indirect case metatype(ArchiveType)

  // MARK: References

  /// An object, by its number in the archive. ``UnknownObject/object(_:)`` and ``ArchiveDocument/object(_:)-(Int)`` give the object of a number.
  case reference(Int)

  // MARK: Values made of values

  /// An `Array`, `ContiguousArray` or `ArraySlice`.
  case array([ArchiveValue])
  /// A `Set`, in the order of the archive.
  case set([ArchiveValue])
  /// A `Dictionary`, in the order of the archive.
  case dictionary([Entry])
  /// An `InlineArray`.
  case inlineArray([ArchiveValue])
  /// A tuple; the key of an element without a label is empty.
  case tuple([Field])
  /// A struct.
  indirect case structure(Structure)
  /// An enum.
  indirect case enumeration(Enumeration)
  /// A value that was stored as `Any` or a protocol, with the type that it had.
  indirect case any(Typed)
  /// What hand-written coding has stored under its keys, of an object or of a nested container.
  case container([Member])

  /// A stored property, or an element of a tuple.
  public struct Field: Sendable, Equatable {
    /// The key in the archive.
    public var key: String
    /// The value.
    public var value: ArchiveValue

    /// Makes a field.
    public init(_ key: String, _ value: ArchiveValue) {
      self.key = key
      self.value = value
    }
  }

  /// An entry of a dictionary.
  public struct Entry: Sendable, Equatable {
    /// The key, which may be of any type.
    public var key: ArchiveValue
    /// The value.
    public var value: ArchiveValue

    /// Makes an entry.
    public init(_ key: ArchiveValue, _ value: ArchiveValue) {
      self.key = key
      self.value = value
    }
  }

  /// A struct of the program that wrote the archive.
  public struct Structure: Sendable, Equatable {
    /// The archive name of the type.
    public var name: String
    /// The version of the type; 0 if its rules declared none.
    public var version: UInt64
    /// The stored properties in their order.
    public var fields: [Field]

    /// Makes a struct.
    public init(name: String, version: UInt64 = 0, fields: [Field]) {
      self.name = name
      self.version = version
      self.fields = fields
    }

    /// The value of a stored property; nil if there is none under this key.
    public subscript(key: String) -> ArchiveValue? { fields.first { $0.key == key }?.value }
  }

  /// A value of an enum of the program that wrote the archive.
  public struct Enumeration: Sendable, Equatable {
    /// The archive name of the type.
    public var name: String
    /// The version of the type; 0 if its rules declared none.
    public var version: UInt64
    /// The name of the case.
    public var caseName: String
    /// The place of the case in the archive's list of cases. Cases that differ by their labels alone have one name, and are told apart by it.
    public var caseIndex: Int
    /// What the case holds; several associated values are a tuple. Nil for a case without.
    public var payload: ArchiveValue?
    /// What the program declared the case as (`case slow = "very slow"`): a `String`, `Int` or `Double`. Nil for an enum without raw values.
    public var rawValue: ArchiveValue?

    /// Makes a value of an enum.
    public init(
      name: String, version: UInt64 = 0, caseName: String, caseIndex: Int, payload: ArchiveValue? = nil, rawValue: ArchiveValue? = nil
    ) {
      self.name = name
      self.version = version
      self.caseName = caseName
      self.caseIndex = caseIndex
      self.payload = payload
      self.rawValue = rawValue
    }
  }

  /// A value and the type that the archive gives it; the value alone would not tell an empty `[Int]` from an empty `[String]`.
  public struct Typed: Sendable, Equatable {
    /// The value.
    public var value: ArchiveValue
    /// Its type.
    public var type: ArchiveType

    /// Makes a value with its type.
    public init(_ value: ArchiveValue, _ type: ArchiveType) {
      self.value = value
      self.type = type
    }
  }

  /// What hand-written coding has stored under one key.
  public struct Member: Sendable, Equatable {
    /// The key; nil for a value that was encoded without one.
    public var key: String?
    /// The value.
    public var value: ArchiveValue
    /// Its type.
    public var type: ArchiveType

    /// Makes a member.
    public init(_ key: String?, _ value: ArchiveValue, _ type: ArchiveType) {
      self.key = key
      self.value = value
      self.type = type
    }
  }
}
