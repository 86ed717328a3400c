/// Rules of one type: its names and version in archives, what has become of its properties and cases, and what may stand in for it.
///
/// ```swift
/// class Person: MirrorCoding {
///   var fullName = ""
///   var born = Date()
///   var nick: String?
///   override class var archiveRules: ArchiveRules {
///     ArchiveRules(
///       name: "Person", formerNames: ["App.User"], version: 2,
///       properties: [
///         PropertyRule("fullName", formerKeys: ["name"]),
///         PropertyRule("born", conversions: [.secondsSince1970]),
///       ],
///       subclasses: [Employee.self])
///   }
/// }
/// ```
/// Every name in the rules is checked against the type when it is first archived or decoded: one that is misspelt is the error `invalidRules`.
///
/// A property is looked for under its key, then under its former keys in order; the first that is there counts. A former key must not be a key
/// or former key of another property, so that no archive can be read in two ways.
///
/// A subclass that overrides the rules adds to those of its superclass, which go on applying to what the superclass declares; it need not
/// call `super`. Its own rules are about its own properties, or else about inherited ones of that name; where both classes say something
/// about a property, the subclass's word comes first, for its objects only. What it hands on from `super.archiveRules` unchanged stays
/// with the superclass: if it declares a property of that name itself, the rule has to say which one it means (``PropertyRule/owner``). Names
/// in archives, former ones too, and ``includedOnly`` are not inherited; a version is, where a subclass says nothing.
public struct ArchiveRules: Sendable {
  /// The name under which the type is archived; nil for the qualified Swift name (`Module.Outer.Inner`).
  ///
  /// Private and local types need one, because their Swift names change from build to build. A name that outlives the renaming or moving of
  /// the type is a good idea for others, too. Subclasses do not inherit it.
  public var name: String?
  /// Names under which older archives have the type. It is read under all of them and written under ``name``. One that is a name or former
  /// name of another class that may be in the archive is the error `duplicateName`.
  ///
  /// The name of a generic type has the qualified Swift names of its arguments in it (`App.Box<App.Item>`), whatever ``name`` they have: for
  /// those to be found, the Swift name that an argument had (`App.Item`) stands here, too.
  public var formerNames: [String]
  /// The version of the type, written into archives and told to ``MirrorCodable/didDecode(_:)``; nil for that of the superclass, or 0.
  ///
  /// Nothing depends on it but what the program makes of it: properties are matched by their keys.
  public var version: UInt64?
  /// What is to be known about single properties.
  public var properties: [PropertyRule]
  /// Properties that are neither archived nor decoded, by their names: like ``Transient`` ones they keep what the initializer gives, and may be
  /// of types that cannot be archived. Without `init()` they need a default (``PropertyRule/defaultValue``) or have to be Optionals.
  public var excluded: [String]
  /// The only properties that are archived, by their names, of those that the type itself declares; nil for all.
  public var includedOnly: [String]?
  /// For an enum: what is to be known about single cases.
  public var cases: [CaseRule]
  /// For an enum: the value that stands for a case which this program does not have, or whose payload was added or taken away; nil to throw.
  ///
  /// Write its type out: `.value(Mood.unknown)`.
  public var unknownCase: DefaultValue?
  /// Types that may appear where this type (or a protocol, or `Any`) is declared.
  public var subclasses: [any Archivable.Type]

  /// Makes rules.
  /// - Parameters:
  ///   - name: The archive name; nil for the qualified Swift name.
  ///   - formerNames: Names under which older archives have the type.
  ///   - version: The version of the type; nil for that of the superclass, or 0.
  ///   - properties: Keys, defaults and conversions of single properties.
  ///   - excluded: The names of properties that are not archived.
  ///   - includedOnly: The names of the only properties that are archived, of those that the type itself declares; nil for all.
  ///   - cases: Names of single cases of an enum.
  ///   - unknownCase: The value of an enum that stands for unknown cases; nil to throw `invalidValue`.
  ///   - subclasses: Types that may appear where this type is declared; what they reach is admitted with them.
  public init(
    name: String? = nil, formerNames: [String] = [], version: UInt64? = nil, properties: [PropertyRule] = [],
    excluding excluded: [String] = [], includingOnly includedOnly: [String]? = nil, cases: [CaseRule] = [],
    unknownCase: DefaultValue? = nil, subclasses: [any Archivable.Type] = []
  ) {
    self.name = name
    self.formerNames = formerNames
    self.version = version
    self.properties = properties
    self.excluded = excluded
    self.includedOnly = includedOnly
    self.cases = cases
    self.unknownCase = unknownCase
    self.subclasses = subclasses
  }
}

/// A case of an enum under another name in archives.
public struct CaseRule: Sendable {
  /// The name of the case in the program.
  public var name: String
  /// Its name in archives; nil for the same.
  public var key: String?
  /// Its names in older archives. Several cases of an older program may have become one.
  public var formerKeys: [String]

  /// Makes a rule for one case.
  /// - Parameters:
  ///   - name: The name of the case in the program.
  ///   - key: Its name in archives; nil for the same.
  ///   - formerKeys: Its names in older archives.
  public init(_ name: String, key: String? = nil, formerKeys: [String] = []) {
    self.name = name
    self.key = key
    self.formerKeys = formerKeys
  }
}
