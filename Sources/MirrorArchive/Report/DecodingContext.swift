/// What ``MirrorCodable/didDecode(_:)`` is told about the object's archived form.
public struct DecodingContext: Sendable {
  /// The version of the type when the archive was written; 0 if its rules declared none.
  public var typeVersion: UInt64
}
