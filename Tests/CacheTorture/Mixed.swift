import ArchiveCache
import Foundation
import Synchronization

/// Two writers, readers and a sweeper that also empties the cache, all at once.
struct Mixed {
  private static let keyCount = 40

  private let directory: URL
  private let arguments: Arguments
  private let deadline: Deadline
  private let damages = Damages()

  /// How many entries were found to be damaged.
  private final class Damages: Sendable {
    private let number = Atomic(0)
    func add() { number.add(1, ordering: .relaxed) }
    var count: Int { number.load(ordering: .relaxed) }
  }

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    directory = try arguments.directory()
    deadline = Deadline(milliseconds: try arguments.number("milliseconds"))
  }

  private func open(_ change: (inout ArchiveCacheConfiguration) -> Void = { _ in }) throws -> ArchiveCache<String, Stamped> {
    var configuration = ArchiveCacheConfiguration()
    let damages = damages
    configuration.onEvent = { event in
      if event.kind == .corrupt {
        damages.add()
        Report.wrong("\(event)")
      }
    }
    change(&configuration)
    return try ArchiveCache(directory: directory, configuration: configuration)
  }

  private static func size(_ version: Int) -> Int { [0, 200, 4_096, 65_536][version % 4] }

  func write() throws {
    let writer = try arguments.number("writer")
    var random = SeededGenerator(seed: UInt64(try arguments.number("seed")))
    let cache = try open { $0.crossProcess = .validate }
    var seen = Seen()
    var version = 0
    while !deadline.isOver {
      version += 1
      let key = "key \(Int.random(in: 0..<Self.keyCount, using: &random))"
      switch Int.random(in: 0..<20, using: &random) {
      case 0: try cache.remove(key)
      case 1..<4: seen.check(try cache.value(forKey: key), key)
      default: try cache.set(Stamped(key: key, writer: writer, version: version, size: Self.size(version)), forKey: key)
      }
    }
    Report.count("written", version)
    Report.count("damaged", damages.count)
  }

  func read() throws {
    var random = SeededGenerator(seed: UInt64(try arguments.number("seed")))
    let validates = try arguments.number("validate") == 1
    let cache = try open {
      $0.crossProcess = validates ? .validate : .trust
      // Small, so that many reads come from the disk.
      $0.limits.memoryCount = 10
    }
    var seen = Seen()
    var misses = 0
    while !deadline.isOver {
      let key = "key \(Int.random(in: 0..<Self.keyCount, using: &random))"
      if let value = try cache.value(forKey: key) { seen.check(value, key) } else { misses += 1 }
    }
    Report.count("hits", seen.count)
    Report.count("misses", misses)
    Report.count("damaged", damages.count)
  }

  /// Sweeps all the time to a limit that the entries are beyond, and empties the cache now and then.
  func sweep() throws {
    var random = SeededGenerator(seed: UInt64(try arguments.number("seed")))
    let cache = try open { $0.limits.diskByteCount = 512 << 10 }
    var (sweeps, removals) = (0, 0)
    while !deadline.isOver {
      switch (sweeps + removals) % 40 {
      case 5:
        try cache.removeAll()
        removals += 1
      default:
        if Int.random(in: 0..<40, using: &random) == 0 { try cache.removeExpired() }
        try cache.trim()
        sweeps += 1
      }
      usleep(UInt32.random(in: 0..<10_000, using: &random))
    }
    Report.count("sweeps", sweeps)
    Report.count("emptied", removals)
    Report.count("damaged", damages.count)
  }

  /// The versions that one reader has seen. They must not go back, of one key and one writer.
  private struct Seen {
    private var versions: [String: [Int: Int]] = [:]
    private(set) var count = 0

    mutating func check(_ value: Stamped?, _ key: String) {
      guard let value else { return }
      count += 1
      if let flaw = value.flaw(under: key, size: Mixed.size(value.version)) { return Report.wrong(flaw) }
      let last = versions[key]?[value.writer] ?? 0
      if value.version < last { Report.wrong("'\(key)' of writer \(value.writer): version \(value.version) after \(last)") }
      versions[key, default: [:]][value.writer] = value.version
    }
  }
}
