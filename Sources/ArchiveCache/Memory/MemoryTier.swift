import MirrorArchive

/// What is at hand without a look at the disk, and the count of everything that happens.
///
/// Values travel between the two tiers while other threads store and remove under the same key. Every change of a key is counted, for groups of
/// keys by their hash: who has looked at the disk in the meantime puts nothing into memory that may be old. A change counts when it begins and
/// when its file is in place, so that of two changes at once neither leaves a value in memory that the disk has not.
final class MemoryTier: Sendable {
  /// A class: a look at one copies nothing.
  final class Item: Sendable {
    let held: Held
    /// At most the limit.
    let cost: Int
    let header: EntryHeader
    /// The file that the value stands in.
    let status: FileSystem.Status
    /// When the file was last told that the value is in use: milliseconds since 1970.
    // SAFETY: set before anybody else has the item, and from then on looked at with the tier's lock held alone.
    fileprivate nonisolated(unsafe) var noted: Int64

    init(held: Held, cost: Int, header: EntryHeader, status: FileSystem.Status, noted: Int64) {
      unsafe self.noted = noted
      self.held = held
      self.cost = cost
      self.header = header
      self.status = status
    }
  }

  private struct State {
    var items = LeastRecentlyUsed<EntryKey, Item>()
    var cost = 0
    var generations = [UInt32](repeating: 0, count: 1_024)
    var statistics = ArchiveCacheStatistics()
  }

  /// How often the keys of a group had been changed when somebody looked.
  struct Ticket: Sendable { fileprivate let generation: UInt32 }

  private let state = Locked(State())
  private let maximumCount: Int
  private let maximumCost: Int

  init(maximumCount: Int, maximumCost: Int) {
    self.maximumCount = max(0, maximumCount)
    // Two of them are added without overflow.
    self.maximumCost = min(max(0, maximumCost), Int.max / 4)
  }

  private static func group(_ key: EntryKey) -> Int { Int(truncatingIfNeeded: key.digest.high & 1_023) }

  // MARK: Looking

  /// What a look into memory has found.
  struct Finding: Sendable {
    var item: Item?
    let ticket: Ticket
    /// The file does not know of the uses of a long time: unless it is told, it goes as one that nobody uses.
    var isToBeNoted = false
  }

  /// As long as this a file need not know that its value is used in memory: milliseconds.
  private static let noteInterval: Int64 = 600_000

  /// The item of a key, if it is not past its time.
  func item(_ key: EntryKey, now: Int64, maximumAge: Int64?) -> Finding {
    state.withLock { state in
      var finding = Finding(ticket: Ticket(generation: state.generations[Self.group(key)]))
      guard let item = state.items.use(key) else { return finding }
      if item.header.isExpired(at: now, maximumAge: maximumAge) {
        Self.remove(key, &state)
        return finding
      }
      state.statistics.memoryHits &+= 1
      finding.item = item
      // SAFETY: this and the next line are the only ones that look at it, and the lock is held.
      if unsafe now &- item.noted > Self.noteInterval {
        unsafe item.noted = now
        finding.isToBeNoted = true
      }
      return finding
    }
  }

  /// Whether there is an item of a key that is not past its time. Does not count as a use.
  func contains(_ key: EntryKey, now: Int64, maximumAge: Int64?) -> Bool {
    state.withLock { state in
      guard let item = state.items.peek(key) else { return false }
      return !item.header.isExpired(at: now, maximumAge: maximumAge)
    }
  }

  /// Takes back a hit on an item that is not what the disk has any more.
  func drop(_ key: EntryKey) -> Ticket {
    state.withLock { state in
      state.statistics.memoryHits &-= 1
      Self.remove(key, &state)
      return Ticket(generation: state.generations[Self.group(key)])
    }
  }

  /// Holds what was read from the disk, unless the key has changed since the ticket was given.
  func promote(_ key: EntryKey, _ item: Item, _ ticket: Ticket) {
    state.withLock { state in
      if state.generations[Self.group(key)] == ticket.generation { insert(key, item, &state) }
    }
  }

  // MARK: Changing

  /// Says that the key is going to change on the disk.
  func beginChange(_ key: EntryKey) -> Ticket {
    state.withLock { state in
      state.generations[Self.group(key)] &+= 1
      return Ticket(generation: state.generations[Self.group(key)])
    }
  }

  /// Says that the key has changed on the disk, to this item or to none.
  func endChange(_ key: EntryKey, _ item: Item?, _ ticket: Ticket) {
    state.withLock { state in
      if let item, state.generations[Self.group(key)] == ticket.generation {
        insert(key, item, &state)
      } else {
        // Somebody else has changed it meanwhile: which of the two files is there now, the next look finds out.
        Self.remove(key, &state)
      }
      state.generations[Self.group(key)] &+= 1
    }
  }

  func removeAll() {
    state.withLock { state in
      state.items.removeAll()
      state.cost = 0
      for i in state.generations.indices { state.generations[i] &+= 1 }
    }
  }

  /// Removes what is past its time. O(number of items).
  func removeExpired(now: Int64, maximumAge: Int64?) {
    state.withLock { state in
      var next = state.items.oldest
      while let (key, item) = next {
        next = state.items.newer(than: key)
        if item.header.isExpired(at: now, maximumAge: maximumAge) { Self.remove(key, &state) }
      }
    }
  }

  private func insert(_ key: EntryKey, _ item: Item, _ state: inout State) {
    if item.cost < 0 || item.cost > maximumCost || maximumCount == 0 {
      Self.remove(key, &state)
      return
    }
    if let old = state.items.set(item, for: key) { state.cost -= old.cost }
    state.cost += item.cost
    while state.items.count > maximumCount || state.cost > maximumCost, let oldest = state.items.oldest { Self.remove(oldest.key, &state) }
  }

  private static func remove(_ key: EntryKey, _ state: inout State) {
    if let old = state.items.remove(key) { state.cost -= old.cost }
  }

  // MARK: Statistics

  func count(_ change: (inout ArchiveCacheStatistics) -> Void) { state.withLock { change(&$0.statistics) } }

  var statistics: ArchiveCacheStatistics {
    state.withLock { state in
      var statistics = state.statistics
      statistics.memoryCount = state.items.count
      statistics.memoryCost = state.cost
      return statistics
    }
  }
}
