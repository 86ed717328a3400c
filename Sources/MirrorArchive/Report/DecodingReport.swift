/// Everything in which an archive did not fit the program: ``KeyedUnarchiver/report``.
///
/// ```swift
/// let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
/// let shop = try unarchiver.decodeObject(of: Shop.self, forKey: "root")
/// for entry in unarchiver.report.entries { log("\(entry.path): \(entry.message)") }
/// ```
public struct DecodingReport: Sendable {
  /// A type of the archive that differs from this program's, or has a version.
  public struct TypeEntry: Sendable, Hashable {
    /// Its name in the archive.
    public var archivedName: String
    /// Its archive name today; nil if this program has no such type.
    public var currentName: String?
    /// Its version in the archive; 0 if its rules declared none.
    public var archivedVersion: UInt64
    /// Its version today; 0 if its rules declare none.
    public var currentVersion: UInt64
    /// Keys that only the archive has. Of a class: those of its whole hierarchy, as of the other lists.
    public var unknownKeys: [String]
    /// Keys that only the program has.
    public var defaultedKeys: [String]
    /// Keys whose archived type was another one.
    public var convertedKeys: [String]
  }

  /// One fact about one property of one object, or about one value.
  public struct Entry: Sendable, CustomStringConvertible {
    /// The place, such as `root.fruits[3].price`.
    public var path: String
    /// What has happened.
    public var kind: Kind
    /// The key of the property.
    public var key: String
    /// The same in words, for people; the wording may change.
    public var message: String
    /// The archived value; given for ``Kind/unknownKey``.
    public var value: ArchiveValue?

    /// Path and message in one line.
    public var description: String { "\(path): \(message)" }
  }

  /// What has happened. More may be added in any release: switch with a `default`.
  public enum Kind: Sendable, Hashable {
    /// The archive has a property that the program has not; it was skipped.
    case unknownKey
    /// The program has a property that the archive has not; it holds its default.
    case defaulted
    /// The property had another type; its value is exactly the same, unless another entry says that it was altered or not used.
    case converted
    /// The value was altered; only with ``DecodingOptions/ConversionPolicy/lenient``.
    case altered
    /// The value could not be used, and the default stands in its place; only with ``DecodingOptions/ConversionPolicy/lenient``.
    case keptDefault
    /// The program does not have a case of an enum; what the rules say stands in its place.
    case unknownCase
    /// An object of an unknown class was left out; see ``DecodingOptions/UnknownClassPolicy/skip``.
    case leftOutObject
    /// An object of an unknown class was kept as an ``UnknownObject``.
    case keptUnknownObject
  }

  /// The types that do not fit exactly or have a version, in the order of the archive.
  public var types: [TypeEntry]
  /// The facts about single objects and values; at most ``maximumEntryCount``.
  public var entries: [Entry]
  /// How many more there are.
  public var droppedEntryCount: Int

  /// How many entries a report has at most, because one removed property of a million objects would make a million: 10,000.
  public static let maximumEntryCount = 10_000

  /// Whether everything fitted.
  public var isEmpty: Bool { entries.isEmpty && droppedEntryCount == 0 }

  init() {
    types = []
    entries = []
    droppedEntryCount = 0
  }

  mutating func add(_ entry: @autoclosure () -> Entry) {
    if entries.count < Self.maximumEntryCount { entries.append(entry()) } else { droppedEntryCount += 1 }
  }
}
