import ArchiveCache
import CacheTorture
import Foundation
import Testing

@Suite("Clocks that jump")
struct ClockTests {
  private static let value = Stamped(key: "key", version: 1, size: 50)
  private static let year = 365.0 * 86_400

  /// A cache that holds values in memory, and one beside it that has only the disk.
  private struct Tiers {
    let scratch: Scratch
    let clock = HandClock(1_700_000_000_000_000_000)
    let memory: ArchiveCache<String, Stamped>
    let disk: ArchiveCache<String, Stamped>

    init(_ change: (inout ArchiveCacheConfiguration) -> Void = { _ in }) throws {
      scratch = try Scratch()
      var configuration = ArchiveCacheConfiguration()
      configuration.clock = clock.clock
      change(&configuration)
      memory = try ArchiveCache(directory: scratch.url, configuration: configuration)
      configuration.limits.memoryCount = 0
      disk = try ArchiveCache(directory: scratch.url, configuration: configuration)
    }

    func expect(_ isThere: Bool, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
      // Memory first: the disk removes what it finds to be over.
      #expect(try memory.value(forKey: "key") == (isThere ? value : nil), "memory, \(text)", sourceLocation: sourceLocation)
      #expect(try memory.contains("key") == isThere, "contained, \(text)", sourceLocation: sourceLocation)
      #expect(try disk.keys().map { $0 } == (isThere ? ["key"] : []), "keys, \(text)", sourceLocation: sourceLocation)
      #expect(try disk.value(forKey: "key") == (isThere ? value : nil), "disk, \(text)", sourceLocation: sourceLocation)
    }
  }

  @Test("A value is found until its time is over, in memory and on the disk") func expiry() throws {
    let tiers = try Tiers()
    #expect(try tiers.memory.set(Self.value, forKey: "key", timeToLive: 10) == .stored)
    try tiers.expect(true, "at once")
    tiers.clock.advance(seconds: 9.999)
    try tiers.expect(true, "a millisecond before")
    tiers.clock.advance(seconds: 0.001)
    try tiers.expect(false, "at the time")
    #expect(try EntryFiles.paths(in: tiers.scratch.url) == [], "the look has removed it")
  }

  @Test("A clock that is set back keeps what has a time, and one that is set forward ends it") func jumps() throws {
    let tiers = try Tiers()
    try tiers.memory.set(Self.value, forKey: "key", timeToLive: 60)
    tiers.clock.advance(seconds: -Self.year)
    try tiers.expect(true, "a year back")
    try tiers.memory.trim()
    try tiers.disk.removeExpired()
    try tiers.expect(true, "swept a year back")
    tiers.clock.advance(seconds: 2 * Self.year)
    try tiers.expect(false, "a year forward")
  }

  @Test(
    "A clock that stands at the beginning of its time, before it, or at its end, breaks nothing",
    arguments: [0, -5_000_000_000, 1, Int64.max, Int64.min, Int64.min + 1])
  func extremes(nanoseconds: Int64) throws {
    let scratch = try Scratch()
    let clock = HandClock(nanoseconds)
    let cache = try scratch.open {
      $0.clock = clock.clock
      $0.limits.maximumAge = 1e9
      $0.limits.memoryCount = 0
    }
    for timeToLive in [nil, 1, 1e18, Double.infinity] {
      #expect(try cache.set(Self.value, forKey: "key", timeToLive: timeToLive) == .stored)
      #expect(try cache.value(forKey: "key") == Self.value)
    }
    try cache.trim()
    #expect(try cache.removeExpired() == 0)
    #expect(try cache.value(forKey: "key") == Self.value)
  }

  @Test("No time to live is no value, and removes the one that was there", arguments: [0, -0.0, -1, -1e300, -Double.infinity, Double.nan])
  func none(timeToLive: Double) throws {
    let tiers = try Tiers()
    try tiers.memory.set(Self.value, forKey: "key")
    #expect(try tiers.memory.set(Self.value, forKey: "key", timeToLive: timeToLive) == .expired)
    try tiers.expect(false, "\(timeToLive)")
    #expect(try tiers.memory.value(forKey: "key", timeToLive: timeToLive) { Self.value } == Self.value)
    try tiers.expect(false, "\(timeToLive), inserted")
  }

  @Test("A time to live that has no end has none", arguments: [Double.infinity, 1e300, Double.greatestFiniteMagnitude, 9.3e15])
  func endless(timeToLive: Double) throws {
    let tiers = try Tiers()
    #expect(try tiers.memory.set(Self.value, forKey: "key", timeToLive: timeToLive) == .stored)
    tiers.clock.advance(seconds: 200 * Self.year)
    try tiers.expect(true, "in two hundred years")
    #expect(try tiers.memory.removeExpired() == 0)
    try tiers.expect(true, "swept")
  }

  @Test("The smallest time to live is one") func smallest() throws {
    let tiers = try Tiers()
    #expect(try tiers.memory.set(Self.value, forKey: "key", timeToLive: .leastNonzeroMagnitude) == .stored)
    try tiers.expect(true, "at once")
    tiers.clock.advance(seconds: 0.001)
    try tiers.expect(false, "a millisecond later")
  }

  @Test("Nothing gets older than the limit says, whatever its time to live") func age() throws {
    let tiers = try Tiers { $0.limits.maximumAge = 100 }
    try tiers.memory.set(Self.value, forKey: "key", timeToLive: 1_000)
    tiers.clock.advance(seconds: 99)
    try tiers.expect(true, "before")
    tiers.clock.advance(seconds: -1_000)
    try tiers.expect(true, "set back")
    tiers.clock.advance(seconds: 1_001)
    try tiers.expect(false, "at the age")
  }

  @Test("A limit of age that is lowered counts for what is there") func lowered() throws {
    let tiers = try Tiers()
    try tiers.memory.set(Self.value, forKey: "key")
    tiers.clock.advance(seconds: 50)
    let strict = try tiers.scratch.open {
      $0.clock = tiers.clock.clock
      $0.limits.maximumAge = 50
    }
    #expect(try !strict.contains("key"))
    #expect(try strict.removeExpired() == 1)
    #expect(try EntryFiles.paths(in: tiers.scratch.url) == [])
  }

  @Test("Removing what is over counts what was on the disk, and leaves the rest") func sweep() throws {
    let tiers = try Tiers()
    for number in 0..<30 {
      let key = "k\(number)"
      try tiers.memory.set(Stamped(key: key, version: number, size: 10), forKey: key, timeToLive: number % 3 == 0 ? 5 : nil)
    }
    #expect(try tiers.disk.removeExpired() == 0)
    tiers.clock.advance(seconds: 5)
    #expect(try tiers.disk.removeExpired() == 10)
    #expect(try tiers.disk.removeExpired() == 0)
    #expect(try Set(tiers.disk.keys()).count == 20)
    #expect(try tiers.memory.value(forKey: "k3") == nil)
    #expect(try tiers.memory.value(forKey: "k4")?.version == 4)
  }
}
