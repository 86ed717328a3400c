import ArchiveCache
import CacheTorture
import Foundation
import Testing

/// Does by chance what a cache can do, and compares with a dictionary.
@Suite("Chance courses of events")
struct ModelTests {
  @Test("Two caches on one directory do what a dictionary does", arguments: 0..<(isFullTorture ? 200 : 8)) func model(run: Int) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var course = try Course(seed: seed)
    for _ in 0..<400 {
      do {
        if let wrong = try course.step() {
          Issue.record("seed \(seed): \(wrong); \(course.history.suffix(12).joined(separator: ", "))")
          return
        }
      } catch {
        Issue.record(error, "seed \(seed): \(course.history.suffix(12).joined(separator: ", "))")
        return
      }
    }
  }

  private struct Course {
    private struct Expected {
      var version: Int
      /// Seconds of the clock; nil for never.
      var end: Double?
    }

    private(set) var history: [String] = []
    private var random: SeededGenerator
    private let scratch: Scratch
    private let clock = HandClock(1_800_000_000_000_000_000)
    private var now = 0.0
    private var caches: [ArchiveCache<String, Stamped>] = []
    private var expected: [String: Expected] = [:]
    private var version = 0

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      scratch = try Scratch()
      caches = [try open(), try open()]
    }

    private mutating func open() throws -> ArchiveCache<String, Stamped> {
      let memoryCount = [0, 3, 1_000].randomElement(using: &random) ?? 0
      let isDurable = Int.random(in: 0..<10, using: &random) == 0
      return try scratch.open {
        $0.crossProcess = .validate
        $0.clock = clock.clock
        $0.limits.memoryCount = memoryCount
        $0.limits.entryByteCount = 6_000
        $0.durability = isDurable ? .durable : .relaxed
      }
    }

    private static func size(_ version: Int) -> Int { version % 11 == 0 ? 7_000 : version * 37 % 5_000 }

    private func current(_ key: String) -> Expected? { expected[key].flatMap { ($0.end ?? .infinity) > now ? $0 : nil } }

    /// Does something.
    /// - Returns: What is wrong with what came of it.
    mutating func step() throws -> String? {
      let which = Int.random(in: 0..<2, using: &random)
      let cache = caches[which]
      let key = "key \(Int.random(in: 0..<12, using: &random))"
      switch Int.random(in: 0..<40, using: &random) {
      case 0..<12: return try store(key, which)
      case 12..<20:
        history.append("\(which) value \(key)")
        return wrong(key, try cache.value(forKey: key))
      case 20..<23:
        history.append("\(which) contains \(key)")
        return try cache.contains(key) == (current(key) != nil) ? nil : "contains says the opposite of what is"
      case 23..<26:
        history.append("\(which) remove \(key)")
        let wasThere = current(key) != nil
        expected[key] = nil
        return try cache.remove(key) == wasThere ? nil : "remove says the opposite of what was"
      case 26..<29:
        version += 1
        let made = Stamped(key: key, version: version, size: 100)
        history.append("\(which) insert \(key) \(version)")
        let before = current(key)
        let value = try cache.value(forKey: key) { made }
        if before == nil { expected[key] = Expected(version: version, end: nil) }
        return wrong(key, value)
      case 29..<32:
        let seconds = Double(Int.random(in: 1...12, using: &random)) / 2
        history.append("wait \(seconds)")
        now += seconds
        clock.advance(seconds: seconds)
      case 32..<34:
        history.append("\(which) keys")
        let keys = try Array(cache.keys())
        let right = Set(expected.keys.filter { current($0) != nil })
        return Set(keys) == right && keys.count == right.count ? nil : "keys are \(keys.sorted()) instead of \(right.sorted())"
      case 34:
        history.append("\(which) removeExpired")
        try cache.removeExpired()
        let count = try EntryFiles.paths(in: scratch.url).count
        let right = expected.keys.filter { current($0) != nil }.count
        return count == right ? nil : "\(count) files are left instead of \(right)"
      case 35:
        history.append("\(which) trim")
        try cache.trim()
      case 36:
        if Int.random(in: 0..<4, using: &random) == 0 {
          history.append("\(which) removeAll")
          try cache.removeAll()
          expected = [:]
        }
      case 37:
        history.append("\(which) opened again")
        caches[which] = try open()
      default: return try damage()
      }
      return nil
    }

    private mutating func store(_ key: String, _ which: Int) throws -> String? {
      version += 1
      let timeToLive: Double? =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: Double(Int.random(in: 1...20, using: &random)) / 2
        case 1: .infinity
        case 2: version % 5 == 0 ? -1 : nil
        default: nil
        }
      history.append("\(which) set \(key) \(version) for \(timeToLive.map { "\($0)" } ?? "ever")")
      let value = Stamped(key: key, version: version, size: Self.size(version))
      let result = try caches[which].set(value, forKey: key, timeToLive: timeToLive, isPinned: version % 7 == 0)
      let right: ArchiveCacheSetResult = (timeToLive ?? 1) <= 0 ? .expired : value.filler.count > 6_000 ? .tooLarge : .stored
      expected[key] = right == .stored ? Expected(version: version, end: timeToLive.map { now + $0 }) : nil
      return result == right ? nil : "set answers \(result) instead of \(right)"
    }

    /// Cuts the end off a file, or writes into it.
    private mutating func damage() throws -> String? {
      guard let path = try EntryFiles.paths(in: scratch.url).randomElement(using: &random) else { return nil }
      let file = scratch.path + "/" + path
      let contents = try RawFile.read(file)
      let key = try scratch.open { $0.clock = clock.clock }.keys().map { $0 }.first { key in
        (try? RawFile.read(file)).map {
          $0.dropFirst(64).starts(with: Array(key.utf8)) && $0.count == contents.count && $0[8] == UInt8(key.utf8.count)
        } ?? false
      }
      guard let key else { return nil }
      history.append("damage \(key)")
      try RawFile.write(contents.prefix(Int.random(in: 0..<contents.count, using: &random)), file)
      expected[key] = nil
      return try scratch.open { $0.clock = clock.clock }.value(forKey: key) == nil ? nil : "a damaged entry is found"
    }

    private func wrong(_ key: String, _ value: Stamped?) -> String? {
      let right = current(key)?.version
      if value?.version != right {
        return "'\(key)' is \(value.map { "\($0.version)" } ?? "nothing") instead of \(right.map { "\($0)" } ?? "nothing")"
      }
      return value?.flaw(under: key)
    }
  }
}
