import ArchiveCache
import CacheTorture
import Foundation
import Testing

@Suite("Directories that go and come")
struct DirectoryTests {
  private static let value = Stamped(key: "key", version: 1, size: 50)

  @Test(
    "A directory that somebody deletes under the cache comes again", arguments: ["", "/v1", "/v1/tmp", "/v1/group", "/v1/trash"],
    [true, false])
  func deleted(_ part: String, isInMemory: Bool) throws {
    let scratch = try Scratch()
    let cache = try scratch.open { if !isInMemory { $0.limits.memoryCount = 0 } }
    try cache.set(Self.value, forKey: "key")
    let group = (try scratch.onlyFile() as NSString).deletingLastPathComponent
    try? FileManager.default.removeItem(atPath: part == "/v1/group" ? group : scratch.path + part)
    let isGone = part != "/v1/tmp" && part != "/v1/trash"
    #expect(try cache.value(forKey: "key") == (isGone && !isInMemory ? nil : Self.value))
    #expect(try cache.contains("key") == (!isGone || isInMemory))
    #expect(try Array(cache.keys()) == (isGone ? [] : ["key"]))
    #expect(try cache.remove("key") == !isGone)
    #expect(try cache.value(forKey: "key") == nil)
    try cache.trim()
    try cache.removeAll()
    #expect(try cache.removeExpired() == 0)
    #expect(try cache.set(Self.value, forKey: "key") == .stored)
    #expect(try scratch.open().value(forKey: "key") == Self.value)
  }

  @Test("A cache whose memory is validated sees that its directory is gone") func validated() throws {
    let scratch = try Scratch()
    let cache = try scratch.open { $0.crossProcess = .validate }
    try cache.set(Self.value, forKey: "key")
    try FileManager.default.removeItem(at: scratch.url)
    #expect(try cache.value(forKey: "key") == nil)
  }

  @Test("A directory that has become a file is no cache, until the file is gone", arguments: [true, false]) func replaced(isRoot: Bool)
    throws
  {
    let scratch = try Scratch()
    let cache = try scratch.open { $0.limits.memoryCount = 0 }
    try cache.set(Self.value, forKey: "key")
    let path = isRoot ? scratch.path : scratch.path + "/v1"
    try FileManager.default.removeItem(atPath: path)
    try RawFile.write(Data("a file".utf8), path)
    #expect(try cache.value(forKey: "key") == nil)
    #expect(try !cache.contains("key"))
    if isRoot {
      // It is somebody's: the cache neither uses nor removes it.
      #expect(throws: ArchiveCacheError.self) { try cache.set(Self.value, forKey: "key") }
      #expect(throws: ArchiveCacheError.self) { try scratch.open() }
      #expect(try RawFile.read(path) == Data("a file".utf8))
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(try cache.set(Self.value, forKey: "key") == .stored)
    #expect(try scratch.open().value(forKey: "key") == Self.value)
  }

  @Test("What the system forbids is said, and no miss", arguments: [EACCES, EPERM, EIO, EMFILE, ENFILE]) func forbidden(number: Int32)
    throws
  {
    let scratch = try Scratch()
    try scratch.open().set(Self.value, forKey: "key")
    let isForbidden = Switch()
    let cache = try scratch.open { $0.fileSystem = FileSystem { call, _ in call == .open && isForbidden.isOn ? .error(number) : nil } }
    isForbidden.isOn = true
    let uses: [(String, () throws -> Void)] = [
      ("value", { _ = try cache.value(forKey: "key") }), ("contains", { _ = try cache.contains("key") }),
      ("set", { try cache.set(Self.value, forKey: "key") }), ("remove", { try cache.remove("key") }),
      (
        "orInsert",
        {
          _ = try cache.value(forKey: "key") {
            Issue.record("made anew though the disk has it")
            return Self.value
          }
        }
      ),
    ]
    for (name, use) in uses {
      let error = #expect(throws: ArchiveCacheError.self, "\(name)") { try use() }
      #expect(error?.code == .unavailable, "\(name)")
    }
    #expect(cache.statistics.failures == Int64(uses.count))
    isForbidden.isOn = false
    #expect(try cache.value(forKey: "key") == Self.value)
  }
}
