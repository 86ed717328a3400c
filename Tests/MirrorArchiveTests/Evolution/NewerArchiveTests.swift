import Foundation
import MirrorArchive
import Testing

/// CASES 5: an older program opens a file of a newer one.
@Suite("Archives of newer programs")
struct NewerArchiveTests {
  final class Document: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "newer.Document", version: 9) }
    static let made = Tally()
    var text = ""
    var pages: [Page] = [Page(number: 1)]
    required init() { Self.made.add(1) }
  }
  struct Page: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "newer.Page", version: 4) }
    var number: Int
  }

  @Test("CASES 5: versions are readable before any object is made") func versions() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Document())
    let before = Document.made.value
    let header = try KeyedUnarchiver.header(of: data)
    #expect(header.isReadable && header.formatVersion == 1 && header.roots.first?.version == 9)
    #expect(header.types.first { $0.name == "newer.Page" }?.version == 4)
    #expect(Document.made.value == before)
  }

  @Test("CASES 5: discarding a newer file and going on is one line", arguments: [UInt8(0x22), 0x33, 0xFF]) func discard(version: UInt8)
    throws
  {
    var data = try KeyedArchiver.archivedData(withRootObject: Document())
    data[3] = version
    let document = try? KeyedUnarchiver.unarchivedObject(ofClass: Document.self, from: data)
    let header = try KeyedUnarchiver.header(of: data)
    #expect(header.formatVersion == Int(version >> 4) && header.minimumReaderVersion == Int(version & 15))
    #expect(header.byteCount == data.count)
    #expect(document == nil && !header.isReadable)
    expectRefusal(.newerFormat, naming: ["\(version & 15)"]) { try KeyedUnarchiver.unarchivedObject(ofClass: Document.self, from: data) }
  }

  @Test("CASES 10: an object of a newer version is told so, with what it cannot hold") func context() throws {
    let unarchiver = try KeyedUnarchiver(forReadingFrom: KeyedArchiver.archivedData(withRootObject: Two()))
    let one = try unarchiver.decodeObject(of: One.self, forKey: "root")
    #expect(one.a1 == 11 && one.version == 2 && one.unknownKeys == ["a2"] && one.unknown?["a2"]?.intValue == 22)
    #expect(unarchiver.report.entries.map(\.path) == ["root.a2"] && unarchiver.report.entries.map(\.kind) == [.unknownKey])
    #expect(unarchiver.report.types.map(\.archivedVersion) == [2] && unarchiver.report.types.map(\.currentVersion) == [1])
  }
}

private final class Two: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "newer.Numbers", version: 2) }
  var a1 = 11
  var a2 = 22
}
private final class One: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "newer.Numbers", version: 1) }
  var a1 = 0
  @Transient var version: UInt64 = 0
  @Transient var unknownKeys: [String] = []
  @Transient var unknown: [String: ArchiveValue]?
  override func didDecode(_ context: DecodingContext) throws {
    try super.didDecode(context)
    (version, unknownKeys, unknown) = (context.typeVersion, context.unknownKeys, try context.unknownValues)
  }
}
