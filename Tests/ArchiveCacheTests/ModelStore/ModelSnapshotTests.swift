import ArchiveCache
import Foundation
import Testing

@Suite("Dated versions of models")
struct ModelSnapshotTests {
  let scratch = ScratchStore()

  private func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  @Test("The newest comes first, whatever the order of saving, and dates are exact") func order() throws {
    let store = try scratch.store()
    let dates = [-1e-9, 800_000_000.000_1, -5e9, 0, 1e300, 12.5, -0.25, 4e-300].map(date)
    for (index, date) in dates.enumerated() {
      let snapshot = try store.save(index, dated: date, as: "n")
      #expect(snapshot.date == date)
    }
    let snapshots = try store.snapshots(of: "n")
    #expect(snapshots.map(\.date) == dates.sorted(by: >))
    for snapshot in snapshots {
      let index = try store.load(Int.self, as: "n", snapshot: snapshot)
      #expect(dates[index] == snapshot.date)
      #expect(try snapshot.byteCount == Int64(scratch.data("n.\(snapshot.id).modelarchive").count))
    }
    #expect(try store.loadIfPresent(Int.self, as: "n") == nil)
    #expect(try store.snapshots(of: "m").isEmpty)
  }

  @Test("Snapshots of the same date all survive, the last one first") func sameDate() throws {
    let store = try scratch.store()
    for number in 1...12 { try store.save(number, dated: date(1), as: "n") }
    let snapshots = try store.snapshots(of: "n")
    #expect(try snapshots.map { try store.load(Int.self, as: "n", snapshot: $0) } == Array((1...12).reversed()))
    #expect(Set(snapshots.map(\.id)).count == 12)
  }

  @Test("Eight threads that save with one date lose nothing") func threads() throws {
    let store = try scratch.store()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<5 {
        #expect(throws: Never.self) { try store.save(thread * 5 + number, dated: date(1), as: "n") }
      }
    }
    let snapshots = try store.snapshots(of: "n")
    #expect(try Set(snapshots.map { try store.load(Int.self, as: "n", snapshot: $0) }) == Set(0..<40))
  }

  @Test("The newest ones are kept") func keeping() throws {
    let store = try scratch.store()
    for number in 1...7 {
      try store.save(number, dated: date(Double(number)), as: "n", keeping: 3)
      let kept = try store.snapshots(of: "n").map { try store.load(Int.self, as: "n", snapshot: $0) }
      #expect(kept == Array((max(1, number - 2)...number).reversed()))
    }
    try store.save(0, dated: date(0), as: "other")
    // An old one that is saved is kept all the same, and the newest of the others.
    try store.save(0, dated: date(0), as: "n", keeping: 2)
    #expect(try store.snapshots(of: "n").map(\.date) == [date(7), date(0)])
    for number in [0, -1, .min] {
      try store.save(9, dated: date(-1), as: "n", keeping: number)
      #expect(try store.snapshots(of: "n").map(\.date) == [date(-1)])
    }
    try store.save(10, dated: date(10), as: "n", keeping: .max)
    #expect(try store.snapshots(of: "n").count == 2)
    #expect(try store.snapshots(of: "other").count == 1)
  }

  @Test("A snapshot that fails to be saved removes none") func failedSave() throws {
    let faulty = FaultyFiles()
    let store = try scratch.store { $0.fileSystem = faulty.fileSystem }
    for number in 1...3 { try store.save(number, dated: date(Double(number)), as: "n") }
    faulty.fail { _, call in call == .rename ? .error(ENOSPC) : nil }
    let error = try storeError { try store.save(4, dated: date(4), as: "n", keeping: 1) }
    #expect(error?.code == .noSpace && (error?.underlying as? POSIXError)?.code == .ENOSPC)
    #expect(try store.snapshots(of: "n").map(\.date) == [3, 2, 1].map(date))
    // One that cannot be removed does not make a failure of what was saved.
    faulty.fail { _, call in call == .unlink ? .error(EIO) : nil }
    try store.save(4, dated: date(4), as: "n", keeping: 1)
    faulty.fail { _, _ in nil }
    #expect(try store.snapshots(of: "n").count == 4)
    try store.save(5, dated: date(5), as: "n", keeping: 2)
    #expect(try store.snapshots(of: "n").map(\.date) == [5, 4].map(date))
  }

  @Test("Snapshots and the current version of a name don't concern one another") func besideTheCurrent() throws {
    let store = try scratch.store { $0.keepsBackups = true }
    try store.save("dated", dated: date(1), as: "n")
    try store.save("one", as: "n")
    try store.save("two", as: "n")
    try store.save("later", dated: date(2), as: "n", keeping: 1)
    #expect(try store.load(String.self, as: "n") == "two")
    #expect(try store.loadBackup(String.self, as: "n") == "one")
    let snapshot = try #require(try store.snapshots(of: "n").first)
    #expect(try store.load(String.self, as: "n", snapshot: snapshot) == "later")
    #expect(try storeError { _ = try store.load(String.self, as: "m", snapshot: snapshot) }?.code == .notFound)
    #expect(try store.remove(snapshot, of: "n"))
    #expect(try !store.remove(snapshot, of: "n"))
    let error = try storeError { _ = try store.load(String.self, as: "n", snapshot: snapshot) }
    #expect(error?.description == "notFound: the store has no such snapshot of this name ('n')")
    #expect(try scratch.contents() == ["n.backup.modelarchive", "n.modelarchive"])
  }

  @Test("Names that begin alike have their own snapshots", arguments: ["n", "n-1", "n.backup", "n.modelarchive", "N"])
  func similarNames(name: String) throws {
    let store = try scratch.store()
    let all = ["n", "n-1", "n.backup", "n.modelarchive", "N"]
    for other in all { try store.save(other, dated: date(1), as: other) }
    let snapshots = try store.snapshots(of: name)
    #expect(try snapshots.map { try store.load(String.self, as: name, snapshot: $0) } == [name])
    try store.remove(name)
    #expect(try store.list().map(\.name) == all.filter { $0 != name }.sorted())
  }

  @Test("A date that is no number is kept") func strangeDates() throws {
    let store = try scratch.store()
    for value in [Double.nan, .infinity, -.infinity, 0] { try store.save("\(value)", dated: date(value), as: "n") }
    let snapshots = try store.snapshots(of: "n")
    #expect(snapshots == snapshots && snapshots[0].date.timeIntervalSinceReferenceDate.isNaN)
    let loaded = try snapshots.map { try store.load(String.self, as: "n", snapshot: $0) }
    #expect(loaded == ["nan", "inf", "0.0", "-inf"])
  }
}
