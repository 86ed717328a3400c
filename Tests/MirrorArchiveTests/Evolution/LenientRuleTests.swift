import Foundation
import MirrorArchive
import Testing

private final class Old: MirrorCoding {
  var level: Int?
  var date: Double?
  var set: Int?
  var text: [Int]?
  var number = "abc"
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "lenientRule.Entry") }
}
private final class New: MirrorCoding {
  var level = 9
  var date = Date(timeIntervalSinceReferenceDate: 5)
  var set: Set<Int> = [7]
  var text = "none"
  var number = 77.0
  override class var archiveRules: ArchiveRules {
    ArchiveRules(
      name: "lenientRule.Entry",
      properties: [
        PropertyRule("level", default: .value(12), conversions: [ArchiveConversion { (level: Int) in level * 2 }]),
        PropertyRule("date", conversions: [.secondsSince1970]),
        PropertyRule("set", conversions: [.wrappingInCollection]),
        PropertyRule("text", conversions: [ArchiveConversion { (numbers: [Int]) in "\(numbers)" }]),
        PropertyRule("number", conversions: [ArchiveConversion { (number: Int) in Double(number) * 2 }]),
      ])
  }
}
/// The same where no initializer gives anything.
private final class Bare: MirrorCodable {
  var level: Int
  var date: Date?
  init(level: Int) { self.level = level }
  static var archiveRules: ArchiveRules {
    ArchiveRules(
      name: "lenientRule.Entry",
      properties: [
        PropertyRule("level", default: .value(12), conversions: [ArchiveConversion { (level: Int) in level * 2 }]),
        PropertyRule("date", conversions: [.secondsSince1970]),
      ])
  }
}
private struct Refused: Error {}
private final class Throwing: MirrorCoding {
  var level = 0
  override class var archiveRules: ArchiveRules {
    ArchiveRules(
      name: "lenientRule.Entry",
      properties: [
        PropertyRule(
          "level",
          conversions: [
            ArchiveConversion { (level: Int) throws -> Int in if level == 3 { throw Refused() } else { level } }
          ])
      ])
  }
}

@Suite("Conversions by rule in lenient mode")
struct LenientRuleTests {
  private func archive(_ count: Int) throws -> Data {
    try KeyedArchiver.archivedData(
      withRootObject: (0..<count).map { index in
        let old = Old()
        if index == count / 2 { (old.level, old.date, old.set, old.text) = (3, 978_307_200, 5, [1]) }
        return old
      })
  }

  @Test("What a rule's conversion cannot be given leaves the default, and is reported", arguments: [2, 4, 1_100]) func defaults(count: Int)
    throws
  {
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archive(count))
    unarchiver.options.conversionPolicy = .lenient
    let read = try unarchiver.decode([New].self, forKey: "root")
    let (first, filled) = (read[0], read[count / 2])
    #expect(first.level == 12 && first.date.timeIntervalSinceReferenceDate == 5 && first.set == [] && first.text == "none")
    #expect(filled.level == 6 && filled.date.timeIntervalSinceReferenceDate == 0 && filled.set == [5] && filled.text == "[1]")
    #expect(read.allSatisfy { $0.number == 77 })
    let told = unarchiver.report.entries.filter { $0.kind == .keptDefault && $0.path.hasPrefix("root[0].") }.map(\.path)
    #expect(told == ["root[0].level", "root[0].date", "root[0].text", "root[0].number"])
  }

  @Test("Where no initializer gives anything, the rule's default or nil does", arguments: [2, 4, 1_100]) func bare(count: Int) throws {
    let read = try KeyedUnarchiver.unarchivedObject(
      of: [Bare].self, from: archive(count), options: DecodingOptions(conversionPolicy: .lenient))
    #expect(read.map(\.level) == (0..<count).map { $0 == count / 2 ? 6 : 12 })
    #expect(read.map(\.date?.timeIntervalSinceReferenceDate) == (0..<count).map { $0 == count / 2 ? 0 : nil })
  }

  @Test("In exact mode nil is an error", arguments: [2, 4, 1_100]) func exact(count: Int) throws {
    expectRefusal(.missingValue, at: "root[0].level", naming: ["nil"]) {
      try KeyedUnarchiver.unarchivedObject(of: [Bare].self, from: archive(count))
    }
  }

  @Test("What a closure throws rejects the archive in lenient mode too") func thrown() throws {
    #expect(throws: Refused.self) {
      try KeyedUnarchiver.unarchivedObject(
        of: [Throwing].self, from: archive(4), options: DecodingOptions(conversionPolicy: .lenient))
    }
  }
}
