/// What is to be known about one stored property: its keys in archives, its default, and how values of another type become its own.
///
/// ```swift
/// PropertyRule("fullName", key: "name", formerKeys: ["title", "label"])
/// PropertyRule("level", default: .value(3))
/// PropertyRule("age", conversions: [ArchiveConversion { (text: String) in Int(text) ?? 0 }])
/// ```
/// ``Key`` says the first of these in place.
public struct PropertyRule: Sendable {
  /// The name of the property as it is written in the program.
  public var name: String
  /// The class that declares it, where several classes of a hierarchy have a property of that name; nil for the nearest one.
  public var owner: AnyClass?
  /// The key under which it is archived; nil for its name.
  public var key: String?
  /// Keys under which older archives have it. The first one that is there counts, if the property's own key is not.
  public var formerKeys: [String]
  /// Archive names of the classes of the hierarchy that declared the property in older archives, if it has moved between them since. There it is
  /// looked for under its key and its former keys, where the class that declares it today has none of them; what a property of that class
  /// itself takes is not taken away.
  public var formerClasses: [String]
  /// The value if an archive has none; nil for what `init()` gives. Structs and classes without `init()` need one, or an Optional property.
  ///
  /// It is made anew for each object, while the graph is put together. It also stands for what ``usesDefaultForUnknownCases`` and lenient decoding
  /// leave out.
  public var defaultValue: DefaultValue?
  /// Whether an enum's unknown case leaves the property at its default instead of throwing: ``defaultValue``, else what `init()` gives, else nil.
  ///
  /// For properties that are enums or Optionals of enums. Elements of collections have ``ArchiveRules/unknownCase``.
  public var usesDefaultForUnknownCases: Bool
  /// How archived values of other types become values of this property's type. They come before the conversions that happen by themselves.
  public var conversions: [ArchiveConversion]

  /// Makes a rule for one property.
  /// - Parameters:
  ///   - name: The name of the property as it is written in the program.
  ///   - owner: The class that declares it; nil for the nearest one.
  ///   - key: Its key in archives; nil for its name.
  ///   - formerKeys: Its keys in older archives, in the order in which they are looked for.
  ///   - formerClasses: Archive names of the classes that declared it in older archives.
  ///   - defaultValue: The value if an archive has none.
  ///   - usesDefaultForUnknownCases: Whether an enum's unknown case leaves the property at its default instead of throwing.
  ///   - conversions: How archived values of other types become values of this one.
  public init(
    _ name: String, of owner: AnyClass? = nil, key: String? = nil, formerKeys: [String] = [], formerClasses: [String] = [],
    default defaultValue: DefaultValue? = nil, usesDefaultForUnknownCases: Bool = false, conversions: [ArchiveConversion] = []
  ) {
    self.name = name
    self.owner = owner
    self.key = key
    self.formerKeys = formerKeys
    self.formerClasses = formerClasses
    self.defaultValue = defaultValue
    self.usesDefaultForUnknownCases = usesDefaultForUnknownCases
    self.conversions = conversions
  }
}
