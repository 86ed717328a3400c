import Foundation
import MirrorArchive

extension ArchiveCache {
  /// Removes all entries, of whatever type, that are in the directory when the call begins. The files are deleted in the background.
  ///
  /// - Throws: ``ArchiveCacheError`` with the code `unavailable` if the disk refuses.
  /// - Complexity: O(1): a few hundred directories are renamed, at most.
  public func removeAll() throws {
    memory.removeAll()
    defer { memory.removeAll() }
    do {
      for group in try tier.directory.groups() { try tier.directory.setAside(group) }
    } catch {
      throw failure(error)
    }
    sweeper.emptyTrash()
  }

  /// Lets go of all values in memory. They are found on the disk. For a program that is told to use less memory.
  ///
  /// - Complexity: O(number of values in memory).
  public func releaseMemory() { memory.removeAll() }

  /// Removes the entries whose time is over, from the disk and from memory. They are not found in any case: this is about the room they take.
  ///
  /// - Returns: How many were on the disk.
  /// - Throws: ``ArchiveCacheError`` with the code `unavailable` if the disk refuses, or another process is sweeping the directory and does not
  ///   end within ten seconds.
  /// - Complexity: O(number of entries).
  @discardableResult
  public func removeExpired() throws -> Int {
    memory.removeExpired(now: tier.clock.milliseconds, maximumAge: tier.maximumAge)
    return try sweep().expiredCount
  }

  /// Removes from the disk what the limits do not allow: entries whose time is over, then those whose last use is longest ago, until four fifths
  /// of what the limits allow are left. Within the limits nothing else is removed than what killed writers have left.
  ///
  /// The cache does this by itself, by what it writes; this is for a program that knows a good moment.
  ///
  /// - Throws: ``ArchiveCacheError`` with the code `unavailable` if the disk refuses, or another process is sweeping the directory and does not
  ///   end within ten seconds.
  /// - Complexity: O(n log n) for n entries.
  public func trim() throws { _ = try sweep() }

  private func sweep() throws -> Sweep.Outcome {
    do {
      if let outcome = try sweeper.force(lookingForExpired: true, patience: 1_000) { return outcome }
    } catch {
      throw failure(error)
    }
    throw ArchiveCacheError(.unavailable, "another process goes on sweeping the cache's directory")
  }
}
