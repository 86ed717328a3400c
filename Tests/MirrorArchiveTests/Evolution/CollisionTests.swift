import Foundation
import MirrorArchive
import Testing

/// A value that only exists in the archive as text.
private struct OldPrice: MirrorCodable {
  var cents = "0"
  static var archiveRules: ArchiveRules { ArchiveRules(name: "collision.Price") }
}
private struct NewPrice: MirrorCodable {
  var cents = 0
  static var archiveRules: ArchiveRules { ArchiveRules(name: "collision.Price") }
}
private final class Item: MirrorCoding {
  static let living = LiveCount()
  var number = 0
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "collision.Item") }
  required init() {
    super.init()
    Self.living.change(by: 1)
  }
  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }
  deinit { Self.living.change(by: -1) }
}
private final class LiveCount: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  var value: Int { lock.withLock { count } }
  func change(by step: Int) { lock.withLock { count += step } }
}

@Suite("Entries of dictionaries and sets that are converted", .serialized)
struct CollisionTests {
  private let lenient = DecodingOptions(conversionPolicy: .lenient)

  private func read<Source, Target>(
    _ source: Source, _: Target.Type, _ options: DecodingOptions = DecodingOptions()
  ) throws -> Target {
    try KeyedUnarchiver.unarchivedObject(
      of: Target.self, from: KeyedArchiver.archivedData(withRootObject: source), options: options)
  }
  private func report<Source, Target>(_ source: Source, _: Target.Type) throws -> (Target, DecodingReport) {
    let unarchiver = try KeyedUnarchiver(forReadingFrom: KeyedArchiver.archivedData(withRootObject: source))
    unarchiver.options = lenient
    return (try unarchiver.decode(Target.self, forKey: "root"), unarchiver.report)
  }

  @Test("An error about a value of a dictionary names the dictionary and the key") func dictionaryPaths() throws {
    expectRefusal(.invalidValue, at: "root[1][b]") { try read([["a": 1, "c": 3], ["b": 400]], [[String: Int8]].self) }
    expectRefusal(.invalidValue, at: "root[1][x][1]") { try read([["a": [1, 2]], ["x": [3, 400]]], [[String: [Int8]]].self) }
    expectRefusal(.invalidValue, at: "root[1][7].cents") {
      try read([[5: OldPrice(cents: "1")], [7: OldPrice(cents: "y")]], [[Int: NewPrice]].self)
    }
    expectRefusal(.invalidValue, at: "root[1]") { try read([["1": 1, "3": 3], ["x": 4]], [[Int: Int]].self) }
  }

  @Test("An error about a value in Any names its place", arguments: [DecodingOptions.UnknownClassPolicy.reject, .skip])
  func anyPaths(policy: DecodingOptions.UnknownClassPolicy) throws {
    let values: [Any] = [1, "s", OldPrice(cents: "1"), 2, OldPrice(cents: "q")]
    let data = try KeyedArchiver.archivedData(withRootObject: values, allowing: [OldPrice.self])
    let error = expectRefusal(.invalidValue, at: "root[4].cents") {
      try KeyedUnarchiver.unarchivedObject(
        of: [Any].self, from: data, allowing: [NewPrice.self], options: DecodingOptions(unknownClasses: policy))
    }
    #expect(error?.path == "root[4].cents")
  }

  @Test("Keys and elements that become equal are an error in exact mode") func exact() {
    expectRefusal(.invalidValue, naming: ["twice"]) { try read([1, 2, 1], Set<Int>.self) }
    expectRefusal(.invalidValue, naming: ["twice"]) { try read([["a", "b"], ["c", "c"]], [Set<Character>].self) }
  }

  @Test("In lenient mode the first one stays, and the report tells of the others") func first() throws {
    let (sets, told) = try report([[1.0, 4.0], [1.2, 1.7, 2.0], [3.1, 3.2]], [Set<Int>].self)
    #expect(sets == [[1, 4], [1, 2], [3]])
    #expect(told.entries.filter { $0.kind == .keptDefault }.map(\.path) == ["root[1][1]", "root[2][1]"])
    let (whole, told2) = try report([[7], [5, 6, 5, 5]], [Set<Int>].self)
    #expect(whole == [[7], [5, 6]])
    #expect(told2.entries.map(\.path) == ["root[1][2]", "root[1][3]"])
    let (entries, told3) = try report([["2": "x"], ["1": "same", "1.0": "same", "3": "three"]], [[Int: String]].self)
    #expect(entries == [[2: "x"], [1: "same", 3: "three"]])
    #expect(told3.entries.filter { $0.kind == .keptDefault }.map(\.path) == ["root[1][1]"])
  }

  @Test("Objects of entries that are left out live as long as something else holds them", arguments: [1, 40]) func objects(count: Int)
    throws
  {
    let before = Item.living.value
    try {
      let shared = Item(8)
      let source = (0..<count).map { _ in ["1": shared, "1.0": Item(8), "2": shared] }
      let read = try report(source, [[Int: Item]].self).0
      #expect(read.count == count && read.allSatisfy { $0.count == 2 && $0[1]?.number == 8 && $0[2] === read[0][2] })
    }()
    #expect(Item.living.value == before)
    expectRefusal(.invalidValue, naming: ["\"x\""]) {
      try self.read([["1": Item(1), "x": Item(2)]], [[Int: Item]].self)
    }
    #expect(Item.living.value == before)
  }
}
