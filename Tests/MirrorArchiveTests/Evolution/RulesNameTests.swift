import Foundation
import MirrorArchive
import Testing

/// Former names, wherever a name is looked up.
@Suite("Former names")
struct RulesNameTests {
  enum Old {
    final class Circle: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesNameTests.Round") }
      var radius = 1.0
    }
    struct Size: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesNameTests.Extent") }
      var width = 1
    }
    enum Level: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesNameTests.Degree") }
      case low, high
    }
    final class Page: MirrorCoding {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(name: "RulesNameTests.Page", subclasses: [Circle.self, Size.self, Level.self])
      }
      var things: [Any] = [Circle(), Size(width: 5), Level.high]
      var size: Size? = Size(width: 6)
      var levels: [Level] = [.low]
    }
  }
  enum New {
    final class Circle: MirrorCoding {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(name: "RulesNameTests.Circle", formerNames: ["RulesNameTests.Disc", "RulesNameTests.Round"])
      }
      var radius = 0.0
    }
    struct Size: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesNameTests.Size", formerNames: ["RulesNameTests.Extent"]) }
      var width = 0
    }
    enum Level: MirrorCodable, Hashable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesNameTests.Level", formerNames: ["RulesNameTests.Degree"]) }
      case low, high
    }
    final class Page: MirrorCoding {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(name: "RulesNameTests.Page", subclasses: [Circle.self, Size.self, Level.self])
      }
      var things: [Any] = []
      var size: Size?
      var levels: [Level] = []
    }
  }

  private func check(_ page: New.Page) {
    #expect((page.things[0] as? New.Circle)?.radius == 1)
    #expect(page.things[1] as? New.Size == New.Size(width: 5))
    #expect(page.things[2] as? New.Level == .high)
    #expect(page.size?.width == 6 && page.levels == [.low])
  }

  @Test("Classes, structs and enums are found by former names, in Any too") func everywhere() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Old.Page())
    check(try KeyedUnarchiver.unarchivedObject(of: New.Page.self, from: data))
  }

  @Test("A former name counts where the module has been remapped, too") func remapped() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Old.Page())
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    unarchiver.setModule("Elsewhere", forModuleName: "RulesNameTests")
    unarchiver.setClass(New.Page.self, forClassName: "RulesNameTests.Page")
    check(try unarchiver.decodeObject(of: New.Page.self, forKey: "root"))
  }

  // MARK: Hierarchies that changed

  class OldBase: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesNameTests.Base") }
    var base = 1
  }
  class OldMiddle: OldBase {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesNameTests.Middle") }
    var middle = 2
    var shared = 3
  }
  final class OldLeaf: OldMiddle {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesNameTests.Leaf") }
    var leaf = 4
  }
  class NewBase: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesNameTests.NewBase", formerNames: ["RulesNameTests.Base"]) }
    var base = 0
  }
  class Inserted: NewBase {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesNameTests.Inserted") }
    var inserted = 50
  }
  final class NewLeaf: Inserted {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "RulesNameTests.Leaf", properties: [PropertyRule("middle", formerClasses: ["RulesNameTests.Middle"])])
    }
    var leaf = 0
    var middle = 0
    var unknown: [String] = []
    override func didDecode(_ context: DecodingContext) { unknown = context.unknownKeys }
  }

  @Test("A class was taken out of the hierarchy and another one put in") func hierarchy() throws {
    let written = OldLeaf()
    (written.base, written.middle, written.shared, written.leaf) = (11, 12, 13, 14)
    let read = try KeyedUnarchiver.unarchivedObject(of: NewLeaf.self, from: KeyedArchiver.archivedData(withRootObject: written))
    #expect(read.base == 11 && read.middle == 12 && read.leaf == 14 && read.inserted == 50)
    #expect(read.unknown == ["shared"])
  }
}
