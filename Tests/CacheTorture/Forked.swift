import ArchiveCache
import Foundation

// Swift hides it, because most programs cannot go on after it. A cache must: programs that fork are not asked whether they have one.
@_silgen_name("fork") private func systemFork() -> pid_t

/// A cache that is opened before a fork and used by both processes after it.
struct Forked {
  private let cache: ArchiveCache<String, Stamped>
  private let count = 300

  init(_ arguments: Arguments) throws {
    var configuration = ArchiveCacheConfiguration()
    configuration.limits.diskByteCount = 4 << 20
    configuration.crossProcess = .validate
    configuration.onEvent = { event in if event.kind == .corrupt { Report.wrong("\(event)") } }
    cache = try ArchiveCache(directory: try arguments.directory(), configuration: configuration)
  }

  func run() throws {
    try cache.set(Stamped(key: "before", version: 7, size: 100), forKey: "before")
    let child = systemFork()
    if child < 0 { return Report.note("no fork: error \(errno)") }
    let writer = child == 0 ? 2 : 1
    for version in 1...count {
      // Keys of its own, and one that both of them write.
      for key in ["own \(writer) \(version % 50)", "shared"] {
        let result = try cache.set(Stamped(key: key, writer: writer, version: version, size: version * 20), forKey: key)
        if result != .stored { Report.wrong("process \(writer): '\(key)' was not stored but \(result)") }
      }
      let own = "own \(writer) \(version % 50)"
      guard let value = try cache.value(forKey: own), value.version == version, value.writer == writer else {
        Report.wrong("process \(writer): '\(own)' is \(String(describing: try cache.value(forKey: own)?.version)) instead of \(version)")
        continue
      }
      if let flaw = try cache.value(forKey: "shared")?.flaw(under: "shared") { Report.wrong(flaw) }
    }
    try cache.trim()
    Report.count("stored by \(writer)", count * 2)
    if child == 0 { _exit(0) }
    var status: Int32 = 0
    // SAFETY: the call writes the status.
    let ended = unsafe waitpid(child, &status, 0)
    if ended != child || status != 0 { Report.wrong("the forked process ended with \(status)") }
  }
}
