import ArchiveCache
import Foundation
import MirrorArchive
import Testing

@Suite("Stores of models that share a directory")
struct StoreSharingTests {
  let scratch = ScratchStore()

  @Test("Of eight threads that save one name, each with a store of its own, readers see whole versions alone", arguments: [false, true])
  func oneName(keepingBackup: Bool) throws {
    let scratch = scratch
    try scratch.store().save([Int](), as: "n", keepingBackup: keepingBackup)
    // A version is made of one number, as often as it says.
    @Sendable func isWhole(_ version: [Int]) -> Bool { version.allSatisfy { $0 == version.count } }
    let failures = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      do {
        let store = try scratch.store()
        for round in 0..<10 {
          let count = 1 + thread * 997 + round * 101
          try store.save([Int](repeating: count, count: count), as: "n", keepingBackup: keepingBackup)
          let version = try store.load([Int].self, as: "n")
          if !isWhole(version) { failures.withLock { $0.append("a version of \(version.count)") } }
          if keepingBackup {
            let backup = try store.loadBackup([Int].self, as: "n")
            if !isWhole(backup) { failures.withLock { $0.append("a backup of \(backup.count)") } }
          }
          if try store.list().map(\.name) != ["n"] { failures.withLock { $0.append("a list") } }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try scratch.contents() == (keepingBackup ? ["n.backup.modelarchive", "n.modelarchive"] : ["n.modelarchive"]))
  }

  @Test("Savers and one who deletes the directory again and again: whole versions, or none") func deletedDirectory() throws {
    let scratch = scratch
    let unexpected = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      do {
        let store = try scratch.store()
        for round in 0..<30 {
          if thread == 0 {
            try? FileManager.default.removeItem(atPath: scratch.path)
            continue
          }
          do {
            try store.save([thread, round], as: "n\(thread)")
          } catch let error as ModelStoreError where error.code == .unavailable {
            // Deleted twice within one save, or before the storage had the name.
          }
          if let version = try store.loadIfPresent([Int].self, as: "n\(thread)"), version.first != thread {
            unexpected.withLock { $0.append("\(version)") }
          }
        }
      } catch {
        unexpected.withLock { $0.append("\(error)") }
      }
    }
    #expect(unexpected.withLock { $0 } == [])
    try scratch.store().save(1, as: "n")
    #expect(try scratch.store().load(Int.self, as: "n") == 1)
  }

  @Test("What one store saves, lists and removes, the others see") func twoStores() throws {
    let (first, second) = (try scratch.store(), try scratch.store())
    try first.save(1, as: "n")
    #expect(try second.load(Int.self, as: "n") == 1)
    try second.save(2, as: "n", keepingBackup: true)
    #expect(try first.loadBackup(Int.self, as: "n") == 1)
    #expect(try first.remove("n"))
    #expect(try second.list().isEmpty)
  }
}
