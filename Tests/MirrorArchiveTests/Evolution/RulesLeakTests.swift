import Foundation
import MirrorArchive
import Synchronization
import Testing

/// What is made for an archive that fails is destroyed, defaults included.
@Suite("Defaults and failures")
struct RulesLeakTests {
  final class Token {
    static let living = Atomic<Int>(0)
    init() { Self.living.add(1, ordering: .relaxed) }
    deinit { Self.living.subtract(1, ordering: .relaxed) }
  }
  final class Old: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesLeakTests.Record") }
    var name: String
    var number = 300
    init(_ name: String) { self.name = name }
  }
  struct Counted: MirrorCodable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        properties: [PropertyRule("cache", default: .value(Token())), PropertyRule("list", default: .value([Token()]))],
        excluding: ["cache", "list", "action"])
    }
    var cache: Token
    var list: [Token]
    var action: (() -> Void)?
  }
  final class New: MirrorCodable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "RulesLeakTests.Record",
        properties: [
          PropertyRule("token", default: .value(Token())), PropertyRule("counted", default: .value(Counted(cache: Token(), list: []))),
        ],
        excluding: ["token"])
    }
    var name: String
    var token: Token
    var counted: Counted
    var number: Int
    init() { fatalError("never called") }
  }
  final class Narrow: MirrorCodable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "RulesLeakTests.Record",
        properties: [
          PropertyRule("token", default: .value(Token())), PropertyRule("counted", default: .value(Counted(cache: Token(), list: []))),
        ],
        excluding: ["token"])
    }
    var token: Token
    var counted: Counted
    var number: UInt8
    init() { fatalError("never called") }
    func didDecode(_ context: DecodingContext) throws { throw ArchiveError(.invalidValue, message: "refused") }
  }
  final class Refusing: MirrorCodable {
    static var archiveRules: ArchiveRules { New.archiveRules }
    var name: String
    var token: Token
    var counted: Counted
    var number: Int
    init() { fatalError("never called") }
    func didDecode(_ context: DecodingContext) throws { throw ArchiveError(.invalidValue, message: "refused") }
  }

  @Test("No default outlives its object, whether decoding succeeds or fails") func defaults() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: (0..<40).map { Old("\($0)") })
    let before = Token.living.load(ordering: .relaxed)
    do {
      let read = try KeyedUnarchiver.unarchivedObject(of: [New].self, from: data)
      #expect(read.count == 40 && Token.living.load(ordering: .relaxed) - before == 80)
    }
    #expect(Token.living.load(ordering: .relaxed) == before)
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: [Narrow].self, from: data) }
    #expect(Token.living.load(ordering: .relaxed) == before)
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: [Refusing].self, from: data) }
    #expect(Token.living.load(ordering: .relaxed) == before)
  }
}
