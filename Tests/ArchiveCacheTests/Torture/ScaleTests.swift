import ArchiveCache
import CacheTorture
import Foundation
import MirrorArchive
import Testing

@Suite("Many entries", .serialized)
struct ScaleTests {
  static let count = isFullTorture ? 100_000 : 2_000

  /// The calls of the system that were made.
  private final class Calls: Sendable {
    private let counts = Locked<[FileSystem.Call: Int]>([:])
    var fileSystem: FileSystem {
      FileSystem { [self] call, _ in
        counts.withLock { $0[call, default: 0] += 1 }
        return nil
      }
    }

    /// What was called since this was asked last.
    func take() -> [FileSystem.Call: Int] {
      counts.withLock { counts in
        defer { counts = [:] }
        return counts
      }
    }
  }

  @Test("Opening a cache of many entries looks at none, and the first look at one only at that one") func opening() throws {
    let scratch = try Scratch()
    func open(_ change: (inout ArchiveCacheConfiguration) -> Void = { _ in }) throws -> ArchiveCache<String, Int> {
      try scratch.open(of: Int.self) {
        // Each takes a block.
        $0.limits.diskByteCount = 1 << 40
        change(&$0)
      }
    }
    do {
      let first = try open()
      for number in 0..<Self.count { try first.set(number, forKey: "k\(number)") }
    }
    let calls = Calls()
    let cache = try open { $0.fileSystem = calls.fileSystem }
    #expect(calls.take() == [.makeDirectory: 1])
    #expect(try cache.value(forKey: "k7") == 7)
    var look = calls.take()
    look[.touch] = nil
    #expect(look == [.open: 1, .status: 1, .read: 1])
    #expect(try cache.value(forKey: "k7") == 7)
    #expect(calls.take() == [:], "from memory")
    #expect(try cache.value(forKey: "none") == nil)
    #expect(calls.take() == [.open: 1])
    try cache.set(8, forKey: "k7")
    #expect(calls.take() == [.open: 1, .write: 1, .touch: 1, .status: 1, .close: 1, .rename: 1])
    #expect(try cache.contains("k8"))
    #expect(calls.take() == [.open: 1, .status: 1, .read: 1])

    var found = 0
    for _ in try cache.keys() { found += 1 }
    #expect(found == Self.count)
    _ = calls.take()
    try cache.trim()
    #expect(cache.statistics.diskCount == Self.count)
    #expect(cache.statistics.evicted == 0)
    if isFullTorture { print("scale: \(found) entries, opened with one call, the sweep made \(calls.take().values.reduce(0, +))") }

    let tight = try open { $0.limits.diskCount = Self.count / 2 }
    try tight.trim()
    #expect(try EntryFiles.paths(in: scratch.url).count == Self.count / 10 * 4)
    #expect(tight.statistics.evicted == Int64(Self.count / 10 * 6))
  }

  @Test("While a sweep stands still, everybody goes on") func sweeping() throws {
    let scratch = try Scratch()
    try scratch.open(of: Int.self).set(1, forKey: "there")
    let (isReached, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isFirst = Switch()
    let isOver = Switch()
    let cache = try scratch.open(of: Int.self) {
      $0.fileSystem = FileSystem { call, path in
        if call == .list, path.hasSuffix("/v1"), !isFirst.isOn {
          isFirst.isOn = true
          isReached.signal()
          _ = mayGoOn.wait(timeout: .now() + 60)
        }
        return nil
      }
    }
    let thread = Thread {
      do { try cache.trim() } catch { Issue.record(error) }
      isOver.isOn = true
      isReached.signal()
    }
    thread.start()
    #expect(isReached.wait(timeout: .now() + 60) == .success)
    #expect(try cache.value(forKey: "there") == 1)
    #expect(try cache.value(forKey: "none") == nil)
    for number in 0..<100 { try cache.set(number, forKey: "new \(number)") }
    #expect(try cache.value(forKey: "made") { 5 } == 5)
    #expect(try cache.remove("new 3"))
    #expect(try scratch.open(of: Int.self).value(forKey: "new 4") == 4)
    #expect(!isOver.isOn, "the sweep has gone on by itself")
    mayGoOn.signal()
    #expect(isReached.wait(timeout: .now() + 60) == .success)
    #expect(try cache.value(forKey: "new 99") == 99)
  }
}
