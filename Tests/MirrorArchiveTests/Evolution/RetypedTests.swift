import Foundation
import MirrorArchive
import Testing

/// A model whose properties all have another type in the other version.
enum RetypedModels {
  struct Size: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "retyped.Size") }
    var width: Int
    var height: Int16
  }
  struct NewSize: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "retyped.Size") }
    var height: Double
    var width: Int8?
  }

  final class V1: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "retyped.Model") }
    var count: Int32 = 7
    var level = 5
    var ratio = 3.0
    var digits = "42"
    var flag = true
    var bit: UInt8 = 1
    var tag = "tag"
    var maybe: String? = "there"
    var list = [3, 1, 2]
    var names: Set<String> = ["a", "b"]
    var money: Decimal = 12
    var letter: Character = "é"
    var bytes: [UInt8] = [1, 2, 3]
    var size = Size(width: 9, height: -4)
    var sizes: [String: Size?] = ["a": Size(width: 1, height: 2), "b": nil]
    var friend: V1?
    var strong: V1?
    weak var weakly: V1?
  }
  final class V2: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "retyped.Model") }
    var count: UInt64 = 0
    var level = -1.5
    var ratio: Int?
    var digits: Int128 = -1
    var flag: Int8 = -1
    var bit = false
    var tag: String?
    var maybe = "default"
    var list: Set<Double> = []
    var names: [Substring] = []
    var money = -1
    var letter = ""
    var bytes = Data()
    var size = NewSize(height: 0, width: nil)
    var sizes: [Substring: NewSize?] = [:]
    var friend: V2?
    weak var strong: V2?
    var weakly: V2?
  }

  final class Day: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "retyped.Day") }
    var at = 86_400.5
    var since: Int = 978_307_200
    var tag = "one"
    var maybe: String?
    var cents = 1_250
    var list = ["a", "bb"]
    convenience init(cents: Int) {
      self.init()
      self.cents = cents
    }
  }
  final class RuledDay: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "retyped.Day",
        properties: [
          PropertyRule("at", conversions: [.secondsSinceReferenceDate]), PropertyRule("since", conversions: [.secondsSince1970]),
          PropertyRule("tags", formerKeys: ["tag"], conversions: [.wrappingInCollection]),
          PropertyRule("maybe", conversions: [.wrappingInCollection]),
          PropertyRule(
            "price", formerKeys: ["cents"],
            conversions: [
              ArchiveConversion { (cents: Int) throws -> Double in
                if cents < 0 { throw Debt(cents: cents) }
                return Double(cents) / 100
              }
            ]),
          PropertyRule("list", conversions: [ArchiveConversion { (list: [String]) in list.joined(separator: ",") }]),
        ])
    }
    var at = Date.distantPast
    var since: Date?
    var tags: [String] = []
    var maybe: Set<String> = ["default"]
    var price = 0.0
    var list = ""
  }
  struct Debt: Error, Equatable { var cents: Int }
}

/// One property under one key, whatever its type is.
private func converts<Old, New: Equatable>(
  _ old: Old, to new: New, sourceLocation: SourceLocation = #_sourceLocation
) {
  expectEverywhere(RetypedCell(value: old), as: RetypedCell<New>.self, sourceLocation: sourceLocation) {
    $0.value == new && $0.mark == 0xA5
  }
}
private func refuses<Old, New>(
  _ old: Old, as new: New.Type, _ code: ArchiveError.Code, naming words: [String], sourceLocation: SourceLocation = #_sourceLocation
) {
  expectRefusalEverywhere(
    code, of: RetypedCell(value: old), as: RetypedCell<New>.self, at: ".value", naming: words, sourceLocation: sourceLocation)
}
/// What does not fit by its types has no place among the values.
private func mismatches<Old, New>(_ old: Old, as new: New.Type, naming words: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  expectRefusal(.typeMismatch, at: "value", naming: words, sourceLocation: sourceLocation) {
    try converted(RetypedCell(value: old), to: RetypedCell<New>.self)
  }
  expectRefusal(.typeMismatch, at: "value", naming: words, sourceLocation: sourceLocation) {
    try converted(Retyped(old), to: Retyped<New>.self)
  }
  expectRefusal(.typeMismatch, naming: words, sourceLocation: sourceLocation) {
    try converted(EvolvingPlaces(RetypedCell(value: old)), to: EvolvingPlaces<RetypedCell<New>>.self)
  }
}

@Suite("Properties whose type has changed since")
struct EvolvingTypeTests {
  @Test("CASES 11: 5 is 5.0 as a Double, 3.75 is no Int, Int64.max is no Int32") func numbers() {
    converts(5, to: 5.0)
    refuses(3.75, as: Int.self, .invalidValue, naming: ["Double", "3.75", "Int"])
    refuses(Int64.max, as: Int32.self, .invalidValue, naming: ["Int64", "9223372036854775807", "Int32"])
    converts(3.0, to: 3)
    converts(Int64.max, to: Int64?.some(.max))
  }

  @Test("What is exact happens by itself") func exact() {
    converts("42", to: 42)
    converts(42, to: "42")
    converts(true, to: 1)
    converts(UInt8(0), to: false)
    converts("x", to: String?.some("x"))
    converts(String?.some("x"), to: "x")
    converts([3, 1, 2], to: Set([1.0, 2.0, 3.0]))
    converts(Set(["a"]), to: ["a"])
    converts(["a": [1, 2]], to: ["a": Set(["1", "2"])])
    converts(Decimal(12), to: 12)
    converts(12.5, to: Decimal(string: "12.5"))
    converts(Character("é"), to: "é")
    converts("é", to: Character("é"))
    converts([UInt8(1), 2, 3], to: Data([1, 2, 3]))
    converts(Data([1, 2, 3]), to: [UInt8(1), 2, 3])
    converts(RetypedModels.Size(width: 9, height: -4), to: RetypedModels.NewSize(height: -4, width: 9))
    converts([[1, 2], []], to: [ArraySlice(["1", "2"]), []])
  }

  @Test("What is not exact, or might mean something else, does not") func inexact() {
    refuses(2, as: Bool.self, .invalidValue, naming: ["Int", "2", "Bool"])
    refuses("12abc", as: Int.self, .invalidValue, naming: ["String", "12abc", "Int"])
    refuses("12.0", as: Int.self, .invalidValue, naming: ["String", "12.0", "Int"])
    refuses(1 << 53 + 1, as: Double.self, .invalidValue, naming: ["Int", "\(1 << 53 + 1)", "Double"])
    refuses(0.1, as: Float.self, .invalidValue, naming: ["Double", "0.1", "Float"])
    refuses(String?.none, as: String.self, .missingValue, naming: ["nil", "String"])
    refuses([1, 1], as: Set<Int>.self, .invalidValue, naming: ["twice"])
    mismatches(true, as: String.self, naming: ["Bool", "String"])
    mismatches(1.5, as: String.self, naming: ["Double", "String"])
    mismatches(true, as: Double.self, naming: ["Bool", "Double"])
    mismatches(5, as: Date.self, naming: ["Int", "Date"])
    mismatches(Date.distantPast, as: Double.self, naming: ["Date", "Double"])
    mismatches("tag", as: [String].self, naming: ["String", "Array<String>"])
    mismatches([1], as: Int.self, naming: ["[Int]", "Int"])
    mismatches(["a": 1], as: [Int].self, naming: ["[String: Int]", "Array<Int>"])
    mismatches(RetypedModels.Size(width: 1, height: 2), as: Int.self, naming: ["retyped.Size", "Int"])
    mismatches((1, 2), as: [Int].self, naming: ["(Int, Int)", "Array<Int>"])
  }

  @Test("All properties of a class change their types at once, and change them back", arguments: [1, 9, 1_030]) func wholeClass(count: Int)
    throws
  {
    let old = (0..<count).map { number in
      let model = RetypedModels.V1()
      (model.level, model.digits) = (number, "\(number * 1_000)")
      return model
    }
    for (number, model) in old.enumerated() {
      (model.friend, model.strong, model.weakly) = (old[0], old[count - 1], old[number / 2])
    }
    let new = try converted(old, to: [RetypedModels.V2].self)
    for (number, model) in new.enumerated() {
      #expect(model.count == 7 && model.level == Double(number) && model.ratio == 3 && model.digits == Int128(number * 1_000))
      #expect(model.flag == 1 && model.bit == true && model.tag == "tag" && model.maybe == "there")
      #expect(model.list == [1, 2, 3] && model.names.sorted() == ["a", "b"] && model.money == 12 && model.letter == "é")
      #expect(model.bytes == Data([1, 2, 3]) && model.size == RetypedModels.NewSize(height: -4, width: 9))
      #expect(model.sizes == ["a": RetypedModels.NewSize(height: 2, width: 1), "b": nil])
      #expect(model.friend === new[0] && model.strong === new[count - 1] && model.weakly === new[number / 2])
    }
    let back = try converted(new, to: [RetypedModels.V1].self)
    for (number, model) in back.enumerated() {
      #expect(model.count == 7 && model.level == number && model.ratio == 3 && model.digits == "\(number * 1_000)")
      #expect(model.flag && model.bit == 1 && model.tag == "tag" && model.maybe == "there" && Set(model.list) == [1, 2, 3])
      #expect(model.names == ["a", "b"] && model.money == 12 && model.letter == "é" && model.bytes == [1, 2, 3])
      #expect(model.size == RetypedModels.Size(width: 9, height: -4) && model.sizes["b"] == .some(nil))
      #expect(model.friend === back[0] && model.strong === back[count - 1] && model.weakly === back[number / 2])
    }
    for model in old { (model.friend, model.strong) = (nil, nil) }
    for model in new { (model.friend, model.weakly) = (nil, nil) }
    for model in back { (model.friend, model.strong) = (nil, nil) }
  }

  @Test("Rules convert what does not convert by itself", arguments: [1, 9, 1_030]) func ruled(count: Int) throws {
    let read = try converted((0..<count).map { RetypedModels.Day(cents: $0) }, to: [RetypedModels.RuledDay].self)
    for (number, day) in read.enumerated() {
      #expect(day.at == Date(timeIntervalSinceReferenceDate: 86_400.5) && day.since == Date(timeIntervalSinceReferenceDate: 0))
      #expect(day.tags == ["one"] && day.maybe == [] && day.price == Double(number) / 100 && day.list == "a,bb")
    }
  }

  @Test("What a rule's closure throws reaches the caller") func closureThrows() throws {
    for count in [1, 9, 1_030] {
      let data = try KeyedArchiver.archivedData(withRootObject: (0..<count).map { RetypedModels.Day(cents: $0 == count / 2 ? -5 : $0) })
      #expect(throws: RetypedModels.Debt(cents: -5)) { try KeyedUnarchiver.unarchivedObject(of: [RetypedModels.RuledDay].self, from: data) }
    }
  }
}
