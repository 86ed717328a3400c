import ArchiveCache
import Foundation
import MirrorArchive
import Testing

/// Two versions of one model in one process: types of one archive name.
enum Models {
  static let name = "cache.Model"

  struct Point: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cache.Point") }
    var x = 1
  }
  struct WiderPoint: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cache.Point") }
    var x = 1
    var y = 2
  }
  enum Side: Equatable, MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cache.Side") }
    case left, right
  }
  enum MoreSides: Equatable, MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cache.Side") }
    case left, right, none
  }

  class Base: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: name) }
    var number = 1
    var point = Point()
    var side = Side.left
    var others: [Int: Part] = [:]
  }
  final class Part: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "cache.Part") }
    var text = ""
  }
  final class LargerPart: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "cache.Part") }
    var text = ""
    var more: Double?
  }
  /// As Base, under another Swift name.
  final class Same: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: name) }
    var number = 1
    var point = Point()
    var side = Side.left
    var others: [Int: Part] = [:]
  }
  final class Renamed: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: name) }
    @Key("count") var number = 1
    var point = Point()
    var side = Side.left
    var others: [Int: Part] = [:]
  }
  final class Retyped: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: name) }
    var number: Int32 = 1
    var point = Point()
    var side = Side.left
    var others: [Int: Part] = [:]
  }
  final class Versioned: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: name, version: 2) }
    var number = 1
    var point = Point()
    var side = Side.left
    var others: [Int: Part] = [:]
  }
  final class InnerStruct: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: name) }
    var number = 1
    var point = WiderPoint()
    var side = Side.left
    var others: [Int: Part] = [:]
  }
  final class InnerEnum: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: name) }
    var number = 1
    var point = Point()
    var side = MoreSides.left
    var others: [Int: Part] = [:]
  }
  final class InnerClass: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: name) }
    var number = 1
    var point = Point()
    var side = Side.left
    var others: [Int: LargerPart] = [:]
  }
  class Level: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "cache.Level") }
    var number = 1
  }
  final class Superclassed: Level {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: name) }
    var point = Point()
    var side = Side.left
    var others: [Int: Part] = [:]
  }
}

@Suite("Models that change under a cache")
struct ChangedModelTests {
  let directory = TestDirectory()

  /// What a cache of another type finds of a stored model.
  func found<Other>(_ type: Other.Type) throws -> (value: Other?, statistics: ArchiveCacheStatistics) {
    let cache = try ArchiveCache<String, Models.Base>(directory: directory.url)
    let model = Models.Base()
    model.number = 5
    try cache.set(model, forKey: "a")
    let other = try ArchiveCache<String, Other>(directory: directory.url)
    #expect(try other.contains("a") == (other.value(forKey: "a") != nil))
    #expect(try Array(other.keys()).count == (other.value(forKey: "a") != nil ? 1 : 0))
    return (try other.value(forKey: "a"), other.statistics)
  }

  @Test("The same model is found, whatever Swift calls its class") func same() throws {
    #expect(try found(Models.Same.self).value?.number == 5)
    #expect(try found(Models.Base.self).value?.number == 5)
  }

  @Test(
    "A changed model is a miss",
    arguments: [
      Models.Renamed.self, Models.Retyped.self, Models.Versioned.self, Models.InnerStruct.self, Models.InnerEnum.self,
      Models.InnerClass.self,
      Models.Superclassed.self, Models.Part.self,
    ] as [MirrorCoding.Type]) func changed(type: MirrorCoding.Type) throws
  {
    func check<Other: MirrorCoding>(_ type: Other.Type) throws {
      let (value, statistics) = try found(type)
      #expect(value == nil)
      #expect(statistics.misses == 3 && statistics.outdated == 3 && statistics.corrupt == 0)
    }
    try check(type)
    // The entry is still there for the version that wrote it.
    #expect(try ArchiveCache<String, Models.Base>(directory: directory.url).value(forKey: "a")?.number == 5)
  }

  @Test("So is another type altogether") func otherTypes() throws {
    #expect(try found([Models.Base].self).value == nil)
    #expect(try found(Int.self).value == nil)
    #expect(try found(Optional<Models.Base>.self).value == nil)
    #expect(try found([String: Models.Base].self).value == nil)
  }

  @Test("A registration elsewhere changes nothing") func registration() throws {
    let cache = try ArchiveCache<String, Models.Base>(directory: directory.url)
    try cache.set(Models.Base(), forKey: "a")
    try KeyedArchiver.register(Models.Level.self)
    #expect(try ArchiveCache<String, Models.Base>(directory: directory.url).value(forKey: "a") != nil)
  }

  @Test("A value that cannot be archived is refused when the cache is made") func unsupported() {
    struct Holder { var closure: () -> Void }
    let error = #expect(throws: ArchiveError.self) { try ArchiveCache<String, Holder>(directory: directory.url) }
    #expect(error?.code == .unsupportedType)
  }
}
