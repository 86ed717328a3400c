import Foundation
import MirrorArchive
import Testing

/// Nested containers, and the unkeyed sequence beside the keys of an object.
@Suite("Containers")
struct KeyedContainerTests {
  @Test("Three levels with the same keys keep apart", arguments: KeyedPlace.allCases) func nested(place: KeyedPlace) throws {
    let read = try place.pass(
      write: { coder throws in
        try coder.encode(1, forKey: "n")
        try coder.encodeContainer(forKey: "c") { coder throws in
          try coder.encode("two", forKey: "n")
          try coder.encodeContainer(forKey: "c") { coder throws in
            try coder.encode(3.5, forKey: "n")
            try coder.encodeContainer(forKey: "c") { try $0.encode([4], forKey: "n") }
            try coder.encode("behind", forKey: "z")
          }
          try coder.encode(false, forKey: "z")
        }
        try coder.encode(Date.distantPast, forKey: "z")
      },
      read: { coder throws in
        var found: [String] = ["\(coder.allKeys)", "\(try coder.decodeInt(forKey: "n"))"]
        let result = try coder.decodeContainer(forKey: "c") { coder throws in
          found += ["\(coder.allKeys)", try coder.decodeString(forKey: "n"), "\(try coder.decodeBool(forKey: "z"))"]
          try coder.decodeContainer(forKey: "c") { coder throws in
            found += ["\(try coder.decodeDouble(forKey: "n"))", try coder.decodeString(forKey: "z")]
            found.append("\(try coder.decodeContainer(forKey: "c") { try $0.decode([Int].self, forKey: "n") })")
            #expect(!coder.containsValue(forKey: "other"))
          }
          return "result"
        }
        // Back outside, the keys are those of the outside again.
        found += [result, "\(try coder.decodeInt(forKey: "n"))", "\(try coder.decodeDate(forKey: "z") == .distantPast)"]
        return found
      })
    #expect(
      read == [
        #"["n", "c", "z"]"#, "1", #"["n", "c", "z"]"#, "two", "false", "3.5", "behind", "[4]", "result", "1", "true",
      ])
  }

  @Test("An empty container is there", arguments: KeyedPlace.allCases) func empty(place: KeyedPlace) throws {
    try place.pass(
      write: {
        try $0.encodeContainer(forKey: "empty") { _ in }
        try $0.encode(1, forKey: "behind")
      },
      read: { coder throws in
        #expect(coder.containsValue(forKey: "empty"))
        try coder.decodeContainer(forKey: "empty") { coder throws in
          #expect(coder.allKeys.isEmpty && coder.isAtEnd && coder.unkeyedCount == 0)
          expectRefusal(.missingValue, at: "empty.n") { try coder.decodeInt(forKey: "n") }
        }
        #expect(try coder.decodeInt(forKey: "behind") == 1)
      })
  }

  @Test("A container can be read twice, or not at all", arguments: KeyedPlace.allCases) func twice(place: KeyedPlace) throws {
    try place.pass(
      write: { coder throws in
        for name in ["a", "b"] {
          try coder.encodeContainer(forKey: name) {
            try $0.encode(name, forKey: "name")
            try $0.encode(1)
            try $0.encode(2)
          }
        }
        try coder.encodeContainer(forKey: "ignored") { try $0.encode(Hand(1), forKey: "object") }
      },
      read: { coder throws in
        for _ in 0..<2 {
          for name in ["b", "a"] {
            let sum = try coder.decodeContainer(forKey: name) { coder throws in
              #expect(try coder.decodeString(forKey: "name") == name)
              return try coder.decode(Int.self) + coder.decode(Int.self)
            }
            #expect(sum == 3)
          }
        }
      })
  }

  @Test("What the bodies throw passes through, and the coder stays usable", arguments: KeyedPlace.allCases)
  func throwing(place: KeyedPlace) throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) { try place.write { try $0.encodeContainer(forKey: "c") { _ in throw Stop() } } }
    try place.pass(
      write: {
        try $0.encodeContainer(forKey: "c") { try $0.encode(1, forKey: "n") }
        try $0.encode(2, forKey: "n")
      },
      read: { coder throws in
        #expect(throws: Stop.self) { try coder.decodeContainer(forKey: "c") { _ in throw Stop() } }
        #expect(try coder.decodeInt(forKey: "n") == 2)
        #expect(try coder.decodeContainer(forKey: "c") { try $0.decodeInt(forKey: "n") } == 1)
      })
  }

  @Test("Errors name the containers on the way", arguments: KeyedPlace.allCases) func paths(place: KeyedPlace) throws {
    let data = try place.write {
      try $0.encodeContainer(forKey: "a") { try $0.encodeContainer(forKey: "b") { try $0.encode("x", forKey: "n") } }
    }
    let missing = expectRefusal(.missingValue) {
      try place.read(data) { coder in
        try coder.decodeContainer(forKey: "a") { try $0.decodeContainer(forKey: "b") { try $0.decodeInt(forKey: "gone") } }
      }
    }
    #expect(missing?.path == place.path + "a.b.gone")
    let error = expectRefusal(.duplicateKey) {
      try place.write { coder throws in
        try coder.encodeContainer(forKey: "a") {
          try $0.encode(1, forKey: "n")
          try $0.encode(1, forKey: "n")
        }
      }
    }
    if place != .element { #expect(error?.path == place.path + "a.n") }
  }

  // MARK: Unkeyed

  static let unkeyedPlaces = KeyedPlace.allCases.filter(\.takesUnkeyed)

  @Test("A sequence of mixed types beside keys comes back in order", arguments: unkeyedPlaces) func sequence(place: KeyedPlace) throws {
    let hand = Hand("hand")
    try place.pass(
      write: { coder throws in
        try coder.encode(1)
        try coder.encode("keyed", forKey: "k")
        try coder.encode("two")
        try coder.encode([3.5])
        try coder.encode(Int?.none)
        try coder.encode(hand)
        try coder.encode(hand, forKey: "hand")
        try coder.encodeContainer { try $0.encode("inside", forKey: "k") }
        try coder.encode(true)
      },
      read: { coder throws in
        #expect(coder.unkeyedCount == 7 && !coder.isAtEnd && coder.allKeys == ["k", "hand"])
        #expect(try coder.decode(Int.self) == 1 && coder.decode(String.self) == "two")
        #expect(try coder.decodeString(forKey: "k") == "keyed")
        #expect(try coder.decode([Double].self) == [3.5] && coder.decodeIfPresent(Int.self) == nil)
        let read = try coder.decode(Hand<String>.self)
        #expect(read.value == "hand")
        #expect(try coder.decodeObject(of: Hand<String>.self, forKey: "hand") === read)
        #expect(try coder.decodeContainer { try $0.decodeString(forKey: "k") } == "inside")
        #expect(!coder.isAtEnd)
        #expect(try coder.decode(Bool.self) == true)
        #expect(coder.isAtEnd && coder.unkeyedCount == 7)
      })
  }

  @Test("One too many throws, or is nil where it may be missing", arguments: unkeyedPlaces) func atEnd(place: KeyedPlace) throws {
    try place.pass(
      write: { try $0.encode(1) },
      read: { coder throws in
        #expect(try coder.decode(Int.self) == 1)
        #expect(coder.isAtEnd)
        expectRefusal(.missingValue) { try coder.decode(Int.self) }
        expectRefusal(.missingValue) { try coder.decode(Int?.self) }
        expectRefusal(.missingValue) { try coder.decodeContainer { _ in } }
        #expect(try coder.decodeIfPresent(Int.self) == nil)
        #expect(coder.isAtEnd && coder.unkeyedCount == 1)
      })
  }

  @Test("Each container has a sequence of its own, in the middle of another's", arguments: unkeyedPlaces)
  func sequences(place: KeyedPlace) throws {
    let read = try place.pass(
      write: { coder throws in
        try coder.encode("outer 1")
        try coder.encodeContainer(forKey: "c") {
          try $0.encode("inner 1")
          try $0.encodeContainer { try $0.encode("innermost") }
          try $0.encode("inner 2")
        }
        try coder.encode("outer 2")
      },
      read: { coder throws in
        var found = [try coder.decode(String.self)]
        try coder.decodeContainer(forKey: "c") { coder throws in
          found.append(try coder.decode(String.self))
          found.append(try coder.decodeContainer { try $0.decode(String.self) })
          found.append(try coder.decode(String.self))
          #expect(coder.isAtEnd)
        }
        found.append(try coder.decode(String.self))
        return found
      })
    #expect(read == ["outer 1", "inner 1", "innermost", "inner 2", "outer 2"])
  }

  @Test("Thousands of unkeyed values", arguments: [KeyedPlace.object, .container, .extras]) func long(place: KeyedPlace) throws {
    let count = 5_000
    let sum = try place.pass(
      write: { coder in for number in 0..<count { try number.isMultiple(of: 2) ? coder.encode(number) : coder.encode("\(number)") } },
      read: { coder throws in
        var sum = 0
        #expect(coder.unkeyedCount == count)
        while !coder.isAtEnd {
          sum += try coder.decode(Int.self)
          if let text = Int(try coder.decode(String.self)) { sum += text }
        }
        return sum
      })
    #expect(sum == count * (count - 1) / 2)
  }

  @Test("A mismatch in the sequence throws typeMismatch", arguments: unkeyedPlaces) func mismatch(place: KeyedPlace) throws {
    try place.pass(write: { try $0.encode([1, 2]) }, read: { coder in expectRefusal(.typeMismatch) { try coder.decode(String.self) } })
  }

  @Test("An instance archiver says that its root values need keys") func unkeyedRoot() throws {
    expectRefusal(.invalidValue, naming: ["key"]) { try keyedArchive { try $0.encode(1) } }
    expectRefusal(.invalidValue, naming: ["key"]) { try keyedArchive { try $0.encodeContainer { _ in } } }
    expectRefusal(.invalidValue, naming: ["key"]) { try keyedArchive { try $0.encodeConditionalObject(nil) } }
  }

  @Test("Objects are one across containers, keys and sequences", arguments: KeyedPlace.allCases) func identity(place: KeyedPlace) throws {
    let hand = Hand(1)
    let fruit = Models.Fruit(2)
    try place.pass(
      write: { coder throws in
        try coder.encode(hand, forKey: "h")
        try coder.encode([fruit, fruit], forKey: "f")
        try coder.encodeContainer(forKey: "c") {
          try $0.encode(fruit, forKey: "f")
          try $0.encode(hand)
          try $0.encodeContainer(forKey: "c") { try $0.encode([hand], forKey: "h") }
        }
      },
      read: { coder throws in
        let hand = try coder.decodeObject(of: Hand<Int>.self, forKey: "h")
        let fruits = try coder.decodeArrayOfObjects(ofClass: Models.Fruit.self, forKey: "f")
        #expect(fruits.count == 2 && fruits[0] === fruits[1])
        try coder.decodeContainer(forKey: "c") { coder throws in
          #expect(try coder.decodeObject(of: Models.Fruit.self, forKey: "f") === fruits[0])
          #expect(try coder.decode(Hand<Int>.self) === hand)
          let list = try coder.decodeContainer(forKey: "c") { try $0.decode([Hand<Int>].self, forKey: "h") }
          #expect(list.count == 1 && list[0] === hand)
        }
      })
  }
}
