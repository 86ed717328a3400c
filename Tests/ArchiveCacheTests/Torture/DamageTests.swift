import ArchiveCache
import ArchiveFormat
import CacheTorture
import Foundation
import Testing

@Suite("Damaged entries")
struct DamageTests {
  private static let value = Stamped(key: "key", version: 3, size: 40)

  /// A cache with one entry, which it does not hold in memory.
  private struct Arena {
    let scratch: Scratch
    let events = EventCounter()
    let cache: ArchiveCache<String, Stamped>
    let file: String
    let contents: Data

    init() throws {
      scratch = try Scratch()
      cache = try scratch.open { [events] in
        $0.limits.memoryCount = 0
        $0.onEvent = events.observer
      }
      try cache.set(DamageTests.value, forKey: "key")
      file = try scratch.onlyFile()
      contents = try RawFile.read(file)
    }

    /// Whether bytes in the place of the entry are seen to be none, are gone then, and nobody is the worse for it.
    func isDetected(_ bytes: Data) throws -> Bool {
      let before = events[.corrupt]
      try RawFile.write(bytes, file)
      return try cache.value(forKey: "key") == nil && events[.corrupt] == before + 1 && !RawFile.exists(file)
    }
  }

  @Test("Every bit that flips is seen") func bits() throws {
    let arena = try Arena()
    for bit in 0..<arena.contents.count * 8 {
      var bytes = arena.contents
      bytes[bit / 8] ^= 1 << (bit % 8)
      #expect(try arena.isDetected(bytes), "bit \(bit)")
    }
    try RawFile.write(arena.contents, arena.file)
    #expect(try arena.cache.value(forKey: "key") == Self.value, "the test has damaged what it did not mean to")
  }

  @Test("Every truncation is seen, and so is what is too long") func truncations() throws {
    let arena = try Arena()
    for count in 0..<arena.contents.count { #expect(try arena.isDetected(arena.contents.prefix(count)), "\(count) bytes") }
    #expect(try arena.isDetected(arena.contents + [0]))
    #expect(try arena.isDetected(arena.contents + arena.contents))
  }

  @Test("A page of zeros, as a loss of power leaves it, is seen") func zeros() throws {
    let arena = try Arena()
    let count = arena.contents.count
    #expect(try arena.isDetected(Data(count: count)))
    #expect(try arena.isDetected(arena.contents.prefix(count / 2) + Data(count: count - count / 2)))
  }

  @Test("Random bytes are seen") func noise() throws {
    let arena = try Arena()
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var bytes = Data((0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
      // Half of them look like an entry at first.
      if Bool.random(using: &random) { bytes = arena.contents.prefix(Int.random(in: 1...64, using: &random)) + bytes }
      #expect(try arena.isDetected(bytes), "seed \(seed)")
    }
  }

  @Test(
    "A header that claims what cannot be is no reason to make room for it",
    arguments: [1 << 63, UInt64.max, UInt64.max - 200, 1 << 62, UInt64(Int64.max), 1 << 40, 0])
  func claims(payload: UInt64) throws {
    let arena = try Arena()
    var bytes = arena.contents
    Self.claim(UInt16(64), at: 4, &bytes)
    #expect(bytes == arena.contents, "the test does not know how a header is summed up")
    Self.claim(payload, at: 16, &bytes)
    #expect(try arena.isDetected(bytes))
    for (key, type) in [(UInt32.max, UInt32.max), (UInt32.max, 0), (0, UInt32.max)] {
      Self.claim(key, at: 8, &bytes)
      Self.claim(type, at: 12, &bytes)
      #expect(try arena.isDetected(bytes), "\(key), \(type)")
      // Also where the sum, as far as 64 bits have room for it, is the size of the file.
      Self.claim(UInt64(bytes.count) &- 72 &- UInt64(key) &- UInt64(type), at: 16, &bytes)
      #expect(try arena.isDetected(bytes), "\(key), \(type), wrapped")
    }
  }

  @Test("A file that is as large as its header claims, and holds nothing, is not read") func sparse() throws {
    let arena = try Arena()
    var bytes = arena.contents
    Self.claim(UInt64(1 << 40), at: 16, &bytes)
    try RawFile.write(bytes, arena.file)
    unsafe truncate(arena.file, off_t(1 << 40) + off_t(arena.contents.count))
    #expect(try arena.cache.value(forKey: "key") == nil)
    #expect(arena.events[.corrupt] == 1)
  }

  /// Sets a number in a header, and the header's checksum to what it is then.
  private static func claim<Number: FixedWidthInteger>(_ number: Number, at offset: Int, _ bytes: inout Data) {
    bytes.replaceSubrange(
      offset..<offset + MemoryLayout<Number>.size, with: unsafe withUnsafeBytes(of: number.littleEndian) { unsafe Data($0) })
    // SAFETY: the hash reads the bytes and nothing else.
    let sum = unsafe Data(bytes.prefix(60)).withUnsafeBytes { unsafe UInt32(truncatingIfNeeded: XXH3.hash($0)) }
    bytes.replaceSubrange(60..<64, with: unsafe withUnsafeBytes(of: sum.littleEndian) { unsafe Data($0) })
  }

  // MARK: What is no file

  enum Intruder: String, CaseIterable, Sendable {
    case emptyDirectory, fullDirectory, link, danglingLink, circularLink, pipe, socket, emptyFile

    func place(at path: String, in scratch: Scratch) throws {
      unsafe unlink(path)
      let elsewhere = scratch.path + "/elsewhere"
      switch self {
      case .emptyDirectory: unsafe mkdir(path, 0o700)
      case .fullDirectory:
        unsafe mkdir(path, 0o700)
        unsafe mkdir(path + "/inner", 0o700)
        try RawFile.write(Data("x".utf8), path + "/inner/file")
      case .link:
        try RawFile.write(Data("somebody's".utf8), elsewhere)
        unsafe symlink(elsewhere, path)
      case .danglingLink: unsafe symlink(scratch.path + "/nowhere", path)
      case .circularLink: unsafe symlink(path, path)
      case .pipe: unsafe mkfifo(path, 0o600)
      case .socket:
        #if os(Linux)
          unsafe mknod(path, S_IFSOCK | 0o600, 0)
        #else
          mkfifo(path, 0o600)
        #endif
      case .emptyFile: try RawFile.write(Data(), path)
      }
      guard RawFile.exists(path) else { throw Child.Failure(description: "\(self) was not made: error \(errno)") }
    }
  }

  @Test("What is no entry's file, in an entry's place, is a miss, and gives way", arguments: Intruder.allCases) func intruders(
    _ intruder: Intruder
  ) throws {
    for use in ["value", "set", "contains", "remove", "keys", "trim"] {
      let arena = try Arena()
      try intruder.place(at: arena.file, in: arena.scratch)
      switch use {
      case "value": #expect(try arena.cache.value(forKey: "key") == nil)
      case "contains": #expect(try !arena.cache.contains("key"))
      case "remove": #expect(try !arena.cache.remove("key"))
      case "keys": #expect(try Array(arena.cache.keys()) == [])
      case "trim": try arena.cache.trim()
      default: break
      }
      #expect(try arena.cache.set(Self.value, forKey: "key") == .stored, "after \(use)")
      #expect(try arena.cache.value(forKey: "key") == Self.value, "after \(use)")
      if intruder == .link { #expect(try RawFile.read(arena.scratch.path + "/elsewhere") == Data("somebody's".utf8), "after \(use)") }
    }
  }

  @Test(
    "What stands where a directory of the cache's belongs gives way", arguments: ["tmp", "trash", "lock", "group"],
    [Intruder.emptyFile, .link, .danglingLink, .pipe, .fullDirectory])
  func directories(_ name: String, _ intruder: Intruder) throws {
    let arena = try Arena()
    let path = name == "group" ? (arena.file as NSString).deletingLastPathComponent : arena.scratch.path + "/v1/" + name
    try? FileManager.default.removeItem(atPath: path)
    try intruder.place(at: path, in: arena.scratch)
    _ = try arena.cache.value(forKey: "key")
    #expect(try arena.cache.set(Self.value, forKey: "key") == .stored)
    #expect(try arena.cache.value(forKey: "key") == Self.value)
    #expect(try arena.cache.remove("key"))
    #expect(try arena.cache.set(Self.value, forKey: "key") == .stored)
    try arena.cache.trim()
    #expect(try arena.cache.value(forKey: "key") == Self.value)
    try arena.cache.removeAll()
    #expect(try arena.cache.value(forKey: "key") == nil)
    #expect(try arena.scratch.open().set(Self.value, forKey: "key") == .stored)
    if intruder == .link { #expect(try RawFile.read(arena.scratch.path + "/elsewhere") == Data("somebody's".utf8)) }
  }
}
