import Foundation
import MirrorArchive
import Testing

private final class HiddenHand: KeyedCoding {
  let number: Int
  init(_ number: Int) { self.number = number }
  init(coder: KeyedUnarchiver) throws { number = try coder.decodeInt(forKey: "number") }
  func encode(with coder: KeyedArchiver) throws { try coder.encode(number, forKey: "number") }
}
private final class HiddenMirror: MirrorCoding { var number = 3 }

/// CASES rows 1, 2 and 3 with names that coders are told.
@Suite("Class names of coders")
struct KeyedNameTests {
  /// What every class here holds.
  class Named: KeyedCoding {
    let text: String
    init(_ text: String) { self.text = text }
    required init(coder: KeyedUnarchiver) throws { text = try coder.decodeString(forKey: "text") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(text, forKey: "text") }
  }
  final class Entry: Named {}
  final class Other: Named {}
  final class Mirrored: MirrorCoding { var text = "mirrored" }
  final class MirroredHeir: MirrorCoding { var text = "" }

  private func contains(_ data: Data, _ text: String) -> Bool { data.range(of: Data(text.utf8)) != nil }

  @Test("setClassName writes the name, setClass reads it, per coder") func perCoder() throws {
    let data = try keyedArchive {
      $0.setClassName("App.Entry", for: Entry.self)
      $0.setClassName("App.Mirrored", for: Mirrored.self)
      #expect($0.className(for: Entry.self) == "App.Entry" && $0.className(for: Other.self) == nil)
      try $0.encode([Entry("e")], forKey: "entries")
      try $0.encode(Mirrored(), forKey: "mirrored")
    }
    #expect(contains(data, "App.Entry") && contains(data, "App.Mirrored") && !contains(data, "KeyedNameTests"))
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.setClass(Entry.self, forClassName: "App.Entry")
    coder.setClass(MirroredHeir.self, forClassName: "App.Mirrored")
    #expect(coder.class(forClassName: "App.Entry") == Entry.self && coder.class(forClassName: "App.Other") == nil)
    #expect(try coder.decode([Entry].self, forKey: "entries").map(\.text) == ["e"])
    #expect(try coder.decodeObject(of: MirroredHeir.self, forKey: "mirrored").text == "mirrored")
    // The names of one coder are not those of another.
    let other = try KeyedUnarchiver(forReadingFrom: data)
    expectRefusal(.typeNotAllowed, at: "entries", naming: ["App.Entry"]) { try other.decode([Entry].self, forKey: "entries") }
    #expect(!contains(try keyedArchive { try $0.encode(Entry("e"), forKey: "e") }, "App.Entry"))
  }

  @Test("A name that was set is taken back with nil") func reset() throws {
    let data = try keyedArchive {
      $0.setClassName("App.Entry", for: Entry.self)
      $0.setClassName(nil, for: Entry.self)
      #expect($0.className(for: Entry.self) == nil)
      try $0.encode(Entry("e"), forKey: "e")
    }
    #expect(!contains(data, "App.Entry"))
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.setClass(Other.self, forClassName: "MirrorArchiveTests.KeyedNameTests.Entry")
    coder.setClass(nil, forClassName: "MirrorArchiveTests.KeyedNameTests.Entry")
    #expect(try coder.decodeObject(of: Entry.self, forKey: "e").text == "e")
  }

  @Test("CASES row 2: a class renamed twice is read under all three names and written under one", arguments: ["First", "Second", "Third"])
  func renamedTwice(name: String) throws {
    let data = try keyedArchive {
      $0.setClassName("App.\(name)", for: Entry.self)
      try $0.encode(Entry(name), forKey: "e")
      try $0.encode([Entry("in a list")], forKey: "list")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    for former in ["First", "Second", "Third"] { coder.setClass(Entry.self, forClassName: "App.\(former)") }
    #expect(try coder.decodeObject(of: Entry.self, forKey: "e").text == name)
    #expect(try coder.decodeArrayOfObjects(ofClass: Entry.self, forKey: "list")[0].text == "in a list")
  }

  @Test("Two archive names in one archive lead to one class") func twoNames() throws {
    let data = try keyedArchive(allowing: [Entry.self, Other.self]) {
      $0.setClassName("App.A", for: Entry.self)
      $0.setClassName("App.B", for: Other.self)
      try $0.encode([Entry("a"), Other("b")] as [Named], forKey: "list")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.setClass(Entry.self, forClassName: "App.A")
    coder.setClass(Entry.self, forClassName: "App.B")
    #expect(try coder.decode([Entry].self, forKey: "list").map(\.text) == ["a", "b"])
  }

  @Test("One archive name for two classes of one archive is refused") func duplicateName() {
    expectRefusal(.duplicateName, naming: ["App.Same"]) {
      try keyedArchive(allowing: [Entry.self, Other.self]) {
        $0.setClassName("App.Same", for: Entry.self)
        $0.setClassName("App.Same", for: Other.self)
        try $0.encode([Entry("a"), Other("b")] as [Named], forKey: "list")
      }
    }
  }

  @Test("CASES row 1: a class that moved to another module, with a remap of the module, also inside generic arguments") func moved() throws
  {
    let data = try keyedArchive {
      $0.setClassName("App.KeyedNameTests.Entry", for: Entry.self)
      $0.setClassName("App.KeyedNameTests.Mirrored", for: Mirrored.self)
      $0.setClassName("App.Hand<App.KeyedNameTests.Entry>", for: Hand<Entry>.self)
      try $0.encode(Entry("moved"), forKey: "e")
      try $0.encode(Mirrored(), forKey: "m")
      try $0.encode(Hand(Entry("inside")), forKey: "h")
    }
    let without = try KeyedUnarchiver(forReadingFrom: data)
    expectRefusal(.typeNotAllowed, at: "e", naming: ["App.KeyedNameTests.Entry"]) { try without.decodeObject(of: Entry.self, forKey: "e") }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.setModule("MirrorArchiveTests", forModuleName: "App")
    #expect(try coder.decodeObject(of: Entry.self, forKey: "e").text == "moved")
    #expect(try coder.decodeObject(of: Mirrored.self, forKey: "m").text == "mirrored")
    #expect(try coder.decodeObject(of: Hand<Entry>.self, forKey: "h").value.text == "inside")
  }

  @Test("A remap of a module touches neither longer names nor other modules") func exactModule() throws {
    let data = try keyedArchive {
      $0.setClassName("Apple.KeyedNameTests.Entry", for: Entry.self)
      try $0.encode(Entry("e"), forKey: "e")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.setModule("MirrorArchiveTests", forModuleName: "App")
    expectRefusal(.typeNotAllowed, naming: ["Apple.KeyedNameTests.Entry"]) { try coder.decodeObject(of: Entry.self, forKey: "e") }
    coder.setModule("MirrorArchiveTests", forModuleName: "Apple")
    #expect(try coder.decodeObject(of: Entry.self, forKey: "e").text == "e")
  }

  @Test("Private classes work under a name that the archiver was told, and not without") func privateClass() throws {
    expectRefusal(.unnamedType, naming: ["HiddenHand", "name"]) { try KeyedArchiver.archivedData(withRootObject: HiddenHand(1)) }
    let error = expectRefusal(.unnamedType, naming: ["HiddenHand"]) { try keyedArchive { try $0.encode([HiddenHand(1)], forKey: "k") } }
    #expect(error != nil)
    let data = try keyedArchive {
      $0.setClassName("hidden-hand", for: HiddenHand.self)
      $0.setClassName("hidden-mirror", for: HiddenMirror.self)
      try $0.encode([HiddenHand(5)], forKey: "hands")
      try $0.encode(HiddenMirror(), forKey: "mirror")
    }
    #expect(contains(data, "hidden-hand") && !contains(data, "HiddenHand"))
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.setClass(HiddenHand.self, forClassName: "hidden-hand")
    coder.setClass(HiddenMirror.self, forClassName: "hidden-mirror")
    #expect(try coder.decode([HiddenHand].self, forKey: "hands").map(\.number) == [5])
    #expect(try coder.decodeObject(of: HiddenMirror.self, forKey: "mirror").number == 3)
  }

  @Test("A class that setClass names still has to be asked for") func gate() throws {
    let data = try keyedArchive {
      $0.setClassName("App.Entry", for: Entry.self)
      try $0.encode(Entry("e"), forKey: "e")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.setClass(Entry.self, forClassName: "App.Entry")
    #expect(throws: ArchiveError.self) { try coder.decodeObject(of: Other.self, forKey: "e") }
    #expect(throws: ArchiveError.self) { try coder.decodeObject(of: Mirrored.self, forKey: "e") }
    #expect(try coder.decodeObject(of: Entry.self, forKey: "e").text == "e")
  }

  @Test("A hand-coded class can be read as a reflected one only by its keys: another kind is refused") func otherKind() throws {
    let data = try keyedArchive {
      $0.setClassName("App.Thing", for: Entry.self)
      try $0.encode(Entry("e"), forKey: "e")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.setClass(Mirrored.self, forClassName: "App.Thing")
    // Neither a crash nor somebody else's values: the properties keep their defaults, or the archive is refused.
    do {
      #expect(try coder.decodeObject(of: Mirrored.self, forKey: "e").text == "mirrored")
    } catch let error as ArchiveError {
      #expect([.typeMismatch, .malformed, .invalidValue, .typeNotAllowed].contains(error.code), "\(error)")
    }
    let mirrored = try keyedArchive {
      $0.setClassName("App.Thing", for: Mirrored.self)
      try $0.encode(Mirrored(), forKey: "m")
    }
    let other = try KeyedUnarchiver(forReadingFrom: mirrored)
    other.setClass(Entry.self, forClassName: "App.Thing")
    #expect(throws: ArchiveError.self) { try other.decodeObject(of: Entry.self, forKey: "m") }
  }

  @Test("A name for a superclass level of a reflected class") func superclassName() throws {
    let heir = Heir()
    (heir.base, heir.own) = (7, 8)
    let data = try keyedArchive {
      $0.setClassName("Old.Base", for: HeirBase.self)
      $0.setClassName("Old.Heir", for: Heir.self)
      try $0.encode(heir, forKey: "h")
    }
    #expect(contains(data, "Old.Base") && contains(data, "Old.Heir") && !contains(data, "HeirBase"))
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    coder.setClass(HeirBase.self, forClassName: "Old.Base")
    coder.setClass(Heir.self, forClassName: "Old.Heir")
    let read = try coder.decodeObject(of: Heir.self, forKey: "h")
    #expect(read.base == 7 && read.own == 8)
  }
  class HeirBase: MirrorCoding { var base = 1 }
  final class Heir: HeirBase { var own = 2 }

  @Test("Global names: for all coders and the one-shot calls, until they are taken back; a coder's own come first") func global() async {
    await #expect(processExitsWith: .success) {
      reported {
        let before = try KeyedArchiver.archivedData(withRootObject: [Entry("before")])
        KeyedArchiver.setClassName("Global.Entry", for: Entry.self)
        #expect(KeyedArchiver.className(for: Entry.self) == "Global.Entry" && KeyedArchiver.className(for: Other.self) == nil)
        let data = try KeyedArchiver.archivedData(withRootObject: [Entry("after")])
        #expect(data.range(of: Data("Global.Entry".utf8)) != nil)
        let own = try keyedArchive {
          $0.setClassName("Own.Entry", for: Entry.self)
          try $0.encode(Entry("own"), forKey: "e")
        }
        #expect(own.range(of: Data("Own.Entry".utf8)) != nil && own.range(of: Data("Global.Entry".utf8)) == nil)
        KeyedUnarchiver.setClass(Entry.self, forClassName: "Global.Entry")
        KeyedUnarchiver.setClass(Entry.self, forClassName: "Own.Entry")
        #expect(KeyedUnarchiver.class(forClassName: "Global.Entry") == Entry.self)
        #expect(try KeyedUnarchiver.unarchivedObject(of: [Entry].self, from: data).map(\.text) == ["after"])
        #expect(try KeyedUnarchiver(forReadingFrom: own).decodeObject(of: Entry.self, forKey: "e").text == "own")
        KeyedArchiver.setClassName(nil, for: Entry.self)
        #expect(KeyedArchiver.className(for: Entry.self) == nil)
        #expect(try KeyedUnarchiver.unarchivedObject(of: [Entry].self, from: before).map(\.text) == ["before"])
        let reset = try KeyedArchiver.archivedData(withRootObject: [Entry("before")])
        #expect(reset == before)
        KeyedUnarchiver.setClass(nil, forClassName: "Global.Entry")
        #expect(KeyedUnarchiver.class(forClassName: "Global.Entry") == nil)
        #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: [Entry].self, from: data) }
      }
    }
  }

  @Test("A global remap of a module") func globalModule() async {
    await #expect(processExitsWith: .success) {
      reported {
        let data = try keyedArchive {
          $0.setClassName("OldApp.KeyedNameTests.Entry", for: Entry.self)
          try $0.encode([Entry("e")], forKey: "root")
        }
        #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: [Entry].self, from: data) }
        KeyedUnarchiver.setModule("MirrorArchiveTests", forModuleName: "OldApp")
        #expect(try KeyedUnarchiver.unarchivedObject(of: [Entry].self, from: data).map(\.text) == ["e"])
        KeyedUnarchiver.setModule(nil, forModuleName: "OldApp")
        #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: [Entry].self, from: data) }
      }
    }
  }
}
