import MirrorArchive

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a cache can look up.
///
/// Two keys are the same where their bytes are. The name of the entry's file is made from the bytes, by a hash that is the same in every
/// process and every release, and the bytes themselves are kept in the entry, so that two keys of one hash are never mixed up.
///
/// Text, integers, `UUID`, `URL`, `Data` and enums or structs over them (`RawRepresentable`) are keys as they are. Any other struct or enum
/// that can be archived becomes one without code:
///
/// ```swift
/// struct Tile: ArchiveCacheKey {
///   var zoom: Int
///   var x: Int
///   var y: Int
/// }
/// ```
///
/// Such a key's bytes are its archive; a release of this library that archives it otherwise does not find the old entries.
public protocol ArchiveCacheKey: Hashable, Sendable {
  /// What the key is, in bytes. Always the same for the same key, in every process.
  ///
  /// Of text its UTF-8: two spellings of an accented letter are two keys, although Swift calls the strings equal.
  ///
  /// - Throws: What keeps the key from being one, such as an `ArchiveError` of a type that cannot be archived.
  var cacheKeyBytes: [UInt8] { get throws }

  /// Makes the key that has these bytes; nil if there is none. Called for what lies in the cache's directory.
  init?(cacheKeyBytes bytes: [UInt8])
}

extension ArchiveCacheKey {
  /// The archive of the key.
  public var cacheKeyBytes: [UInt8] {
    get throws {
      let archiver = KeyedArchiver()
      archiver.outputFormatting = .sortedKeys
      try archiver.encode(self, forKey: "root")
      try archiver.finishEncoding()
      return try [UInt8](archiver.encodedData)
    }
  }

  /// Makes the key that is archived in the bytes; nil if none is.
  public init?(cacheKeyBytes bytes: [UInt8]) {
    guard let key = try? KeyedUnarchiver.unarchivedObject(of: Self.self, from: Data(bytes)) else { return nil }
    self = key
  }
}

extension ArchiveCacheKey where Self: RawRepresentable, RawValue: ArchiveCacheKey {
  /// The bytes of the raw value.
  public var cacheKeyBytes: [UInt8] { get throws { try rawValue.cacheKeyBytes } }

  /// Makes the key of the bytes of a raw value; nil if there is none of them.
  public init?(cacheKeyBytes bytes: [UInt8]) {
    guard let rawValue = RawValue(cacheKeyBytes: bytes) else { return nil }
    self.init(rawValue: rawValue)
  }
}

extension ArchiveCacheKey where Self: LosslessStringConvertible {
  /// The UTF-8 of the key's text: digits of a number.
  public var cacheKeyBytes: [UInt8] { Array(description.utf8) }

  /// Makes the key of its text; nil for a text that no key has.
  public init?(cacheKeyBytes bytes: [UInt8]) {
    // Only the one text that the key itself has: "+7" and "007" are no key.
    guard let text = String(validating: bytes, as: UTF8.self), let key = Self(text), key.description.utf8.elementsEqual(bytes) else {
      return nil
    }
    self = key
  }
}

extension String: ArchiveCacheKey {
  /// The text's UTF-8.
  public var cacheKeyBytes: [UInt8] { Array(utf8) }
}
extension Substring: ArchiveCacheKey {}
extension Int: ArchiveCacheKey {}
extension Int8: ArchiveCacheKey {}
extension Int16: ArchiveCacheKey {}
extension Int32: ArchiveCacheKey {}
extension Int64: ArchiveCacheKey {}
extension UInt: ArchiveCacheKey {}
extension UInt8: ArchiveCacheKey {}
extension UInt16: ArchiveCacheKey {}
extension UInt32: ArchiveCacheKey {}
extension UInt64: ArchiveCacheKey {}
extension Bool: ArchiveCacheKey {}

extension UUID: ArchiveCacheKey {
  /// The text of the UUID.
  public var cacheKeyBytes: [UInt8] { Array(uuidString.utf8) }

  public init?(cacheKeyBytes bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self), let key = UUID(uuidString: text), key.uuidString == text else { return nil }
    self = key
  }
}

extension URL: ArchiveCacheKey {
  /// The text of the URL, absolute.
  public var cacheKeyBytes: [UInt8] { Array(absoluteString.utf8) }

  public init?(cacheKeyBytes bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self), let key = URL(string: text) else { return nil }
    self = key
  }
}

extension Data: ArchiveCacheKey {
  public var cacheKeyBytes: [UInt8] { [UInt8](self) }

  public init?(cacheKeyBytes bytes: [UInt8]) { self.init(bytes) }
}
