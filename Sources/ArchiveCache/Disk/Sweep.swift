#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Goes through a cache's directory and removes what is too much, too old, or left over.
///
/// Entries are read and written while it is at work. One process at a time sweeps a directory.
struct Sweep: Sendable {
  let tier: DiskTier
  /// Bytes that the entries may take, each in whole blocks.
  let maximumByteCount: Int64
  let maximumCount: Int?

  /// What a sweep has found and done.
  struct Outcome: Sendable {
    /// The entries that are left, and the bytes that they take in whole blocks.
    var count = 0
    var byteCount: Int64 = 0
    var evictedCount = 0
    var expiredCount = 0
  }

  /// The smallest piece of a disk that a file can take.
  static let block: Int64 = 4_096
  /// Temporary files that are older belong to nobody any more: nanoseconds.
  private static let abandonment: UInt64 = 3_600_000_000_000

  static func space(_ size: Int64) -> Int64 { max(1, (size &+ block &- 1) / block) &* block }

  private struct Candidate {
    let digest: EntryKey.Digest
    let space: Int64
    let accessed: Int64
  }

  /// Sweeps, unless somebody else does.
  ///
  /// - Parameter lookingForExpired: Also look into every entry for its time, which costs as much again as everything else.
  /// - Returns: nil if another process, or another cache of this one, is sweeping.
  func run(lookingForExpired: Bool) throws(SystemError) -> Outcome? {
    let directory = tier.directory
    let lock: Int32
    do {
      lock = try openLock()
    } catch  where error.meansAbsence {
      return Outcome()
    }
    defer { tier.fileSystem.close(lock) }
    guard try tier.fileSystem.lock(lock, directory.lock) else { return nil }
    removeAbandoned()
    directory.emptyTrash()

    var outcome = Outcome()
    var candidates: [Candidate] = []
    for group in try directory.groups() {
      try scan(group) { digest, status in
        candidates.append(Candidate(digest: digest, space: Self.space(status.size), accessed: status.accessed))
      }
    }
    outcome.count = candidates.count
    outcome.byteCount = candidates.reduce(0) { $0 &+ $1.space }
    let isTooMuch = exceeds(outcome, 100)
    if lookingForExpired || isTooMuch { removeExpired(&candidates, &outcome) }
    if exceeds(outcome, 100) {
      candidates.sort { $0.accessed < $1.accessed }
      // What has been used since the scan is spared at first.
      evict(candidates, sparing: true, &outcome)
      if exceeds(outcome, 100) { evict(candidates, sparing: false, &outcome) }
    }
    return outcome
  }

  private func openLock() throws(SystemError) -> Int32 {
    let (path, flags) = (tier.directory.lock, O_RDWR | O_CREAT)
    do {
      return try tier.fileSystem.open(path, flags, mode: 0o600)
    } catch  where error.number == ELOOP || error.number == EISDIR || error.number == ENXIO {
      // A link, a directory or a socket of somebody else's stands in its place, and would keep everybody from sweeping for ever.
      try tier.directory.discardIntruder(path)
      return try tier.fileSystem.open(path, flags, mode: 0o600)
    }
  }

  /// Whether the entries take more than so many hundredths of the limits.
  private func exceeds(_ outcome: Outcome, _ percentage: Int64) -> Bool {
    if outcome.byteCount > maximumByteCount / 100 &* percentage &+ maximumByteCount % 100 &* percentage / 100 { return true }
    guard let maximumCount else { return false }
    return Int64(outcome.count) > Int64(maximumCount) / 100 &* percentage &+ Int64(maximumCount) % 100 &* percentage / 100
  }

  /// Calls `body` for each entry in a directory of entries. What is no regular file is thrown away, other names are left alone.
  private func scan(_ group: String, _ body: (EntryKey.Digest, FileSystem.Status) -> Void) throws(SystemError) {
    let names: [String]
    do {
      names = try tier.fileSystem.names(in: group)
    } catch  where error.meansAbsence || error.number == ELOOP {
      return
    }
    for name in names {
      guard let digest = EntryKey.Digest(Substring(name)) else { continue }
      let path = group + "/" + name
      guard let status = try? tier.fileSystem.status(at: path) else { continue }
      if status.kind == .file { body(digest, status) } else { _ = try? tier.directory.remove(path, ifStill: status) }
    }
  }

  private func removeExpired(_ candidates: inout [Candidate], _ outcome: inout Outcome) {
    let now = tier.clock.milliseconds
    var kept: [Candidate] = []
    kept.reserveCapacity(candidates.count)
    for candidate in candidates {
      let path = tier.directory.file(candidate.digest)
      if let head = try? tier.head(of: path, needsKey: false), head.header.isExpired(at: now, maximumAge: tier.maximumAge),
        (try? tier.directory.remove(path, ifStill: head.status)) == true
      {
        outcome.expiredCount += 1
        outcome.count -= 1
        outcome.byteCount &-= candidate.space
      } else {
        kept.append(candidate)
      }
    }
    candidates = kept
  }

  /// Removes entries, those first whose last use is longest ago, until the rest takes four fifths of the limits. Pinned ones stay.
  private func evict(_ candidates: [Candidate], sparing: Bool, _ outcome: inout Outcome) {
    for candidate in candidates where exceeds(outcome, 80) {
      // One that is larger than that has its place as long as it is the only one.
      if outcome.count == 1, !exceeds(outcome, 100) { return }
      let path = tier.directory.file(candidate.digest)
      let status: FileSystem.Status
      if let head = try? tier.head(of: path, needsKey: false) {
        if head.header.isPinned || (sparing && head.status.accessed > candidate.accessed) { continue }
        status = head.status
      } else if let other = try? tier.fileSystem.status(at: path) {
        status = other
      } else {
        // Gone, by somebody else's doing or in the first pass.
        continue
      }
      if (try? tier.directory.remove(path, ifStill: status)) == true {
        outcome.evictedCount += 1
        outcome.count -= 1
        outcome.byteCount &-= candidate.space
      }
    }
  }

  /// Deletes the temporary files of writers that were killed.
  private func removeAbandoned() {
    let now = tier.clock.nanoseconds
    let directory = tier.directory.temporaries
    for name in (try? tier.fileSystem.names(in: directory)) ?? [] {
      let path = directory + "/" + name
      guard let status = try? tier.fileSystem.status(at: path) else { continue }
      // Also where the clock has been set back since.
      if (now &- status.modified).magnitude > Self.abandonment { tier.directory.delete(path) }
    }
  }
}
