import Foundation
import MirrorArchive
import Testing

@Suite("Conversions that a rule asks for")
struct ConversionRuleTests {
  struct Refused: Error, Equatable {
    let text: String
  }

  /// What was archived: any type under one key, in an object or a struct.
  final class Old<Value>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "rule.Item") }
    var name = "n"
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  struct OldPart<Value>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "rule.Part") }
    var name = "n"
    var value: Value
  }

  /// How the value is converted today.
  protocol Converting {
    associatedtype Value
    static var conversions: [ArchiveConversion] { get }
    static var initial: Value { get }
  }
  /// The class of today, without and with an initializer, and the struct of today.
  final class New<C: Converting>: MirrorCodable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(name: "rule.Item", properties: [PropertyRule("value", conversions: C.conversions)])
    }
    var name: String
    var value: C.Value
    init(_ value: C.Value) { (name, self.value) = ("n", value) }
  }
  final class Preset<C: Converting>: MirrorCodable, MirrorInitializable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(name: "rule.Item", properties: [PropertyRule("value", conversions: C.conversions)])
    }
    var name = "unread"
    var value = C.initial
    init() {}
  }
  struct Part<C: Converting>: MirrorCodable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(name: "rule.Part", properties: [PropertyRule("value", conversions: C.conversions)])
    }
    var name: String
    var value: C.Value
  }

  /// Converts values in one column, in every kind of owner.
  private func expect<Source, C: Converting>(
    _ sources: [Source], by _: C.Type, _ targets: [C.Value], sourceLocation: SourceLocation = #_sourceLocation
  ) throws where C.Value: Equatable {
    for count in [sources.count, 9, 1_030] {
      let many = (0..<count).map { sources[$0 % sources.count] }
      let expected = (0..<count).map { targets[$0 % targets.count] }
      let objects = try converted(many.map { Old($0) }, to: [New<C>].self)
      #expect(objects.map(\.value) == expected && objects.allSatisfy { $0.name == "n" }, sourceLocation: sourceLocation)
      let presets = try converted(many.map { Old($0) }, to: [Preset<C>].self)
      #expect(presets.map(\.value) == expected && presets.allSatisfy { $0.name == "n" }, sourceLocation: sourceLocation)
      let parts = try converted(many.map { OldPart(value: $0) }, to: [Part<C>].self)
      #expect(parts.map(\.value) == expected && parts.allSatisfy { $0.name == "n" }, sourceLocation: sourceLocation)
    }
  }

  private func expectRuleRefusal<Source, C: Converting>(
    _ code: ArchiveError.Code, _ sources: [Source], by _: C.Type, row: Int, naming words: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    // Types that do not fit are found out before the first object is made.
    let place = code == .typeMismatch ? "value" : "root[\(row)].value"
    expectRefusal(code, at: place, naming: words, sourceLocation: sourceLocation) {
      try converted(sources.map { Old($0) }, to: [New<C>].self)
    }
    expectRefusal(code, at: place, naming: words, sourceLocation: sourceLocation) {
      try converted(sources.map { Old($0) }, to: [Preset<C>].self)
    }
    expectRefusal(code, at: place, naming: words, sourceLocation: sourceLocation) {
      try converted(sources.map { OldPart(value: $0) }, to: [Part<C>].self)
    }
  }

  enum Cents: Converting {
    static var conversions: [ArchiveConversion] { [ArchiveConversion { (cents: Int) in Double(cents) / 100 }] }
    static var initial: Double { -1 }
  }
  enum Words: Converting {
    static var conversions: [ArchiveConversion] {
      [
        ArchiveConversion { (text: String) throws in
          guard let count = ["one": 1, "two": 2][text] else { throw Refused(text: text) }
          return count
        }
      ]
    }
    static var initial: Int { -1 }
  }
  enum OptionalWords: Converting {
    static var conversions: [ArchiveConversion] { Words.conversions }
    static var initial: Int? { -1 }
  }

  @Test("A closure takes what is archived, in any width of number") func closures() throws {
    try expect([150, 0, -5], by: Cents.self, [1.5, 0, -0.05])
    try expect([150, 0, -5] as [Int16], by: Cents.self, [1.5, 0, -0.05])
    try expect([150, 0] as [UInt64], by: Cents.self, [1.5, 0])
    // What is a Double already stays one; another floating point type converts by itself.
    try expect([150.5], by: Cents.self, [150.5])
    try expect([150.5 as Float], by: Cents.self, [150.5])
    // By way of what converts to the closure's type exactly, where nothing else is known.
    try expect(["one", "two"], by: Words.self, [1, 2])
    try expect([7, 8] as [Int8], by: Words.self, [7, 8])
    try expect(["150"], by: Cents.self, [1.5])
    expectRuleRefusal(.invalidValue, [1, .max] as [UInt64], by: Cents.self, row: 1, naming: ["UInt64", "Int"])
    expectRuleRefusal(.typeMismatch, [[1]], by: Cents.self, row: 0)
  }

  @Test("What a closure throws reaches the caller as it is") func thrown() throws {
    for count in [1, 20] {
      let sources = (0..<count).map { $0 == count - 1 ? "many" : "one" }
      #expect(throws: Refused(text: "many")) { try converted(sources.map { Old($0) }, to: [New<Words>].self) }
      #expect(throws: Refused(text: "many")) { try converted(sources.map { Old($0) }, to: [Preset<Words>].self) }
      #expect(throws: Refused(text: "many")) { try converted(sources.map { OldPart(value: $0) }, to: [Part<Words>].self) }
    }
  }

  @Test("A closure gets the values that are there; nil stays nil or is missing") func optionals() throws {
    try expect(["one", nil, "two"], by: OptionalWords.self, [1, nil, 2])
    try expect(["one", "two"], by: OptionalWords.self, [1, 2])
    try expect(["one", "two"] as [String?], by: Words.self, [1, 2])
    expectRuleRefusal(.missingValue, ["one", nil], by: Words.self, row: 1, naming: ["nil", "Int"])
    #expect(throws: Refused(text: "x")) { try converted([Old<String?>(nil), Old("x")], to: [New<OptionalWords>].self) }
  }

  enum OnNil: Converting {
    static var conversions: [ArchiveConversion] { [ArchiveConversion { (text: String?) in text?.count ?? -5 }] }
    static var initial: Int { -1 }
  }
  enum ToOptional: Converting {
    static var conversions: [ArchiveConversion] { [ArchiveConversion { (text: String) in text.isEmpty ? nil : text.count as Int? }] }
    static var initial: Int? { -1 }
  }

  @Test("A closure may take an Optional, or give one") func optionalClosures() throws {
    try expect(["abc", nil], by: OnNil.self, [3, -5])
    try expect(["abc"], by: OnNil.self, [3])
    try expect(["abc", ""], by: ToOptional.self, [3, nil])
    try expect(["abc", "", nil], by: ToOptional.self, [3, nil, nil])
  }

  struct Point: Equatable, MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "rule.Point") }
    var x = 0
    var y = 0
  }
  enum PointText: Converting {
    static var conversions: [ArchiveConversion] { [ArchiveConversion { (point: Point) in "\(point.x)|\(point.y)" }] }
    static var initial: String { "" }
  }
  enum Sum: Converting {
    static var conversions: [ArchiveConversion] { [ArchiveConversion { (numbers: [Int]) in numbers.reduce(0, +) }] }
    static var initial: Int { -1 }
  }

  @Test("A closure takes structs and collections, and these convert on the way") func structures() throws {
    try expect([Point(x: 1, y: 2), Point()], by: PointText.self, ["1|2", "0|0"])
    try expect([[1, 2], []], by: Sum.self, [3, 0])
    try expect([[1, 2], []] as [[Int8]], by: Sum.self, [3, 0])
    try expect([["1", "2"]], by: Sum.self, [3])
    expectRuleRefusal(.invalidValue, [["x"]], by: Sum.self, row: 0, naming: ["\"x\""])
  }

  enum Since1970: Converting {
    static var conversions: [ArchiveConversion] { [.secondsSince1970] }
    static var initial: Date { Date(timeIntervalSinceReferenceDate: -1) }
  }
  enum SinceReference: Converting {
    static var conversions: [ArchiveConversion] { [.secondsSinceReferenceDate] }
    static var initial: Date? { nil }
  }
  enum Seconds1970: Converting {
    static var conversions: [ArchiveConversion] { [.secondsSince1970] }
    static var initial: Int { -1 }
  }
  enum SecondsReference: Converting {
    static var conversions: [ArchiveConversion] { [.secondsSinceReferenceDate] }
    static var initial: Double? { -1 }
  }

  @Test("Seconds and dates, from both beginnings and in both directions") func seconds() throws {
    let dates = [0, 1, 1.5e9].map { Date(timeIntervalSince1970: $0) }
    try expect([0, 1, 1_500_000_000], by: Since1970.self, dates)
    try expect([0, 1, 1.5e9], by: Since1970.self, dates)
    try expect([0, 1, 1.5e9] as [Float?], by: Since1970.self, dates)
    try expect(dates, by: Since1970.self, dates)
    try expect(dates, by: Seconds1970.self, [0, 1, 1_500_000_000])
    try expect([5, nil, -5], by: SinceReference.self, [5, nil, -5].map { $0.map { Date(timeIntervalSinceReferenceDate: $0) } })
    try expect([5, -5] as [Int32], by: SinceReference.self, [5, -5].map { Date(timeIntervalSinceReferenceDate: $0) })
    try expect([Date(timeIntervalSinceReferenceDate: 2.5), nil], by: SecondsReference.self, [2.5, nil])
    expectRuleRefusal(.invalidValue, [dates[0], Date(timeIntervalSince1970: 0.5)], by: Seconds1970.self, row: 1, naming: ["0.5", "Int"])
    expectRuleRefusal(.typeMismatch, ["5"], by: Since1970.self, row: 0)
    expectRuleRefusal(.missingValue, [5, nil], by: Since1970.self, row: 1)
  }

  enum List: Converting {
    static var conversions: [ArchiveConversion] { [.wrappingInCollection] }
    static var initial: [Int] { [-1] }
  }
  enum TextSet: Converting {
    static var conversions: [ArchiveConversion] { [.wrappingInCollection] }
    static var initial: Set<String>? { ["x"] }
  }
  enum MaybeList: Converting {
    static var conversions: [ArchiveConversion] { [.wrappingInCollection] }
    static var initial: [Int?] { [] }
  }

  @Test("A single value becomes a collection with one element, nil an empty one") func wrapping() throws {
    try expect([5, 6], by: List.self, [[5], [6]])
    try expect([5, nil, 6], by: List.self, [[5], [], [6]])
    try expect(["5"], by: List.self, [[5]])
    try expect([[5], []], by: List.self, [[5], []])
    try expect(["a", "b"], by: TextSet.self, [["a"], ["b"]])
    try expect(["a", nil], by: TextSet.self, [["a"], nil])
    try expect([5, nil], by: MaybeList.self, [[5], [nil]])
    expectRuleRefusal(.invalidValue, ["5", "x"], by: List.self, row: 1, naming: ["\"x\""])
    expectRuleRefusal(.typeMismatch, [Date()], by: List.self, row: 0)
  }

  enum Several: Converting {
    static var conversions: [ArchiveConversion] {
      [
        .secondsSince1970, ArchiveConversion { (text: String) in Date(timeIntervalSince1970: Double(text) ?? -1) },
        ArchiveConversion { (flag: Bool) in Date(timeIntervalSince1970: flag ? 1 : 0) },
      ]
    }
    static var initial: Date { Date() }
  }

  @Test("Of several conversions the one for the archived type is taken") func several() throws {
    try expect(["12"], by: Several.self, [Date(timeIntervalSince1970: 12)])
    try expect([true, false], by: Several.self, [1, 0].map { Date(timeIntervalSince1970: $0) })
    try expect([12], by: Several.self, [Date(timeIntervalSince1970: 12)])
  }

  final class Leaf: MirrorCoding {
    var name = ""
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }
  enum LeafName: Converting {
    static var conversions: [ArchiveConversion] { [ArchiveConversion { (leaf: Leaf) in "\(type(of: leaf))" }] }
    static var initial: String { "" }
  }

  @Test("A closure that takes objects never sees bare memory") func objects() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: [Old(Leaf("a")), Old(Leaf("b"))])
    let presets = try KeyedUnarchiver.unarchivedObject(of: [Preset<LeafName>].self, from: data, allowing: [Leaf.self])
    #expect(presets.map(\.value) == ["Leaf", "Leaf"])
    expectRefusal(.unsupportedType, at: "value", naming: ["Leaf", "init()"]) {
      try KeyedUnarchiver.unarchivedObject(of: [New<LeafName>].self, from: data, allowing: [Leaf.self])
    }
  }
}
