import ArchiveCache
import Foundation
import Testing

@Suite("Backups of models")
struct BackupTests {
  let scratch = ScratchStore()

  @Test("The version before is the backup") func versionBefore() throws {
    let store = try scratch.store()
    try store.save(1, as: "n", keepingBackup: true)
    #expect(try scratch.contents() == ["n.modelarchive"])
    for number in 2...4 {
      try store.save(number, as: "n", keepingBackup: true)
      #expect(try store.load(Int.self, as: "n") == number)
      #expect(try store.loadBackup(Int.self, as: "n") == number - 1)
      #expect(try scratch.contents() == ["n.backup.modelarchive", "n.modelarchive"])
    }
  }

  @Test("A save without a backup leaves an older one") func withoutBackup() throws {
    let store = try scratch.store { $0.keepsBackups = true }
    for number in 1...2 { try store.save(number, as: "n") }
    try store.save(3, as: "n", keepingBackup: false)
    #expect(try store.load(Int.self, as: "n") == 3)
    #expect(try store.loadBackup(Int.self, as: "n") == 1)
  }

  @Test("A damaged version never takes the place of a backup") func damagedVersion() throws {
    let store = try scratch.store { $0.keepsBackups = true }
    for number in 1...2 { try store.save(number, as: "n") }
    try scratch.overwrite("n.modelarchive", with: Data("damaged".utf8))
    try store.save(3, as: "n")
    #expect(try store.load(Int.self, as: "n") == 3)
    #expect(try store.loadBackup(Int.self, as: "n") == 1)
  }

  @Test("A version that cannot be read never takes the place of a backup, and does not prevent the save") func unreadableVersion() throws {
    let faulty = FaultyFiles()
    let store = try scratch.store {
      $0.keepsBackups = true
      $0.fileSystem = faulty.fileSystem
    }
    for number in 1...2 { try store.save(number, as: "n") }
    faulty.fail { _, call in call == .read ? .error(EIO) : nil }
    try store.save(3, as: "n")
    faulty.fail { _, _ in nil }
    #expect(try store.load(Int.self, as: "n") == 3)
    #expect(try store.loadBackup(Int.self, as: "n") == 1)
  }

  @Test("Without hard links the version is copied", arguments: [EPERM, ENOTSUP, EMLINK, ENOSYS, EXDEV])
  func withoutHardLinks(number: Int32) throws {
    let faulty = FaultyFiles()
    let store = try scratch.store {
      $0.keepsBackups = true
      $0.fileSystem = faulty.fileSystem
    }
    faulty.fail { _, call in call == .link ? .error(number) : nil }
    for number in 1...3 { try store.save(number, as: "n") }
    #expect(try store.load(Int.self, as: "n") == 3)
    #expect(try store.loadBackup(Int.self, as: "n") == 2)
    #expect(try scratch.contents() == ["n.backup.modelarchive", "n.modelarchive"])
  }

  @Test("A save that failed behind the backup leaves nothing in the way of the next one") func oneFileTwice() throws {
    let faulty = FaultyFiles()
    let store = try scratch.store {
      $0.keepsBackups = true
      $0.fileSystem = faulty.fileSystem
    }
    try store.save(1, as: "n")
    for _ in 0..<2 {
      // The first rename makes the backup, the second one the new version.
      let renames = Counter()
      faulty.fail { _, call in call == .rename && renames.next() == 2 ? .error(EIO) : nil }
      #expect(try storeError { try store.save(2, as: "n") }?.code == .unavailable)
      #expect(try store.load(Int.self, as: "n") == 1)
      #expect(try store.loadBackup(Int.self, as: "n") == 1)
      #expect(try scratch.contents() == ["n.backup.modelarchive", "n.modelarchive"])
    }
    faulty.fail { _, _ in nil }
    try store.save(3, as: "n")
    #expect(try store.load(Int.self, as: "n") == 3)
    #expect(try store.loadBackup(Int.self, as: "n") == 1)
  }

  @Test("Falling back is for damage alone") func fallingBack() throws {
    let store = try scratch.store { $0.keepsBackups = true }
    for text in ["one", "two"] { try store.save(text, as: "n") }
    #expect(try store.load(String.self, as: "n", fallingBackToBackup: true) == "two")
    // Whole, but something else.
    #expect(try storeError { _ = try store.load([Int].self, as: "n", fallingBackToBackup: true) }?.code == .decodingFailed)
    try scratch.overwrite("n.modelarchive", with: Data())
    #expect(try storeError { _ = try store.load(String.self, as: "n") }?.code == .corrupt)
    #expect(try store.load(String.self, as: "n", fallingBackToBackup: true) == "one")
    #expect(try store.loadIfPresent(String.self, as: "n", fallingBackToBackup: true) == "one")
    try scratch.overwrite("n.backup.modelarchive", with: Data([1]))
    #expect(try storeError { _ = try store.load(String.self, as: "n", fallingBackToBackup: true) }?.code == .corrupt)
    try FileManager.default.removeItem(atPath: scratch.file("n.backup.modelarchive"))
    #expect(try storeError { _ = try store.loadIfPresent(String.self, as: "n", fallingBackToBackup: true) }?.code == .corrupt)
    // What was removed does not come back.
    try store.save("three", as: "n")
    try store.save("four", as: "n")
    try FileManager.default.removeItem(atPath: scratch.file("n.modelarchive"))
    #expect(try store.loadIfPresent(String.self, as: "n", fallingBackToBackup: true) == nil)
  }
}
