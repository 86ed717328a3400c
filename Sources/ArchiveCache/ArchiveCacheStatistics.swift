/// What has happened in one cache object since it was made. Other processes and other objects on the same directory count for themselves.
public struct ArchiveCacheStatistics: Sendable, Hashable {
  /// Values that were found in memory.
  public internal(set) var memoryHits: Int64 = 0
  /// Values that were found on the disk.
  public internal(set) var diskHits: Int64 = 0
  /// Values that were looked for and not found, whatever the reason.
  public internal(set) var misses: Int64 = 0
  /// Values that were stored.
  public internal(set) var stored: Int64 = 0
  /// Values that were too large to be stored.
  public internal(set) var tooLarge: Int64 = 0
  /// Entries that were removed because somebody asked for it by their key.
  public internal(set) var removed: Int64 = 0
  /// Entries on the disk that had to go because of the limits.
  public internal(set) var evicted: Int64 = 0
  /// Entries on the disk that were removed because their time was over.
  public internal(set) var expired: Int64 = 0
  /// Files that were found damaged, and removed.
  public internal(set) var corrupt: Int64 = 0
  /// Misses because the entry is of another type, or of another version of the type.
  public internal(set) var outdated: Int64 = 0
  /// Calls that threw because the disk could not be used.
  public internal(set) var failures: Int64 = 0
  /// Values that are in memory now.
  public internal(set) var memoryCount = 0
  /// What they cost together.
  public internal(set) var memoryCost = 0
  /// Entries on the disk when it was last swept; nil before that.
  public internal(set) var diskCount: Int?
  /// The bytes that they took, in whole blocks of 4,096; nil before the first sweep.
  public internal(set) var diskByteCount: Int64?

  /// Makes statistics of nothing.
  public init() {}

  /// Values that were found.
  public var hits: Int64 { memoryHits &+ diskHits }
}
