public import Foundation
import MirrorArchive

/// Values by key, in memory and on the disk, where they may be lost at any time and are never wrong.
///
/// Anything that MirrorArchive can archive is a value: objects, structs, arrays of them. An entry is a file of its own that is renamed into its
/// place, so that a process may be killed at any moment, and any number of threads, cache objects and processes may use one directory. What was
/// damaged, written for another version of the type, or is past its time is not found, and never an error.
///
/// ```swift
/// let cache = try ArchiveCache<String, Report>(name: "reports")
/// let report = try cache.value(forKey: "2024", timeToLive: 3_600) {
///   try makeReport(year: 2024)  // runs once, however many ask at the same time
/// }
/// ```
///
/// Where values are `Sendable`, the cache hands out the very value that was stored, as long as it is in memory. Other values (objects that can
/// change) it keeps as archives: everybody gets objects of their own, and what somebody changes afterwards is not in the cache.
///
/// What must not be lost belongs into a ``ModelStore``.
public final class ArchiveCache<Key: ArchiveCacheKey, Value>: Sendable {
  let tier: DiskTier
  let memory: MemoryTier
  let flights = FlightTable<Held>()
  let sweeper: Sweeper
  let configuration: ArchiveCacheConfiguration
  /// Whether values are Sendable, so that one may be handed to everybody.
  let sharesValues: Bool
  let typeName: String
  let fingerprint: UInt64

  /// The directory that the cache was given. What it stores is in a subdirectory for the version of its format.
  public let directory: URL

  /// Opens a cache whose values are handed out as they are: see ``ArchiveCache``.
  ///
  /// The directory is made if it is not there. Nothing in it is looked at.
  ///
  /// - Parameters:
  ///   - directory: A directory of the cache's own. Caches of one directory share their entries; they should have the same types and limits.
  ///   - configuration: Limits, and what the cache does for other processes.
  /// - Throws: ``ArchiveCacheError`` with the code `invalidDirectory` or `unavailable`; `ArchiveError` if the type of the values, or an allowed
  ///   type, cannot be archived.
  /// - Complexity: O(1), and for the first cache of a type the making of its plan.
  public convenience init(directory: URL, configuration: ArchiveCacheConfiguration = ArchiveCacheConfiguration()) throws
  where Value: Sendable {
    try self.init(directory, configuration, sharesValues: true)
  }

  /// Opens a cache whose values are copied for everybody who asks: see ``ArchiveCache``.
  ///
  /// The directory is made if it is not there. Nothing in it is looked at.
  ///
  /// - Parameters:
  ///   - directory: A directory of the cache's own. Caches of one directory share their entries; they should have the same types and limits.
  ///   - configuration: Limits, and what the cache does for other processes.
  /// - Throws: ``ArchiveCacheError`` with the code `invalidDirectory` or `unavailable`; `ArchiveError` if the type of the values, or an allowed
  ///   type, cannot be archived.
  /// - Complexity: O(1), and for the first cache of a type the making of its plan.
  public convenience init(directory: URL, configuration: ArchiveCacheConfiguration = ArchiveCacheConfiguration()) throws {
    try self.init(directory, configuration, sharesValues: false)
  }

  /// Opens a cache in the directory that the platform has for caches, under a name.
  ///
  /// On Linux that is `$XDG_CACHE_HOME`, or `.cache` in the home directory; elsewhere the directory of the user's caches.
  ///
  /// - Parameters:
  ///   - name: The name of a directory: no path.
  ///   - configuration: Limits, and what the cache does for other processes.
  /// - Throws: What `init(directory:configuration:)` throws.
  public convenience init(name: String, configuration: ArchiveCacheConfiguration = ArchiveCacheConfiguration()) throws
  where Value: Sendable {
    try self.init(Self.directory(named: name), configuration, sharesValues: true)
  }

  /// Opens a cache, whose values are copied for everybody who asks, in the directory that the platform has for caches, under a name.
  ///
  /// On Linux that is `$XDG_CACHE_HOME`, or `.cache` in the home directory; elsewhere the directory of the user's caches.
  ///
  /// - Parameters:
  ///   - name: The name of a directory: no path.
  ///   - configuration: Limits, and what the cache does for other processes.
  /// - Throws: What `init(directory:configuration:)` throws.
  public convenience init(name: String, configuration: ArchiveCacheConfiguration = ArchiveCacheConfiguration()) throws {
    try self.init(Self.directory(named: name), configuration, sharesValues: false)
  }

  private init(_ url: URL, _ configuration: ArchiveCacheConfiguration, sharesValues: Bool) throws {
    guard let path = BaseDirectory.path(of: url) else {
      throw ArchiveCacheError(.invalidDirectory, "'\(url.absoluteString)' is no directory's URL")
    }
    directory = url
    self.configuration = configuration
    self.sharesValues = sharesValues
    typeName = SchemaFingerprint.name(of: Value.self)
    fingerprint = try SchemaFingerprint.fingerprint(of: Value.self, allowing: configuration.allowedTypes)
    let limits = configuration.limits
    let fileSystem = configuration.fileSystem
    let place = CacheDirectory(root: path, fileSystem: fileSystem)
    tier = DiskTier(
      directory: place, fileSystem: fileSystem, clock: configuration.clock,
      maximumFileSize: max(0, min(limits.entryByteCount ?? .max, limits.diskByteCount)),
      maximumAge: limits.maximumAge.map { Self.milliseconds($0) }, isDurable: configuration.durability == .durable)
    let memory = MemoryTier(maximumCount: limits.memoryCount, maximumCost: limits.memoryCost)
    self.memory = memory
    let onEvent = configuration.onEvent
    sweeper = Sweeper(
      Sweep(tier: tier, maximumByteCount: max(0, limits.diskByteCount), maximumCount: limits.diskCount.map { max(0, $0) }),
      headStart: configuration.sweepHeadStart ?? Double.random(in: 0..<1)
    ) { outcome in
      memory.count {
        $0.evicted &+= Int64(outcome.evictedCount)
        $0.expired &+= Int64(outcome.expiredCount)
        $0.diskCount = outcome.count
        $0.diskByteCount = outcome.byteCount
      }
      onEvent?(ArchiveCacheEvent(.swept, count: outcome.evictedCount + outcome.expiredCount))
    }
    do {
      try place.prepare()
    } catch {
      throw error.meansAbsence || error.number == EEXIST
        ? ArchiveCacheError(.invalidDirectory, error.description) : ArchiveCacheError(error)
    }
    sweeper.schedule(after: 5)
  }

  /// What has happened in this cache object so far.
  public var statistics: ArchiveCacheStatistics { memory.statistics }

  // MARK: Helping

  private static func directory(named name: String) throws -> URL {
    do {
      return try BaseDirectory.caches.url(named: name)
    } catch {
      switch error {
      case .name(let message), .place(let message): throw ArchiveCacheError(.invalidDirectory, message)
      }
    }
  }

  func entryKey(_ key: Key) throws -> EntryKey { try EntryKey(key.cacheKeyBytes, digest: configuration.digest) }

  func report(_ kind: ArchiveCacheEvent.Kind, _ key: EntryKey, _ message: @autoclosure () -> String = "") {
    guard let onEvent = configuration.onEvent else { return }
    onEvent(ArchiveCacheEvent(kind, key: key.bytes, message: message()))
  }

  func failure(_ error: SystemError, _ key: EntryKey? = nil) -> ArchiveCacheError {
    memory.count { $0.failures &+= 1 }
    configuration.onEvent?(ArchiveCacheEvent(.failed, key: key?.bytes ?? [], message: error.description))
    return ArchiveCacheError(error)
  }

  /// Seconds in milliseconds, as far as there are numbers for them.
  static func milliseconds(_ seconds: TimeInterval) -> Int64 {
    let value = seconds * 1_000
    if value.isNaN { return 0 }
    return value >= 9e18 ? .max : value <= -9e18 ? .min : Int64(value.rounded(.up))
  }
}
