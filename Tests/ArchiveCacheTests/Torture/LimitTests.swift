import ArchiveCache
import CacheTorture
import Foundation
import Testing

@Suite("Limits of the disk")
struct LimitTests {
  private func value(_ key: String, _ size: Int) -> Stamped { Stamped(key: key, version: 1, size: size) }

  @Test("A value larger than an entry may be is not stored, and the old one does not stay for it") func tooLarge() throws {
    let scratch = try Scratch()
    let cache = try scratch.open { $0.limits.diskByteCount = 1 << 20 }
    #expect(try cache.set(value("a", 100), forKey: "a") == .stored)
    #expect(try cache.set(value("a", 2 << 20), forKey: "a") == .tooLarge)
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try scratch.open().value(forKey: "a") == nil)
    #expect(try cache.value(forKey: "a") { self.value("a", 2 << 20) }.filler.count == 2 << 20, "who makes it has it")
    #expect(try EntryFiles.paths(in: scratch.url) == [])
    #expect(EntryFiles.temporaries(in: scratch.url) == [])
  }

  @Test("A limit that is lower when the cache is opened again counts for what is there") func lowered() throws {
    let scratch = try Scratch()
    let first = try scratch.open()
    for number in 0..<100 { try first.set(value("k\(number)", 10_000), forKey: "k\(number)") }
    let before = try EntryFiles.space(in: scratch.url)
    #expect(before == 100 * 12_288)
    let second = try scratch.open { $0.limits.diskByteCount = 600_000 }
    try second.trim()
    let after = try EntryFiles.space(in: scratch.url)
    #expect(after <= 480_000 && after > 480_000 - 12_288, "four fifths")
    #expect(second.statistics.diskByteCount == Int64(after))
    #expect(second.statistics.evicted == 100 - Int64(after / 12_288))
    let third = try scratch.open { $0.limits.diskByteCount = 0 }
    try third.trim()
    #expect(try EntryFiles.paths(in: scratch.url) == [])
    #expect(try third.set(value("a", 0), forKey: "a") == .tooLarge)
  }

  @Test("What was used last stays, what is pinned stays, and the rest goes") func order() throws {
    let scratch = try Scratch()
    let clock = HandClock()
    let cache = try scratch.open {
      $0.clock = clock.clock
      $0.limits.memoryCount = 0
    }
    for number in 0..<40 { try cache.set(value("k\(number)", 1_000), forKey: "k\(number)", isPinned: number < 3) }
    clock.advance(seconds: 3_600)
    for number in 20..<30 { _ = try cache.value(forKey: "k\(number)") }
    // A sweep that finds nothing to remove is no use of what it looks at.
    try cache.trim()
    // Room for 16 of them, which is 13 after the sweep.
    let tight = try scratch.open {
      $0.clock = clock.clock
      $0.limits.diskByteCount = 16 * 4_096 + 1_024
    }
    try tight.trim()
    let kept = try Set(tight.keys())
    #expect(kept.count == 13)
    #expect(kept.isSuperset(of: (0..<3).map { "k\($0)" }))
    #expect(kept.subtracting((0..<3).map { "k\($0)" }) == Set((20..<30).map { "k\($0)" }))
    try tight.removeAll()
    #expect(try Array(tight.keys()) == [], "pinned ones too")
  }

  @Test("The number of entries is limited as their bytes are") func count() throws {
    let scratch = try Scratch()
    let cache = try scratch.open { $0.limits.diskCount = 50 }
    for number in 0..<500 {
      try cache.set(value("k\(number)", 10), forKey: "k\(number)")
      let count = try EntryFiles.paths(in: scratch.url).count
      #expect(count <= 56, "after \(number)")
    }
    try cache.trim()
    #expect(try EntryFiles.paths(in: scratch.url).count <= 50)
    #expect(try cache.value(forKey: "k499")?.version == 1)
  }

  @Test("Processes that end long before they would sweep keep the limit together") func shortLived() throws {
    let scratch = try Scratch()
    for number in 0..<400 {
      let cache = try scratch.open {
        $0.limits.diskByteCount = 100 * 4_096
        $0.sweepHeadStart = nil
      }
      try cache.set(value("k\(number)", 10), forKey: "k\(number)")
    }
    // Each begins at a chance point of the way to a sweep: a long run of luck is possible, two hundred are not.
    #expect(try EntryFiles.paths(in: scratch.url).count < 300)
  }
}
