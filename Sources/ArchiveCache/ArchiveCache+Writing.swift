public import Foundation
import MirrorArchive

/// What came of storing a value. More may be added in any release.
public enum ArchiveCacheSetResult: Sendable, Hashable {
  /// The value is stored.
  case stored
  /// The value is larger than an entry may be. It is not stored, and what was stored under the key is removed, because it is not the value any
  /// more.
  case tooLarge
  /// The value had no time to live. It is not stored, and what was stored under the key is removed.
  case expired
}

extension ArchiveCache {
  /// Stores a value in the place of the one that the key has.
  ///
  /// - Parameters:
  ///   - value: The value. It is archived before the call returns.
  ///   - key: The key.
  ///   - timeToLive: The seconds after which the value is not found any more; nil and infinity for as long as the limits say. Zero, negative and
  ///     not a number mean that its time is over.
  ///   - cost: What the value counts with in memory; nil for the bytes of its archive.
  ///   - isPinned: The limits do not remove the entry from the disk. Its time does, and ``remove(_:)`` and ``removeAll()`` do.
  /// - Returns: Whether the value is stored.
  /// - Throws: What archiving throws; ``ArchiveCacheError`` with the code `noSpace` or `unavailable` if the disk refuses: the value that was
  ///   stored before is still there then. What the key's bytes throw.
  /// - Complexity: O(size of the value). At times it includes a sweep of the directory; see ``ArchiveCacheConfiguration/Limits/diskByteCount``.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, timeToLive: TimeInterval? = nil, cost: Int? = nil, isPinned: Bool = false
  ) throws -> ArchiveCacheSetResult {
    let key = try entryKey(key)
    return try store(value, key, Terms(timeToLive: timeToLive, cost: cost, isPinned: isPinned)).result
  }

  /// Removes the value of a key.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``ArchiveCacheError`` with the code `unavailable` if the disk refuses; what the key's bytes throw.
  /// - Complexity: O(1).
  @discardableResult
  public func remove(_ key: Key) throws -> Bool { try remove(entryKey(key)) }

  /// How a value is stored.
  struct Terms: Sendable {
    var timeToLive: TimeInterval?
    var cost: Int?
    var isPinned = false
  }

  /// Stores a value.
  /// - Returns: Also what others may be given for it.
  func store(_ value: Value, _ key: EntryKey, _ terms: Terms) throws -> (result: ArchiveCacheSetResult, held: Held) {
    let entry = try entry(value, key, terms)
    let hasTime = entry.header.expiry > entry.header.written && (tier.maximumAge ?? 1) > 0
    let held: Held = sharesValues ? .value(.of(value)) : .entry(entry)
    let result: ArchiveCacheSetResult =
      !hasTime ? .expired : key.bytes.count > UInt32.max || entry.byteCount > tier.maximumFileSize ? .tooLarge : .stored
    if result != .stored {
      try remove(key)
      if result == .tooLarge { memory.count { $0.tooLarge &+= 1 } }
      report(result == .tooLarge ? .tooLarge : .expired, key)
      return (result, held)
    }
    let ticket = memory.beginChange(key)
    do {
      let status = try tier.write(entry, for: key, temporaryName: TemporaryName.next())
      memory.endChange(
        key, MemoryTier.Item(held: held, cost: self.cost(entry.header), header: entry.header, status: status, noted: entry.header.written),
        ticket)
    } catch {
      memory.endChange(key, nil, ticket)
      throw failure(error, key)
    }
    memory.count { $0.stored &+= 1 }
    report(.stored, key)
    sweeper.wrote(Int64(entry.byteCount))
    return (.stored, held)
  }

  /// The entry of a value.
  func entry(_ value: Value, _ key: EntryKey, _ terms: Terms) throws -> Entry {
    var header = EntryHeader()
    header.written = tier.clock.milliseconds
    header.isPinned = terms.isPinned
    header.fingerprint = fingerprint
    if let timeToLive = terms.timeToLive {
      let (expiry, overflow) = header.written.addingReportingOverflow(Self.milliseconds(timeToLive))
      header.expiry = overflow ? (timeToLive > 0 ? .max : .min) : expiry
    }
    let archive = try KeyedArchiver.archivedData(withRootObject: value, allowing: configuration.allowedTypes)
    guard let entry = Entry(header, key: key, typeName: typeName, cost: terms.cost.map { max(0, $0) }, archive: archive) else {
      throw ArchiveCacheError(.noSpace, "there is no memory for an entry of \(archive.count) bytes")
    }
    return entry
  }

  @discardableResult
  func remove(_ key: EntryKey) throws -> Bool {
    let ticket = memory.beginChange(key)
    let wasThere: Bool
    do {
      defer { memory.endChange(key, nil, ticket) }
      wasThere = try tier.remove(key)
    } catch {
      throw failure(error, key)
    }
    if wasThere {
      memory.count { $0.removed &+= 1 }
      report(.removed, key)
    }
    return wasThere
  }
}
