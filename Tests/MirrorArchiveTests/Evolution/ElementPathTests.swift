import Foundation
import MirrorArchive
import Testing

/// What one release has written and another one reads, in arrays of a few elements each, which share their columns.
@Suite("Where an element does not fit")
struct ElementPathTests {
  final class Old<Value>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "element.Row") }
    var values: Value
    init(_ values: Value) { self.values = values }
  }

  final class New<Value>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "element.Row") }
    var values: Value
    init(_ values: Value) { self.values = values }
  }

  private func path<Source, Target>(_ rows: [Source], _: Target.Type, policy: DecodingOptions.UnknownClassPolicy) throws -> String? {
    let data = try KeyedArchiver.archivedData(withRootObject: rows.map { Old($0) })
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchivedObject(of: [New<Target>].self, from: data, options: DecodingOptions(unknownClasses: policy))
    }
    #expect(error?.code == .invalidValue)
    return error?.path
  }

  @Test("The error names the row and the place in it", arguments: [DecodingOptions.UnknownClassPolicy.reject, .skip])
  func arrays(policy: DecodingOptions.UnknownClassPolicy) throws {
    #expect(try path([[1, 2], [], [3, 400], [500]], [Int8].self, policy: policy) == "root[2].values[1]")
    #expect(try path([[1], [2], [400], []], ContiguousArray<Int8>.self, policy: policy) == "root[2].values[0]")
    let many = (0..<1_500).map { [$0 % 100, $0 == 1_400 ? 1_000 : 7] }
    #expect(try path(many, [Int8].self, policy: policy) == "root[1400].values[1]")
    #expect(try path([Array(repeating: 1, count: 2_000) + [900], [1]], [Int8].self, policy: policy) == "root[0].values[2000]")
    #expect(try path([[[1], [2, 3]], [[4], [5, 600]]], [[Int8]].self, policy: policy) == "root[1].values[1][1]")
  }

  @Test("The same for sets, whose elements have no better place than their order") func sets() throws {
    let found = try path([Set([1]), [2], [400]], Set<Int8>.self, policy: .reject)
    #expect(found == "root[2].values[0]")
  }

  // MARK: Payloads

  enum OldMood: MirrorCodable {
    case calm(String)
    static var archiveRules: ArchiveRules { ArchiveRules(name: "element.Mood") }
  }
  enum NewMood: MirrorCodable {
    case calm([Int])
    case unknown
    static var archiveRules: ArchiveRules { ArchiveRules(name: "element.Mood", unknownCase: .value(NewMood.unknown)) }
  }
  final class OldPerson: MirrorCoding {
    var mood = OldMood.calm("very")
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "element.Person") }
  }
  final class NewPerson: MirrorCoding {
    var mood = NewMood.unknown
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "element.Person", properties: [PropertyRule("mood", usesDefaultForUnknownCases: true)])
    }
  }

  @Test("A payload that does not fit is named with its property, whatever the rule says of unknown cases") func payload() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: OldPerson())
    let error = expectRefusal(.typeMismatch) { try KeyedUnarchiver.unarchivedObject(of: NewPerson.self, from: data) }
    #expect(error?.path == "NewPerson.mood.calm")
  }

  // MARK: What only a rule knows

  final class Coin: MirrorCoding {
    var cents = 0
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "element.Coin") }
  }
  final class OldPurse: MirrorCoding {
    var content: Coin? = Coin()
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "element.Purse") }
  }
  final class NewPurse: MirrorCoding {
    var content = 0.0
    override class var archiveRules: ArchiveRules {
      // The objects that the closure gets are given to it before they are filled, so it may only count on their class.
      ArchiveRules(
        name: "element.Purse",
        properties: [PropertyRule("content", conversions: [ArchiveConversion { (coin: Coin?) in coin == nil ? 0.0 : 1.0 }])])
    }
  }

  @Test("A class that only a rule's closure takes is admitted by the rule") func closureClass() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: OldPurse())
    #expect(try KeyedUnarchiver.unarchivedObject(of: NewPurse.self, from: data).content == 1)
  }
}
