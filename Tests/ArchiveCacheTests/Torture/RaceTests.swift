import ArchiveCache
import CacheTorture
import Foundation
import MirrorArchive
import Testing

@Suite("Races between memory and disk")
struct RaceTests {
  private static func value(_ version: Int) -> Stamped { Stamped(key: "key", version: version, size: 100) }

  /// What happens between a look at the disk and what it leads to in memory.
  private final class Interruption: Sendable {
    private let body = Locked<(@Sendable () -> Void)?>(nil)
    func plan(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }
    func happen() {
      // Once, and with nothing locked: it reads itself.
      let body = body.withLock { body in
        defer { body = nil }
        return body
      }
      body?()
    }
  }

  enum Change: String, CaseIterable, Sendable { case set, remove, removeAll, expire, tooLarge, setTwice, removeAndSet }

  @Test("What has changed since the look at the disk does not come into memory as it was", arguments: Change.allCases, [true, false])
  func promotion(_ change: Change, validates: Bool) throws {
    let scratch = try Scratch()
    try scratch.open().set(Self.value(1), forKey: "key")
    let interruption = Interruption()
    let cache = try scratch.open {
      $0.willPromote = { interruption.happen() }
      $0.crossProcess = validates ? .validate : .trust
      $0.limits.entryByteCount = 10_000
    }
    interruption.plan {
      do {
        switch change {
        case .set: try cache.set(Self.value(2), forKey: "key")
        case .remove: try cache.remove("key")
        case .removeAll: try cache.removeAll()
        case .expire: try cache.set(Self.value(2), forKey: "key", timeToLive: 0)
        case .tooLarge: try cache.set(Stamped(key: "key", version: 2, size: 20_000), forKey: "key")
        case .setTwice:
          try cache.set(Self.value(1), forKey: "key")
          try cache.set(Self.value(2), forKey: "key")
        case .removeAndSet:
          try cache.remove("key")
          try cache.set(Self.value(2), forKey: "key")
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(try cache.value(forKey: "key") == Self.value(1), "it was there when it was looked for")
    let now = [.set, .setTwice, .removeAndSet].contains(change) ? Self.value(2) : nil
    #expect(try cache.value(forKey: "key") == now)
    #expect(try cache.value(forKey: "key") == now)
    #expect(try scratch.open().value(forKey: "key") == now)
  }

  @Test("A change by another cache, between the look and memory, is seen by one that validates") func promotionOfAnother() throws {
    let scratch = try Scratch()
    let other = try scratch.open()
    try other.set(Self.value(1), forKey: "key")
    let interruption = Interruption()
    let cache = try scratch.open {
      $0.willPromote = { interruption.happen() }
      $0.crossProcess = .validate
    }
    interruption.plan { _ = try? other.set(Self.value(2), forKey: "key") }
    #expect(try cache.value(forKey: "key") == Self.value(1))
    #expect(try cache.value(forKey: "key") == Self.value(2))
  }

  /// The system gives a new file the number of one that has just gone, and its clock for files stands still for milliseconds.
  @Test("A cache that validates tells a new file from the old one, though all that the system says of them is the same") func reuse() throws
  {
    let scratch = try Scratch()
    let cache = try scratch.open { $0.crossProcess = .validate }
    let other = try scratch.open { $0.limits.memoryCount = 0 }
    var version = 0
    for round in 0..<300 {
      for _ in 0..<(round % 4 + 1) {
        version += 1
        try other.set(Self.value(version), forKey: "key")
      }
      let found = try cache.value(forKey: "key")?.version
      #expect(found == version, "round \(round)")
      if found != version { break }
    }
  }

  @Test("After many threads have stored and removed under one key, memory has what the disk has", arguments: [true, false]) func storm(
    validates: Bool
  ) throws {
    for round in 0..<(isFullTorture ? 300 : 20) {
      let scratch = try Scratch()
      let cache = try scratch.open { $0.crossProcess = validates ? .validate : .trust }
      let failures = Failures()
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        do {
          for step in 0..<25 {
            switch (number + step) % 5 {
            case 0: try cache.remove("key")
            case 1: if let flaw = try cache.value(forKey: "key")?.flaw(under: "key", size: 100) { failures.add(flaw) }
            case 2: if step == 12 { try cache.removeAll() } else { _ = try cache.value(forKey: "key") { Self.value(number * 100 + step) } }
            default: try cache.set(Self.value(number * 100 + step), forKey: "key")
            }
          }
        } catch {
          failures.add("\(error)")
        }
      }
      #expect(failures.all == [])
      let found = try cache.value(forKey: "key")
      #expect(try scratch.open().value(forKey: "key") == found, "round \(round)")
      let statistics = cache.statistics
      #expect(statistics.memoryCount == (found == nil ? 0 : 1))
      #expect((statistics.memoryCost == 0) == (found == nil))
    }
  }
}
