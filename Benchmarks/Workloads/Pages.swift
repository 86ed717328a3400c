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
  /// Where a disk and its other users have no say, if there is such a place and nobody has asked for another: what a file system on a disk takes
  /// for the same file varies tenfold.
  private static var storage: URL {
    let memory = "/dev/shm"
    if ProcessInfo.processInfo.environment["TMPDIR"] == nil, FileManager.default.isWritableFile(atPath: memory) {
      return URL(fileURLWithPath: memory, isDirectory: true)
    }
    return FileManager.default.temporaryDirectory
  }

  /// Entries of one size: stored, found in a file and in memory, and not found.
  static func pages(_ name: String, bodySize: Int, _ options: Options) throws -> Contest {
    var generator = SeededGenerator(seed: 0xca0c)
    let count = options.isQuick ? 6 : 12
    let pages = (0..<count).map { _ in Page.random(&generator, bodySize: bodySize) }
    let directory = storage.appendingPathComponent("benchmarks-\(UUID().uuidString)", isDirectory: true)
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
          "The files are in \(storage.path). A file system in memory hides nothing behind a disk, and spares Foundation its wait for one: TMPDIR"
            + " names another.",
        ],
        yardstick: ContenderName.plainFiles, finish: { try? FileManager.default.removeItem(at: directory) })
    } catch {
      try? FileManager.default.removeItem(at: directory)
      throw error
    }
  }
}
