/// How an archive is read that does not fit the program exactly.
///
/// ```swift
/// var options = DecodingOptions()
/// options.conversionPolicy = .lenient
/// let settings = try KeyedUnarchiver.unarchivedObject(of: Settings.self, from: data, options: options)
/// ```
public struct DecodingOptions: Sendable, Hashable {
  /// What happens to values whose type has changed. ``ConversionPolicy/exact`` by default: what an archive says is never altered unseen.
  public var conversionPolicy: ConversionPolicy
  /// What happens to objects whose class this program does not know or admit. ``UnknownClassPolicy/reject`` by default, because an object
  /// that is silently missing is worse than an error.
  public var unknownClasses: UnknownClassPolicy

  /// What the archive may ask of the reader.
  public var limits: KeyedUnarchiver.Limits

  /// Makes options.
  public init(
    conversionPolicy: ConversionPolicy = .exact, unknownClasses: UnknownClassPolicy = .reject,
    limits: KeyedUnarchiver.Limits = KeyedUnarchiver.Limits()
  ) {
    self.limits = limits
    self.conversionPolicy = conversionPolicy
    self.unknownClasses = unknownClasses
  }

  /// Whether an archive that fits the program is read as by default.
  var isOrdinary: Bool { conversionPolicy == .exact && unknownClasses == .reject }

  /// What happens to values whose type has changed. More may be added in any release: switch with a `default`.
  public enum ConversionPolicy: Sendable, Hashable {
    /// A value becomes exactly the same value of another type (5 is 5.0, "12" is 12), or an error is thrown.
    case exact
    /// For data of mixed origin: values become what they mean ("12.0" becomes 12, 3.75 becomes 3 where an integer is declared), nil and what
    /// has no meaning in the declared type leave the default. Text counts as a whole or not at all, and numbers never wrap. Of keys and elements
    /// that become equal the first one in the archive stays. Everything of this kind is in the ``DecodingReport``.
    case lenient
  }

  /// What happens to objects whose class this program does not know or admit. More may be added in any release.
  public enum UnknownClassPolicy: Sendable, Hashable {
    /// An error is thrown if anything that is read refers to such an object.
    case reject
    /// Elements of collections are left out, Optional references become nil; a reference that has to be there is an error all the same.
    case skip
    /// An ``UnknownObject`` takes the place where the declared type admits it (`Any`, `AnyObject`, `MirrorCoding` and the protocols that it
    /// conforms to), and is archived again as it was. Elsewhere it is an error.
    case keep
  }
}
