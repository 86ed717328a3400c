import Foundation
import MirrorArchive
import Testing

private final class Hidden: MirrorCoding { var number = 1 }
private final class NamedHidden: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "named-hidden") }
  var number = 1
}
private final class RegisteredHidden: MirrorCoding { var number = 1 }

/// CASES row 3: which names types have in an archive.
@Suite("Names of types")
struct NameTests {
  enum Store {
    final class Item: MirrorCoding { var title = "" }
    enum Deep {
      final class Item: MirrorCoding { var title = "" }
    }
  }
  final class Keeper: MirrorCoding {
    var item: Store.Item?
    var deep: Store.Deep.Item?
  }
  fileprivate final class Visible: MirrorCoding { fileprivate var hidden: Hidden? = Hidden() }

  @Test("A nested class works under its dotted path, apart from another one of the same last name") func nested() throws {
    let written = Keeper()
    let item = Store.Item()
    item.title = "item"
    let deep = Store.Deep.Item()
    deep.title = "deep"
    written.item = item
    written.deep = deep
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    #expect(data.range(of: Data("NameTests.Store.Item".utf8)) != nil)
    #expect(data.range(of: Data("NameTests.Store.Deep.Item".utf8)) != nil)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Keeper.self, from: data)
    #expect(read.item?.title == "item" && read.deep?.title == "deep")
    #expect(try roundTrip(item).title == "item")
  }

  @Test("A private class without an archive name is refused with the cure") func privateClass() {
    expectRefusal(.unnamedType, naming: ["Hidden", "name", "register"]) { try KeyedArchiver.archivedData(withRootObject: Hidden()) }
    expectRefusal(.unnamedType, naming: ["Hidden"]) { try KeyedArchiver.archivedData(withRootObject: [Hidden()]) }
  }

  @Test("A local class without an archive name is refused with the cure") func localClass() {
    final class Local: MirrorCoding { var number = 1 }
    expectRefusal(.unnamedType, naming: ["Local", "name", "register"]) { try KeyedArchiver.archivedData(withRootObject: Local()) }
  }

  @Test("A generic class over a private type is refused") func genericOverPrivate() {
    expectRefusal(.unnamedType, naming: ["Box"]) { try KeyedArchiver.archivedData(withRootObject: Box(Hidden())) }
  }

  @Test("A private class behind a property of a named class is refused where it stands") func privateProperty() {
    final class Outer: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "NameTests.Outer") }
      var inner: Hidden? = Hidden()
    }
    expectRefusal(.unnamedType, at: "inner", naming: ["Hidden"]) { try KeyedArchiver.archivedData(withRootObject: Outer()) }
  }

  @Test("A private class with a name in its rules works") func namedPrivate() throws {
    let written = NamedHidden()
    written.number = 5
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    #expect(data.range(of: Data("named-hidden".utf8)) != nil && data.range(of: Data("NamedHidden".utf8)) == nil)
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: NamedHidden.self, from: data).number == 5)
  }

  @Test("A private class that was registered under a name works") func registeredPrivate() throws {
    try KeyedArchiver.register(RegisteredHidden.self, as: "registered-hidden")
    let written = RegisteredHidden()
    written.number = 6
    #expect(try roundTrip(written).number == 6)
    #expect(try roundTrip([written, written]).map(\.number) == [6, 6])
  }

  @Test("A local class with a name in its rules works") func namedLocal() throws {
    final class Local: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "named-local") }
      var number = 1
      var next: Local?
    }
    let written = Local()
    written.number = 7
    written.next = Local()
    let read = try roundTrip(written)
    #expect(read.number == 7 && read.next?.number == 1)
  }

  final class First: MirrorCoding { var number = 1 }
  final class Second: MirrorCoding { var number = 1 }

  @Test("Two classes can't share one name") func duplicate() throws {
    try KeyedArchiver.register(First.self, as: "name-tests-duplicate")
    try KeyedArchiver.register(First.self, as: "name-tests-duplicate")
    expectRefusal(.duplicateName, naming: ["name-tests-duplicate"]) { try KeyedArchiver.register(Second.self, as: "name-tests-duplicate") }
  }

  final class TwinA: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "twin") }
    var other: TwinB?
  }
  final class TwinB: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "twin") }
  }

  @Test("Two classes of one graph whose rules give the same name are refused") func twins() {
    let written = TwinA()
    written.other = TwinB()
    expectRefusal(.duplicateName, naming: ["twin"]) { try KeyedArchiver.archivedData(withRootObject: written) }
  }
}
