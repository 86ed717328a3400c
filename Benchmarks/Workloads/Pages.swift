import ArchiveCache
import Foundation
import MirrorArchive

/// What a program keeps that it has fetched from somewhere: some properties, and bytes that say nothing to it.
struct Page: Codable, Equatable, Sendable {
  var title: String
  var address: String
  var tags: [String]
  var fetched: Double
  var status: Int
  var body: Data

  static func random(_ generator: inout SeededGenerator, bodySize: Int) -> Page {
    Page(
      title: generator.words(length: 30), address: "https://example.org/" + generator.words(length: 20),
      tags: (0..<3).map { _ in generator.words(length: 8) }, fetched: 1.7e9 + Double(generator.below(1 << 20)) / 1_000, status: 200,
      body: Data((0..<bodySize).map { _ in UInt8(truncatingIfNeeded: generator.next()) }))
  }
}

extension Contest {
  /// Entries of one size: stored, found in a file and in memory, and not found.
  static func pages(_ name: String, bodySize: Int, _ options: Options) throws -> Contest {
    var generator = SeededGenerator(seed: 0xca0c)
    let count = options.isQuick ? 6 : 12
    let pages = (0..<count).map { _ in Page.random(&generator, bodySize: bodySize) }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("benchmarks-\(UUID().uuidString)", isDirectory: true)
    func place(_ name: String) -> URL { directory.appendingPathComponent(name, isDirectory: true) }
    var validating = ArchiveCacheConfiguration()
    validating.crossProcess = .validate
    do {
      return Contest(
        name, objects: 1, iterations: count,
        contenders: [
          CacheContender(ContenderName.archiveCache, try ArchiveCacheStore(place("cache")), pages: pages),
          CacheContender(
            ContenderName.validatingCache,
            try ArchiveCacheStore(place("validating"), operations: [.memoryHit], configuration: validating), pages: pages),
          CacheContender(ContenderName.copyingCache, try CopyingCacheStore(place("copying"), of: Page.self), pages: pages),
          CacheContender(ContenderName.plainFiles, try PlainFiles(place("plain")), pages: pages),
          CacheContender(ContenderName.foundationCache, try FoundationCache(place("foundation")), pages: pages),
          CacheContender(ContenderName.dictionary, LockedDictionary(), pages: pages),
          mirrorArchive(pages[0]) { $0 == pages[0] ? nil : "page" },
        ],
        notes: [
          "\(ContenderName.plainFiles): KeyedArchiver or KeyedUnarchiver, and open, read or write, close. No temporary file, checksum or limit.",
          "The files are in the system's memory: what a disk takes is left out, but for what Foundation waits for.",
        ],
        yardstick: ContenderName.plainFiles, finish: { try? FileManager.default.removeItem(at: directory) })
    } catch {
      try? FileManager.default.removeItem(at: directory)
      throw error
    }
  }
}
