import ArchiveCache
import Foundation
import MirrorArchive
import Testing

/// What the documentation shows, as it is shown there.
@Suite("Examples of the store of models")
struct StorePageTests {
  final class Fruit: MirrorCoding {
    var name = ""
    var price = 0.0
  }
  final class Market: MirrorCoding {
    var fruits: [Fruit] = []
  }

  let scratch = ScratchStore()

  @Test("Saving, loading, and what to do about damage") func opening() throws {
    let url = scratch.url
    let market = Market()
    market.fruits = [Fruit()]

    // From the page.
    let store = try ModelStore(directory: url)
    try store.save(market, as: "market", keepingBackup: true)

    func open() throws -> Market {
      do {
        return try store.load(Market.self, as: "market")
      } catch  where error.code == .notFound {
        return Market()
      } catch  where error.code == .corrupt {
        // Tell the user that what was changed last is lost.
        return try store.loadBackup(Market.self, as: "market")
      }
    }

    #expect(try open().fruits.count == 1)
    try store.save(Market(), as: "market", keepingBackup: true)
    try scratch.overwrite("market.modelarchive", with: Data("damaged".utf8))
    #expect(try open().fruits.count == 1)
    try store.remove("market")
    #expect(try open().fruits.isEmpty)
  }

  @Test("Dated versions, and what is in a store") func versions() throws {
    let store = try scratch.store()
    let market = Market()

    // From the page.
    try store.save(market, dated: .now, as: "market", keeping: 10)
    if let newest = try store.snapshots(of: "market").first {
      let market = try store.load(Market.self, as: "market", snapshot: newest)
      print(newest.date, newest.byteCount, market.fruits.count)
    }
    for entry in try store.list() {
      print(entry.name, entry.modificationDate, entry.byteCount, entry.snapshotCount)
    }

    #expect(try store.list().map(\.snapshotCount) == [1])
  }
}
