import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension KeyedUnarchiver {
  /// Decodes a root value of an archive in a file.
  ///
  /// The file is mapped, and only what the value reaches is read: one small root key of an archive of any size costs its own size and that of
  /// the archive's tables.
  ///
  /// ```swift
  /// let settings = try KeyedUnarchiver.unarchivedObject(of: Settings.self, contentsOf: url)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the value: a class, struct, enum, array, dictionary, scalar. For `Any` the value comes back as what it was.
  ///   - url: The URL of a file. It must not be shortened meanwhile; a file that is replaced as a whole does no harm.
  ///   - key: The root key; archives of one root have it under "root".
  ///   - types: Further types that may occur behind base classes, protocols and `Any`.
  ///   - options: What happens where the archive does not fit the program.
  /// - Returns: The value, complete, with everything it refers to.
  /// - Throws: ``ArchiveError`` with the code `fileError` or `missingValue`, and what
  ///   ``unarchivedObject(of:from:allowing:options:unsafelyAllowingAnyClass:)-(_,Data,_,_,_)`` throws.
  /// - Complexity: O(size of what the value reaches).
  public static func unarchivedObject<T>(
    of type: T.Type, contentsOf url: URL, forKey key: String = "root", allowing types: [Any.Type] = [],
    options: DecodingOptions = DecodingOptions()
  ) throws -> T {
    let unarchiver = try KeyedUnarchiver(forReadingFrom: url, options: options)
    defer { unarchiver.finishDecoding() }
    return try unarchiver.decode(type, forKey: key, allowing: types)
  }
}
