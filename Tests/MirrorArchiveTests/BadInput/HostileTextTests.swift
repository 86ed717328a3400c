import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// Bytes that are no UTF-8, wherever an archive has text.
@Suite("Text that is no UTF-8")
struct HostileTextTests {
  /// What stands in good archives where the bad bytes are put.
  private static let mark = "~~~~"

  static let bad: [(name: String, bytes: [UInt8])] = [
    ("an overlong zero", [0xC0, 0x80]), ("an overlong letter", [0xC1, 0xBF]), ("three overlong bytes", [0xE0, 0x9F, 0xBF]),
    ("a zero in three bytes", [0xE0, 0x80, 0x80]), ("four overlong bytes", [0xF0, 0x8F, 0xBF, 0xBF]),
    ("a zero in four bytes", [0xF0, 0x80, 0x80, 0x80]),
    ("beyond Unicode", [0xF4, 0x90, 0x80, 0x80]), ("F5", [0xF5, 0x80, 0x80, 0x80]), ("FF", [0xFF]), ("FE", [0xFE]),
    ("the first surrogate", [0xED, 0xA0, 0x80]), ("the last surrogate", [0xED, 0xBF, 0xBF]), ("a continuation alone", [0x80]),
    ("half of two bytes", [0xC3]), ("two thirds of three bytes", [0xE2, 0x82]), ("three quarters of four bytes", [0xF0, 0x9F, 0x98]),
    ("a letter in a character", [0xC3, 0x28]), ("a first byte in a character", [0xE2, 0xC3, 0xA9]),
  ]

  /// A place of text in an archive.
  struct Place: Sendable, CustomTestStringConvertible {
    let name: String
    /// What is thrown for bad text there.
    let code: ArchiveError.Code
    let make: @Sendable (String) throws -> Data
    let read: @Sendable (Data) throws -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ code: ArchiveError.Code, _ make: @escaping @Sendable (String) throws -> Data,
      _ read: @escaping @Sendable (Data) throws -> Void
    ) {
      (self.name, self.code, self.make, self.read) = (name, code, make, read)
    }
    /// A value, archived as the root.
    init<Root>(_ name: String, _ root: @escaping @Sendable (String) -> Root) {
      self.init(
        name, .invalidValue, { try KeyedArchiver.archivedData(withRootObject: root($0)) },
        { _ = try KeyedUnarchiver.unarchivedObject(of: Root.self, from: $0) })
    }
  }

  final class MarkedKey: MirrorCoding { @Key("~~~~") var number = 1 }
  final class MarkedName: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "hostile.~~~~") }
    var number = 1
  }
  private static let words = [
    "apple", "pear", "plum", "fig", "a cherry that is longer than fifteen bytes", "kiwi", "quince", "", "medlar", "sloe", "date", "lime",
  ]

  static let places = [
    Place("a root") { $0 },
    Place("a long root") { String(repeating: "text ", count: 500) + $0 },
    Place("a property") { Slot($0) },
    Place("a property with init()") { Box($0) },
    Place("an element among few") { ["a", $0, "b"] },
    Place("a short element among many") { words + [$0] + words.reversed() },
    Place("a long element among many") {
      words.map { $0 + " and more than fifteen bytes" } + ["what is at the end of this: " + $0] + words
    },
    Place("a pooled property") { text in (0..<40).map { Slot($0 % 3 == 0 ? text : "other") } },
    Place("a long pooled property") { text in
      (0..<40).map { Slot($0 % 3 == 0 ? "a text that is longer than fifteen bytes " + text : "other") }
    },
    Place("a numbered string") { text in (0..<40).map { "\(text)\($0 + 1_000)" } },
    Place("an optional string") { [$0, nil, "a"] as [String?] },
    Place("a substring") { Slot(Substring($0)) },
    Place("a key among few") { [$0: 1, "b": 2] },
    Place("a key among many") { text in Dictionary(uniqueKeysWithValues: ([text] + words).map { ($0, 1) }) },
    Place("a set's element") { Set([$0, "b"]) },
    Place("a string in Any") { AnyBox(list: [1, $0]) },
    Place("a payload") { Slot(Either<String, Int>.left($0)) },
    Place("a value of a hand-coded object") { Hand($0) },
    Place("a pooled value of hand-coded objects") { text in (0..<40).map { Hand($0 % 3 == 0 ? text : "other") } },
    Place(
      "a key at the top", .malformed, { text in try keyedArchive { try $0.encode(1, forKey: text) } },
      { _ = try KeyedUnarchiver(forReadingFrom: $0) }),
    Place(
      "a key of a container", .malformed,
      { text in try keyedArchive { try $0.encodeContainer(forKey: "box") { try $0.encode(1, forKey: text) } } },
      { _ = try KeyedUnarchiver(forReadingFrom: $0) }),
    Place(
      "a property's key", .malformed, { _ in try KeyedArchiver.archivedData(withRootObject: MarkedKey()) },
      { _ = try KeyedUnarchiver.unarchivedObject(of: MarkedKey.self, from: $0) }),
    Place(
      "the name of a class", .malformed, { _ in try KeyedArchiver.archivedData(withRootObject: MarkedName()) },
      { _ = try KeyedUnarchiver.unarchivedObject(of: MarkedName.self, from: $0) }),
  ]

  @Test("It is refused there", arguments: places) func refused(place: Place) throws {
    let data = try place.make(Self.mark)
    try place.read(data)
    let forgery = try #require(Forgery(data))
    for (name, bytes) in Self.bad {
      let padded = Array(repeating: UInt8(ascii: "q"), count: Self.mark.utf8.count - bytes.count) + bytes
      let forged = try #require(forgery.replacing(Array(Self.mark.utf8), with: padded), "the text does not stand in the archive as it is")
      let error = #expect(throws: ArchiveError.self, "\(name)") { try place.read(forged) }
      #expect(error.map { $0.code == place.code } ?? true, "\(name): \(String(describing: error))")
      #expect(error.map { $0.message.contains("UTF-8") } ?? true, "\(name): \(String(describing: error))")
    }
    // The mark stands where it seems to: good text in its place is read.
    let good = try #require(forgery.replacing(Array(Self.mark.utf8), with: Array("é中"[...].utf8.prefix(2)) + Array("qq".utf8)))
    if place.code == .invalidValue { try place.read(good) }
  }
}
