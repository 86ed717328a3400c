import ArchiveCache
import CacheTorture
import Foundation
import MirrorArchive
import Synchronization

/// Whether the tests run at their full length, which takes minutes: `ARCHIVECACHE_TORTURE=full`.
let isFullTorture = ProcessInfo.processInfo.environment["ARCHIVECACHE_TORTURE"] == "full"

/// A new, empty directory that is gone with this object, and the caches in it.
final class Scratch: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("archive-cache-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path }

  /// A cache that knows nothing yet of what is on the disk.
  func open<Value: Sendable>(
    of type: Value.Type = Stamped.self, _ change: (inout ArchiveCacheConfiguration) -> Void = { _ in }
  ) throws -> ArchiveCache<String, Value> {
    var configuration = ArchiveCacheConfiguration()
    // No sweep in the background that a test does not ask for.
    configuration.sweepHeadStart = 0
    change(&configuration)
    return try ArchiveCache(directory: url, configuration: configuration)
  }

  /// The one file of an entry that there is.
  func onlyFile() throws -> String {
    let paths = try EntryFiles.paths(in: url)
    guard paths.count == 1 else { throw Child.Failure(description: "there are \(paths.count) entries instead of one") }
    return path + "/" + paths[0]
  }
}

/// Counts what happens, on any thread.
final class EventCounter: Sendable {
  private let counts = Locked<[ArchiveCacheEvent.Kind: Int]>([:])

  /// What a configuration gets.
  var observer: @Sendable (ArchiveCacheEvent) -> Void { { [self] event in counts.withLock { $0[event.kind, default: 0] += 1 } } }

  subscript(kind: ArchiveCacheEvent.Kind) -> Int { counts.withLock { $0[kind] ?? 0 } }
}

/// A clock that stands still until it is told what time it is.
final class HandClock: Sendable {
  private let now: Atomic<Int64>

  init(_ nanoseconds: Int64 = WallClock.system.nanoseconds) { now = Atomic(nanoseconds) }

  var clock: WallClock { WallClock { [self] in now.load(ordering: .relaxed) } }

  func advance(seconds: Double) { now.add(Int64(seconds * 1e9), ordering: .relaxed) }
}
