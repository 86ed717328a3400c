import Foundation
import MirrorArchive
import Testing

protocol Animal { var sound: String { get } }
protocol Pet: AnyObject { var owner: String { get set } }

/// Properties whose declared type says little about their value.
@Suite("Any, AnyObject and protocol types")
struct ExistentialTests {
  final class Dog: MirrorCoding, Animal, Pet {
    var owner = "nobody"
    var sound: String { "woof of \(owner)" }
  }
  struct Bird: Animal, Equatable {
    var pitch = 1.5
    var sound: String { "tweet \(pitch)" }
  }
  enum Insect: Animal, Equatable {
    case bee(hum: Int)
    case ant
    var sound: String { "\(self)" }
  }
  final class Undeclared: MirrorCoding { var number = 1 }

  final class Zoo: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Dog.self]) }
    var star: (any Animal)?
    var animals: [any Animal] = []
    var byName: [String: any Animal] = [:]
    var pet: (any Pet)?
    var object: AnyObject?
    var objects: [AnyObject] = []
    var value: Any = 0
    var optional: Any?
    var list: [Any] = []
    var table: [String: Any] = [:]
    var key: AnyHashable = AnyHashable(0)
    var failure: (any Error)?
    var dog: Dog?
  }

  @Test("Any keeps the exact type of each scalar") func scalars() throws {
    let read = try roundTrip(
      Slot<[Any]>([
        Int8(1), UInt8(2), Int32(3), 4, UInt64(5), Float(6), 7.0, true, "8", "9" as Character, Date.distantPast, UUID(), Data([1]),
      ])
    ).value
    #expect(read.count == 13)
    #expect(
      read.map { "\(type(of: $0))" } == [
        "Int8", "UInt8", "Int32", "Int", "UInt64", "Float", "Double", "Bool", "String", "Character", "Date", "UUID", "Data",
      ])
  }

  @Test("Any holds arrays, dictionaries, optionals and nothing else than was put in") func collections() throws {
    let inner: [String: Any] = [
      "a": 1, "b": [1, 2] as [Int], "c": ["x": "y"] as [String: String], "d": [1, "two", [3.0] as [Any]] as [Any],
    ]
    let read = try roundTrip(Slot<Any>(inner)).value
    let table = try #require(read as? [String: Any])
    #expect(table.count == 4 && table["a"] as? Int == 1 && table["b"] as? [Int] == [1, 2] && table["c"] as? [String: String] == ["x": "y"])
    let list = try #require(table["d"] as? [Any])
    #expect(list.count == 3 && list[0] as? Int == 1 && list[1] as? String == "two" && (list[2] as? [Any])?.first as? Double == 3)
    let set = try roundTrip(Slot<Any>(Set(["a", "b"]))).value
    #expect(set as? Set<String> == ["a", "b"])
    let range = try roundTrip(Slot<[Any]>([Int?.none as Any, Int?.some(3) as Any])).value
    #expect(range.count == 2)
    #expect(Mirror(reflecting: range[0]).displayStyle == .optional && "\(range[0])" == "nil")
    #expect(range[1] as? Int == 3)
  }

  @Test("An Any keeps which level of an optional inside it is nil", arguments: [0, 1, 2]) func optionalInAny(level: Int) throws {
    let value: Int?? = [.none, .some(.none), .some(.some(7))][level]
    let any: Any = value as Any
    let read = try roundTrip(Slot<Any>(any)).value
    #expect(type(of: read) == type(of: any))
    #expect("\(read)" == "\(any)")
  }

  @Test("Objects behind Any, AnyObject and protocols share one identity with a declared property") func identity() throws {
    let dog = Dog()
    dog.owner = "Ann"
    let written = Zoo()
    written.star = dog
    written.animals = [dog, dog]
    written.byName = ["d": dog]
    written.pet = dog
    written.object = dog
    written.objects = [dog]
    written.value = dog
    written.optional = dog
    written.list = [dog, 1]
    written.table = ["dog": dog]
    written.dog = dog
    let read = try roundTrip(written)
    let copy = try #require(read.dog)
    #expect(copy !== dog && copy.owner == "Ann")
    #expect(read.star as? Dog === copy && read.animals.count == 2 && read.animals.allSatisfy { $0 as? Dog === copy })
    #expect(read.byName["d"] as? Dog === copy && read.pet === copy && read.object === copy)
    #expect(read.objects.count == 1 && read.objects[0] === copy && read.value as? Dog === copy && read.optional as? Dog === copy)
    #expect(read.list.first as? Dog === copy && read.list.last as? Int == 1 && read.table["dog"] as? Dog === copy)
    #expect(read.star?.sound == "woof of Ann")
  }

  @Test("Structs and enums behind a protocol come back when the call allows them") func conformingValues() throws {
    let written = Zoo()
    written.star = Bird(pitch: 2.5)
    written.animals = [Bird(), Insect.bee(hum: 3), Dog(), Insect.ant, Bird(pitch: -0.0)]
    written.byName = ["a": Insect.ant, "b": Bird(pitch: 9)]
    written.value = Bird(pitch: 4)
    let read = try roundTrip(written, allowing: [Bird.self, Insect.self])
    #expect(read.star as? Bird == Bird(pitch: 2.5))
    try #require(read.animals.count == 5)
    #expect(read.animals[0] as? Bird == Bird() && read.animals[1] as? Insect == .bee(hum: 3) && read.animals[2] is Dog)
    #expect(read.animals[3] as? Insect == .ant && (read.animals[4] as? Bird)?.pitch.sign == .minus)
    #expect(read.byName["a"] as? Insect == .ant && read.byName["b"] as? Bird == Bird(pitch: 9))
    #expect(read.value as? Bird == Bird(pitch: 4))
  }

  struct Registered: Animal, Equatable {
    var count = 0
    var sound: String { "registered" }
  }

  @Test("A registered type comes back without being named in the call") func registered() throws {
    try KeyedArchiver.register(Registered.self)
    let written = Zoo()
    written.star = Registered(count: 3)
    written.list = [Registered(count: 4), [Registered(count: 5)] as [Registered]]
    let read = try roundTrip(written)
    #expect(read.star as? Registered == Registered(count: 3))
    #expect(read.list.first as? Registered == Registered(count: 4))
    #expect(read.list.last as? [Registered] == [Registered(count: 5)])
  }

  @Test("An undeclared type in Any, AnyObject or a protocol is refused at encode with the three cures")
  func undeclared() {
    let inAny = Zoo()
    inAny.value = Undeclared()
    expectRefusal(.typeNotAllowed, at: "value", naming: ["Undeclared", "register", "allowing", "subclasses"]) {
      try KeyedArchiver.archivedData(withRootObject: inAny)
    }
    let inObject = Zoo()
    inObject.objects = [Dog(), Undeclared()]
    expectRefusal(.typeNotAllowed, at: "objects", naming: ["Undeclared", "register"]) {
      try KeyedArchiver.archivedData(withRootObject: inObject)
    }
    let inProtocol = Zoo()
    inProtocol.animals = [Bird()]
    expectRefusal(.typeNotAllowed, at: "animals", naming: ["Bird", "register"]) {
      try KeyedArchiver.archivedData(withRootObject: inProtocol)
    }
    let inTable = Zoo()
    inTable.table = ["k": [Undeclared()]]
    expectRefusal(.typeNotAllowed, at: "table", naming: ["Undeclared", "register"]) {
      try KeyedArchiver.archivedData(withRootObject: inTable)
    }
  }

  @Test("AnyHashable keeps the type inside") func anyHashable() throws {
    for key in [AnyHashable(3), AnyHashable("k"), AnyHashable(UInt8(3)), AnyHashable(Date.distantPast), AnyHashable([1, 2])] {
      let read = try roundTrip(Slot(key)).value
      #expect(read == key)
      #expect(type(of: read.base) == type(of: key.base))
    }
  }

  @Test("An error property comes back") func error() throws {
    let written = Zoo()
    written.failure = Enums.Failure.status(500, body: "b")
    let read = try roundTrip(written, allowing: [Enums.Failure.self])
    #expect(read.failure as? Enums.Failure == .status(500, body: "b"))
  }

  @Test("A long [Any] of mixed types keeps every row", arguments: [7, 8, 1_024, 1_025, 3_000]) func longMixed(count: Int) throws {
    let written: [Any] = (0..<count).map { number in
      switch number % 5 {
      case 0: number
      case 1: "\(number)"
      case 2: Double(number) / 4
      case 3: [number]
      default: number.isMultiple(of: 2)
      }
    }
    let read = try roundTrip(Slot(written)).value
    #expect(read.count == count)
    #expect(zip(read, written).allSatisfy { type(of: $0) == type(of: $1) && "\($0)" == "\($1)" })
  }
}
