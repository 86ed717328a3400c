import Foundation
import MirrorArchive

extension ArchiveCache {
  /// The value of a key, if there is one and its time is not over.
  ///
  /// - Returns: nil also where what is there is damaged, or was written for another version of the type.
  /// - Throws: ``ArchiveCacheError`` with the code `unavailable` if the disk cannot be used: whether there is a value is not known then. What
  ///   the key's bytes throw.
  /// - Complexity: O(1) in memory, for a cache that copies O(size of the value); O(size of the entry) on the disk.
  public func value(forKey key: Key) throws -> Value? { try look(entryKey(key)) }

  /// Whether there is a value for a key. Of an entry on the disk only the head is read, so that damage behind it is not seen.
  ///
  /// - Throws: ``ArchiveCacheError`` with the code `unavailable` if the disk cannot be used; what the key's bytes throw.
  /// - Complexity: O(1).
  public func contains(_ key: Key) throws -> Bool {
    let key = try entryKey(key)
    if configuration.crossProcess == .trust, memory.contains(key, now: tier.clock.milliseconds, maximumAge: tier.maximumAge) { return true }
    do {
      return try tier.head(key)?.header.fingerprint == fingerprint
    } catch {
      throw failure(error, key)
    }
  }

  /// The keys of the entries on the disk, in no order, each read when it is asked for.
  ///
  /// - Returns: A sequence that goes through the directory as it is meanwhile. Entries of other types, and those whose time is over, are left
  ///   out, as are keys that ``ArchiveCacheKey/init(cacheKeyBytes:)`` does not make.
  /// - Throws: ``ArchiveCacheError`` with the code `unavailable` if the directory cannot be read.
  /// - Complexity: O(1); the whole sequence O(number of entries).
  public func keys() throws -> ArchiveCacheKeys<Key> {
    do {
      return ArchiveCacheKeys(tier: tier, fingerprint: fingerprint, groups: try tier.directory.groups())
    } catch {
      throw failure(error)
    }
  }

  // MARK: Looking

  func look(_ key: EntryKey) throws -> Value? {
    let now = tier.clock.milliseconds
    let found = memory.item(key, now: now, maximumAge: tier.maximumAge)
    var ticket = found.ticket
    if let item = found.item {
      if try isCurrent(item, key) {
        do {
          let value = try open(item.held)
          if found.isToBeNoted { tier.noteUse(key, item.status) }
          report(.memoryHit, key)
          return value
        } catch {
          // The bytes were read before; a hook of the value's own may refuse them now.
        }
      }
      ticket = memory.drop(key)
    }
    return try diskLook(key, ticket)
  }

  /// Whether an item in memory counts, if other processes have a say in that.
  private func isCurrent(_ item: MemoryTier.Item, _ key: EntryKey) throws -> Bool {
    if configuration.crossProcess == .trust { return true }
    do {
      return try tier.isCurrent(key, item.status)
    } catch {
      throw failure(error, key)
    }
  }

  /// Looks on the disk, and holds in memory what is found.
  func diskLook(_ key: EntryKey, _ ticket: MemoryTier.Ticket) throws -> Value? {
    let finding: DiskTier.Finding
    do {
      finding = try tier.read(key)
    } catch {
      throw failure(error, key)
    }
    switch finding {
    case .entry(let entry, let status):
      if entry.header.fingerprint != fingerprint {
        return miss(key, .outdated, "it is of another type than \(typeName), or of another version") { $0.outdated &+= 1 }
      }
      let value: Value
      do {
        value = try decode(entry)
      } catch {
        do {
          _ = try tier.directory.remove(tier.directory.file(key.digest), ifStill: status)
        } catch {
          throw failure(error, key)
        }
        return miss(key, .corrupt, "\(error)") { $0.corrupt &+= 1 }
      }
      configuration.willPromote?()
      let held: Held = sharesValues ? .value(.of(value)) : .entry(entry)
      memory.promote(
        key, MemoryTier.Item(held: held, cost: cost(entry.header), header: entry.header, status: status, noted: tier.clock.milliseconds),
        ticket)
      memory.count { $0.diskHits &+= 1 }
      report(.diskHit, key)
      return value
    case .absent: return miss(key, .miss, "")
    case .expired: return miss(key, .expired, "") { $0.expired &+= 1 }
    case .damaged(let reason): return miss(key, .corrupt, reason) { $0.corrupt &+= 1 }
    }
  }

  private func miss(
    _ key: EntryKey, _ kind: ArchiveCacheEvent.Kind, _ message: String, _ change: (inout ArchiveCacheStatistics) -> Void = { _ in }
  ) -> Value? {
    memory.count {
      $0.misses &+= 1
      change(&$0)
    }
    report(kind, key, message)
    return nil
  }

  /// The value of what is held in memory; of an archive a new one.
  func open(_ held: Held) throws -> Value {
    switch held {
    // SAFETY: this cache, whose values are of this type, has put it in.
    case .value(let value): unsafe value.value(of: Value.self)
    case .entry(let entry): try decode(entry)
    }
  }

  func decode(_ entry: Entry) throws -> Value {
    unsafe try entry.withArchive { archive in
      // SAFETY: the entry keeps the bytes for the time of the call. Its checksum has found them to be the ones that were written.
      unsafe try KeyedUnarchiver.unarchivedObject(
        of: Value.self, from: archive, allowing: configuration.allowedTypes, options: configuration.decoding, verifyingChecksum: false)
    }
  }

  /// What an entry counts with in memory.
  func cost(_ header: EntryHeader) -> Int { Int(clamping: header.cost) }
}
