import Foundation
import MirrorArchive
import Testing

/// What properties hold before an archive is read.
protocol Defaulted { static var fallback: Self { get } }

@Suite("Lenient decoding")
struct ConversionLenientTests {
  private static var lenient: DecodingOptions { DecodingOptions(conversionPolicy: .lenient) }

  private func read<Source, Target>(_ source: Source, as _: Target.Type) throws -> Target {
    try KeyedUnarchiver.unarchivedObject(of: Target.self, from: KeyedArchiver.archivedData(withRootObject: source), options: Self.lenient)
  }

  final class Old<Value>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "lenient.Item") }
    var before = "b"
    var value: Value
    var behind = 3
    init(_ value: Value) { self.value = value }
  }
  final class New<Value: Defaulted>: MirrorCodable, MirrorInitializable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "lenient.Item") }
    var before = ""
    var value = Value.fallback
    var behind = 0
    init() {}
  }
  final class Bare<Value>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "lenient.Item") }
    var before: String
    var value: Value
    var behind: Int
    init(_ value: Value) { (before, self.value, behind) = ("", value, 0) }
  }

  /// - Parameter targets: nil where the default stays.
  private func expect<Source, Target: Defaulted & Equatable>(
    _ pairs: [(Source, Target?)], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for count in [1, 9, 1_030] {
      let many = (0..<max(count, pairs.count)).map { pairs[$0 % pairs.count] }
      do {
        let objects = try read(many.map { Old($0.0) }, as: [New<Target>].self)
        let values = objects.map(\.value)
        let expected = many.map { $0.1 ?? .fallback }
        let wrong = zip(many, zip(values, expected)).first { $1.0 != $1.1 }
        #expect(values == expected, "\(Source.self): \(String(describing: wrong))", sourceLocation: sourceLocation)
        #expect(objects.allSatisfy { $0.before == "b" && $0.behind == 3 }, sourceLocation: sourceLocation)
        // Elements without a counterpart are left out, Optionals without one are nil.
        #expect(try read(many.map(\.0), as: [Target].self) == many.compactMap(\.1), sourceLocation: sourceLocation)
        // Nil is a value of an Optional.
        if Source.self == Int?.self { continue }
        let optionals = try read(many.map { Old($0.0) }, as: [New<Target?>].self)
        #expect(optionals.map(\.value) == many.map { $0.1 ?? .some(.fallback) }, "\(Source.self)?", sourceLocation: sourceLocation)
      } catch {
        Issue.record("\(Source.self) as \(Target.self): \(error)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test("Texts that are numbers become numbers, as a whole or not at all") func textsToNumbers() {
    expect(
      [
        ("12", 12), ("12.0", 12), ("1e3", 1_000), ("-7", -7), ("3.99", 3), ("-3.99", -3), ("007", 7), ("2.5e1", 25), ("1E-3", 0), ("-0", 0),
        ("", nil), (" 12", nil), ("12 ", nil), ("12abc", nil), ("abc", nil), ("1e", nil), ("e3", nil), (".5", nil), ("5.", nil),
        ("--5", nil),
        ("1.2.3", nil), ("nan", nil), ("inf", nil), ("0x10", nil), ("1e400", nil), ("99999999999999999999", nil), ("٣", nil),
        ("1_000", nil),
        ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil), ("1e18", 1_000_000_000_000_000_000),
        (String(repeating: "9", count: 400), nil), ("0." + String(repeating: "9", count: 400), 0),
        ("1" + String(repeating: "0", count: 400) + "e-400", 1),
      ] as [(String, Int?)])
    expect(
      [
        ("12", 12), ("12.5", 12.5), ("1e3", 1_000), ("0.1", 0.1), ("1e-7", 1e-7), ("x", nil), ("nan", nil), ("infinity", nil),
        ("1e999", nil),
        ("3.14159265358979323846264338327950288419716939937510", .pi), ("-0.5", -0.5),
      ] as [(String, Double?)])
    expect([("12.50", Decimal(string: "12.5")), ("1e3", 1_000), ("x", nil), ("1e300", nil)] as [(String, Decimal?)])
    expect([("255", 255), ("256", nil), ("-1", nil)] as [(String, UInt8?)])
  }

  @Test("Numbers become texts as the language prints them") func numbersToTexts() {
    expect([(12.0, "12.0"), (0.1, "0.1"), (1e100, "1e+100"), (-2.5, "-2.5")] as [(Double, String?)])
    expect([(0.1, "0.1")] as [(Float, String?)])
    expect([(12, "12"), (-3, "-3")] as [(Int, String?)])
    expect([(Decimal(string: "12.50"), "12.5")].map { ($0.0 ?? .nan, $0.1) } as [(Decimal, String?)])
    expect([(true, "true"), (false, "false")] as [(Bool, String?)])
  }

  @Test("Fractions are cut off towards zero; what is out of range leaves the default") func rounding() {
    expect(
      [
        (3.75, 3), (-3.75, -3), (0.2, 0), (-0.0, 0), (.nan, nil), (.infinity, nil), (1e300, nil), (0x1p63, nil), (-0x1p63, .min),
      ] as [(Double, Int?)])
    expect([(300, nil), (-1, nil), (255, 255)] as [(Int, UInt8?)])
    expect([(255.9, 255), (256, nil), (-0.9, 0), (-1, nil)] as [(Double, UInt8?)])
    expect([(0.1, 0.1), (1e300, nil), (.infinity, .infinity)] as [(Double, Float?)])
    expect([(1 << 53 + 1, 0x1p53), (5, 5)] as [(Int, Double?)])
    expect([(Decimal(string: "0.1"), 0.1), (Decimal(string: "1e100"), 1e100)].map { ($0.0 ?? .nan, $0.1) } as [(Decimal, Double?)])
    expect([(0.1, Decimal(string: "0.1")), (.nan, nil), (1e300, nil)] as [(Double, Decimal?)])
    expect([(Decimal(string: "-12.7"), -12), (Decimal(string: "1e30"), nil)].map { ($0.0 ?? .nan, $0.1) } as [(Decimal, Int?)])
  }

  @Test("Truth is a word or a number") func truth() {
    expect([("true", true), ("false", false), ("yes", nil), ("TRUE", nil), ("", nil)] as [(String, Bool?)])
    expect([(0, false), (1, true), (2, true), (-1, true)] as [(Int, Bool?)])
    expect([(0, false), (0.5, true), (.nan, nil), (-0.0, false)] as [(Double, Bool?)])
    expect([(true, 1), (false, 0)] as [(Bool, Int?)])
    expect([(true, 1), (false, 0)] as [(Bool, Double?)])
    expect([(true, 1), (false, 0)] as [(Bool, Decimal?)])
  }

  @Test("Identifiers and addresses are texts") func names() throws {
    let uuid = UUID()
    expect([(uuid.uuidString, uuid), ("no", nil)] as [(String, UUID?)])
    expect([(uuid, uuid.uuidString)] as [(UUID, String?)])
    let url = try #require(URL(string: "https://example.org/a?b"))
    expect([("https://example.org/a?b", url), ("", nil)] as [(String, URL?)])
    expect([(url, "https://example.org/a?b")] as [(URL, String?)])
    expect([("a", "a"), ("ab", nil), ("", nil)] as [(String, Character?)])
  }

  enum Level: Int { case low, high }

  @Test("What is no raw value leaves the default") func rawValues() {
    expect([(1, .high), (7, nil), (0, .low)] as [(Int, Level?)])
    expect([("1", .high), ("7", nil), ("x", nil)] as [(String, Level?)])
    expect([(Level.high, 1)] as [(Level, UInt8?)])
  }

  @Test("One value becomes a collection of one") func collections() {
    expect([(5, [5]), (6, [6])] as [(Int, [Int]?)])
    expect([("5", [5]), ("x", nil)] as [(String, [Int]?)])
    expect([("a", ["a"])] as [(String, Set<String>?)])
  }

  @Test("Nil and types that do not fit at all leave the default") func defaults() throws {
    expect([(Int?.some(4), 4), (nil, nil)] as [(Int?, Int?)])
    expect([(Int?.some(4), "4"), (nil, nil)] as [(Int?, String?)])
    expect([(Date(), nil)] as [(Date, Int?)])
    expect([([1, 2], nil)] as [([Int], Int?)])
    expect([(["a": 1], nil)] as [([String: Int], [Int]?)])
    expect([(Pair(first: 1, second: "x"), nil)] as [(Pair<Int, String>, Level?)])
    #expect(try read(Old(Retyped(5)), as: New<Int>.self).value == .fallback)
  }

  @Test("Where nothing can stand in its place it is the error of the exact mode") func errors() throws {
    expectRefusal(.typeMismatch, at: "root.value", naming: ["Date", "Int"]) { try read(Old(Date()), as: Bare<Int>.self) }
    expectRefusal(.missingValue, at: "root[1].value", naming: ["nil", "Int"]) {
      try read([Old(5), Old(Int?.none)], as: [Bare<Int>].self)
    }
    expectRefusal(.invalidValue, at: "root[9].value", naming: ["300", "UInt8"]) {
      try read((0..<12).map { Old($0 == 9 ? 300 : 5) }, as: [Bare<UInt8>].self)
    }
    expectRefusal(.typeMismatch, at: "root.value", naming: ["String", "Double"]) { try read(Old("x"), as: Bare<Double>.self) }
    expectRefusal(.typeMismatch, naming: ["Date", "Int"]) { try read(Date(), as: Int.self) }
    #expect(try read(Old(Date()), as: Bare<Int?>.self).value == nil)
    #expect(try read(Old("7.5"), as: Bare<Int>.self).value == 7)
  }

  @Test("Everything is in the report, with the path and both types") func report() throws {
    let old = [Old("12"), Old("x"), Old("3.5")]
    let unarchiver = try KeyedUnarchiver(forReadingFrom: KeyedArchiver.archivedData(withRootObject: old))
    unarchiver.options = Self.lenient
    let objects = try unarchiver.decode([New<Int>].self, forKey: "root")
    #expect(objects.map(\.value) == [12, .fallback, 3])
    let entries = unarchiver.report.entries.filter { $0.kind == .altered || $0.kind == .keptDefault }
    #expect(entries.map(\.kind) == [.keptDefault, .altered])
    #expect(entries.map(\.path) == ["root[1].value", "root[2].value"])
    for word in ["\"x\"", "String", "Int"] { #expect(entries.first?.message.contains(word) ?? false) }
    for word in ["\"3.5\"", "String", "Int", "3"] { #expect(entries.last?.message.contains(word) ?? false) }
  }

  indirect enum OldChain: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "lenient.Chain") }
    case end
    case link(String, OldChain?)
  }
  indirect enum NewChain: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "lenient.Chain") }
    case end
    case link(Int, NewChain?)
  }

  @Test("Types that contain themselves are read leniently at every level") func recursive() throws {
    let chain = OldChain.link("1.5", .link("2", .end))
    #expect(try read(chain, as: NewChain.self) == .link(1, .link(2, .end)))
  }

  @Test("Archives with any byte changed are read or refused") func hostile() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: ["12", nil, "x", "7.5", "true"].map { Old($0) })
    let forgery = try #require(Forgery(data))
    for index in forgery.body.indices {
      for byte: UInt8 in [0, 1, 2, 3, 5, 7, 16, 33, 35, 64, 65, 127, 128, 129, 255] {
        var copy = forgery
        copy.body[index] = byte
        let bytes = copy.sealed()
        do { _ = try KeyedUnarchiver.unarchivedObject(of: [New<Int>].self, from: bytes, options: Self.lenient) } catch is ArchiveError {}
        do { _ = try KeyedUnarchiver.unarchivedObject(of: [New<[Bool?]>].self, from: bytes, options: Self.lenient) } catch is ArchiveError {
        }
      }
    }
  }
}

extension Int: Defaulted { static var fallback: Int { -77 } }
extension UInt8: Defaulted { static var fallback: UInt8 { 77 } }
extension Double: Defaulted { static var fallback: Double { -77.25 } }
extension Float: Defaulted { static var fallback: Float { -77.25 } }
extension Decimal: Defaulted { static var fallback: Decimal { -77 } }
extension Bool: Defaulted { static var fallback: Bool { true } }
extension String: Defaulted { static var fallback: String { "default" } }
extension Character: Defaulted { static var fallback: Character { "d" } }
extension UUID: Defaulted {
  static var fallback: UUID { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)) }
}
extension URL: Defaulted { static var fallback: URL { URL(fileURLWithPath: "/default") } }
extension ConversionLenientTests.Level: Defaulted { static var fallback: Self { .low } }
extension Optional: Defaulted where Wrapped: Defaulted {
  static var fallback: Wrapped? { Wrapped.fallback }
}
extension Array: Defaulted where Element: Defaulted {
  static var fallback: [Element] { [Element.fallback] }
}
extension Set: Defaulted where Element: Defaulted {
  static var fallback: Set<Element> { [Element.fallback] }
}
