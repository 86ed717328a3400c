import ArchiveFormat

extension KeyedUnarchiver {
  /// The version that a class had when the archive was written: what its rules declared (`ArchiveRules(version:)`).
  ///
  /// For hand-coded classes, which have no ``MirrorCodable/didDecode(_:)`` to be told it before they read their keys.
  ///
  /// ```swift
  /// init(coder: KeyedUnarchiver) throws {
  ///   if coder.version(forClassName: "App.Note") ?? 0 < 2 {
  ///     text = try coder.decodeString(forKey: "body")
  ///   } else {
  ///     text = try coder.decodeString(forKey: "text")
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter name: The archive name of the class, or of one of its superclasses, as it is in the archive.
  /// - Returns: The version; 0 if the rules declared none. Nil if the archive describes no class of this name.
  /// - Complexity: O(number of types in the archive).
  public func version(forClassName name: String) -> UInt64? {
    for case .object(let archived, let version, _, _) in session.layout.types.entries where archived == name { return version }
    return nil
  }
}
