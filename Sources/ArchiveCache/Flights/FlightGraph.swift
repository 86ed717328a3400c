import MirrorArchive

/// A flight of whatever cache.
class AnyFlight: @unchecked Sendable {
  /// The flights that the makers of this one's value wait for, each as often as somebody does. Guarded by the graph's lock.
  fileprivate var awaited: [ObjectIdentifier: (flight: AnyFlight, count: Int)] = [:]
}

/// Which flights wait for which: who would wait for itself is told so.
enum FlightGraph {
  /// The flights that are under way in this thread or task and those that it was made by.
  @TaskLocal static var leading: [AnyFlight] = []

  // Of a value that takes room: ThreadSanitizer takes one that takes none for the lock's own memory.
  private static let lock = Locked(0)

  /// Notes that the flights which are under way here wait for another one.
  /// - Throws: `reentrant` if that one waits for one of them.
  static func willWait(for flight: AnyFlight) throws(ArchiveCacheError) {
    let leading = leading
    if leading.isEmpty { return }
    let isCircle = lock.withLock { _ in
      if reaches(flight, leading) { return true }
      for own in leading { own.awaited[ObjectIdentifier(flight), default: (flight, 0)].count += 1 }
      return false
    }
    if isCircle {
      throw ArchiveCacheError(.reentrant, "the value is being made by who asks for it: the closure that makes it would wait for itself")
    }
  }

  static func didWait(for flight: AnyFlight) {
    let leading = leading
    if leading.isEmpty { return }
    lock.withLock { _ in
      for own in leading {
        guard let known = own.awaited[ObjectIdentifier(flight)] else { continue }
        own.awaited[ObjectIdentifier(flight)] = known.count > 1 ? (flight, known.count - 1) : nil
      }
    }
  }

  /// Whether one of `ends` is the flight itself, or one that it waits for, and so on. Called with the lock held.
  private static func reaches(_ flight: AnyFlight, _ ends: [AnyFlight]) -> Bool {
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(flight)]
    var pending = [flight]
    while let next = pending.popLast() {
      if ends.contains(where: { $0 === next }) { return true }
      for (id, awaited) in next.awaited where seen.insert(id).inserted { pending.append(awaited.flight) }
    }
    return false
  }
}
