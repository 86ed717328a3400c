import ArchiveCache
import Foundation
import MirrorArchive
import Testing

@Suite("Damaged models")
struct StoreDamageTests {
  let scratch = ScratchStore()

  private func prepare(_ store: ModelStore, _ name: String, count: Int) throws {
    try store.save([0], as: name)
    try store.save(Array(1...count), as: name, keepingBackup: true)
  }

  private func expectDamage(_ store: ModelStore, _ name: String, _ place: Comment) throws {
    let error = try storeError { _ = try store.load([Int].self, as: name) }
    #expect(error?.code == .corrupt, place)
    #expect(error?.underlying is ArchiveError, place)
    #expect(try store.load([Int].self, as: name, fallingBackToBackup: true) == [0], place)
  }

  @Test("Every bit that is flipped is noticed, and the backup has the old version", arguments: ["n", String(repeating: "n", count: 100)])
  func everyBit(name: String) throws {
    let store = try scratch.store()
    try prepare(store, name, count: 5)
    let file = try #require(try scratch.contents().first { !$0.contains("backup") })
    let data = try scratch.data(file)
    for index in data.indices {
      for bit in 0..<8 {
        var damaged = data
        damaged[index] ^= 1 << bit
        try scratch.overwrite(file, with: damaged)
        try expectDamage(store, name, "bit \(bit) of byte \(index)")
      }
    }
    try scratch.overwrite(file, with: data)
    #expect(try store.load([Int].self, as: name) == [1, 2, 3, 4, 5])
  }

  @Test("Every end that is missing is noticed, and bytes behind the end too") func everyTruncation() throws {
    let store = try scratch.store()
    try prepare(store, "n", count: 5)
    let data = try scratch.data("n.modelarchive")
    for count in 0..<data.count {
      try scratch.overwrite("n.modelarchive", with: data.prefix(count))
      try expectDamage(store, "n", "\(count) bytes")
    }
    try scratch.overwrite("n.modelarchive", with: data + [0])
    try expectDamage(store, "n", "a byte more")
    try scratch.overwrite("n.modelarchive", with: Data(count: data.count))
    try expectDamage(store, "n", "zeros")
  }

  @Test("In a large archive a bit is noticed wherever it is") func largeArchive() throws {
    let store = try scratch.store()
    var generator = SystemRandomNumberGenerator()
    try store.save([0], as: "n")
    try store.save((0..<60_000).map { _ in Int.random(in: .min ... .max, using: &generator) }, as: "n", keepingBackup: true)
    let data = try scratch.data("n.modelarchive")
    #expect(data.count > 400_000)
    for index in Array(0..<40) + Array(stride(from: 40, to: data.count, by: 37_003)) + Array(data.count - 80..<data.count) {
      var damaged = data
      damaged[index] ^= 0x10
      try scratch.overwrite("n.modelarchive", with: damaged)
      try expectDamage(store, "n", "byte \(index) of \(data.count)")
    }
  }

  @Test("An archive of a newer format is whole, and never passed over for the backup") func newerFormat() throws {
    let store = try scratch.store()
    try prepare(store, "n", count: 5)
    // As a newer release might write it: this program knows nothing of what follows the version.
    let newer = Data([0x4D, 0x41, 0x9E, 0x22]) + Data((0..<50).map { $0 })
    try scratch.overwrite("n.modelarchive", with: newer)
    let error = try storeError { _ = try store.load([Int].self, as: "n", fallingBackToBackup: true) }
    #expect(error?.code == .decodingFailed && (error?.underlying as? ArchiveError)?.code == .newerFormat)
    // It may become a backup.
    try store.save([9], as: "n", keepingBackup: true)
    #expect(try scratch.data("n.backup.modelarchive") == newer)
  }
}
