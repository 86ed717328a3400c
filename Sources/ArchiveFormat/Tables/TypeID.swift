/// The number of a type in an archive.
///
/// 0..<32 are the scalars that need no description, 32..<64 the optionals of those, and from 64 on the entries of the
/// archive's type table.
package struct TypeID: Hashable, Sendable {
  package var rawValue: UInt32

  @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable package init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// The entry of the type table with this index, which must be below 2^32 - 64.
  @inlinable package init(entry index: Int) { rawValue = UInt32(truncatingIfNeeded: index &+ 64) }

  /// The index into the type table, nil for a scalar or an optional scalar.
  @inlinable package var entryIndex: Int? { rawValue >= 64 ? Int(exactly: rawValue &- 64) : nil }

  /// Whether this is one of the scalars that exist.
  @inlinable package var isScalar: Bool { rawValue < 32 }

  /// The optional of this scalar without a table entry, nil if this is no scalar.
  @inlinable package var optionalOfScalar: TypeID? { isScalar ? TypeID(rawValue &+ 32) : nil }

  /// The scalar this is the optional of.
  @inlinable package var wrappedScalar: TypeID? { rawValue >= 32 && rawValue < 64 ? TypeID(rawValue &- 32) : nil }
}

extension TypeID {
  @inlinable package static var bool: TypeID { TypeID(0) }
  /// `Int`, 64 bits in an archive.
  @inlinable package static var int: TypeID { TypeID(1) }
  @inlinable package static var double: TypeID { TypeID(2) }
  @inlinable package static var string: TypeID { TypeID(3) }
  /// An object, by its number.
  @inlinable package static var reference: TypeID { TypeID(4) }
  /// Seconds since the start of 2001 as a double.
  @inlinable package static var date: TypeID { TypeID(5) }
  @inlinable package static var data: TypeID { TypeID(6) }
  @inlinable package static var uuid: TypeID { TypeID(7) }
  @inlinable package static var float: TypeID { TypeID(8) }
  @inlinable package static var int32: TypeID { TypeID(9) }
  @inlinable package static var uint8: TypeID { TypeID(10) }
  @inlinable package static var int8: TypeID { TypeID(11) }
  @inlinable package static var int16: TypeID { TypeID(12) }
  @inlinable package static var int64: TypeID { TypeID(13) }
  @inlinable package static var uint: TypeID { TypeID(14) }
  @inlinable package static var uint16: TypeID { TypeID(15) }
  @inlinable package static var uint32: TypeID { TypeID(16) }
  @inlinable package static var uint64: TypeID { TypeID(17) }
  /// Two integer columns: the high, then the low 64 bits.
  @inlinable package static var int128: TypeID { TypeID(18) }
  @inlinable package static var uint128: TypeID { TypeID(19) }
  @inlinable package static var float16: TypeID { TypeID(20) }
  /// 20 bytes.
  @inlinable package static var decimal: TypeID { TypeID(21) }
  @inlinable package static var character: TypeID { TypeID(22) }
  /// Any value, with its type beside it.
  @inlinable package static var any: TypeID { TypeID(23) }
  @inlinable package static var cgFloat: TypeID { TypeID(24) }
  @inlinable package static var substring: TypeID { TypeID(25) }
  @inlinable package static var unicodeScalar: TypeID { TypeID(26) }
  /// No content: one zero byte per chunk.
  @inlinable package static var void: TypeID { TypeID(27) }
  /// Two integer columns: the high, then the low 64 bits of the attoseconds.
  @inlinable package static var duration: TypeID { TypeID(28) }
  /// A class itself, by its number in the type table.
  @inlinable package static var metatype: TypeID { TypeID(29) }
  /// What hand-written coding stores under its keys, of one object or of a container in it.
  @inlinable package static var record: TypeID { TypeID(30) }
  /// A string of a record, by its place in the record's string pool.
  @inlinable package static var pooledString: TypeID { TypeID(31) }
}

extension ByteReader {
  /// Reads the number of a type, which may not exist.
  package mutating func readTypeID() throws(FormatError) -> TypeID {
    let start = self
    guard let raw = UInt32(exactly: try readVarint()) else { throw start.fail(.malformed, "the number of a type is too large") }
    return TypeID(raw)
  }
}
