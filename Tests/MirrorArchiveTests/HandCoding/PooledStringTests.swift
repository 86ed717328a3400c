import Foundation
import MirrorArchive
import Testing

@Suite("Strings of hand-coded objects that repeat")
struct PooledStringTests {
  /// A string under a key and one without.
  final class Label: KeyedCoding {
    let text: String
    let extra: String

    init(_ text: String, _ extra: String) { (self.text, self.extra) = (text, extra) }

    init(coder: KeyedUnarchiver) throws {
      text = try coder.decodeString(forKey: "text")
      extra = try coder.decode(String.self)
    }

    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(text, forKey: "text")
      try coder.encode(extra)
    }
  }

  /// Asks for the same string as everything that it may be asked for as.
  final class Numeral: KeyedCoding {
    let number: Int
    init(_ number: Int) { self.number = number }

    init(coder: KeyedUnarchiver) throws {
      number = try coder.decodeInt(forKey: "text")
      #expect(try coder.decodeStringIfPresent(forKey: "text") == "\(number)")
      #expect(try coder.decode(Any.self, forKey: "text") as? String == "\(number)")
      #expect(coder.storedType(forKey: "text")?.kind == .string)
      #expect(coder.storedType(forKey: "text")?.description == "String")
      #expect(throws: ArchiveError.self) { try coder.decodeDate(forKey: "text") }
    }

    func encode(with coder: KeyedArchiver) throws { try coder.encode("\(number)", forKey: "text") }
  }

  private func roundTrip(_ labels: [Label]) throws -> Int {
    let data = try KeyedArchiver.archivedData(withRootObject: labels)
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Label.self, from: data)
    #expect(read.map(\.text) == labels.map(\.text))
    #expect(read.map(\.extra) == labels.map(\.extra))
    return data.count
  }

  @Test("They come back, and take a fraction of the bytes", arguments: [255, 256, 257, 258, 1_023, 1_024, 1_025, 5_000])
  func repeated(count: Int) throws {
    let labels = (0..<count).map { Label("a name that is long enough \($0 % 40)", "short \($0 % 7)") }
    let size = try roundTrip(labels)
    let written = labels.reduce(0) { $0 + $1.text.utf8.count + $1.extra.utf8.count + 2 }
    let watched = min(count, 257)
    #expect(size < written * watched / count + 3 * count + 2_000)
  }

  @Test("Equal strings in different buffers are one string") func buffers() throws {
    let labels = (0..<4_000).map { Label(String(decoding: Data("long enough for a buffer \($0 % 3)".utf8), as: UTF8.self), "") }
    let size = try roundTrip(labels)
    #expect(size < 257 * 40 + 4_000 * 4)
  }

  @Test("Strings that are all different cost no more than their lengths and bytes") func different() throws {
    let labels = (0..<10_000).map { Label("number \($0)", "") }
    let size = try roundTrip(labels)
    #expect(size < labels.reduce(0) { $0 + $1.text.utf8.count + 2 } + 10_000 + 200)
  }

  @Test("A key whose strings repeat first and differ later, or the other way round, keeps all of them")
  func changing() throws {
    let repeating = (0..<3_000).map { Label("same \($0 % 5)", "é\($0 % 300)") }
    let differing = (0..<3_000).map { Label("other \($0)", "\($0)") }
    _ = try roundTrip(repeating + differing + repeating)
    _ = try roundTrip(differing + repeating + differing)
    _ = try roundTrip(zip(repeating, differing).flatMap { [$0, $1] })
  }

  @Test("They can be asked for as everything that a string can") func conversions() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: (0..<2_000).map { Numeral($0 % 10) })
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Numeral.self, from: data)
    #expect(read.map(\.number) == (0..<2_000).map { $0 % 10 })
  }
}
