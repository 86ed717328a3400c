import ArchiveCache
package import Foundation

/// Stores versions of a few keys, one after the other, and says of each when the cache has taken it.
package struct Writer {
  package static let keyCount = 4
  package static func key(_ number: Int) -> String { "key \(number)" }

  private let cache: ArchiveCache<String, Stamped>
  private let size: Int
  private let first: Int

  init(_ arguments: Arguments) throws {
    cache = try ArchiveCache(directory: try arguments.directory())
    size = try arguments.number("size")
    first = try arguments.number("first")
  }

  /// Until somebody kills it, or has forgotten to.
  func run() throws {
    let deadline = Deadline(milliseconds: 20_000)
    var version = first
    while !deadline.isOver {
      try store(version)
      version += 1
    }
  }

  func runBriefly() throws { for version in first..<first + Self.keyCount { try store(version) } }

  private func store(_ version: Int) throws {
    let number = version % Self.keyCount
    let key = Self.key(number)
    let result = try cache.set(Stamped(key: key, version: version, size: size), forKey: key)
    guard result == .stored else { return Report.wrong("version \(version) was not stored but \(result)") }
    Report.stored(number, version)
  }
}

/// Copies the files of prepared caches over those of another one, where they lie: what the cache must not do.
struct InPlaceWriter {
  /// The files of each prepared cache, by their paths within it.
  private let sources: [[(path: String, contents: Data)]]
  private let target: URL

  init(_ arguments: Arguments) throws {
    target = try arguments.directory()
    sources = try ["a", "b"].map { try EntryFiles.all(in: URL(fileURLWithPath: try arguments.text("prepared") + "/" + $0)) }
  }

  func run() throws {
    let deadline = Deadline(milliseconds: 20_000)
    var round = 0
    while !deadline.isOver {
      for (path, contents) in sources[round % sources.count] {
        let file = target.path + "/" + path
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { return Report.wrong("'\(file)' cannot be opened: error \(errno)") }
        // SAFETY: the call reads the bytes of the data.
        let count = unsafe contents.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        if count != contents.count { Report.wrong("'\(file)' takes \(count) bytes of \(contents.count)") }
      }
      round += 1
      Report.stored(0, round)
    }
  }
}

/// The files of a cache that hold entries.
package enum EntryFiles {
  /// Their paths, beginning with the format's version, and what is in them.
  package static func all(in root: URL) throws -> [(path: String, contents: Data)] {
    try paths(in: root).map { ($0, try Data(contentsOf: root.appendingPathComponent($0))) }
  }

  package static func paths(in root: URL) throws -> [String] {
    let manager = FileManager.default
    var paths: [String] = []
    for group in try manager.contentsOfDirectory(atPath: root.path + "/v1").sorted() where group.count == 2 {
      // Another process may just have removed it.
      for name in ((try? manager.contentsOfDirectory(atPath: root.path + "/v1/" + group)) ?? []).sorted() where name.count == 32 {
        paths.append("v1/\(group)/\(name)")
      }
    }
    return paths
  }

  /// What lies in the directory for temporary files.
  package static func temporaries(in root: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: root.path + "/v1/tmp")) ?? []
  }

  /// How much room the entries take, in whole blocks of 4,096 bytes.
  package static func space(in root: URL) throws -> Int {
    try paths(in: root).reduce(0) { sum, path in
      var status = stat()
      // SAFETY: the call fills the structure or fails.
      guard unsafe lstat(root.path + "/" + path, &status) == 0 else { return sum }
      return sum + (Int(status.st_size) + 4_095) / 4_096 * 4_096
    }
  }
}
