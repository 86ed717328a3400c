import ArchiveCache
import Foundation
import MirrorArchive
import Testing

/// The code of the page about keeping models, as it stands there.
@Suite("The page about keeping models")
struct KeepingModelsPageTests {
  @Test("Every Swift block is compiled and run here") func isCompiled() throws {
    let page = try PageBlocks("Sources/ArchiveCache/ArchiveCache.docc/KeepingModels.md")
    #expect(page.paragraphs.count == 3)
    #expect(try page.missing(in: #filePath).map(\.description) == ["block 1: let store = try ModelStore(name: \"com.example.Market\")"])
  }

  final class Market: MirrorCoding { var fruits: [String] = [] }

  @Test("The newest version, the backup and the snapshots come back") func versions() throws {
    let directory = try TemporaryDirectory()
    let store = try ModelStore(directory: URL(fileURLWithPath: directory.file("models")))
    func open() throws -> Market {
      do {
        return try store.load(Market.self, as: "market")
      } catch let error where error.code == .notFound {
        return Market()
      } catch let error where error.code == .corrupt {
        // Tell the user that what was changed last is lost.
        return try store.loadBackup(Market.self, as: "market")
      }
    }
    var lines: [String] = []
    func print(_ items: Any...) { lines.append(items.dropFirst().map { "\($0)" }.joined(separator: " ")) }

    let market = try open()
    #expect(market.fruits.isEmpty)
    for fruit in ["apple", "pear"] {
      market.fruits.append(fruit)
      try store.save(market, as: "market", keepingBackup: true)
    }
    #expect(try open().fruits == ["apple", "pear"])
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: store.directory.path).first { $0 == "market.modelarchive" })
    try Data("damaged".utf8).write(to: store.directory.appendingPathComponent(file))
    #expect(try open().fruits == ["apple"])

    try store.save(market, dated: .now, as: "market", keeping: 10)
    if let newest = try store.snapshots(of: "market").first {
      let market = try store.load(Market.self, as: "market", snapshot: newest)
      print(newest.date, newest.byteCount, market.fruits.count)
    }
    for entry in try store.list() {
      print(entry.name, entry.modificationDate, entry.byteCount, entry.snapshotCount)
    }
    #expect(lines.count == 2 && lines[0].hasSuffix(" 2") && lines[1].hasSuffix(" 7 1"))
  }
}
