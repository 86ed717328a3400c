import ArchiveCache
import CacheTorture
import Foundation
import MirrorArchive
import Synchronization
import Testing

/// Every call of the system that a course of events makes fails once, one after the other.
@Suite("Calls of the system that fail")
struct FaultTests {
  /// Lets the n-th call of a kind fail.
  private final class Trap: Sendable {
    private let counts = Locked<[FileSystem.Call: Int]>([:])
    private let target: (call: FileSystem.Call, number: Int, fault: FileSystem.Fault)?

    init(_ target: (call: FileSystem.Call, number: Int, fault: FileSystem.Fault)? = nil) { self.target = target }

    var fileSystem: FileSystem {
      FileSystem { [self] call, _ in
        let number = counts.withLock { counts in
          counts[call, default: 0] += 1
          return counts[call] ?? 0
        }
        guard let target, target.call == call, target.number == number else { return nil }
        return target.fault
      }
    }

    func count(_ call: FileSystem.Call) -> Int { counts.withLock { $0[call] ?? 0 } }
  }

  /// What a key may have: several values where a call that stores or removes has failed.
  private struct Possible {
    private var versions: [String: Set<Int?>] = [:]

    subscript(key: String) -> Set<Int?> {
      get { versions[key] ?? [nil] }
      set { versions[key] = newValue }
    }

    var keys: [String] { versions.keys.sorted() }
  }

  private static let keys = ["a", "b", "c", "d"]
  private static func value(_ key: String, _ version: Int) -> Stamped { Stamped(key: key, version: version, size: version * 1_000) }

  /// A course of events; what can be read must be right, whatever fails.
  private static func run(_ scratch: Scratch, _ trap: Trap, isDurable: Bool, _ place: String) {
    var possible = Possible()
    func open(_ fileSystem: FileSystem) throws -> ArchiveCache<String, Stamped> {
      try scratch.open {
        $0.fileSystem = fileSystem
        $0.durability = isDurable ? .durable : .relaxed
      }
    }
    func check(_ cache: ArchiveCache<String, Stamped>, _ key: String, _ who: String) {
      do {
        let value = try cache.value(forKey: key)
        if let flaw = value?.flaw(under: key) { Issue.record("\(place), \(who): \(flaw)") }
        #expect(possible[key].contains(value?.version), "\(place), \(who): '\(key)' is one of \(possible[key])")
        possible[key] = [value?.version]
      } catch {
        #expect(error is ArchiveCacheError, "\(place), \(who): \(error)")
      }
    }
    func set(_ cache: ArchiveCache<String, Stamped>, _ key: String, _ version: Int) {
      do {
        let result = try cache.set(value(key, version), forKey: key)
        #expect(result == .stored, "\(place)")
        possible[key] = [version]
      } catch {
        #expect(error is ArchiveCacheError, "\(place): \(error)")
        // Where the directory cannot be synchronised, the entry is in its place all the same.
        if isDurable { possible[key].insert(version) }
      }
      check(cache, key, "after set")
    }
    do {
      for key in keys.prefix(2) {
        try open(FileSystem()).set(value(key, 1), forKey: key)
        possible[key] = [1]
      }
      let cache: ArchiveCache<String, Stamped>
      do { cache = try open(trap.fileSystem) } catch is ArchiveCacheError { return }
      check(cache, "a", "on the disk")
      set(cache, "a", 2)
      set(cache, "c", 3)
      set(cache, "d", 70)
      do { check(try open(trap.fileSystem), "d", "by another one") } catch is ArchiveCacheError {}
      do {
        let wasThere = try cache.remove("b")
        #expect(possible["b"].contains(where: { ($0 != nil) == wasThere }), "\(place)")
        possible["b"] = [nil]
      } catch {
        #expect(error is ArchiveCacheError, "\(place): \(error)")
        possible["b"].insert(nil)
      }
      check(cache, "b", "after removal")
      do {
        let isThere = try cache.contains("c")
        #expect(possible["c"].contains(where: { ($0 != nil) == isThere }), "\(place)")
      } catch {
        #expect(error is ArchiveCacheError, "\(place): \(error)")
      }
      do { try cache.trim() } catch { #expect(error is ArchiveCacheError, "\(place): \(error)") }
      for key in keys {
        check(cache, key, "after the sweep")
        check(try open(FileSystem()), key, "after the sweep, by another one")
      }
      set(cache, "c", 4)
      do {
        try cache.removeAll()
        for key in keys { possible[key] = [nil] }
      } catch {
        #expect(error is ArchiveCacheError, "\(place): \(error)")
        for key in keys { possible[key].insert(nil) }
      }
      for key in keys {
        check(try open(FileSystem()), key, "at the end, by another one")
        check(cache, key, "at the end")
      }
      set(try open(FileSystem()), "a", 5)
      #expect(EntryFiles.temporaries(in: scratch.url) == [], "\(place)")
    } catch {
      Issue.record(error, "\(place)")
    }
  }

  @Test(
    "Whichever call fails, and how: what is found is right, and nothing is left over", arguments: FileSystem.Call.allCases, [true, false])
  func everyCall(_ call: FileSystem.Call, isDurable: Bool) throws {
    let rehearsal = Trap()
    Self.run(try Scratch(), rehearsal, isDurable: isDurable, "nothing fails")
    let errors = isDurable && !isFullTorture ? [EIO] : [ENOSPC, EIO, EACCES, EINTR, EMFILE]
    var faults = errors.map { (FileSystem.Fault.error($0), "error \($0)") }
    if call == .read || call == .write { faults += [0, 1, 63, 64].map { (.short($0), "\($0) bytes") } }
    let count = rehearsal.count(call)
    if call != .synchronize && call != .link && call != .touch { #expect(count > 0, "the course of events does not call it") }
    for number in 0..<count {
      for (fault, name) in faults {
        Self.run(
          try Scratch(), Trap((call, number + 1, fault)), isDurable: isDurable,
          "\(call) \(number + 1) of \(count), \(name), \(isDurable ? "durable" : "relaxed")")
      }
    }
  }

  @Test("A disk whose every call is slow in small pieces gives whole values") func pieces() throws {
    let scratch = try Scratch()
    let interrupted = Atomic(0)
    let fileSystem = FileSystem { call, _ in
      if call != .read && call != .write { return nil }
      return interrupted.add(1, ordering: .relaxed).newValue % 3 == 0 ? .error(EINTR) : .short(97)
    }
    let cache = try scratch.open {
      $0.fileSystem = fileSystem
      $0.limits.memoryCount = 0
    }
    for version in [0, 1, 5, 70] {
      try cache.set(Self.value("a", version), forKey: "a")
      #expect(try cache.value(forKey: "a") == Self.value("a", version))
      #expect(try scratch.open().value(forKey: "a") == Self.value("a", version))
      #expect(try Array(cache.keys()) == ["a"])
    }
  }
}
