import ArchiveCache
import CacheTorture
import Foundation
import Testing

extension Torture {
  /// Several processes in one directory.
  @Suite("Several processes", .serialized)
  struct CrowdTests {
    @Test("Two writers, two readers and a sweeper that empties the cache see whole values that never go back") func mixed() throws {
      // On a busy machine one of them may not have got its turn.
      for milliseconds in isFullTorture ? [60_000] : [2_000, 8_000, 30_000] {
        let counts = try mix(milliseconds)
        let idle = ["written", "hits", "sweeps", "emptied"].filter { counts[$0] ?? 0 == 0 }
        if idle.isEmpty { return }
        if milliseconds >= 30_000 { Issue.record("nothing \(idle) in \(milliseconds) ms") }
      }
    }

    private func mix(_ milliseconds: Int) throws -> [String: Int] {
      let scratch = try Scratch()
      let seed = Int.random(in: 0..<1 << 40)
      let common: [String: Any] = ["directory": scratch.path, "milliseconds": milliseconds]
      let parts: [(String, [String: Any])] = [
        ("mixed-writer", ["writer": 1]), ("mixed-writer", ["writer": 2]), ("mixed-reader", ["validate": 1]),
        ("mixed-reader", ["validate": 0]),
        ("mixed-sweeper", [:]),
      ]
      let children = try parts.enumerated().map { number, part in
        try Child(part.0, common.merging(part.1) { $1 }.merging(["seed": seed + number]) { $1 })
      }
      let outcomes = children.map { $0.finish() }
      var counts: [String: Int] = [:]
      for outcome in outcomes {
        #expect(outcome.code == 0, "signal \(outcome.signal ?? 0), seed \(seed)")
        #expect(outcome.wrongs.isEmpty, "seed \(seed)")
        counts.merge(outcome.counts, uniquingKeysWith: +)
      }
      #expect(counts["damaged"] == 0)
      #expect(EntryFiles.temporaries(in: scratch.url) == [])
      if isFullTorture { print("mixed: \(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))") }
      return counts
    }

    @Test("The entries of one process and of three stay within the bound", arguments: [1, 3]) func overshoot(processes: Int) throws {
      for milliseconds in isFullTorture ? [30_000] : [2_500, 10_000, 40_000] {
        if try load(processes, milliseconds) { return }
      }
      Issue.record("the load was too small to say anything")
    }

    /// - Returns: Whether there was enough of it to be sure.
    private func load(_ processes: Int, _ milliseconds: Int) throws -> Bool {
      let scratch = try Scratch()
      let (limit, largest) = (8 << 20, 100 << 10)
      let seed = Int.random(in: 0..<1 << 40)
      let children = try (0..<processes).map { number in
        try Child(
          "load",
          [
            "directory": scratch.path, "limit": limit, "largest": largest, "milliseconds": milliseconds, "prefix": number,
            "seed": seed + number,
          ])
      }
      for child in children { child.waitForAnything() }
      var most = 0
      var samples = 0
      let end = ContinuousClock.now + .milliseconds(milliseconds - 300)
      while ContinuousClock.now < end {
        usleep(20_000)
        // While everybody stands still, so that what is counted was there at one time.
        for child in children { child.send(SIGSTOP) }
        let areStill = children.allSatisfy { $0.waitUntilStopped() }
        let space = try EntryFiles.space(in: scratch.url)
        for child in children { child.send(SIGCONT) }
        if areStill {
          most = max(most, space)
          samples += 1
        }
      }
      let outcomes = children.map { $0.finishWell() }
      let stored = outcomes.reduce(0) { $0 + ($1.counts["stored"] ?? 0) }
      let evicted = outcomes.reduce(0) { $0 + ($1.counts["evicted"] ?? 0) }
      // A value's archive and header are a little longer than its filler.
      let value = (largest + 1_024 + 4_095) / 4_096 * 4_096
      let bound = limit + limit / 10 * processes + value
      #expect(most <= bound, "after \(stored) entries of \(processes) processes, seed \(seed)")
      if isFullTorture {
        print(
          "overshoot: \(processes) processes, \(stored) stored, at most \(most * 100 / limit) % of the limit, bound \(bound * 100 / limit) %"
        )
      }
      return evicted > 0 && samples > 10 && most > limit / 2
    }

    @Test("Both processes of a fork go on with the cache") func fork() throws {
      let scratch = try Scratch()
      let outcome = try Child("fork", ["directory": scratch.path]).finishWell()
      #expect(outcome.counts["stored by 1"] == 600)
      #expect(outcome.counts["stored by 2"] == 600)
      #expect(EntryFiles.temporaries(in: scratch.url) == [])
      let cache = try scratch.open()
      #expect(try cache.value(forKey: "before")?.version == 7)
      for writer in 1...2 {
        for number in 0..<50 {
          let key = "own \(writer) \(number)"
          let value = try cache.value(forKey: key)
          #expect(value?.flaw(under: key) == nil)
          #expect(value?.version == (number == 0 ? 300 : 250 + number) && value?.writer == writer, "\(key)")
        }
      }
    }

    @Test("Fifty threads open one path at once") func openings() throws {
      let scratch = try Scratch()
      try FileManager.default.removeItem(at: scratch.url)
      let failures = Failures()
      DispatchQueue.concurrentPerform(iterations: 50) { number in
        do {
          let cache = try scratch.open()
          for round in 0..<20 {
            let key = "key \((number + round) % 10)"
            try cache.set(Stamped(key: key, writer: number, version: round, size: 300), forKey: key)
            if let flaw = try cache.value(forKey: key)?.flaw(under: key, size: 300) { failures.add(flaw) }
          }
        } catch {
          failures.add("\(error)")
        }
      }
      #expect(failures.all == [])
      let cache = try scratch.open()
      #expect(try Set(cache.keys()).count == 10)
      #expect(EntryFiles.temporaries(in: scratch.url) == [])
    }
  }
}
