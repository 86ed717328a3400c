import Foundation
import MirrorArchive
import Testing

/// What a key may be, and what is known about a value before it is asked for.
@Suite("Keys")
struct KeyedKeyTests {
  static let composed = "\u{E9}"
  static let decomposed = "e\u{301}"

  @Test("A missing key is never 0, false, empty or nil, whatever is asked for", arguments: KeyedPlace.allCases)
  func missing(place: KeyedPlace) throws {
    try place.pass(
      write: { try $0.encode(1, forKey: "present") },
      read: { coder throws in
        let getters: [() throws -> Any] = [
          { try coder.decodeBool(forKey: "gone") }, { try coder.decodeInt(forKey: "gone") }, { try coder.decodeInt8(forKey: "gone") },
          { try coder.decodeInt16(forKey: "gone") }, { try coder.decodeInt32(forKey: "gone") }, { try coder.decodeInt64(forKey: "gone") },
          { try coder.decodeUInt(forKey: "gone") }, { try coder.decodeUInt8(forKey: "gone") }, { try coder.decodeUInt16(forKey: "gone") },
          { try coder.decodeUInt32(forKey: "gone") }, { try coder.decodeUInt64(forKey: "gone") }, { try coder.decodeFloat(forKey: "gone") },
          { try coder.decodeDouble(forKey: "gone") }, { try coder.decodeString(forKey: "gone") }, { try coder.decodeData(forKey: "gone") },
          { try coder.decodeDate(forKey: "gone") }, { try coder.decodeURL(forKey: "gone") }, { try coder.decodeUUID(forKey: "gone") },
          { try coder.decodeBytes(forKey: "gone") }, { try coder.decode([Int].self, forKey: "gone") },
          { try coder.decode(Int?.self, forKey: "gone") as Any }, { try coder.decode(Any.self, forKey: "gone") },
          { try coder.decodeObject(of: Hand<Int>.self, forKey: "gone") },
          { try coder.decodeObject(ofClasses: [Hand<Int>.self], forKey: "gone") },
          { try coder.decodeArrayOfObjects(ofClass: Hand<Int>.self, forKey: "gone") },
          { try coder.decodeArrayOfObjects(ofClasses: [Hand<Int>.self], forKey: "gone") },
          { try coder.decodeDictionary(ofKeyClass: String.self, objectClass: Hand<Int>.self, forKey: "gone") },
          { try coder.decodeContainer(forKey: "gone") { _ in 1 } }, { unsafe try coder.withBytes(forKey: "gone") { $0.count } },
        ]
        for (index, getter) in getters.enumerated() {
          let error = expectRefusal(.missingValue, at: "gone", naming: ["gone"]) { try getter() }
          #expect(error != nil, "getter \(index)")
        }
        #expect(try coder.decodeBoolIfPresent(forKey: "gone") == nil && coder.decodeIntIfPresent(forKey: "gone") == nil)
        #expect(try coder.decodeStringIfPresent(forKey: "gone") == nil && coder.decodeDataIfPresent(forKey: "gone") == nil)
        #expect(try coder.decodeObjectIfPresent(of: Hand<Int>.self, forKey: "gone") == nil)
        let any = try coder.decodeObjectIfPresent(ofClasses: [Hand<Int>.self], forKey: "gone")
        #expect(any == nil)
        #expect(!coder.containsValue(forKey: "gone") && coder.storedType(forKey: "gone") == nil)
        #expect(try coder.decodeInt(forKey: "present") == 1)
      })
  }

  @Test("Keys that begin like the mark of values without a key", arguments: KeyedPlace.allCases) func marks(place: KeyedPlace) throws {
    // A combining mark makes one character with what stands before it.
    let keys = ["\0", "\0\0", "\0x", "\0\u{301}", "\u{301}", "x\0", ""]
    try place.pass(
      write: { coder in
        for (index, key) in keys.enumerated() { try coder.encode(index, forKey: key) }
        if place != .top { try coder.encode("without a key") }
      },
      read: { coder throws in
        #expect(coder.allKeys == keys)
        for (index, key) in keys.enumerated() { #expect(try coder.decodeInt(forKey: key) == index) }
        if place != .top { #expect(try coder.unkeyedCount == 1 && coder.decode(String.self) == "without a key") }
      })
  }

  @Test("A stored nil is there, and is nothing else than nil", arguments: KeyedPlace.allCases) func storedNil(place: KeyedPlace) throws {
    try place.pass(
      write: {
        try $0.encode(Int?.none, forKey: "number")
        try $0.encode(String?.none, forKey: "text")
        try $0.encode(Hand<Int>?.none, forKey: "object")
        try $0.encode([Int]?.none, forKey: "list")
      },
      read: { coder throws in
        for key in ["number", "text", "object", "list"] { #expect(coder.containsValue(forKey: key), "\(key)") }
        expectRefusal(.missingValue, at: "number") { try coder.decodeInt(forKey: "number") }
        expectRefusal(.missingValue, at: "number") { try coder.decode(Int.self, forKey: "number") }
        expectRefusal(.missingValue, at: "text") { try coder.decodeString(forKey: "text") }
        expectRefusal(.missingValue, at: "object") { try coder.decodeObject(of: Hand<Int>.self, forKey: "object") }
        expectRefusal(.missingValue, at: "object") { try coder.decodeObject(ofClasses: [Hand<Int>.self], forKey: "object") }
        expectRefusal(.missingValue, at: "list") { try coder.decode([Int].self, forKey: "list") }
        #expect(try coder.decode(Int?.self, forKey: "number") == nil && coder.decodeIntIfPresent(forKey: "number") == nil)
        #expect(try coder.decodeStringIfPresent(forKey: "text") == nil)
        #expect(try coder.decodeObjectIfPresent(of: Hand<Int>.self, forKey: "object") == nil)
        #expect(try coder.decodeIfPresent([Int].self, forKey: "list") == nil)
      })
  }

  @Test("Keys that are canonically equivalent are one key", arguments: KeyedPlace.allCases) func canonical(place: KeyedPlace) throws {
    try #require(Array(Self.composed.utf8) != Array(Self.decomposed.utf8))
    for (written, asked) in [(Self.composed, Self.decomposed), (Self.decomposed, Self.composed)] {
      try place.pass(
        write: {
          try $0.encode(5, forKey: written)
          try $0.encode(6, forKey: "z")
        },
        read: { coder throws in
          #expect(try coder.decodeInt(forKey: asked) == 5 && coder.decodeInt(forKey: written) == 5)
          #expect(coder.containsValue(forKey: asked) && coder.allKeys.contains(asked) && coder.storedType(forKey: asked) != nil)
        })
      expectRefusal(.duplicateKey, naming: [written]) {
        try place.write {
          try $0.encode(5, forKey: written)
          try $0.encode(6, forKey: asked)
        }
      }
    }
  }

  static let odd = [
    "", "$x", "$keys", "$class", "$top", "$", "\0", "\0\0", "a\0b", " ", ".", "a.b", "[0]", "root", "super", "苹果🍎", "\u{10FFFF}", "é",
    String(repeating: "k", count: 15), String(repeating: "k", count: 16), String(repeating: "long key ", count: 10_000),
  ]

  @Test("Every string is a key like others", arguments: KeyedPlace.allCases) func odd(place: KeyedPlace) throws {
    try place.pass(
      write: { coder throws in
        for (index, key) in Self.odd.enumerated() { try coder.encode(index, forKey: key) }
        if place.takesUnkeyed { try coder.encode("unkeyed") }
      },
      read: { coder throws in
        for (index, key) in Self.odd.enumerated().reversed() { #expect(try coder.decodeInt(forKey: key) == index, "\(key.prefix(20))") }
        #expect(coder.allKeys == Self.odd)
        if place.takesUnkeyed { #expect(try coder.decode(String.self) == "unkeyed" && coder.unkeyedCount == 1) }
      })
  }

  @Test("Keys are equal or not by all of their characters") func similar() throws {
    let keys = ["name", "Name", "name ", "nam", "name2", "ſ", "s", "ß", "ss", "ﬁ", "fi", "Å", "A"]
    try KeyedPlace.object.pass(
      write: { coder in for (index, key) in keys.enumerated() { try coder.encode(index, forKey: key) } },
      read: { coder throws in
        for (index, key) in keys.enumerated() { #expect(try coder.decodeInt(forKey: key) == index) }
        // The sign of the unit is canonically the letter.
        #expect(try coder.decodeInt(forKey: "\u{212B}") == 11)
      })
  }

  @Test("Ten thousand keys in one object, asked in any order", arguments: [KeyedPlace.top, .object, .container, .extras])
  func many(place: KeyedPlace) throws {
    let seed: UInt64 = 0x5EED_0010
    let count = 10_000
    try place.pass(
      write: { coder in for number in 0..<count { try coder.encode(number * 3, forKey: "key \(number)") } },
      read: { coder throws in
        var generator = SeededGenerator(seed: seed)
        #expect(coder.allKeys.count == count && coder.allKeys.first == "key 0" && coder.allKeys.last == "key 9999")
        for number in (0..<count).shuffled(using: &generator) {
          let read = try coder.decodeInt(forKey: "key \(number)")
          if read != number * 3 { Issue.record("key \(number) is \(read), seed \(seed)") }
        }
        #expect(try coder.decodeIntIfPresent(forKey: "key 10000") == nil)
      })
  }

  @Test("Thousands of objects, each with keys of its own") func differentKeys() throws {
    let written = (0..<3_000).map { Bag([$0 % 7: "a\($0)", $0 + 10: "b\($0)", -$0 - 1: "c\($0)"]) }
    #expect(try roundTrip(written).map(\.values) == written.map(\.values))
  }

  /// Keys that are made from data.
  final class Bag: KeyedCoding {
    let values: [Int: String]
    init(_ values: [Int: String]) { self.values = values }
    init(coder: KeyedUnarchiver) throws {
      values = Dictionary(
        uniqueKeysWithValues: try coder.allKeys.map { key in (Int(key) ?? 0, try coder.decodeString(forKey: key)) })
    }
    func encode(with coder: KeyedArchiver) throws {
      for (key, value) in values { try coder.encode(value, forKey: "\(key)") }
    }
  }

  @Test("A key may be asked for twice, as different types, or not at all", arguments: KeyedPlace.allCases)
  func repeated(place: KeyedPlace) throws {
    try place.pass(
      write: {
        try $0.encode(Array(0..<1_000), forKey: "never asked for")
        try $0.encode(5, forKey: "number")
        try $0.encode(["a": Hand("x")], forKey: "neither")
        try $0.encode("text", forKey: "text")
      },
      read: { coder throws in
        for _ in 0..<3 {
          #expect(try coder.decodeInt(forKey: "number") == 5 && coder.decodeUInt8(forKey: "number") == 5)
          #expect(try coder.decodeDouble(forKey: "number") == 5 && coder.decodeString(forKey: "text") == "text")
        }
      })
  }

  @Test("A key that is encoded twice throws duplicateKey with the object's path", arguments: KeyedPlace.allCases)
  func duplicate(place: KeyedPlace) {
    let error = expectRefusal(.duplicateKey, naming: ["twice"]) {
      try place.write {
        try $0.encode(1, forKey: "once")
        try $0.encode(1, forKey: "twice")
        try $0.encode("other", forKey: "twice")
      }
    }
    if place != .element { #expect(error?.path == place.path + "twice", "\(String(describing: error))") }
  }

  @Test("Every call that takes a key refuses one that is there") func duplicateWays() {
    let ways: [(KeyedArchiver) throws -> Void] = [
      { try $0.encode(Int?.none, forKey: "k") },
      { try $0.encodeConditionalObject(nil, forKey: "k") },
      { coder in unsafe try [1, 2].withUnsafeBytes { unsafe try coder.encodeBytes($0, forKey: "k") } },
      { try $0.encodeContainer(forKey: "k") { try $0.encode(1, forKey: "k") } },
      { try $0.encode(Hand(1), forKey: "k") },
    ]
    for first in ways.indices {
      for second in ways.indices {
        for place in [KeyedPlace.top, .object] {
          let error = expectRefusal(.duplicateKey) {
            try place.write {
              try ways[first]($0)
              try ways[second]($0)
            }
          }
          #expect(error != nil, "\(first), \(second) at \(place)")
        }
      }
    }
  }

  @Test("allKeys has the keys in the order in which they were encoded, and no unkeyed values", arguments: KeyedPlace.allCases)
  func allKeys(place: KeyedPlace) throws {
    let keys = ["z", "a", "m", "é", "B", "10", "9"]
    try place.pass(
      write: { coder throws in
        for key in keys {
          try coder.encode(1, forKey: key)
          if place.takesUnkeyed { try coder.encode(2) }
        }
      },
      read: { #expect($0.allKeys == keys) })
  }

  @Test("An object without keys, at every place", arguments: KeyedPlace.allCases) func noKeys(place: KeyedPlace) throws {
    try place.pass(
      write: { _ in },
      read: { coder throws in
        #expect(coder.allKeys.isEmpty && !coder.containsValue(forKey: "") && !coder.containsValue(forKey: "a"))
        if place.takesUnkeyed { #expect(coder.isAtEnd && coder.unkeyedCount == 0) }
      })
  }

  @Test("storedType says what is there before it is read", arguments: KeyedPlace.allCases) func storedType(place: KeyedPlace) throws {
    struct Mark { var a = 1 }
    try place.pass(
      write: {
        try $0.encode(1, forKey: "Int")
        try $0.encode(UInt8(1), forKey: "UInt8")
        try $0.encode(1.5, forKey: "Double")
        try $0.encode(true, forKey: "Bool")
        try $0.encode("", forKey: "String")
        try $0.encode(Date.distantPast, forKey: "Date")
        try $0.encode([1], forKey: "[Int]")
        try $0.encode(["a": [1]], forKey: "[String: [Int]]")
        try $0.encode(Int?.none, forKey: "Int?")
        try $0.encode(Set([1]), forKey: "Set<Int>")
      },
      read: { coder throws in
        for key in coder.allKeys { #expect(coder.storedType(forKey: key)?.description == key) }
        #expect(coder.allKeys.count == 10 && coder.storedType(forKey: "other") == nil)
      })
  }

  @Test("storedType names the class of an object without making it", arguments: KeyedPlace.allCases) func storedObject(place: KeyedPlace)
    throws
  {
    try place.pass(
      write: {
        try $0.encode(Models.Fruit(1), forKey: "fruit")
        try $0.encode(["a": Models.Fruit(1)] as [String: Models.Fruit?], forKey: "table")
      },
      read: { coder throws in
        #expect(coder.storedType(forKey: "fruit")?.description.contains("Fruit") == true)
        #expect(coder.storedType(forKey: "table")?.description.hasPrefix("[String: ") == true)
      })
  }
}
