import ArchiveCache
import CacheTorture
import Foundation
import Testing

/// The tests with other processes, one after the other: each of them wants the machine for itself.
@Suite("Torture of the cache", .serialized)
struct Torture {}

extension Torture {
  /// Processes that are killed while they write.
  @Suite("Killed writers", .serialized)
  struct KillTests {
    static let sizes = [0, 200, 4_096, 1 << 20]
    static let killCount = isFullTorture ? 250 : 8

    @Test("A killed writer leaves no torn entry and loses nothing that was stored", arguments: sizes)
    func killed(size: Int) throws {
      let scratch = try Scratch()
      var random = SystemRandomNumberGenerator()
      var kept: [Int: Int] = [:]
      var lost = 0
      let events = EventCounter()
      for kill in 1...Self.killCount {
        let child = try Child("writer", ["directory": scratch.path, "size": size, "first": kill * 1_000_000])
        child.waitForAnything()
        usleep(UInt32.random(in: 5_000...50_000, using: &random))
        child.send(SIGKILL)
        let outcome = child.finish()
        #expect(outcome.wrongs == [])
        #expect(outcome.signal == SIGKILL, "the writer has ended before it was killed")
        kept.merge(outcome.stored) { $1 }
        // The one that was being stored may be there although its writer could not say so any more.
        let unsaid = (outcome.stored.values.max() ?? kill * 1_000_000 - 1) + 1

        let cache = try scratch.open { $0.onEvent = events.observer }
        for (number, version) in kept {
          let key = Writer.key(number)
          guard let value = try cache.value(forKey: key) else {
            lost += 1
            continue
          }
          #expect(value.flaw(under: key, size: size) == nil)
          if value.version != version && value.version != unsaid { lost += 1 }
          kept[number] = value.version
        }
      }
      #expect(events[.corrupt] == 0, "torn entries after \(Self.killCount) kills")
      #expect(lost == 0, "of what was stored")
      #expect(kept.count > 0)

      // What the writers have left over goes with a sweep, when nobody can be at work on it any more.
      let orphans = EntryFiles.temporaries(in: scratch.url)
      try scratch.open().trim()
      #expect(EntryFiles.temporaries(in: scratch.url).count == orphans.count, "a temporary file of this hour may be somebody's")
      let later = HandClock()
      later.advance(seconds: 2 * 3_600)
      try scratch.open { $0.clock = later.clock }.trim()
      #expect(EntryFiles.temporaries(in: scratch.url) == [])
      #expect(try (kept.count...Writer.keyCount).contains(EntryFiles.paths(in: scratch.url).count))
      if isFullTorture { print("killed: \(size) bytes, \(Self.killCount) kills, \(orphans.count) temporary files swept, 0 torn, 0 lost") }
    }

    @Test("A process that just ends has stored what it says", arguments: [200, 1 << 20]) func brief(size: Int) throws {
      let scratch = try Scratch()
      let outcome = try Child("brief", ["directory": scratch.path, "size": size, "first": 100]).finishWell()
      #expect(outcome.stored.count == Writer.keyCount)
      let cache = try scratch.open()
      for (number, version) in outcome.stored { #expect(try cache.value(forKey: Writer.key(number))?.version == version) }
      #expect(EntryFiles.temporaries(in: scratch.url) == [])
    }

    /// If this finds nothing, then the tests above would find nothing either.
    @Test("Writers that write where the entry lies leave torn entries when they are killed") func inPlace() throws {
      let prepared = try Scratch()
      for (number, name) in ["a", "b"].enumerated() {
        let url = prepared.url.appendingPathComponent(name)
        let cache = try ArchiveCache<String, Stamped>(directory: url)
        for key in 0..<Writer.keyCount {
          try cache.set(Stamped(key: Writer.key(key), version: number, size: 4 << 20), forKey: Writer.key(key))
        }
      }
      let scratch = try Scratch()
      try FileManager.default.removeItem(at: scratch.url)
      try FileManager.default.copyItem(at: prepared.url.appendingPathComponent("a"), to: scratch.url)
      let events = EventCounter()
      var random = SystemRandomNumberGenerator()
      var kills = 0
      let most = isFullTorture ? 50 : 200
      while kills < most, isFullTorture || events[.corrupt] == 0 {
        kills += 1
        let child = try Child("in-place-writer", ["directory": scratch.path, "prepared": prepared.path])
        child.waitForAnything()
        usleep(UInt32.random(in: 5_000...50_000, using: &random))
        child.send(SIGKILL)
        #expect(child.finish().signal == SIGKILL)
        let cache = try scratch.open { $0.onEvent = events.observer }
        for number in 0..<Writer.keyCount {
          if let value = try cache.value(forKey: Writer.key(number)) { #expect(value.flaw(under: Writer.key(number)) == nil) }
        }
      }
      #expect(events[.corrupt] > 0, "the test cannot see torn entries")
      if isFullTorture { print("control arm: \(kills) kills, \(events[.corrupt]) torn entries") }
    }
  }
}
