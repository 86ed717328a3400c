public import Foundation

extension ArchiveCache {
  /// The cache for tasks that must not wait for a disk, such as those of a user interface: the same calls, on threads of the cache's own.
  ///
  /// ```swift
  /// let report = try await cache.background.value(forKey: "2024")
  /// ```
  public var background: Background { Background(cache: self) }

  /// A cache whose calls suspend instead of waiting; see ``ArchiveCache/background``. No more than four of them are at the disk at once.
  public struct Background: Sendable {
    let cache: ArchiveCache

    /// The value of a key, if there is one and its time is not over; see ``ArchiveCache/value(forKey:)``.
    ///
    /// - Throws: What ``ArchiveCache/value(forKey:)`` throws.
    public func value(forKey key: Key) async throws -> sending Value? {
      try await DiskWork.run { try cache.value(forKey: key) }
    }

    /// Whether there is a value for a key; see ``ArchiveCache/contains(_:)``.
    ///
    /// - Throws: What ``ArchiveCache/contains(_:)`` throws.
    public func contains(_ key: Key) async throws -> Bool { try await DiskWork.run { try cache.contains(key) } }

    /// Stores a value; see ``ArchiveCache/set(_:forKey:timeToLive:cost:isPinned:)``.
    ///
    /// - Throws: What ``ArchiveCache/set(_:forKey:timeToLive:cost:isPinned:)`` throws.
    @discardableResult
    public func set(
      _ value: sending Value, forKey key: Key, timeToLive: TimeInterval? = nil, cost: Int? = nil, isPinned: Bool = false
    ) async throws -> ArchiveCacheSetResult {
      // SAFETY: the caller has given the value away, so that nobody else has it.
      nonisolated(unsafe) let value = value
      return try await DiskWork.run {
        unsafe try cache.set(value, forKey: key, timeToLive: timeToLive, cost: cost, isPinned: isPinned)
      }
    }

    /// Removes the value of a key; see ``ArchiveCache/remove(_:)``.
    ///
    /// - Throws: What ``ArchiveCache/remove(_:)`` throws.
    @discardableResult
    public func remove(_ key: Key) async throws -> Bool { try await DiskWork.run { try cache.remove(key) } }

    /// Removes all entries; see ``ArchiveCache/removeAll()``.
    ///
    /// - Throws: What ``ArchiveCache/removeAll()`` throws.
    public func removeAll() async throws { try await DiskWork.run { try cache.removeAll() } }

    /// Removes the entries whose time is over; see ``ArchiveCache/removeExpired()``.
    ///
    /// - Throws: What ``ArchiveCache/removeExpired()`` throws.
    @discardableResult
    public func removeExpired() async throws -> Int { try await DiskWork.run { try cache.removeExpired() } }

    /// Removes what the limits do not allow; see ``ArchiveCache/trim()``.
    ///
    /// - Throws: What ``ArchiveCache/trim()`` throws.
    public func trim() async throws { try await DiskWork.run { try cache.trim() } }
  }
}
