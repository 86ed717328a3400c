import ArchiveCache
import Foundation
import MirrorArchive
import Testing

@Suite("The cache in the background")
struct BackgroundTests {
  let directory = TestDirectory()

  @Test("The calls do what those of the cache do") func calls() async throws {
    let cache = try ArchiveCache<String, Fruit>(directory: directory.url)
    let background = cache.background
    #expect(try await background.value(forKey: "apple") == nil)
    #expect(try await background.set(Fruit("apple", 120), forKey: "apple") == .stored)
    #expect(try await background.contains("apple"))
    let apple = try #require(try await background.value(forKey: "apple"))
    #expect(apple.name == "apple" && apple.weight == 120)
    #expect(try await background.remove("apple"))
    #expect(try await background.set(Fruit("pear", 1), forKey: "pear", timeToLive: 0) == .expired)
    #expect(try await background.removeExpired() == 0)
    try await background.set(Fruit("fig", 1), forKey: "fig")
    try await background.trim()
    #expect(try await background.contains("fig"))
    try await background.removeAll()
    #expect(try await !background.contains("fig"))
  }

  @Test("A thousand calls at once are no thousand threads") func crowd() async throws {
    let cache = try ArchiveCache<Int, Int>(directory: directory.url)
    for i in 0..<1_000 { try cache.set(i, forKey: i) }
    let other = try ArchiveCache<Int, Int>(directory: directory.url)
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for i in 0..<1_000 { group.addTask { try await other.background.value(forKey: i) ?? -1 } }
      return try await group.reduce(0, +)
    }
    #expect(sum == 499_500)
    #expect(other.statistics.diskHits == 1_000)
  }
}
