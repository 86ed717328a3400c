/// What an archive says about itself: its types with their versions, its root keys, how many objects it has.
///
/// Got with ``KeyedUnarchiver/header(of:)``, which makes no object and runs no code of the classes: a program can look whether an archive is one
/// that it can read, or which version a class had, before it decodes anything.
public struct ArchiveHeader: Sendable, Equatable {
  /// The version of the archive format.
  public var formatVersion: Int
  /// The oldest version of readers that understand the archive.
  public var minimumReaderVersion: Int
  /// Whether this program understands the archive's format. If not, only the versions and the size are known.
  public var isReadable: Bool
  /// The size of the archive in bytes.
  public var byteCount: Int
  /// The values at the top level, in the order of the archive.
  public var roots: [Root]
  /// The named types that the archive describes, in its order: each level of a class is one.
  public var types: [TypeEntry]
  /// How many objects the archive has.
  public var objectCount: Int

  /// A value at the top level.
  public struct Root: Sendable, Equatable {
    /// The key; archives of one root have it under `root`.
    public var key: String
    /// The type; of an object its class.
    public var type: ArchiveType
    /// The type in words.
    public var typeName: String { type.description }
    /// The version of the class, struct or enum that the value is of; 0 for any other.
    public var version: UInt64
  }

  /// A class, struct or enum.
  public struct TypeEntry: Sendable, Equatable {
    /// The archive name.
    public var name: String
    /// What it is.
    public var kind: Kind
    /// The version that its rules declared when the archive was written; 0 if they declared none.
    public var version: UInt64
    /// The archive name of the superclass, if that has archived properties.
    public var superclass: String?
    /// The keys of the stored properties that the type itself declares, without those of superclasses; of an enum the names of its cases. Keys
    /// of hand-written coding are not among them.
    public var propertyKeys: [String]
    /// How many objects are of this very class.
    public var objectCount: Int
  }

  /// What a type is. More may be added in any release: switch with a `default`.
  public enum Kind: Sendable, Hashable {
    /// A class.
    case `class`
    /// A struct.
    case structure
    /// An enum.
    case enumeration
  }
}
