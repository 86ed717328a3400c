import Foundation
import MirrorArchive
import Testing

/// What is left of a coder after an error, and where errors say that they are.
@Suite("Failures by key", .serialized)
struct KeyedFailureTests {
  struct Stop: Error, Equatable {}

  final class Fruit: KeyedCoding {
    let name: String
    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      if name == "rotten" { throw Stop() }
    }
    func encode(with coder: KeyedArchiver) throws { if name != "nameless" { try coder.encode(name, forKey: "name") } }
  }
  final class Shop: KeyedCoding {
    let fruits: [Fruit]
    let table: [String: Fruit]
    let best: Fruit?
    init(_ fruits: [Fruit], table: [String: Fruit] = [:], best: Fruit? = nil) {
      (self.fruits, self.table, self.best) = (fruits, table, best)
    }
    init(coder: KeyedUnarchiver) throws {
      fruits = try coder.decodeArrayOfObjects(ofClass: Fruit.self, forKey: "fruits")
      table = try coder.decodeDictionary(ofKeyClass: String.self, objectClass: Fruit.self, forKey: "table")
      best = try coder.decodeObjectIfPresent(of: Fruit.self, forKey: "best")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(fruits, forKey: "fruits")
      try coder.encode(table, forKey: "table")
      try coder.encode(best, forKey: "best")
    }
  }
  final class Street: MirrorCoding {
    var shops: [Shop] = []
    var corner: Shop?
    var pair = Pair<Int, Fruit?>(first: 1, second: nil)
  }

  // MARK: Paths

  static let paths: [(path: String, make: @Sendable (Fruit) -> Street)] = [
    ("root.shops[1].fruits[2].name", { make(shops: [Shop([]), Shop([Fruit("a"), Fruit("b"), $0])]) }),
    ("root.corner.best.name", { make(corner: Shop([Fruit("a")], best: $0)) }),
    ("root.corner.table[0].name", { make(corner: Shop([], table: ["k": $0])) }),
    (
      "root.pair.second.name",
      {
        let street = Street()
        street.pair.second = $0
        return street
      }
    ),
  ]

  private static func make(shops: [Shop] = [], corner: Shop? = nil) -> Street {
    let street = Street()
    (street.shops, street.corner) = (shops, corner)
    return street
  }

  @Test("A missing key is named with the whole path from the root", arguments: paths.indices) func path(index: Int) throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Self.paths[index].make(Fruit("nameless")))
    let error = expectRefusal(.missingValue, naming: ["name"]) { try KeyedUnarchiver.unarchivedObject(ofClass: Street.self, from: data) }
    #expect(error?.path == Self.paths[index].path)
  }

  @Test("What init(coder:) throws reaches the caller unchanged, wherever the object is", arguments: paths.indices)
  func userError(index: Int) throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Self.paths[index].make(Fruit("rotten")))
    #expect(throws: Stop()) { try KeyedUnarchiver.unarchivedObject(ofClass: Street.self, from: data) }
    let byKey = try keyedArchive { try $0.encode(Self.paths[index].make(Fruit("rotten")), forKey: "street") }
    #expect(throws: Stop()) { try KeyedUnarchiver(forReadingFrom: byKey).decodeObject(of: Street.self, forKey: "street") }
  }

  @Test("Every error of a getter that reaches the caller has the path of its key", arguments: KeyedPlace.allCases)
  func getterPaths(place: KeyedPlace) throws {
    let data = try place.write {
      try $0.encode("text", forKey: "text")
      try $0.encode([Fruit("a"), Fruit("nameless")], forKey: "fruits")
      try $0.encode(300, forKey: "number")
    }
    func path(_ code: ArchiveError.Code, _ ask: @escaping (KeyedUnarchiver) throws -> Any) -> String? {
      expectRefusal(code) { try place.read(data) { try ask($0) } }?.path
    }
    #expect(path(.missingValue) { try $0.decodeInt(forKey: "gone") } == place.path + "gone")
    #expect(path(.typeMismatch) { try $0.decodeDate(forKey: "text") } == place.path + "text")
    #expect(path(.invalidValue) { try $0.decodeInt8(forKey: "number") } == place.path + "number")
    #expect(path(.missingValue) { try $0.decode([Fruit].self, forKey: "fruits") } == place.path + "fruits[1].name")
    #expect(path(.typeNotAllowed) { try $0.decode([Shop].self, forKey: "fruits") }?.hasPrefix(place.path + "fruits") == true)
  }

  @Test("A refusal at encode has the path through hand-coded objects") func encodePaths() throws {
    let tap = Tap()
    tap.stranger = Stranger()
    let error = expectRefusal(.notArchivable) {
      try KeyedArchiver.archivedData(withRootObject: [Pair(first: Hand([Hand(1)]), second: Hand(tap))])
    }
    #expect(error?.path == "root[0].second.value.stranger", "\(String(describing: error))")
    let byKey = expectRefusal(.notArchivable) { try keyedArchive { try $0.encode([1: Hand(tap)], forKey: "k") } }
    #expect(byKey?.path.hasPrefix("k[") == true && byKey?.path.hasSuffix(".value.stranger") == true, "\(String(describing: byKey))")
  }
  final class Tap: MirrorCoding { var stranger: AnyObject? }
  final class Stranger {}

  // MARK: Lookups

  @Test("A lookup that fails leaves the coder usable", arguments: KeyedPlace.allCases) func usable(place: KeyedPlace) throws {
    try place.pass(
      write: {
        try $0.encode("text", forKey: "text")
        try $0.encode(Fruit("fruit"), forKey: "fruit")
        try $0.encode(7, forKey: "number")
        if place.takesUnkeyed {
          try $0.encode("unkeyed")
          try $0.encode(2)
        }
      },
      read: { coder throws in
        for _ in 0..<3 {
          #expect((try? coder.decodeInt(forKey: "gone")) == nil)
          #expect((try? coder.decodeInt(forKey: "fruit")) == nil)
          #expect((try? coder.decodeDate(forKey: "text")) == nil)
          #expect((try? coder.decodeObject(of: Shop.self, forKey: "fruit")) == nil)
          #expect((try? coder.decodeObject(of: MirrorCoding.self, forKey: "fruit")) == nil)
          #expect(try coder.decodeString(forKey: "text") == "text" && coder.decodeInt(forKey: "number") == 7)
          #expect(try coder.decodeObject(of: Fruit.self, forKey: "fruit").name == "fruit")
        }
        if place.takesUnkeyed {
          #expect(try coder.decode(String.self) == "unkeyed")
          _ = try coder.decode(Int.self)
          expectRefusal(.missingValue) { try coder.decode(Int.self) }
        }
      })
  }

  final class OldStand: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedFailureTests.Stand") }
    var fruits = [Fruit("inside")]
    var table = ["a": Fruit("in a table")]
    var numbers: [Int]? = [1]
    var retyped = [1, 2]
  }
  final class Stand: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedFailureTests.Stand") }
    var fruits: [Fruit] = []
    var table: [String: Fruit] = [:]
    var numbers: [Int]?
    var retyped = ""
  }

  @Test("A class that can't be bound leaves the values of its properties' types readable elsewhere", arguments: KeyedPlace.allCases)
  func unbound(place: KeyedPlace) throws {
    try place.pass(
      write: {
        try $0.encode(OldStand(), forKey: "stand")
        try $0.encode([Fruit("a")], forKey: "fruits")
        try $0.encode(["k": Fruit("b")], forKey: "table")
        try $0.encode([5] as [Int]?, forKey: "numbers")
      },
      read: { coder throws in
        for _ in 0..<2 {
          expectRefusal(.typeMismatch, at: "retyped") { try coder.decodeObject(of: Stand.self, forKey: "stand") }
          #expect(throws: ArchiveError.self) { try coder.decode([Stand?]?.self, forKey: "fruits") }
          #expect(try coder.decode([Fruit].self, forKey: "fruits").map(\.name) == ["a"])
          #expect(try coder.decode([String: Fruit].self, forKey: "table")["k"]?.name == "b")
          #expect(try coder.decode([Int]?.self, forKey: "numbers") == [5])
        }
      })
  }

  /// Changes the coder that is at work.
  final class Hasty: KeyedCoding {
    let number: Int
    let next: Hasty?
    init(_ number: Int, _ next: Hasty?) { (self.number, self.next) = (number, next) }
    init(coder: KeyedUnarchiver) throws {
      coder.requiresSecureCoding = false
      coder.setClass(Fruit.self, forClassName: "MirrorArchiveTests.KeyedFailureTests.Hasty")
      coder.setModule("Elsewhere", forModuleName: "MirrorArchiveTests")
      next = try coder.decodeObjectIfPresent(of: Hasty.self, forKey: "next")
      coder.finishDecoding()
      number = try coder.decodeInt(forKey: "number")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(next, forKey: "next")
      try coder.encode(number, forKey: "number")
    }
  }

  @Test("A coder that is finished or told other names while it is at work goes on or throws") func hasty() async {
    await #expect(processExitsWith: .success) {
      reported {
        let data = try KeyedArchiver.archivedData(withRootObject: [Box(Hasty(1, Hasty(2, nil))), Box(Hasty(3, nil))])
        do {
          let read = try KeyedUnarchiver.unarchivedObject(of: [Box<Hasty>].self, from: data)
          #expect(read.map { $0.value?.number } == [1, 3])
        } catch is ArchiveError {}
        do {
          _ = try KeyedUnarchiver(forReadingFrom: data).decode([Box<Hasty>].self, forKey: "root")
        } catch is ArchiveError {}
      }
    }
  }

  @Test("An error while a graph is put together is kept and rethrown by every later call") func sticky() throws {
    let data = try keyedArchive {
      try $0.encode(Fruit("good"), forKey: "good")
      try $0.encode(Shop([Fruit("rotten")]), forKey: "bad")
      try $0.encode(5, forKey: "number")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    #expect(try coder.decodeObject(of: Fruit.self, forKey: "good").name == "good")
    #expect(throws: Stop()) { try coder.decodeObject(of: Shop.self, forKey: "bad") }
    #expect(throws: Stop()) { try coder.decodeObject(of: Shop.self, forKey: "bad") }
    #expect(throws: Stop()) { try coder.decodeInt(forKey: "number") }
    #expect(throws: Stop()) { try coder.decodeIntIfPresent(forKey: "number") }
    #expect(throws: Stop()) { try coder.decodeObject(of: Fruit.self, forKey: "good") }
    #expect(coder.error is Stop)
  }

  @Test("An error that an init swallows: the object is made without what failed, or the archive is refused, never half") func swallowed()
    throws
  {
    final class Tolerant: KeyedCoding {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedFailureTests.Tolerant") }
      let name: String
      let count: Int
      init() { (name, count) = ("n", 1) }
      init(coder: KeyedUnarchiver) throws {
        count = (try? coder.decodeInt(forKey: "name")) ?? -1
        name = try coder.decodeString(forKey: "name")
      }
      func encode(with coder: KeyedArchiver) throws { try coder.encode("n", forKey: "name") }
    }
    let read = try roundTrip([Tolerant(), Tolerant()])
    #expect(read.map(\.name) == ["n", "n"] && read.map(\.count) == [-1, -1])
    let data = try KeyedArchiver.archivedData(withRootObject: Pair(first: Fruit("rotten"), second: Fruit("good")))
    #expect(throws: Stop()) { try KeyedUnarchiver.unarchivedObject(of: Pair<Fruit, Fruit>.self, from: data) }
  }

  // MARK: Policy

  @Test("rememberError: IfPresent gives nil and the others their empty values' error, and error keeps the first") func remember() throws {
    let data = try keyedArchive {
      try $0.encode("text", forKey: "text")
      try $0.encode(5, forKey: "number")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.decodingFailurePolicy = .rememberError
    #expect(coder.error == nil)
    #expect(try coder.decodeInt(forKey: "number") == 5)
    #expect(coder.error == nil)
    _ = try? coder.decodeDate(forKey: "text")
    let first = coder.error as? ArchiveError
    #expect(first?.code == .typeMismatch && first?.path == "text")
    _ = try? coder.decodeInt(forKey: "gone")
    #expect((coder.error as? ArchiveError)?.path == "text")
  }

  @Test("throwError: the coder goes on, and error tells the first failure") func throwing() throws {
    let coder = try KeyedUnarchiver(forReadingFrom: keyedArchive { try $0.encode("text", forKey: "text") })
    expectRefusal(.typeMismatch) { try coder.decodeDate(forKey: "text") }
    expectRefusal(.missingValue) { try coder.decodeDate(forKey: "gone") }
    #expect((coder.error as? ArchiveError)?.path == "text")
    #expect(try coder.decodeString(forKey: "text") == "text")
  }
}
