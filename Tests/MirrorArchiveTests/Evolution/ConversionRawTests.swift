import Foundation
import MirrorArchive
import Testing

@Suite("Enums and structs with raw values, and their raw types")
struct ConversionRawTests {
  enum Size: String, CaseIterable {
    case small, large
    case huge = "very large"
  }
  enum Level: Int, CaseIterable { case low, middle, high }
  enum Code: Int16, CaseIterable {
    case none = 0
    case odd = 301
    case negative = -5
  }
  enum Letter: Character, CaseIterable {
    case a = "a"
    case umlaut = "ü"
  }
  enum Share: Double, CaseIterable {
    case half = 0.5
    case whole = 1
  }
  enum Plain { case small, large }
  enum WithPayload {
    case small
    case large(Int)
  }

  struct Options: OptionSet, Hashable {
    var rawValue: UInt8
    static let bold = Options(rawValue: 1)
  }
  struct Name: RawRepresentable, Hashable {
    var rawValue: String
    init?(rawValue: String) {
      if rawValue.isEmpty { return nil }
      self.rawValue = rawValue
    }
  }

  private func check<Value: RawRepresentable & Equatable, Raw: Hashable>(
    _ values: [Value], as raw: [Raw], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for count in [1, 7, 8, 1_030] {
      let many = (0..<count).map { values[$0 % values.count] }
      let rawMany = (0..<count).map { raw[$0 % raw.count] }
      #expect(try converted(many, to: [Raw].self) == rawMany, sourceLocation: sourceLocation)
      #expect(try converted(rawMany, to: [Value].self) == many, sourceLocation: sourceLocation)
      #expect(try converted(many.map { Retyped($0) }, to: [Retyped<Raw>].self).map(\.value) == rawMany, sourceLocation: sourceLocation)
      #expect(try converted(rawMany.map { Retyped($0) }, to: [Retyped<Value?>].self).map(\.value) == many, sourceLocation: sourceLocation)
      #expect(try converted(many.map { Optional($0) }, to: [Raw?].self) == rawMany, sourceLocation: sourceLocation)
      #expect(
        try converted(rawMany.map { RetypedCell(value: $0) }, to: [RetypedCell<Value>].self) == many.map { RetypedCell(value: $0) },
        sourceLocation: sourceLocation)
      #expect(
        try converted(RetypedChoice.two(many[0], "x"), to: RetypedChoice<Raw>.self) == .two(rawMany[0], "x"), sourceLocation: sourceLocation
      )
    }
  }

  @Test("Enums are read as their raw type and made of it, in every place") func enums() throws {
    try check(Size.allCases, as: ["small", "large", "very large"])
    try check(Level.allCases, as: [0, 1, 2])
    try check(Level.allCases, as: [0, 1, 2] as [UInt8])
    try check(Level.allCases, as: [0, 1, 2] as [Double])
    try check(Code.allCases, as: [0, 301, -5] as [Int16])
    try check(Code.allCases, as: [0, 301, -5] as [Int128])
    try check(Letter.allCases, as: ["a", "ü"] as [Character])
    try check(Letter.allCases, as: ["a", "ü"])
    try check(Size.allCases, as: ["small", "large", "very large"] as [Substring])
    try check(Share.allCases, as: [0.5, 1])
    try check(Share.allCases, as: [0.5, 1] as [Float])
    #expect(try converted(Code.allCases, to: [Decimal].self) == [0, 301, -5])
    #expect(try converted(Set(Level.allCases), to: Set<Int>.self) == [0, 1, 2])
    #expect(try converted([Size.small: 1, .huge: 2], to: [String: Int8].self) == ["small": 1, "very large": 2])
    #expect(try converted(["small": 1], to: [Size: Int].self) == [.small: 1])
  }

  @Test("Structs with a raw value are read as their raw type and made of it") func structs() throws {
    try check([Options.bold, [], Options(rawValue: 200)], as: [1, 0, 200] as [UInt8])
    try check([Options.bold, [], Options(rawValue: 200)], as: [1, 0, 200])
    try check(["a", "bc"].compactMap { Name(rawValue: $0) }, as: ["a", "bc"])
    expectRefusal(.invalidValue, at: "root[2]", naming: ["Int 256", "UInt8"]) { try converted([1, 2, 256], to: [Options].self) }
    expectRefusal(.invalidValue, at: "root[1]", naming: ["\"\"", "Name"]) { try converted(["a", "", "b"], to: [Name].self) }
  }

  @Test("A value that is no raw value is named, with its path") func refusals() throws {
    expectRefusal(.invalidValue, at: "root.value", naming: ["String \"tiny\"", "no raw value of Size"]) {
      try converted(Retyped("tiny"), to: Retyped<Size>.self)
    }
    expectRefusal(.invalidValue, at: "root[9].value", naming: ["Int 7", "Level"]) {
      try converted((0..<12).map { Retyped($0 == 9 ? 7 : 1) }, to: [Retyped<Level?>].self)
    }
    expectRefusal(.invalidValue, at: "root[1]", naming: ["Code.odd", "301", "Int8"]) { try converted(Code.allCases, to: [Int8].self) }
    expectRefusal(.invalidValue, at: "root[0]", naming: ["Share.half", "0.5", "Int"]) { try converted(Share.allCases, to: [Int].self) }
    expectRefusal(.invalidValue, at: "root[0]", naming: ["Size.huge", "very large", "Character"]) {
      try converted(Size.allCases.map { Optional($0) }.reversed() + [.huge], to: [Character?].self)
    }
  }

  @Test("Texts are no numbers here, and what has no raw values is nothing else") func mismatches() {
    func check<Source, Target>(_ source: Source, _: Target.Type, sourceLocation: SourceLocation = #_sourceLocation) {
      expectRefusal(.typeMismatch, at: "value", naming: ["where the program declares \(Target.self)"], sourceLocation: sourceLocation) {
        try converted(Retyped(source), to: Retyped<Target>.self)
      }
    }
    check(Size.small, Int.self)
    check(Level.low, String.self)
    check(Level.low, Bool.self)
    check("0", Level.self)
    check(0, Size.self)
    check(true, Level.self)
    check(Plain.small, String.self)
    check(Plain.small, Int.self)
    check("small", Plain.self)
    check(WithPayload.small, String.self)
    check(Size.small, Level.self)
    check([Size.small], String.self)
  }

  @Test("Raw values cost one byte in the archive where they can be worked out") func bytes() throws {
    enum Bare: Hashable { case small, large, huge }
    enum Named: String, Hashable { case small, large, huge }
    let bare = try KeyedArchiver.archivedData(withRootObject: Retyped(Bare.large)).count
    let named = try KeyedArchiver.archivedData(withRootObject: Retyped(Named.large)).count
    // The archive names of the two have a letter more and less.
    #expect(named - "Named".count == bare - "Bare".count + 1)
  }

  @Test("Archives with raw values and any byte changed are read or refused", arguments: 0..<4) func hostile(kind: Int) throws {
    let data =
      switch kind {
      case 0: try KeyedArchiver.archivedData(withRootObject: Size.allCases)
      case 1: try KeyedArchiver.archivedData(withRootObject: Code.allCases)
      case 2: try KeyedArchiver.archivedData(withRootObject: Share.allCases)
      default: try KeyedArchiver.archivedData(withRootObject: Level.allCases)
      }
    let forgery = try #require(Forgery(data))
    for index in forgery.body.indices {
      for byte: UInt8 in [0, 1, 2, 5, 6, 7, 8, 9, 10, 16, 33, 63, 64, 65, 127, 128, 255] {
        var copy = forgery
        copy.body[index] = byte
        let bytes = copy.sealed()
        for type: Any.Type in [[String].self, [Int8].self, [Double?].self, [Size].self, [Code].self] {
          do { _ = try KeyedUnarchiver.unarchivedObject(ofClasses: [type], from: bytes) } catch is ArchiveError {}
        }
      }
    }
  }
}
