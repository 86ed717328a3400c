import ArchiveCache
import Foundation

/// Stores entries of chance sizes, as fast as it can, in a cache whose limit they are beyond.
struct Load {
  private let cache: ArchiveCache<String, Stamped>
  private let largest: Int
  private let deadline: Deadline
  private let prefix: String
  private var random: SeededGenerator

  init(_ arguments: Arguments) throws {
    var configuration = ArchiveCacheConfiguration()
    configuration.limits.diskByteCount = Int64(try arguments.number("limit"))
    configuration.limits.memoryCost = 1 << 20
    cache = try ArchiveCache(directory: try arguments.directory(), configuration: configuration)
    largest = try arguments.number("largest")
    deadline = Deadline(milliseconds: try arguments.number("milliseconds"))
    prefix = try arguments.text("prefix")
    random = SeededGenerator(seed: UInt64(try arguments.number("seed")))
  }

  mutating func run() throws {
    Report.count("begun", 1)
    var stored = 0
    while !deadline.isOver {
      let key = "\(prefix) \(Int.random(in: 0..<4_000, using: &random))"
      let size = Int.random(in: 0...largest, using: &random)
      let result = try cache.set(Stamped(key: key, version: stored, size: size), forKey: key)
      if result != .stored { Report.wrong("'\(key)' of \(size) bytes was not stored but \(result)") }
      stored += 1
      if stored % 16 == 0, let value = try cache.value(forKey: key), let flaw = value.flaw(under: key, size: size) { Report.wrong(flaw) }
    }
    Report.count("stored", stored)
    Report.count("evicted", Int(cache.statistics.evicted))
  }
}
