import ArchiveCache
import Foundation
import MirrorArchive
import Testing

@Suite("Models among the user defaults")
struct UserDefaultsArchiveTests {
  /// User defaults of their own, which are gone afterwards.
  private func withDefaults(_ body: (UserDefaults) throws -> Void) throws {
    let suite = "mirror-archive-tests.\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defer { defaults.removePersistentDomain(forName: suite) }
    try body(defaults)
  }

  @Test("A model comes back") func roundTrip() throws {
    try withDefaults { defaults in
      let note = StoredNote("first")
      note.next = StoredNote("second")
      try defaults.setArchive(note, forKey: "note")
      #expect(try defaults.archive(of: StoredNote.self, forKey: "note")?.next?.text == "second")
      #expect(try defaults.data(forKey: "note") == KeyedArchiver.archivedData(withRootObject: note))
      try defaults.setArchive([1, 2], forKey: "note")
      #expect(try defaults.archive(of: [Int].self, forKey: "note") == [1, 2])
      defaults.removeObject(forKey: "note")
      #expect(try defaults.archive(of: [Int].self, forKey: "note") == nil)
    }
  }

  @Test("Types and decoding options pass through") func parameters() throws {
    try withDefaults { defaults in
      let shapes: [StoredShape] = [StoredCircle()]
      #expect(try storeError { try defaults.setArchive(shapes, forKey: "k") }?.code == .encodingFailed)
      try defaults.setArchive(shapes, forKey: "k", allowing: [StoredCircle.self])
      #expect(try storeError { _ = try defaults.archive(of: [StoredShape].self, forKey: "k") }?.code == .decodingFailed)
      #expect(try defaults.archive(of: [StoredShape].self, forKey: "k", allowing: [StoredCircle.self])?.first is StoredCircle)
      try defaults.setArchive(3.75, forKey: "k")
      #expect(try defaults.archive(of: Int.self, forKey: "k", options: DecodingOptions(conversionPolicy: .lenient)) == 3)
    }
  }

  @Test("What is larger than the limit is refused, and the old value stays") func sizeGuard() throws {
    try withDefaults { defaults in
      let text = String(repeating: "x", count: 1_000)
      let count = try KeyedArchiver.archivedData(withRootObject: text).count
      try defaults.setArchive(text, forKey: "k", maximumByteCount: count)
      let error = try storeError { try defaults.setArchive(text + "y", forKey: "k", maximumByteCount: count) }
      #expect(error?.code == .tooLarge && error?.name == "k")
      let actual = try KeyedArchiver.archivedData(withRootObject: text + "y").count
      #expect(error?.message == "the archive has \(actual) bytes, and user defaults take at most \(count): save it in a ModelStore")
      #expect(try defaults.archive(of: String.self, forKey: "k") == text)
      var generator = SystemRandomNumberGenerator()
      let large = Data((0..<65_536).map { _ in UInt8.random(in: 0 ... .max, using: &generator) })
      #expect(try storeError { try defaults.setArchive(large, forKey: "k") }?.code == .tooLarge)
      try defaults.setArchive(large.prefix(65_000), forKey: "k")
      #expect(try defaults.archive(of: Data.self, forKey: "k") == large.prefix(65_000))
    }
  }

  @Test("What is no archive is damaged, and not missing") func damage() throws {
    try withDefaults { defaults in
      defaults.set("text", forKey: "k")
      #expect(try storeError { _ = try defaults.archive(of: String.self, forKey: "k") }?.code == .corrupt)
      var data = try KeyedArchiver.archivedData(withRootObject: "text")
      data[data.count / 2] ^= 1
      defaults.set(data, forKey: "k")
      let error = try storeError { _ = try defaults.archive(of: String.self, forKey: "k") }
      #expect(error?.code == .corrupt && (error?.underlying as? ArchiveError)?.code == .corrupt)
    }
  }
}
