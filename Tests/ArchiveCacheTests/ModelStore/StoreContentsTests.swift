import ArchiveCache
import Foundation
import Testing

@Suite("What is in a store of models")
struct StoreContentsTests {
  let scratch = ScratchStore()

  @Test("The list says what there is of each name") func entries() throws {
    let store = try scratch.store()
    let before = Date(timeIntervalSinceNow: -1)
    try store.save(Array(0..<100), as: "b")
    try store.save("text", as: "b", keepingBackup: true)
    try store.save(1, dated: Date(timeIntervalSince1970: 0), as: "b")
    try store.save(1, dated: Date(timeIntervalSince1970: 1), as: "a")
    try store.save(1, dated: Date(timeIntervalSince1970: 2), as: "a")
    let entries = try store.list()
    #expect(entries.map(\.name) == ["a", "b"] && entries.map(\.id) == ["a", "b"])
    #expect(entries.map(\.hasCurrentVersion) == [false, true])
    #expect(entries.map(\.hasBackup) == [false, true])
    #expect(entries.map(\.snapshotCount) == [2, 1])
    let sizes = try scratch.contents().reduce(into: [:]) { try $0[$1] = Int64(scratch.data($1).count) }
    #expect(entries[0].byteCount == 0 && entries[1].byteCount == sizes["b.modelarchive"])
    #expect(entries[0].totalByteCount + entries[1].totalByteCount == sizes.values.reduce(0, +))
    #expect(entries.allSatisfy { $0.modificationDate > before && $0.modificationDate < Date(timeIntervalSinceNow: 60) })
    #expect(try store.modificationDate(of: "b") == entries[1].modificationDate)
    #expect(try store.modificationDate(of: "a") == nil)
    #expect(try store.contains("b") && !store.contains("a") && !store.contains("c"))
  }

  @Test("The date is that of the current version's file") func modificationDate() throws {
    let store = try scratch.store()
    for number in 1...2 { try store.save(number, as: "n", keepingBackup: true) }
    let date = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: scratch.file("n.modelarchive"))
    #expect(try store.modificationDate(of: "n") == date)
    #expect(try store.list().map(\.modificationDate) == [date])
  }

  @Test("Files of others are not listed and not removed") func filesOfOthers() throws {
    let store = try scratch.store()
    try store.save(1, as: "mine", keepingBackup: true)
    try store.save(2, as: "mine", keepingBackup: true)
    try store.save(2, dated: .now, as: "mine")
    let others = [
      "notes.txt", "mine", "modelarchive", ".modelarchive", "A.modelarchive", "a b.modelarchive", "é.modelarchive", "%41.modelarchive",
      "%2E.modelarchive", "+a.modelarchive", "%.modelarchive", "a.b.modelarchive", "a.backup.backup.modelarchive", "a..modelarchive",
      "a.modelarchive.txt", "a.modelarchive~", "=.modelarchive", "a=0123.modelarchive", ".modelstore-.txt", "modelstore-1.tmp",
      "a.0-0-0.modelarchive", "a.0000000000000000-00-0.modelarchive", "a.0000000000000000-0-A.modelarchive",
      "a.0000000000000000-0.modelarchive", "a.000000000000000A-0-0.modelarchive",
    ]
    for other in others { try scratch.make(other, age: 100_000) }
    try FileManager.default.createDirectory(atPath: scratch.file("dir.modelarchive"), withIntermediateDirectories: false)
    #expect(try store.list().map(\.name) == ["mine"])
    try store.removeAll()
    #expect(try store.list().isEmpty)
    #expect(try scratch.contents() == (others + ["dir.modelarchive"]).sorted())
  }

  @Test("A model is removed with its backup and its snapshots, and nothing else") func removing() throws {
    let store = try scratch.store()
    for name in ["n", "n2"] {
      for number in 1...2 { try store.save(number, as: name, keepingBackup: true) }
      try store.save(3, dated: .now, as: name)
    }
    #expect(try store.remove("n"))
    #expect(try !store.remove("n"))
    #expect(try store.list().map(\.name) == ["n2"])
    #expect(try scratch.contents().count == 3)
    #expect(try store.loadIfPresent(Int.self, as: "n", fallingBackToBackup: true) == nil)
    try store.save(5, dated: .now, as: "n")
    #expect(try store.remove("n"))
  }

  @Test("A removal that is interrupted has removed the model last") func interruptedRemoval() throws {
    let faulty = FaultyFiles()
    let store = try scratch.store { $0.fileSystem = faulty.fileSystem }
    func fill() throws {
      faulty.fail { _, _ in nil }
      try store.removeAll()
      for number in 1...2 { try store.save(number, as: "n", keepingBackup: true) }
      try store.save(3, dated: .now, as: "n")
    }
    try fill()
    _ = faulty.takeCalls()
    try store.remove("n")
    let calls = faulty.takeCalls()
    #expect(calls == [.list, .status, .unlink, .status, .unlink, .status, .unlink, .open, .synchronize])
    for index in calls.indices {
      try fill()
      faulty.fail { count, _ in count >= index ? .error(EIO) : nil }
      #expect(try storeError { try store.remove("n") }?.code == .unavailable)
      faulty.fail { _, _ in nil }
      #expect(try store.loadIfPresent(Int.self, as: "n") == (index < 7 ? 2 : nil), "call \(index)")
    }
  }

  @Test("Temporary files of writers that were killed are removed when they are old") func sweeping() throws {
    try scratch.store().save(1, as: "n")
    let names = [".modelstore-old.tmp", ".modelstore-new.tmp", ".other-old.tmp"]
    func make() throws {
      for name in names { try scratch.make(name, age: name.contains("old") ? 3_700 : 3_500) }
    }
    try make()
    let store = try scratch.store()
    try store.save(2, as: "n")
    #expect(try scratch.contents() == [".modelstore-new.tmp", ".other-old.tmp", "n.modelarchive"])
    try make()
    _ = try store.list()
    #expect(try scratch.contents() == [".modelstore-new.tmp", ".other-old.tmp", "n.modelarchive"])
  }

  @Test("Saving looks for such files every ten minutes, whatever the clock does") func sweepingByTheClock() throws {
    let faulty = FaultyFiles()
    let now = TestClock()
    let store = try scratch.store {
      $0.fileSystem = faulty.fileSystem
      $0.clock = now.clock
    }
    func looked(at seconds: Int64) throws -> Bool {
      now.seconds = seconds
      _ = faulty.takeCalls()
      try store.save(1, as: "n")
      return faulty.takeCalls().contains(.list)
    }
    try store.save(0, as: "n")
    #expect(try looked(at: 0) == false)
    #expect(try looked(at: 599) == false)
    #expect(try looked(at: 600) == true)
    #expect(try looked(at: 1_199) == false)
    #expect(try looked(at: 5_000) == true)
    // Set back: better once too often than not for years.
    #expect(try looked(at: 10) == true)
    #expect(try looked(at: 11) == false)
  }
}
