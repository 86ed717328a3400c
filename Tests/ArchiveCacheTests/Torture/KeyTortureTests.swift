import ArchiveCache
import CacheTorture
import Foundation
import Testing

@Suite("Odd keys")
struct KeyTortureTests {
  private static let keys: [String] = [
    "", "/", ".", "..", "../..", "/etc/passwd", "a\0b", "\0", "\u{0}\u{0}", "a", "A", "key", "Key", " ", "key ", " key", "\n", "tmp", "v1",
    "lock",
    "é", "e\u{301}", "Å", "\u{212B}", "A\u{30A}", "ﬁ", "fi", "苹果🍎", "👨‍👩‍👧‍👦", "\u{FEFF}", "\u{202E}abc", "%2F", "con", "nul", "-rf", "*", "~",
    String(repeating: "k", count: 255), String(repeating: "k", count: 256), String(repeating: "k", count: 5_000),
    String(repeating: "m", count: 1 << 20), String(repeating: "m", count: (1 << 20) - 1) + "n",
  ]

  @Test("Every text is a key, and no two that differ in a byte are the same") func all() throws {
    let scratch = try Scratch()
    let cache = try scratch.open(of: Int.self)
    for (number, key) in Self.keys.enumerated() { #expect(try cache.set(number, forKey: key) == .stored) }
    let other = try scratch.open(of: Int.self)
    for (number, key) in Self.keys.enumerated() {
      #expect(try cache.value(forKey: key) == number)
      #expect(try other.contains(key))
      #expect(try other.value(forKey: key) == number, "\(key.prefix(20)) of \(key.utf8.count) bytes")
    }
    // Swift calls some of them equal.
    let found = try other.keys().map { Array($0.utf8) }
    #expect(found.count == Self.keys.count)
    #expect(Set(found) == Set(Self.keys.map { Array($0.utf8) }))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["v1"], "nothing lies beside the cache")
    for key in Self.keys { #expect(try cache.remove(key)) }
    #expect(try EntryFiles.paths(in: scratch.url) == [])
  }

  @Test("Keys of one hash displace each other and are never mixed up", arguments: [0, 100]) func collisions(memoryCount: Int) throws {
    let scratch = try Scratch()
    let events = EventCounter()
    func open() throws -> ArchiveCache<String, Stamped> {
      try scratch.open {
        $0.digest = { _ in (0x1234, 0x5678) }
        $0.limits.memoryCount = memoryCount
        $0.onEvent = events.observer
        $0.crossProcess = .validate
      }
    }
    let cache = try open()
    func value(_ key: String) -> Stamped { Stamped(key: key, version: 1, size: 30) }
    try cache.set(value("a"), forKey: "a")
    #expect(try cache.value(forKey: "b") == nil)
    #expect(try !cache.contains("b"))
    #expect(try !cache.remove("b"))
    #expect(try cache.value(forKey: "a") == value("a"), "nothing has happened to it")
    #expect(try cache.set(value("b"), forKey: "b", timeToLive: 0) == .expired)
    #expect(try cache.value(forKey: "a") == value("a"), "the other key had nothing to remove")
    try cache.set(value("b"), forKey: "b")
    #expect(try cache.value(forKey: "a") == nil)
    #expect(try cache.value(forKey: "b") == value("b"))
    #expect(try Array(open().keys()) == ["b"])
    #expect(try open().value(forKey: "a") { value("a") } == value("a"))
    #expect(try cache.value(forKey: "b") == nil)
    #expect(events[.corrupt] == 0, "another key's entry is whole")
    #expect(try scratch.onlyFile().hasSuffix("/v1/00/00000000000012340000000000005678"))
  }

  @Test("Keys whose files lie in one directory, and whose changes are counted together, are keys of their own") func oneGroup() throws {
    let scratch = try Scratch()
    let cache = try scratch.open { $0.digest = { bytes in (7, bytes.reduce(0) { $0 << 8 | UInt64($1) }) } }
    for number in 0..<500 { try cache.set(Stamped(key: "k\(number)", version: number, size: 10), forKey: "k\(number)") }
    for number in 0..<500 { #expect(try cache.value(forKey: "k\(number)")?.version == number) }
    for number in stride(from: 0, to: 500, by: 2) { #expect(try cache.remove("k\(number)")) }
    let other = try scratch.open { $0.digest = { bytes in (7, bytes.reduce(0) { $0 << 8 | UInt64($1) }) } }
    for number in 0..<500 { #expect(try other.value(forKey: "k\(number)")?.version == (number.isMultiple(of: 2) ? nil : number)) }
  }
}
