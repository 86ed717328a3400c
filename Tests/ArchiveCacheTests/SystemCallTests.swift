import ArchiveCache
import Foundation
import MirrorArchive
import Testing

/// What a cache asks the system for: the part of its time that no code of the cache's own makes shorter.
@Suite("Calls of the system")
struct SystemCallTests {
  let directory = TestDirectory()
  private let calls = Locked<[FileSystem.Call]>([])

  /// Notes the calls, but for the closing of what was read, which cannot fail.
  private func configuration(_ change: (inout ArchiveCacheConfiguration) -> Void = { _ in }) -> ArchiveCacheConfiguration {
    var configuration = ArchiveCacheConfiguration()
    configuration.fileSystem = FileSystem { [calls] call, _ in
      calls.withLock { $0.append(call) }
      return nil
    }
    // No sweep while calls are counted.
    configuration.sweepHeadStart = 0
    change(&configuration)
    return configuration
  }

  private func cache(_ change: (inout ArchiveCacheConfiguration) -> Void = { _ in }) throws -> ArchiveCache<String, String> {
    try ArchiveCache(directory: directory.url, configuration: configuration(change))
  }

  /// What `body` returns, and the calls that it makes.
  private func watch<Result>(_ body: () throws -> Result) rethrows -> (result: Result, calls: [FileSystem.Call]) {
    calls.withLock { $0 = [] }
    let result = try body()
    return (result, calls.withLock { $0 })
  }

  @Test("Opening a cache makes one directory, whatever is in it, and looks at nothing") func opening() throws {
    let (filling, first) = try watch { try cache() }
    #expect(Set(first) == [.makeDirectory])
    for i in 0..<100 { try filling.set("value", forKey: "\(i)") }
    let again = try watch { try cache() }
    #expect(again.calls == [.makeDirectory])
  }

  @Test("A hit in memory makes no call") func memoryHit() throws {
    let cache = try cache()
    try cache.set("value", forKey: "a")
    let hit = try watch { try cache.value(forKey: "a") }
    #expect(hit.result == "value")
    #expect(hit.calls == [])
    let inserting = try watch { try cache.value(forKey: "a") { "other" } }
    #expect(inserting.result == "value")
    #expect(inserting.calls == [])
  }

  @Test("A hit in memory that looks after other processes makes one call") func validatedHit() throws {
    let cache = try cache { $0.crossProcess = .validate }
    try cache.set("value", forKey: "a")
    let hit = try watch { try cache.value(forKey: "a") }
    #expect(hit.result == "value")
    #expect(hit.calls == [.status])
  }

  @Test("A hit on the disk opens and reads one file, and notes at first that it was used", arguments: [1, 4_096, 60_000])
  func diskHit(size: Int) throws {
    let value = String(repeating: "x", count: size)
    try cache().set(value, forKey: "a")
    for calls in [[.open, .status, .read, .touch], [.open, .status, .read]] as [[FileSystem.Call]] {
      let cache = try cache()
      let hit = try watch { try cache.value(forKey: "a") }
      #expect(hit.result == value)
      #expect(hit.calls == calls)
    }
  }

  @Test("A large file is read in two parts, so that its header is believed before the rest is read") func largeDiskHit() throws {
    // Such a text is stored in less room than it takes: what follows no pattern is not.
    var generator = SystemRandomNumberGenerator()
    let value = Data((0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let writer = try ArchiveCache<String, Data>(directory: directory.url)
    try writer.set(value, forKey: "a")
    let cache = try ArchiveCache<String, Data>(directory: directory.url, configuration: configuration())
    let hit = try watch { try cache.value(forKey: "a") }
    #expect(hit.result == value)
    #expect(hit.calls == [.open, .status, .read, .read, .touch])
  }

  @Test("A miss is one attempt to open a file") func miss() throws {
    let cache = try cache()
    try cache.set("value", forKey: "a")
    let miss = try watch { try cache.value(forKey: "b") }
    #expect(miss.result == nil)
    #expect(miss.calls == [.open])
    let question = try watch { try cache.contains("b") }
    #expect(!question.result)
    #expect(question.calls == [.open])
  }

  @Test("Storing writes one file and renames it, and makes the directory of the first entry of its group", arguments: [1, 4_096, 1 << 20])
  func storing(size: Int) throws {
    let cache = try cache()
    let value = String(repeating: "x", count: size)
    let calls: [FileSystem.Call] = [.open, .write, .touch, .status, .close, .rename]
    #expect(try watch { try cache.set(value, forKey: "a") }.calls == calls + [.makeDirectory, .rename])
    #expect(try watch { try cache.set(value, forKey: "a") }.calls == calls)
  }

  @Test("Storing durably waits for the file and for its name") func storingDurably() throws {
    let cache = try cache { $0.durability = .durable }
    try cache.set("value", forKey: "a")
    let put = try watch { try cache.set("other", forKey: "a") }
    #expect(put.result == .stored)
    #expect(put.calls == [.open, .write, .touch, .synchronize, .status, .close, .rename, .open, .synchronize])
  }

  @Test("What it takes to ask for an entry and to remove it") func others() throws {
    let cache = try cache()
    try cache.set("value", forKey: "a")
    let question = try watch { try cache.contains("a") }
    #expect(question.result)
    #expect(question.calls == [])
    cache.releaseMemory()
    let other = try watch { try cache.contains("a") }
    #expect(other.result)
    #expect(other.calls == [.open, .status, .read])
    let removal = try watch { try cache.remove("a") }
    #expect(removal.result)
    #expect(removal.calls == [.open, .status, .read, .unlink])
  }
}
