import Foundation
import MirrorArchive
import Testing

/// Most programs ask for the keys in the order and of the types in which they wrote them; this is about all others.
@Suite("The order in which hand-coded objects ask for their keys")
struct InOrderTests {
  /// Asks in another way each time.
  final class Restless: KeyedCoding {
    let number: Int
    let text: String
    let limit: Int?
    nonisolated(unsafe) static var turn = 0

    init(_ number: Int) {
      self.number = number
      text = "text \(number % 3)"
      limit = number % 2 == 0 ? number : nil
    }

    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(number, forKey: "number")
      try coder.encode(text, forKey: "text")
      try coder.encode(limit, forKey: "limit")
    }

    init(coder: KeyedUnarchiver) throws {
      unsafe Self.turn += 1
      switch unsafe Self.turn % 5 {
      case 0:
        number = try coder.decodeInt(forKey: "number")
        text = try coder.decodeString(forKey: "text")
        limit = try coder.decodeIntIfPresent(forKey: "limit")
      case 1:
        limit = try coder.decode(Int?.self, forKey: "limit")
        text = try coder.decodeString(forKey: "text")
        number = try coder.decodeInt(forKey: "number")
      case 2:
        number = Int(try coder.decodeDouble(forKey: "number"))
        text = try coder.decode(Any.self, forKey: "text") as? String ?? ""
        limit = try coder.decode(Double?.self, forKey: "limit").map { Int($0) }
      case 3:
        text = try coder.decodeString(forKey: "text")
        #expect(throws: ArchiveError.self) { try coder.decodeInt(forKey: "text") }
        #expect(try coder.decodeIntIfPresent(forKey: "nothing") == nil)
        number = try coder.decodeInt(forKey: "number")
        limit = try coder.decodeIntIfPresent(forKey: "limit")
      default:
        #expect(throws: ArchiveError.self) { try coder.decodeBool(forKey: "text") }
        #expect(try coder.decodeInt(forKey: "number") == coder.decodeInt(forKey: "number"))
        number = try coder.decodeInt(forKey: "number")
        text = try coder.decodeStringIfPresent(forKey: "text") ?? ""
        limit = try coder.decodeIntIfPresent(forKey: "limit")
      }
    }
  }

  @Test("Any order, other types that fit, and look-ups that fail on the way give the same values") func anyOrder() throws {
    let objects = (0..<500).map { Restless($0) }
    let data = try KeyedArchiver.archivedData(withRootObject: objects)
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Restless.self, from: data)
    #expect(read.map(\.number) == objects.map(\.number))
    #expect(read.map(\.text) == objects.map(\.text))
    #expect(read.map(\.limit) == objects.map(\.limit))
  }

  final class Writer: KeyedCoding {
    let number: Int
    init(_ number: Int) { self.number = number }
    init(coder: KeyedUnarchiver) throws { number = Int(try coder.decodeInt8(forKey: "number")) }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(number, forKey: "number") }
  }

  @Test("A value that does not fit is told with its place, also when all values before it did") func place() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: [Writer(1), Writer(2), Writer(128), Writer(3)])
    let error = #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Writer.self, from: data) }
    #expect(error?.code == .invalidValue)
    #expect(error?.path == "root[2].number")
  }

  final class Peeking: KeyedCoding {
    let key: String
    init(_ key: String) { self.key = key }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(1, forKey: key) }
    init(coder: KeyedUnarchiver) throws {
      key = coder.containsValue(forKey: "e\u{301}") ? "é" : "n"
      #expect(try coder.decodeInt(forKey: key == "n" ? "n" : "e\u{301}") == 1)
    }
  }

  @Test("Keys are compared as text, in order as well") func spelling() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: ["n", "\u{E9}", "\u{E9}", "n", "\u{E9}"].map { Peeking($0) })
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Peeking.self, from: data)
    #expect(read.map(\.key) == ["n", "é", "é", "n", "é"])
  }
}
