/// Who watches an unarchiver and may put other classes and objects in the place of archived ones.
///
/// Every requirement has a default that changes nothing. Inside these calls the unarchiver may be asked about itself; substitutes pass the
/// same checks as what they stand for.
public protocol KeyedUnarchiverDelegate: AnyObject {
  /// The archive has objects of a class that is unknown or not admitted.
  ///
  /// - Parameters:
  ///   - unarchiver: The one that asks.
  ///   - name: The archived name of the class.
  ///   - classNames: The archived names of the class and its superclasses, the class first.
  /// - Returns: The class to make the objects of, which must be admitted; nil to let the decoding fail.
  func unarchiver(_ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses classNames: [String])
    -> AnyClass?

  /// An object has been decoded, and its own ``ArchiveSubstitution/awakeAfter(using:)`` has run.
  ///
  /// - Returns: The object itself, or another one to use everywhere in its place, which the declared types must admit. nil rejects the archive.
  /// - Throws: Whatever should reject the archive.
  func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: AnyObject) throws -> AnyObject?

  /// Another object is about to take the place of a decoded one.
  func unarchiver(_ unarchiver: KeyedUnarchiver, willReplace object: AnyObject, with replacement: AnyObject)

  /// ``KeyedUnarchiver/finishDecoding()`` was called.
  func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver)

  /// The unarchiver has finished.
  func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver)
}

extension KeyedUnarchiverDelegate {
  /// nil: the decoding fails.
  public func unarchiver(
    _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses classNames: [String]
  ) -> AnyClass? { nil }
  /// The object itself.
  public func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: AnyObject) throws -> AnyObject? { object }
  /// Does nothing.
  public func unarchiver(_ unarchiver: KeyedUnarchiver, willReplace object: AnyObject, with replacement: AnyObject) {}
  /// Does nothing.
  public func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) {}
  /// Does nothing.
  public func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) {}
}
