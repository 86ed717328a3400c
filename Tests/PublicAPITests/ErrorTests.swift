import Foundation
import MirrorArchive
import Testing

@Suite("Public errors")
struct ErrorTests {
  static let codes: [(code: ArchiveError.Code, name: String)] = [
    (.notAnArchive, "notAnArchive"), (.newerFormat, "newerFormat"), (.truncated, "truncated"), (.trailingBytes, "trailingBytes"),
    (.corrupt, "corrupt"), (.malformed, "malformed"), (.limitExceeded, "limitExceeded"), (.typeNotAllowed, "typeNotAllowed"),
    (.unknownType, "unknownType"), (.invalidAllowList, "invalidAllowList"), (.unsupportedType, "unsupportedType"),
    (.notArchivable, "notArchivable"), (.unnamedType, "unnamedType"), (.duplicateName, "duplicateName"), (.typeMismatch, "typeMismatch"),
    (.missingValue, "missingValue"), (.invalidValue, "invalidValue"), (.missingUnownedTarget, "missingUnownedTarget"),
    (.nestingTooDeep, "nestingTooDeep"), (.reentrant, "reentrant"), (.fileError, "fileError"),
  ]

  @Test("Every code goes by its name and equals no other") func names() {
    #expect(Self.codes.map(\.code.description) == Self.codes.map(\.name))
    #expect(Set(Self.codes.map(\.code)).count == Self.codes.count)
  }

  @Test("An error prints code, message, path and offset") func description() {
    var error = ArchiveError(.malformed, path: "root.name", offset: 12, message: "a reason")
    #expect(error.description == "malformed: a reason (at root.name) (byte 12)")
    #expect(error.errorDescription == error.description && error.localizedDescription == error.description)
    (error.code, error.path, error.offset, error.message) = (.corrupt, "", nil, "another")
    #expect("\(error)" == "corrupt: another")
    #expect(ArchiveError(.truncated, message: "m").path.isEmpty && ArchiveError(.truncated, message: "m").offset == nil)
  }

  final class Tap: MirrorCoding { var onTap: () -> Void = {} }
  final class Stranger {}

  @Test("Damage, foreign bytes and what can't be archived are told apart") func codes() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: "a text that is long enough")
    var damaged = data
    damaged[damaged.endIndex - 12] ^= 1
    func code(_ body: () throws -> Void) -> ArchiveError.Code? { #expect(throws: ArchiveError.self) { try body() }?.code }
    #expect(code { _ = try KeyedUnarchiver.unarchivedObject(of: String.self, from: damaged) } == .corrupt)
    #expect(code { _ = try KeyedUnarchiver.unarchivedObject(of: String.self, from: data.dropLast()) } == .truncated)
    #expect(code { _ = try KeyedUnarchiver.unarchivedObject(of: String.self, from: data + [0]) } == .trailingBytes)
    #expect(code { _ = try KeyedUnarchiver.unarchivedObject(of: String.self, from: Data(#"{"a": 1}"#.utf8)) } == .notAnArchive)
    #expect(code { _ = try KeyedUnarchiver.unarchivedObject(of: [Int].self, from: data) } == .typeMismatch)
    #expect(code { _ = try KeyedUnarchiver.unarchivedObject(ofClass: MirrorCoding.self, from: data) } == .invalidAllowList)
    #expect(code { _ = try KeyedArchiver.archivedData(withRootObject: Tap()) } == .unsupportedType)
    #expect(code { _ = try KeyedArchiver.archivedData(withRootObject: Stranger()) } == .notArchivable)
  }
}
