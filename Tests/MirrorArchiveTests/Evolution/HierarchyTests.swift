import ArchiveFixtures
import Foundation
import MirrorArchive
import Testing

/// Subclasses of a library's class; the application has not changed, the library has.
private final class FirstAppShelf: FirstRelease.Shelf {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "app.Shelf") }
  private var id = 10
  var tags = ["of the app"]
  func configure(_ id: Int) { self.id = id }
  var appID: Int { id }
}
private final class SecondAppShelf: SecondRelease.Shelf {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "app.Shelf") }
  private var id = 20
  var tags = ["of the app today"]
  func configure(_ id: Int) { self.id = id }
  var appID: Int { id }
}

/// A hierarchy of four levels, of which later versions look different.
enum Levels {
  enum V1 {
    class Base: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "levels.Base", version: 1) }
      private var id = 1
      var name = ""
      var baseID: Int {
        get { id }
        set { id = newValue }
      }
    }
    class Middle: Base {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "levels.Middle", version: 2) }
      private var id = 2
      var weight = 0.0
      var middleID: Int {
        get { id }
        set { id = newValue }
      }
    }
    class Upper: Middle {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "levels.Upper") }
      private var id = 3
      var tags: [String] = []
      var upperID: Int {
        get { id }
        set { id = newValue }
      }
    }
    final class Top: Upper {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "levels.Top", version: 4) }
      private var id = 4
      var next: Top?
      var topID: Int {
        get { id }
        set { id = newValue }
      }
    }
  }

  /// Every level has renamed its `id`, which has the same name on all of them.
  enum Renamed {
    class Base: MirrorCoding {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(name: "levels.Base", properties: [PropertyRule("number", of: Base.self, formerKeys: ["id"])])
      }
      private var number = -1
      var name = ""
      var baseID: Int { number }
    }
    class Middle: Base {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(name: "levels.Middle", properties: [PropertyRule("number", of: Middle.self, formerKeys: ["id"])])
      }
      private var number = -2
      var weight: Int = 0
      var middleID: Int { number }
    }
    class Upper: Middle {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(name: "levels.Upper", properties: [PropertyRule("number", of: Upper.self, formerKeys: ["id"])])
      }
      private var number: Int? = -3
      var tags: Set<String> = []
      var upperID: Int? { number }
    }
    final class Top: Upper {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(name: "levels.Top", properties: [PropertyRule("number", of: Top.self, formerKeys: ["id"])])
      }
      private var number = "-4"
      var next: Top?
      var topID: String { number }
    }
  }

  /// Two levels have been taken out, what they had is in the base; one that was never there has come in.
  enum Moved {
    class Base: MirrorCoding {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "levels.Base",
          properties: [
            PropertyRule("weight", formerClasses: ["levels.Middle"]),
            PropertyRule("labels", formerKeys: ["tags"], formerClasses: ["levels.Upper", "levels.Middle"]),
          ])
      }
      private var id = -1
      var name = ""
      var weight = -1.0
      var labels: [String] = ["default"]
      var baseID: Int { id }
    }
    class Inserted: Base {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "levels.Inserted") }
      var inserted = "inserted"
    }
    final class Top: Inserted {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "levels.Top") }
      private var id = -4
      var next: Top?
      var topID: Int { id }
    }
  }

  /// What was in the base is in the class that needs it.
  enum Down {
    class Base: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "levels.Base") }
      private var id = -1
      var baseID: Int { id }
    }
    final class Top: Base {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "levels.Top",
          properties: [
            PropertyRule("title", formerKeys: ["name"], formerClasses: ["levels.Base"]),
            PropertyRule("weight", formerClasses: ["levels.Base", "levels.Middle"]),
          ])
      }
      var title = "default"
      var weight = -1.0
      private var id = -4
      var topID: Int { id }
    }
  }
}

@Suite("Class hierarchies that have changed since")
struct HierarchyTests {
  private func top(_ number: Int = 0, next: Levels.V1.Top? = nil) -> Levels.V1.Top {
    let top = Levels.V1.Top()
    (top.baseID, top.middleID, top.upperID, top.topID) = (number + 11, number + 22, number + 33, number + 44)
    (top.name, top.weight, top.tags, top.next) = ("name", 5, ["a", "b"], next)
    return top
  }

  @Test("CASES R6: the superclass in another module gained properties") func remoteBase() throws {
    let old = FirstAppShelf()
    old.setID(7)
    old.configure(8)
    (old.label, old.tags) = ("label", ["mine"])
    let new = try converted(old, to: SecondAppShelf.self)
    #expect(new.shelfID == 7 && new.appID == 8 && new.label == "label" && new.tags == ["mine"])
    #expect(new.width == 80.5 && new.shelfTags == ["of the library"])
    new.setID(70)
    new.configure(80)
    new.label = "new label"
    let back = try converted((0..<9).map { _ in new }, to: [FirstAppShelf].self)
    #expect(back.allSatisfy { $0.shelfID == 70 && $0.appID == 80 && $0.label == "new label" && $0.tags == ["mine"] && $0 === back[0] })
  }

  @Test("CASES 13: private properties of one name on four levels come back, each as it was") func samePrivateName() throws {
    let read = try roundTrip(top())
    #expect(read.baseID == 11 && read.middleID == 22 && read.upperID == 33 && read.topID == 44)
  }

  @Test("CASES 13: each level has renamed its own property of that name, and has another type for it", arguments: [1, 9, 1_030])
  func renamedOnEveryLevel(count: Int) throws {
    let read = try converted((0..<count).map { top($0) }, to: [Levels.Renamed.Top].self)
    for (number, read) in read.enumerated() {
      #expect(
        read.baseID == number + 11 && read.middleID == number + 22 && read.upperID == number + 33 && read.topID == "\(number + 44)"
          && read.name == "name" && read.weight == 5 && read.tags == ["a", "b"])
    }
  }

  @Test("Levels that were taken out and in: what they had is found by formerClasses, or skipped") func movedLevels() throws {
    let read = try converted(top(next: top(1)), to: Levels.Moved.Top.self)
    #expect(read.baseID == 11 && read.topID == 44 && read.name == "name" && read.inserted == "inserted")
    #expect(read.weight == 5 && read.labels == ["a", "b"])
    #expect(read.next?.baseID == 12 && read.next?.inserted == "inserted")
  }

  @Test("An older program reads the shorter hierarchy, with its own values for the levels that are gone") func missingLevels() throws {
    let new = Levels.Moved.Top()
    new.name = "new"
    let read = try converted(new, to: Levels.V1.Top.self)
    #expect(read.name == "new" && read.baseID == -1 && read.topID == -4)
    #expect(read.middleID == 2 && read.upperID == 3 && read.weight == 0 && read.tags == [])
  }

  @Test("A property that moved into the subclass is found where it was") func movedDown() throws {
    let read = try converted(top(), to: Levels.Down.Top.self)
    #expect(read.title == "name" && read.weight == 5 && read.baseID == 11 && read.topID == 44)
  }
}
