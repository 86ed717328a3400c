public import Foundation
public import MirrorArchive

/// How a cache works: its limits, and what it does for other processes and against a loss of power.
///
/// ```swift
/// var configuration = ArchiveCacheConfiguration()
/// configuration.limits.diskByteCount = 64 << 20
/// configuration.limits.maximumAge = 7 * 86_400
/// let cache = try ArchiveCache<String, Report>(name: "reports", configuration: configuration)
/// ```
public struct ArchiveCacheConfiguration: Sendable {
  /// How much a cache keeps.
  public struct Limits: Sendable, Hashable {
    /// The most values in memory. 1,000 by default.
    public var memoryCount: Int
    /// The most that the values in memory may cost together; a value costs the bytes of its archive, unless it was stored with another cost. 32
    /// MiB by default.
    public var memoryCost: Int
    /// The most bytes that the entries on the disk may take, each in whole blocks of 4,096. 256 MiB by default.
    ///
    /// The disk is swept when a process has written a tenth of this since it last was; then the entries whose last use is longest ago go, until
    /// four fifths are left. With n processes the entries take at most 1 + n / 10 times as much, and one entry.
    public var diskByteCount: Int64
    /// The most entries on the disk; nil for any number. Nil by default.
    public var diskCount: Int?
    /// After how many seconds an entry is not found any more, whatever time it was given to live; nil for never. Nil by default.
    public var maximumAge: TimeInterval?
    /// The most bytes of one entry: larger values are not stored. Nil, the default, means `diskByteCount`.
    public var entryByteCount: Int64?

    /// Makes limits.
    public init(
      memoryCount: Int = 1_000, memoryCost: Int = 32 << 20, diskByteCount: Int64 = 256 << 20, diskCount: Int? = nil,
      maximumAge: TimeInterval? = nil, entryByteCount: Int64? = nil
    ) {
      self.memoryCount = memoryCount
      self.memoryCost = memoryCost
      self.diskByteCount = diskByteCount
      self.diskCount = diskCount
      self.maximumAge = maximumAge
      self.entryByteCount = entryByteCount
    }
  }

  /// What survives what.
  public enum Durability: Sendable, Hashable {
    /// An entry survives the end of the process. A loss of power may take the last ones, or leave them damaged, which is a miss. The default.
    case relaxed
    /// A call that stores returns when the storage has the entry. It takes milliseconds. What must not be lost belongs into a ``ModelStore``.
    case durable
  }

  /// What a value in memory says of other processes.
  public enum CrossProcess: Sendable, Hashable {
    /// A value in memory counts until its time is over, although another process may have stored a newer one or removed it. The default.
    case trust
    /// Every hit in memory looks whether its file is still the one that it was: one call of the system.
    case validate
  }

  /// How much the cache keeps.
  public var limits: Limits
  /// Whether it waits for the storage.
  public var durability: Durability
  /// Whether it looks what other processes do.
  public var crossProcess: CrossProcess
  /// Further types that may occur in values behind base classes, protocols and `Any`.
  public var allowedTypes: [Any.Type]
  /// How archives are read.
  public var decoding: DecodingOptions
  /// Told what happens.
  public var onEvent: (@Sendable (ArchiveCacheEvent) -> Void)?

  /// Makes a configuration.
  public init(
    limits: Limits = Limits(), durability: Durability = .relaxed, crossProcess: CrossProcess = .trust, allowedTypes: [Any.Type] = [],
    decoding: DecodingOptions = DecodingOptions(), onEvent: (@Sendable (ArchiveCacheEvent) -> Void)? = nil
  ) {
    self.limits = limits
    self.durability = durability
    self.crossProcess = crossProcess
    self.allowedTypes = allowedTypes
    self.decoding = decoding
    self.onEvent = onEvent
  }

  // MARK: For tests

  package var clock = WallClock.system
  package var fileSystem = FileSystem()
  /// Instead of the hash of keys.
  package var digest: (@Sendable ([UInt8]) -> (UInt64, UInt64))?
  /// Called between a look at the disk and what it leads to in memory.
  package var willPromote: (@Sendable () -> Void)?
  /// How much of what leads to a sweep counts as written at first, from 0 to 1; nil for chance.
  package var sweepHeadStart: Double?
}
