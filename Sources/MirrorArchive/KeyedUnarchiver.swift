import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Turns archives back into object graphs.
///
/// Nothing of the archive is believed before its checksum fits, and no object is made before every type in it is admitted: the types the
/// caller names, what is reachable from them through declared property types, and what rules and registration add.
public final class KeyedUnarchiver {
  /// Decodes the root value of an archive.
  ///
  /// - Parameters:
  ///   - type: The type of the root: a class, struct, array, dictionary, scalar.
  ///   - data: The archive.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`.
  ///   - allowsAnyClass: Switches the secure gate off: any class of the program that is archivable may be made. Only for archives
  ///     that this program wrote and nobody else could touch.
  /// - Throws: ``ArchiveError``; what `didDecode` throws.
  /// - Complexity: O(size of the archive), without recursion over references.
  public static func unarchivedObject<T>(
    of type: T.Type, from data: Data, allowing types: [Any.Type] = [], unsafelyAllowingAnyClass allowsAnyClass: Bool = false
  ) throws -> T {
    try unarchivedObject(of: type, from: data, allowing: types, unsafelyAllowingAnyClass: allowsAnyClass, verifyingChecksum: true)
  }

  /// Decodes an archive whose root is an object of a class (or subclass).
  public static func unarchivedObject<T: AnyObject>(ofClass type: T.Type, from data: Data) throws -> T {
    try unarchivedObject(of: type, from: data)
  }

  /// Decodes an archive whose root is one of several types.
  public static func unarchivedObject(ofClasses classes: [Any.Type], from data: Data) throws -> Any {
    try AllowList.check(classes)
    let universe = try PlanRegistry.shared.universe(of: classes)
    return unsafe try data.withUnsafeBytes { bytes in
      let layout = unsafe try parse(bytes)
      guard let type = layout.roots.first(where: { $0.key == "root" })?.type else {
        throw ArchiveError(.missingValue, path: "root", message: "the archive has no value under the key 'root'")
      }
      if type == .reference {
        return unsafe try ArchiveDecoding.decode(AnyObject.self, from: bytes, universe: universe, allowsAnyClass: false)
      }
      var mismatch: (any Error)?
      for candidate in classes where !(candidate is AnyClass) {
        func open<T>(_: T.Type) throws -> Any { try unarchivedObject(of: T.self, from: data, allowing: classes) }
        do {
          return try _openExistential(candidate, do: open)
        } catch let error as ArchiveError where error.code == .typeMismatch {
          mismatch = error
        }
      }
      throw mismatch
        ?? ArchiveError(
          .typeMismatch, path: "root", message: "the archive's root is \(layout.types.describe(type)), which is not one of the named types")
    }
  }

  /// Decodes an archive whose root is an array of objects (or of any other elements).
  public static func unarchivedArrayOfObjects<T>(ofClass type: T.Type, from data: Data) throws -> [T] {
    try AllowList.check([type], isRoot: true)
    return try unarchivedObject(of: [T].self, from: data, allowing: [type])
  }

  /// Decodes an archive whose root is a dictionary.
  public static func unarchivedDictionary<Key: Hashable, Value>(
    ofKeyClass keyType: Key.Type, objectClass valueType: Value.Type, from data: Data
  ) throws -> [Key: Value] {
    try AllowList.check([keyType, valueType], isRoot: true)
    return try unarchivedObject(of: [Key: Value].self, from: data, allowing: [keyType, valueType])
  }

  /// The same as `unarchivedObject(of:from:)`, for tests that let the structure checks find what the checksum would.
  package static func unarchivedObject<T>(of type: T.Type, from data: Data, verifyingChecksum: Bool) throws -> T {
    try unarchivedObject(of: type, from: data, allowing: [], unsafelyAllowingAnyClass: false, verifyingChecksum: verifyingChecksum)
  }

  private static func unarchivedObject<T>(
    of type: T.Type, from data: Data, allowing types: [Any.Type], unsafelyAllowingAnyClass allowsAnyClass: Bool, verifyingChecksum: Bool
  ) throws -> T {
    try AllowList.check([type], isRoot: true)
    if !types.isEmpty { try AllowList.check(types) }
    let registry = PlanRegistry.shared
    let universe = try registry.universe(of: [type] + types)
    return unsafe try data.withUnsafeBytes { bytes in
      if Reflection.kind(of: type) == .existential {
        return unsafe try ArchiveDecoding.decodeOpen(
          T.self, from: bytes, universe: universe, allowsAnyClass: allowsAnyClass, verifyingChecksum: verifyingChecksum)
      }
      return unsafe try ArchiveDecoding.decode(
        T.self, from: bytes, universe: universe, allowsAnyClass: allowsAnyClass, verifyingChecksum: verifyingChecksum)
    }
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer) throws -> ArchiveLayout {
    do throws(FormatError) {
      return unsafe try ArchiveLayout(parsing: bytes)
    } catch {
      throw ArchiveError(error)
    }
  }

}
