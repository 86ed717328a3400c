import ArchiveCache
import CacheTorture
import Foundation
import MirrorArchive
import Testing

/// The directory of a cache that an earlier release has written, and which is never written again: every later release finds what is in it.
///
/// The directory was made by these tests with `ARCHIVECACHE_GOLDEN` in the environment, where that names a directory that does not exist.
@Suite("Caches of earlier releases")
struct ReleaseTests {
  struct Report: Sendable, Equatable {
    enum Mode: Sendable, Equatable {
      case draft
      case final(copies: Int)
    }
    var title: String
    var pages: Int
    var ratios: [Double]
    var mode: Mode
    var made: Date
    var remark: String?
  }

  final class Note: MirrorCoding {
    var text = ""
    var replies: [Note] = []
    weak var parent: Note?
  }

  struct Tile: ArchiveCacheKey {
    var zoom: Int
    var name: String
  }

  private static let report = Report(
    title: "苹果🍎", pages: 12, ratios: [0.5, 0.25, -1], mode: .final(copies: 3), made: Date(timeIntervalSinceReferenceDate: 1_000),
    remark: nil)
  private static let address = URL(fileURLWithPath: "/notes of 2024", isDirectory: false)

  private static func notes() -> [Note] {
    (0..<20).map { number in
      let (note, reply) = (Note(), Note())
      note.text = "note \(number % 4)"
      reply.parent = note
      note.replies = [reply]
      return note
    }
  }

  /// When everything in the directory was stored: seconds since 1970.
  private static let start: Int64 = 1_800_000_000

  /// The caches of one directory.
  private struct Caches {
    let reports: ArchiveCache<String, Report>
    let notes: ArchiveCache<URL, [Note]>
    let tiles: ArchiveCache<Tile, Int>
    let clock = HandClock(ReleaseTests.start * 1_000_000_000)

    init(_ directory: URL) throws {
      var configuration = ArchiveCacheConfiguration()
      configuration.clock = clock.clock
      configuration.sweepHeadStart = 0
      reports = try ArchiveCache(directory: directory, configuration: configuration)
      notes = try ArchiveCache(directory: directory, configuration: configuration)
      tiles = try ArchiveCache(directory: directory, configuration: configuration)
    }

    func store() throws {
      try reports.set(ReleaseTests.report, forKey: "report")
      try reports.set(ReleaseTests.report, forKey: "", timeToLive: 60, cost: 5)
      try reports.set(ReleaseTests.report, forKey: "pinned", timeToLive: .infinity, isPinned: true)
      try notes.set(ReleaseTests.notes(), forKey: ReleaseTests.address)
      for zoom in 0..<3 { try tiles.set(zoom * 7, forKey: Tile(zoom: zoom, name: "n")) }
    }
  }

  private static func golden() throws -> URL {
    try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil)).appendingPathComponent("Golden/1")
  }

  @Test("What an earlier release has stored is found, whatever kind of key and value it is") func found() throws {
    let scratch = try Scratch()
    let directory = scratch.url.appendingPathComponent("cache")
    try FileManager.default.copyItem(at: Self.golden(), to: directory)
    let caches = try Caches(directory)
    for key in ["report", "", "pinned"] { #expect(try caches.reports.value(forKey: key) == Self.report, "'\(key)'") }
    let notes = try #require(try caches.notes.value(forKey: Self.address))
    #expect(notes.map(\.text) == Self.notes().map(\.text))
    #expect(notes.allSatisfy { $0.replies.count == 1 && $0.replies[0].parent === $0 })
    for zoom in 0..<3 { #expect(try caches.tiles.value(forKey: Tile(zoom: zoom, name: "n")) == zoom * 7) }
    #expect(try Set(caches.reports.keys()) == ["report", "", "pinned"])
    #expect(try Set(caches.tiles.keys().map(\.zoom)) == [0, 1, 2])
    #expect(try Array(caches.notes.keys()) == [Self.address])

    caches.clock.advance(seconds: 60)
    #expect(try !caches.reports.contains(""))
    #expect(try caches.reports.removeExpired() == 1)
    #expect(try caches.reports.value(forKey: "pinned") == Self.report)
  }

  @Test("The same is stored in the same files, byte for byte") func written() throws {
    let scratch = try Scratch()
    let directory = scratch.url.appendingPathComponent("cache")
    try Caches(directory).store()
    if let target = ProcessInfo.processInfo.environment["ARCHIVECACHE_GOLDEN"] {
      try FileManager.default.copyItem(at: directory, to: URL(fileURLWithPath: target))
    }
    let (now, before) = (try EntryFiles.all(in: directory), try EntryFiles.all(in: Self.golden()))
    #expect(before.count == 7)
    #expect(now.map(\.path) == before.map(\.path))
    for (new, old) in zip(now, before) { #expect(new.contents == old.contents, "\(old.path)") }
  }
}
