import Foundation
import MirrorArchive
import Testing

@Suite("Columns of strings")
struct StringColumnTests {
  private static func bytes(_ strings: [String]) -> [[UInt8]] { strings.map { Array($0.utf8) } }

  private static let shapes: [(String, @Sendable (Int) -> String)] = [
    ("node", { "node-\($0)" }), ("padded", { "user_" + String("\(1_000_000 + $0)".dropFirst()) }), ("image", { "IMG_\($0 * 7).jpg" }),
    ("digits", { "\($0 * $0 * 977)" }), ("not ASCII", { "Straße \($0), 北京" }), ("long", { "https://example.com/items/\($0)/picture" }),
    ("one that differs", { $0 == 5 ? "node" : "node-\($0)" }), ("leading zero", { $0 == 6 ? "node-07" : "node-\($0)" }),
    ("same at both ends", { "node-\(min($0, 40 - $0).magnitude)" }), ("all the same", { _ in "node-1" }),
    ("short", { String(repeating: "a", count: $0 % 16) }), ("around two words", { String(repeating: "é", count: $0 % 12) }),
    ("mixed", { $0 % 3 == 0 ? "" : $0 % 3 == 1 ? "ß" : String(repeating: "x", count: $0 % 40) }),
  ]

  @Test("strings of every shape keep their bytes, in arrays, properties and Optionals", arguments: [1, 7, 8, 15, 16, 41, 1_024, 1_100])
  func survive(count: Int) throws {
    for (name, shape) in Self.shapes {
      let strings = (0..<count).map(shape)
      #expect(try Self.bytes(roundTrip(strings)) == Self.bytes(strings), "\(name)")
      #expect(try Self.bytes(roundTrip(strings.map { Slot($0) }).map(\.value)) == Self.bytes(strings), "\(name)")
      let optional = strings.enumerated().map { $0 % 5 == 3 ? nil : $1 }
      #expect(try roundTrip(optional) == optional, "\(name)")
      #expect(try roundTrip(Dictionary(zip(strings, 0...)) { first, _ in first }).count == Set(strings).count, "\(name)")
    }
  }

  @Test("what was read is a string like any other")
  func likeAnyOther() throws {
    for (name, shape) in Self.shapes {
      let strings = (0..<100).map(shape)
      for (read, written) in zip(try roundTrip(strings), strings) {
        #expect(read.hashValue == written.hashValue && read.count == written.count, "\(name)")
        #expect(read + "suffix" == written + "suffix" && read.uppercased() == written.uppercased(), "\(name)")
        let utf8 = unsafe read.utf8.withContiguousStorageIfAvailable { unsafe Array($0) }
        #expect(utf8 == Array(written.utf8), "\(name)")
      }
    }
  }

  @Test("strings that differ in a number take the room of the numbers")
  func size() throws {
    let plain = try KeyedArchiver.archivedData(withRootObject: (0..<5_000).map { Slot($0) }).count
    let labels = try KeyedArchiver.archivedData(withRootObject: (0..<5_000).map { Slot("label \($0)") }).count
    #expect(labels < plain + 100)
  }

  @Test("bridged strings are written as native ones are")
  func bridged() throws {
    let strings = (0..<50).map { "bridged number \($0) of these" }
    let bridged = strings.map { NSString(string: $0) as String }
    #expect(try KeyedArchiver.archivedData(withRootObject: bridged) == KeyedArchiver.archivedData(withRootObject: strings))
  }

  @Test("the first string that is not UTF-8 is named", arguments: [3, 20])
  func notUTF8(count: Int) throws {
    let strings = (0..<count).map { "\(["a", "b", "c"][$0 % 3])é, \(String(repeating: "z", count: $0))" }
    var forgery = try #require(Forgery(try KeyedArchiver.archivedData(withRootObject: strings)))
    // The second of the two bytes of "é" in the second string.
    let place = try #require(forgery.body.indices.filter { forgery.body[$0] == 0xA9 }.dropFirst().first)
    forgery.body[place] = 0x29
    let error = #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: [String].self, from: forgery.sealed()) }
    #expect(error?.code == .invalidValue)
    #expect(error?.path.contains("[1]") == true, "\(String(describing: error))")
  }

  @Test("strings that are only together UTF-8 are refused")
  func cutCharacter() throws {
    let strings = ["ab", "cd", "ef", "gh", "ij", "kl", "mn", "oé"]
    var forgery = try #require(Forgery(try KeyedArchiver.archivedData(withRootObject: strings)))
    let place = try #require(forgery.body.firstIndex(of: UInt8(ascii: "a")))
    // "é" across the first two strings.
    forgery.body[place + 1] = 0xC3
    forgery.body[place + 2] = 0xA9
    let error = #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: [String].self, from: forgery.sealed()) }
    #expect(error?.code == .invalidValue)
  }
}
