import ArchiveCache
import Foundation
import MirrorArchive
import Testing

@Suite("Values that are made once")
struct FlightTests {
  struct Refused: Error, Equatable { let number: Int }
  let directory = TestDirectory()

  /// Runs the work on so many threads at once.
  static func crowd(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    // Threads of their own: those of a queue may all be busy with other tests, and these wait for one another.
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      let thread = Thread {
        work(number)
        group.leave()
      }
      thread.start()
    }
    group.wait()
  }

  @Test("Threads that ask at once get one value, each a copy of its own") func threads() throws {
    let cache = try ArchiveCache<String, Fruit>(directory: directory.url)
    let made = Locked(0)
    let fruits = Locked<[Fruit]>([])
    Self.crowd(16) { i in
      let fruit = try? cache.value(forKey: "fruit") {
        made.withLock { $0 += 1 }
        usleep(20_000)
        return Fruit("number \(i)", 1)
      }
      if let fruit { fruits.withLock { $0.append(fruit) } }
    }
    let all = fruits.withLock { $0 }
    #expect(made.withLock { $0 } == 1)
    #expect(all.count == 16)
    #expect(Set(all.map(\.name)).count == 1)
    #expect(Set(all.map(ObjectIdentifier.init)).count == 16)
  }

  @Test("An error reaches all who wait, and the next one tries again") func errors() throws {
    let cache = try ArchiveCache<String, Int>(directory: directory.url)
    let made = Locked(0)
    let start = DispatchSemaphore(value: 0)
    let outcomes = Locked<[Refused?]>([])
    let group = DispatchGroup()
    for _ in 0..<4 {
      DispatchQueue.global().async(group: group) {
        var refused: Refused?
        do {
          _ = try cache.value(forKey: "a") { () throws -> Int in
            let number = made.withLock { made in
              made += 1
              return made
            }
            start.wait()
            throw Refused(number: number)
          }
        } catch { refused = error as? Refused }
        outcomes.withLock { $0.append(refused) }
      }
    }
    // One makes the value; the others have had time to board.
    while made.withLock({ $0 }) == 0 { usleep(1_000) }
    usleep(200_000)
    for _ in 0..<4 { start.signal() }
    group.wait()
    let all = outcomes.withLock { $0 }
    #expect(all.count == 4 && all.allSatisfy { $0 != nil })
    #expect(Set(all.compactMap { $0?.number }).count == made.withLock { $0 })
    #expect(try cache.value(forKey: "a") { 3 } == 3)
  }

  @Test("What somebody has stored since the first look is not made and not stored again", arguments: [true, false])
  func foundByLeader(isAsync: Bool) async throws {
    let other = try ArchiveCache<String, Int>(directory: directory.url)
    var configuration = ArchiveCacheConfiguration()
    // The first miss is the look before somebody leads.
    configuration.onEvent = { event in if event.kind == .miss { _ = try? other.set(7, forKey: "a", timeToLive: 1_000, isPinned: true) } }
    let cache = try ArchiveCache<String, Int>(directory: directory.url, configuration: configuration)
    func synchronously() throws -> Int { try cache.value(forKey: "a") { 8 } }
    let value = isAsync ? try await cache.value(forKey: "a") { 8 } : try synchronously()
    #expect(value == 7)
    #expect(cache.statistics.stored == 0 && other.statistics.stored == 1)
    #expect(try cache.value(forKey: "a") == 7)
  }

  @Test("Two values that wait for each other are told so, in threads") func circle() throws {
    let cache = try ArchiveCache<String, Int>(directory: directory.url)
    let both = Locked(0)
    let codes = Locked<[String]>([])
    @Sendable func make(_ own: String, _ other: String) {
      do {
        _ = try cache.value(forKey: own) {
          both.withLock { $0 += 1 }
          while both.withLock({ $0 }) < 2 { usleep(1_000) }
          return try cache.value(forKey: other) { 1 } + 1
        }
        codes.withLock { $0.append("value") }
      } catch { codes.withLock { $0.append((error as? ArchiveCacheError)?.code.description ?? "\(error)") } }
    }
    Self.crowd(2) { i in i == 0 ? make("a", "b") : make("b", "a") }
    // Whoever closes the circle is refused, and the one that waits for it gets the same error.
    #expect(codes.withLock { $0 } == ["reentrant", "reentrant"])
    #expect(try cache.value(forKey: "a") { 5 } == 5)
  }

  @Test("A task that asks for its own value is told so, also through a child task") func ownValue() async throws {
    let cache = try ArchiveCache<String, Int>(directory: directory.url)
    let error = await #expect(throws: ArchiveCacheError.self) {
      try await cache.value(forKey: "a") {
        async let own = cache.value(forKey: "a") { 1 }
        return try await own
      }
    }
    #expect(error?.code == .reentrant)
  }

  @Test("If the task that makes a value is cancelled, another one makes it") func cancelledMaker() async throws {
    let cache = try ArchiveCache<String, Int>(directory: directory.url)
    let began = Locked(false)
    let first = Task {
      try await cache.value(forKey: "a") {
        began.withLock { $0 = true }
        try await Task.sleep(nanoseconds: 3_600_000_000_000)
        return 1
      }
    }
    while !began.withLock({ $0 }) { try await Task.sleep(nanoseconds: 1_000_000) }
    let second = Task { try await cache.value(forKey: "a") { 2 } }
    try await Task.sleep(nanoseconds: 20_000_000)
    first.cancel()
    #expect(try await second.value == 2)
    await #expect(throws: CancellationError.self) { try await first.value }
  }

  @Test("A task that waits can be cancelled, and the value is made all the same") func cancelledWaiter() async throws {
    let cache = try ArchiveCache<String, Int>(directory: directory.url)
    let (began, isFree) = (Locked(false), Locked(false))
    let first = Task {
      try await cache.value(forKey: "a") {
        began.withLock { $0 = true }
        while !isFree.withLock({ $0 }) { try await Task.sleep(nanoseconds: 1_000_000) }
        return 1
      }
    }
    while !began.withLock({ $0 }) { try await Task.sleep(nanoseconds: 1_000_000) }
    let second = Task { try await cache.value(forKey: "a") { 2 } }
    try await Task.sleep(nanoseconds: 10_000_000)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    isFree.withLock { $0 = true }
    #expect(try await first.value == 1)
  }

  @Test("A thread waits for the value that a task makes") func mixed() async throws {
    let cache = try ArchiveCache<String, Int>(directory: directory.url)
    let (began, isFree) = (Locked(false), Locked(false))
    let task = Task {
      try await cache.value(forKey: "a") {
        began.withLock { $0 = true }
        while !isFree.withLock({ $0 }) { try await Task.sleep(nanoseconds: 1_000_000) }
        return 1
      }
    }
    while !began.withLock({ $0 }) { try await Task.sleep(nanoseconds: 1_000_000) }
    let other: Int = try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result { try cache.value(forKey: "a") { 2 } }) }
      thread.start()
      usleep(20_000)
      isFree.withLock { $0 = true }
    }
    #expect(other == 1)
    #expect(try await task.value == 1)
  }

  @Test("What cannot be stored is returned all the same, to everybody", arguments: [ENOSPC, EACCES]) func fullDisk(number: Int32) throws {
    var configuration = ArchiveCacheConfiguration()
    configuration.fileSystem = FileSystem { call, _ in call == .write ? .error(number) : nil }
    let cache = try ArchiveCache<String, Fruit>(directory: directory.url, configuration: configuration)
    let fruits = Locked<[String]>([])
    Self.crowd(4) { _ in
      let fruit = try? cache.value(forKey: "a") {
        usleep(20_000)
        return Fruit("apple", 1)
      }
      fruits.withLock { $0.append(fruit?.name ?? "nothing") }
    }
    #expect(fruits.withLock { $0 } == ["apple", "apple", "apple", "apple"])
    #expect(directory.entryFiles.isEmpty)
    #expect(cache.statistics.failures >= 1)
    let error = #expect(throws: ArchiveCacheError.self) { try cache.set(Fruit("pear", 2), forKey: "b") }
    #expect(error?.code == (number == ENOSPC ? .noSpace : .unavailable))
  }
}
