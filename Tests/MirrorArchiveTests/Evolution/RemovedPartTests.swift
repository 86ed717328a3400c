import Foundation
import MirrorArchive
import Testing

/// What is removed together with something else that changes.
@Suite("Removed parts of what became something else")
struct RemovedPartTests {
  // MARK: A class that became a struct, and lost a property whose class is gone

  private final class Gone: MirrorCoding {
    var text = "gone"
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "removed.Gone") }
  }
  private final class OldPoint: MirrorCoding {
    var x = 0
    var label: Gone? = Gone()
    var y = 0
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "removed.Point") }
  }
  private final class OldLine: MirrorCoding {
    var start = OldPoint()
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "removed.Line") }
  }
  private struct Point: MirrorCodable, Equatable {
    var x: Int
    var y: Int
    static var archiveRules: ArchiveRules { ArchiveRules(name: "removed.Point") }
  }
  private final class Line: MirrorCoding {
    var start = Point(x: -1, y: -1)
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "removed.Line", properties: [PropertyRule("start", conversions: [.betweenStructAndClass])])
    }
  }

  @Test("A property that the struct does not have is skipped, with its class", arguments: [1, 9, 1_100]) func classToStruct(count: Int)
    throws
  {
    let lines = (0..<count).map { number in
      let line = OldLine()
      (line.start.x, line.start.y) = (number, -number)
      return line
    }
    let data = try KeyedArchiver.archivedData(withRootObject: lines)
    let expected = (0..<count).map { Point(x: $0, y: -$0) }
    #expect(try KeyedUnarchiver.unarchivedObject(of: [Line].self, from: data).map(\.start) == expected)
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    #expect(try unarchiver.decode([Line].self, forKey: "root").map(\.start) == expected)
  }

  // MARK: Keys coded by hand, and the code for them removed

  private final class OldPhoto: MirrorCoding, KeyedExtras {
    var title = ""
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(title.count, forKey: "length") }
    func decodeExtras(with coder: KeyedUnarchiver) throws {}
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "removed.Photo") }
  }
  private final class Photo: MirrorCoding {
    var title = ""
    @Transient var unknown: [String: ArchiveValue] = [:]
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "removed.Photo") }
    override func didDecode(_ context: DecodingContext) throws {
      #expect(context.unknownKeys == ["$keys"])
      unknown = try context.unknownValues
    }
  }

  @Test("Keys that nobody has code for any more are told as unknown") func extras() throws {
    let old = OldPhoto()
    old.title = "sunset"
    let unarchiver = try KeyedUnarchiver(forReadingFrom: KeyedArchiver.archivedData(withRootObject: old))
    let photo = try unarchiver.decodeObject(of: Photo.self, forKey: "root")
    #expect(photo.title == "sunset")
    #expect(photo.unknown["$keys"]?["length"]?.intValue == 6)
    #expect(unarchiver.report.entries.map(\.path) == ["root.$keys"])
    #expect(unarchiver.report.entries.map(\.kind) == [.unknownKey])
    let same = try KeyedUnarchiver(forReadingFrom: KeyedArchiver.archivedData(withRootObject: old))
    _ = try same.decodeObject(of: OldPhoto.self, forKey: "root")
    #expect(same.report.isEmpty)
  }
}
