#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Short forms of `decode(_:forKey:)` and `decodeIfPresent(_:forKey:)` under the names that users of NSCoder know, each with the same result and
// the same errors.
extension KeyedUnarchiver {
  /// Decodes a Bool; the same as `decode(Bool.self, forKey: key)`.
  public func decodeBool(forKey key: String) throws -> Bool { try decode(Bool.self, forKey: key) }
  /// Decodes a Bool if there is one; the same as `decodeIfPresent(Bool.self, forKey: key)`.
  public func decodeBoolIfPresent(forKey key: String) throws -> Bool? { try decodeIfPresent(Bool.self, forKey: key) }

  /// Decodes an Int; the same as `decode(Int.self, forKey: key)`.
  public func decodeInt(forKey key: String) throws -> Int { try decode(Int.self, forKey: key) }
  /// Decodes an Int if there is one; the same as `decodeIfPresent(Int.self, forKey: key)`.
  public func decodeIntIfPresent(forKey key: String) throws -> Int? { try decodeIfPresent(Int.self, forKey: key) }

  /// Decodes an Int8; the same as `decode(Int8.self, forKey: key)`.
  public func decodeInt8(forKey key: String) throws -> Int8 { try decode(Int8.self, forKey: key) }
  /// Decodes an Int8 if there is one; the same as `decodeIfPresent(Int8.self, forKey: key)`.
  public func decodeInt8IfPresent(forKey key: String) throws -> Int8? { try decodeIfPresent(Int8.self, forKey: key) }

  /// Decodes an Int16; the same as `decode(Int16.self, forKey: key)`.
  public func decodeInt16(forKey key: String) throws -> Int16 { try decode(Int16.self, forKey: key) }
  /// Decodes an Int16 if there is one; the same as `decodeIfPresent(Int16.self, forKey: key)`.
  public func decodeInt16IfPresent(forKey key: String) throws -> Int16? { try decodeIfPresent(Int16.self, forKey: key) }

  /// Decodes an Int32; the same as `decode(Int32.self, forKey: key)`.
  public func decodeInt32(forKey key: String) throws -> Int32 { try decode(Int32.self, forKey: key) }
  /// Decodes an Int32 if there is one; the same as `decodeIfPresent(Int32.self, forKey: key)`.
  public func decodeInt32IfPresent(forKey key: String) throws -> Int32? { try decodeIfPresent(Int32.self, forKey: key) }

  /// Decodes an Int64; the same as `decode(Int64.self, forKey: key)`.
  public func decodeInt64(forKey key: String) throws -> Int64 { try decode(Int64.self, forKey: key) }
  /// Decodes an Int64 if there is one; the same as `decodeIfPresent(Int64.self, forKey: key)`.
  public func decodeInt64IfPresent(forKey key: String) throws -> Int64? { try decodeIfPresent(Int64.self, forKey: key) }

  /// Decodes a UInt; the same as `decode(UInt.self, forKey: key)`.
  public func decodeUInt(forKey key: String) throws -> UInt { try decode(UInt.self, forKey: key) }
  /// Decodes a UInt if there is one; the same as `decodeIfPresent(UInt.self, forKey: key)`.
  public func decodeUIntIfPresent(forKey key: String) throws -> UInt? { try decodeIfPresent(UInt.self, forKey: key) }

  /// Decodes a UInt8; the same as `decode(UInt8.self, forKey: key)`.
  public func decodeUInt8(forKey key: String) throws -> UInt8 { try decode(UInt8.self, forKey: key) }
  /// Decodes a UInt8 if there is one; the same as `decodeIfPresent(UInt8.self, forKey: key)`.
  public func decodeUInt8IfPresent(forKey key: String) throws -> UInt8? { try decodeIfPresent(UInt8.self, forKey: key) }

  /// Decodes a UInt16; the same as `decode(UInt16.self, forKey: key)`.
  public func decodeUInt16(forKey key: String) throws -> UInt16 { try decode(UInt16.self, forKey: key) }
  /// Decodes a UInt16 if there is one; the same as `decodeIfPresent(UInt16.self, forKey: key)`.
  public func decodeUInt16IfPresent(forKey key: String) throws -> UInt16? { try decodeIfPresent(UInt16.self, forKey: key) }

  /// Decodes a UInt32; the same as `decode(UInt32.self, forKey: key)`.
  public func decodeUInt32(forKey key: String) throws -> UInt32 { try decode(UInt32.self, forKey: key) }
  /// Decodes a UInt32 if there is one; the same as `decodeIfPresent(UInt32.self, forKey: key)`.
  public func decodeUInt32IfPresent(forKey key: String) throws -> UInt32? { try decodeIfPresent(UInt32.self, forKey: key) }

  /// Decodes a UInt64; the same as `decode(UInt64.self, forKey: key)`.
  public func decodeUInt64(forKey key: String) throws -> UInt64 { try decode(UInt64.self, forKey: key) }
  /// Decodes a UInt64 if there is one; the same as `decodeIfPresent(UInt64.self, forKey: key)`.
  public func decodeUInt64IfPresent(forKey key: String) throws -> UInt64? { try decodeIfPresent(UInt64.self, forKey: key) }

  /// Decodes a Float; the same as `decode(Float.self, forKey: key)`.
  public func decodeFloat(forKey key: String) throws -> Float { try decode(Float.self, forKey: key) }
  /// Decodes a Float if there is one; the same as `decodeIfPresent(Float.self, forKey: key)`.
  public func decodeFloatIfPresent(forKey key: String) throws -> Float? { try decodeIfPresent(Float.self, forKey: key) }

  /// Decodes a Double; the same as `decode(Double.self, forKey: key)`.
  public func decodeDouble(forKey key: String) throws -> Double { try decode(Double.self, forKey: key) }
  /// Decodes a Double if there is one; the same as `decodeIfPresent(Double.self, forKey: key)`.
  public func decodeDoubleIfPresent(forKey key: String) throws -> Double? { try decodeIfPresent(Double.self, forKey: key) }

  /// Decodes a String; the same as `decode(String.self, forKey: key)`.
  public func decodeString(forKey key: String) throws -> String { try decode(String.self, forKey: key) }
  /// Decodes a String if there is one; the same as `decodeIfPresent(String.self, forKey: key)`.
  public func decodeStringIfPresent(forKey key: String) throws -> String? { try decodeIfPresent(String.self, forKey: key) }

  /// Decodes a Data; the same as `decode(Data.self, forKey: key)`.
  public func decodeData(forKey key: String) throws -> Data { try decode(Data.self, forKey: key) }
  /// Decodes a Data if there is one; the same as `decodeIfPresent(Data.self, forKey: key)`.
  public func decodeDataIfPresent(forKey key: String) throws -> Data? { try decodeIfPresent(Data.self, forKey: key) }

  /// Decodes a Date; the same as `decode(Date.self, forKey: key)`.
  public func decodeDate(forKey key: String) throws -> Date { try decode(Date.self, forKey: key) }
  /// Decodes a Date if there is one; the same as `decodeIfPresent(Date.self, forKey: key)`.
  public func decodeDateIfPresent(forKey key: String) throws -> Date? { try decodeIfPresent(Date.self, forKey: key) }

  /// Decodes a URL; the same as `decode(URL.self, forKey: key)`.
  public func decodeURL(forKey key: String) throws -> URL { try decode(URL.self, forKey: key) }
  /// Decodes a URL if there is one; the same as `decodeIfPresent(URL.self, forKey: key)`.
  public func decodeURLIfPresent(forKey key: String) throws -> URL? { try decodeIfPresent(URL.self, forKey: key) }

  /// Decodes a UUID; the same as `decode(UUID.self, forKey: key)`.
  public func decodeUUID(forKey key: String) throws -> UUID { try decode(UUID.self, forKey: key) }
  /// Decodes a UUID if there is one; the same as `decodeIfPresent(UUID.self, forKey: key)`.
  public func decodeUUIDIfPresent(forKey key: String) throws -> UUID? { try decodeIfPresent(UUID.self, forKey: key) }

  /// Decodes bytes; they may have been encoded as bytes or as `Data`.
  public func decodeBytes(forKey key: String) throws -> [UInt8] { unsafe try withBytes(forKey: key) { bytes in unsafe Array(bytes) } }

  /// Gives access to bytes where they lie in the archive, without copying them.
  ///
  /// - Parameters:
  ///   - key: The key, under which bytes or `Data` were encoded.
  ///   - body: Gets the bytes, which are valid until it returns.
  /// - Returns: What `body` returns.
  /// - Throws: `missingValue`, `typeMismatch`, and what `body` throws.
  /// - Complexity: O(1).
  public func withBytes<R>(forKey key: String, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    try call { unsafe try body(session.bytes(at: requiredSlot(key), key: key)) }
  }
}
