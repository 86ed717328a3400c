import ArchiveCache
import Foundation
import MirrorArchive
import Testing

/// A directory that is gone when its owner is.
final class TestDirectory: @unchecked Sendable {
  let url: URL
  init() {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("archive-cache-\(UUID().uuidString)", isDirectory: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  /// The files of entries.
  var entryFiles: [URL] {
    let root = url.appendingPathComponent("v1")
    let groups = (try? FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)) ?? []
    return groups.filter { $0.lastPathComponent.count == 2 }
      .flatMap { (try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)) ?? [] }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}

final class Fruit: MirrorCoding {
  var name = ""
  var weight = 0.0
  convenience init(_ name: String, _ weight: Double) {
    self.init()
    self.name = name
    self.weight = weight
  }
}

@Suite("The basics of the cache")
struct CacheBasicsTests {
  let directory = TestDirectory()

  @Test("A value comes back from memory, and from the disk in another cache object") func roundTrip() throws {
    let cache = try ArchiveCache<String, [String: Int]>(directory: directory.url)
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.set(["one": 1], forKey: "a") == .stored)
    #expect(try cache.value(forKey: "a") == ["one": 1])
    let other = try ArchiveCache<String, [String: Int]>(directory: directory.url)
    #expect(try other.contains("a"))
    #expect(try other.value(forKey: "a") == ["one": 1])
    #expect(try other.value(forKey: "a") == ["one": 1])
    #expect(cache.statistics.memoryHits == 1)
    #expect(cache.statistics.misses == 1)
    #expect(cache.statistics.stored == 1)
    #expect(other.statistics.diskHits == 1)
    #expect(other.statistics.memoryHits == 1)
    #expect(Array(try other.keys()) == ["a"])
    #expect(try other.remove("a"))
    #expect(try !other.remove("a"))
    #expect(try other.value(forKey: "a") == nil)
  }

  @Test("Objects that can change are copied for everybody") func copies() throws {
    let cache = try ArchiveCache<Int, Fruit>(directory: directory.url)
    let apple = Fruit("apple", 120)
    try cache.set(apple, forKey: 1)
    apple.name = "changed"
    let first = try #require(try cache.value(forKey: 1))
    let second = try #require(try cache.value(forKey: 1))
    #expect(first !== second)
    first.name = "also changed"
    #expect(second.name == "apple")
    #expect(second.weight == 120)
    #expect(cache.statistics.memoryHits == 2)
  }

  @Test("One value is made, whoever asks") func insert() throws {
    let cache = try ArchiveCache<String, Int>(directory: directory.url)
    #expect(try cache.value(forKey: "x") { 7 } == 7)
    #expect(try cache.value(forKey: "x") { 8 } == 7)
    let error = #expect(throws: ArchiveCacheError.self) {
      try cache.value(forKey: "y") { try cache.value(forKey: "z") { try cache.value(forKey: "y") { 1 } } }
    }
    #expect(error?.code == .reentrant)
  }

  @Test("One value is made, whoever asks, in tasks") func insertAsync() async throws {
    let cache = try ArchiveCache<String, Int>(directory: directory.url)
    let values = try await withThrowingTaskGroup(of: Int.self) { group in
      for i in 0..<50 {
        group.addTask {
          try await cache.value(forKey: "x") {
            try await Task.sleep(nanoseconds: 1_000_000)
            return i
          }
        }
      }
      var values: Set<Int> = []
      for try await value in group { values.insert(value) }
      return values
    }
    #expect(values.count == 1)
    #expect(cache.statistics.stored == 1)
  }

  @Test("All is gone after removeAll") func removeAll() throws {
    let cache = try ArchiveCache<Int, Int>(directory: directory.url)
    for i in 0..<50 { try cache.set(i, forKey: i) }
    #expect(directory.entryFiles.count == 50)
    try cache.removeAll()
    #expect(directory.entryFiles.isEmpty)
    #expect(try (0..<50).allSatisfy { try cache.value(forKey: $0) == nil })
    try cache.set(1, forKey: 1)
    #expect(try cache.value(forKey: 1) == 1)
  }

  @Test("A time that is over is not found in either tier") func time() throws {
    let now = Locked<Int64>(1_000_000_000_000_000_000)
    var configuration = ArchiveCacheConfiguration()
    configuration.clock = WallClock { now.withLock { $0 } }
    let cache = try ArchiveCache<String, Int>(directory: directory.url, configuration: configuration)
    let other = try ArchiveCache<String, Int>(directory: directory.url, configuration: configuration)
    try cache.set(1, forKey: "a", timeToLive: 10)
    now.withLock { $0 += 9_999_000_000 }
    #expect(try cache.value(forKey: "a") == 1)
    #expect(try other.value(forKey: "a") == 1)
    now.withLock { $0 += 1_000_000 }
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try other.value(forKey: "a") == nil)
    #expect(directory.entryFiles.isEmpty)
    for time in [0, -1, -.infinity, .nan] as [TimeInterval] { #expect(try cache.set(1, forKey: "b", timeToLive: time) == .expired) }
    #expect(try cache.set(1, forKey: "b", timeToLive: .infinity) == .stored)
    now.withLock { $0 = .max / 2 }
    #expect(try other.value(forKey: "b") == 1)
  }

  @Test("What the limits do not allow goes, the longest unused first") func limits() throws {
    var configuration = ArchiveCacheConfiguration()
    configuration.limits.diskByteCount = 100 * 4_096
    configuration.sweepHeadStart = 0
    let cache = try ArchiveCache<Int, String>(directory: directory.url, configuration: configuration)
    for i in 0..<300 {
      try cache.set(String(repeating: "x", count: 100), forKey: i, isPinned: i == 3)
      #expect(directory.entryFiles.count <= 111)
    }
    try cache.trim()
    cache.releaseMemory()
    #expect(directory.entryFiles.count <= 100)
    #expect(try cache.contains(3))
    #expect(try cache.contains(299))
    #expect(try !cache.contains(2))
    #expect(cache.statistics.evicted >= 200)
  }
}

@Suite("Uses of values in memory")
struct MemoryUseTests {
  let directory = TestDirectory()

  @Test("What is used in memory alone is not the first to go from the disk") func noted() throws {
    let now = Locked(Int64(Date().timeIntervalSince1970) * 1_000_000_000)
    var configuration = ArchiveCacheConfiguration()
    configuration.clock = WallClock { now.withLock { $0 } }
    configuration.limits.diskCount = 10
    configuration.sweepHeadStart = 0
    let cache = try ArchiveCache<Int, Int>(directory: directory.url, configuration: configuration)
    for i in 0..<10 { try cache.set(i, forKey: i) }
    now.withLock { $0 += 601_000_000_000 }
    // From memory: nothing but the note tells the disk.
    #expect(try cache.value(forKey: 0) == 0)
    #expect(cache.statistics.memoryHits == 1 && cache.statistics.diskHits == 0)
    for i in 10..<12 { try cache.set(i, forKey: i) }
    try cache.trim()
    cache.releaseMemory()
    #expect(try cache.value(forKey: 0) == 0)
    #expect(cache.statistics.diskHits == 1)
    #expect(try Set(cache.keys()).count <= 10)
  }

  @Test("Memory that is released is found on the disk again") func release() throws {
    let cache = try ArchiveCache<Int, String>(directory: directory.url)
    for i in 0..<20 { try cache.set("value \(i)", forKey: i) }
    #expect(cache.statistics.memoryCount == 20)
    cache.releaseMemory()
    #expect(cache.statistics.memoryCount == 0 && cache.statistics.memoryCost == 0)
    for i in 0..<20 { #expect(try cache.value(forKey: i) == "value \(i)") }
    #expect(cache.statistics.diskHits == 20 && cache.statistics.memoryCount == 20)
  }

  @Test("A value in memory is there, also when its file is gone, unless other processes have a say") func contained() throws {
    for way in [ArchiveCacheConfiguration.CrossProcess.trust, .validate] {
      var configuration = ArchiveCacheConfiguration()
      configuration.crossProcess = way
      let cache = try ArchiveCache<Int, Int>(directory: directory.url, configuration: configuration)
      try cache.set(1, forKey: 1)
      for file in directory.entryFiles { try FileManager.default.removeItem(at: file) }
      #expect(try cache.contains(1) == (way == .trust))
      #expect(try cache.value(forKey: 1) == (way == .trust ? 1 : nil))
    }
  }
}
