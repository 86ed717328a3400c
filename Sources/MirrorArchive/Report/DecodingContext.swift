/// What ``MirrorCodable/didDecode(_:)`` is told about the object's archived form.
///
/// ```swift
/// override func didDecode(_ context: DecodingContext) throws {
///   try super.didDecode(context)
///   if context.typeVersion < 2, let cents = try context.unknownValues["priceInCents"]?.intValue { price = Double(cents) / 100 }
///   if context.defaultedKeys.contains("checksum") { checksum = makeChecksum() }
/// }
/// ```
/// All lists are about the properties of all classes of the object's hierarchy, and the same for all objects of one class in one archive.
public struct DecodingContext: Sendable {
  private let facts: ClassFacts
  private let unknown: UnknownValues?
  private let row: Int

  init(_ facts: ClassFacts, _ unknown: UnknownValues?, row: Int) {
    self.facts = facts
    self.unknown = unknown
    self.row = row
  }

  /// The version of the type when the archive was written; 0 if its rules declared none.
  public var typeVersion: UInt64 { facts.version }

  /// The keys that the archive has and this program has no property for.
  ///
  /// What ``KeyedExtras`` of an older release has stored, and this class has no code for any more, is one container under the key `$keys`.
  public var unknownKeys: [String] { facts.unknown.map(\.name) }

  /// The values under those keys.
  ///
  /// If two classes of the hierarchy have the same unknown key, that of the superclass goes by the archived name of its class, as `App.Base.id`.
  /// - Throws: ``ArchiveError`` with the code `malformed` or `invalidValue`: what nobody reads is looked at for the first time here.
  /// - Complexity: O(size of the properties of up to 1,024 objects) when it is asked for first, once for all of them.
  public var unknownValues: [String: ArchiveValue] { get throws { try unknown?.values(ofRow: row) ?? [:] } }

  /// The keys of properties that the archive does not have; they hold what `init()` or the rules give.
  public var defaultedKeys: [String] { facts.defaulted }

  /// The keys of properties whose archived type was another one than today's.
  public var convertedKeys: [String] { facts.converted.map(\.key) }
}
