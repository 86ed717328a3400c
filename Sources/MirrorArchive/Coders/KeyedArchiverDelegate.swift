/// Sees, and may replace, every object that a ``KeyedArchiver`` of one's own archives.
///
/// Nothing may be encoded with the archiver in any of these calls. All of them do nothing by default.
public protocol KeyedArchiverDelegate: AnyObject {
  /// Asks what to archive for an object. Called once per object and archive, after ``ArchiveSubstitution/replacementObject(for:)``.
  /// - Returns: The object, another one, or nil to archive nothing: then every place that refers to the object must be Optional.
  func archiver(_ archiver: KeyedArchiver, willEncode object: AnyObject) throws -> AnyObject?

  /// Tells that the values of an object have been taken: it may change again without a change of the archive.
  func archiver(_ archiver: KeyedArchiver, didEncode object: AnyObject)

  /// Tells that references to an object will lead to another one, or be nil.
  func archiver(_ archiver: KeyedArchiver, willReplace object: AnyObject, with replacement: AnyObject?)

  /// Tells that the archive is about to be completed.
  func archiverWillFinish(_ archiver: KeyedArchiver)

  /// Tells that the archive is complete.
  func archiverDidFinish(_ archiver: KeyedArchiver)
}

extension KeyedArchiverDelegate {
  /// The object.
  public func archiver(_ archiver: KeyedArchiver, willEncode object: AnyObject) throws -> AnyObject? { object }
  /// Does nothing.
  public func archiver(_ archiver: KeyedArchiver, didEncode object: AnyObject) {}
  /// Does nothing.
  public func archiver(_ archiver: KeyedArchiver, willReplace object: AnyObject, with replacement: AnyObject?) {}
  /// Does nothing.
  public func archiverWillFinish(_ archiver: KeyedArchiver) {}
  /// Does nothing.
  public func archiverDidFinish(_ archiver: KeyedArchiver) {}
}

extension KeyedArchiver {
  func willEncode(_ object: AnyObject) throws -> AnyObject? {
    guard let delegate else { return object }
    return try delegate.archiver(self, willEncode: object)
  }

  func didEncode(_ object: AnyObject) { delegate?.archiver(self, didEncode: object) }

  func willReplace(_ object: AnyObject, with replacement: AnyObject?) {
    delegate?.archiver(self, willReplace: object, with: replacement)
  }
}
