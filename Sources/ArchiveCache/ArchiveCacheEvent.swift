/// Something that happened in a cache.
///
/// Given to ``ArchiveCacheConfiguration/onEvent`` on the thread where it happened, while the cache holds no lock: the closure may use the cache.
public struct ArchiveCacheEvent: Sendable, Hashable {
  /// What happened. More may be added in any release: switch with a `default`.
  public enum Kind: Sendable, Hashable {
    /// A value was found in memory.
    case memoryHit
    /// A value was found on the disk.
    case diskHit
    /// A value was looked for and not found.
    case miss
    /// An entry's time was over.
    case expired
    /// What lay in the place of an entry was none, or was damaged. It has been removed.
    case corrupt
    /// An entry is of another type, or of another version of the type: a miss.
    case outdated
    /// A value was stored.
    case stored
    /// A value was larger than an entry may be.
    case tooLarge
    /// An entry was removed.
    case removed
    /// The disk was swept: ``ArchiveCacheEvent/count`` entries were removed.
    case swept
    /// The disk could not be used.
    case failed
  }

  /// What happened.
  public let kind: Kind
  /// The bytes of the key it happened to; empty where it was not about one.
  public let key: [UInt8]
  /// How many entries it is about.
  public let count: Int
  /// More about it, for people. The wording may change in any release.
  public let message: String

  init(_ kind: Kind, key: [UInt8] = [], count: Int = 1, message: String = "") {
    self.kind = kind
    self.key = key
    self.count = count
    self.message = message
  }
}
