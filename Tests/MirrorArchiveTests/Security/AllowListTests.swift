import Foundation
import MirrorArchive
import Testing

/// A class at the top level of a module: its dotted name is all that the unsafe mode may look up.
final class LooseItem: MirrorCoding { var number = 1 }

/// CASES row 30: lists that would switch the check off.
@Suite("Allow-lists")
struct AllowListTests {
  private let data: Data

  init() throws {
    data = try KeyedArchiver.archivedData(withRootObject: Allowed())
  }

  @Test("MirrorCoding, AnyObject, Any and the protocol are refused as the class to read") func asClass() {
    expectRefusal(.invalidAllowList, naming: ["MirrorCoding"]) {
      try KeyedUnarchiver.unarchivedObject(ofClass: MirrorCoding.self, from: data)
    }
    expectRefusal(.invalidAllowList, naming: ["MirrorCoding"]) { try KeyedUnarchiver.unarchivedObject(of: MirrorCoding.self, from: data) }
    expectRefusal(.invalidAllowList) { try KeyedUnarchiver.unarchivedObject(of: AnyObject.self, from: data) }
    expectRefusal(.invalidAllowList) { try KeyedUnarchiver.unarchivedObject(of: (any MirrorCodable).self, from: data) }
    expectRefusal(.invalidAllowList) { try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: MirrorCoding.self, from: data) }
    expectRefusal(.invalidAllowList) {
      try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: String.self, objectClass: MirrorCoding.self, from: data)
    }
  }

  @Test("They are refused in a list too, alone or beside others") func inList() {
    let lists: [[Any.Type]] = [
      [], [MirrorCoding.self], [Allowed.self, MirrorCoding.self], [AnyObject.self], [Any.self], [(any MirrorCodable).self],
      [Allowed.self, AnyObject.self],
    ]
    for list in lists {
      expectRefusal(.invalidAllowList) { try KeyedUnarchiver.unarchivedObject(ofClasses: list, from: data) }
      if !list.isEmpty {
        expectRefusal(.invalidAllowList) { try KeyedUnarchiver.unarchivedObject(of: Allowed.self, from: data, allowing: list) }
        expectRefusal(.invalidAllowList) { try KeyedArchiver.archivedData(withRootObject: Allowed(), allowing: list) }
      }
    }
  }

  @Test("A list is checked before the bytes are") func beforeBytes() {
    expectRefusal(.invalidAllowList) { try KeyedUnarchiver.unarchivedObject(ofClasses: [], from: Data("hello".utf8)) }
    expectRefusal(.invalidAllowList) { try KeyedUnarchiver.unarchivedObject(ofClass: MirrorCoding.self, from: Data()) }
  }

  @Test("MirrorCoding can't be registered") func register() {
    expectRefusal(.invalidAllowList, naming: ["MirrorCoding"]) { try KeyedArchiver.register(MirrorCoding.self) }
    expectRefusal(.invalidAllowList) { try KeyedArchiver.register(AnyObject.self) }
  }

  @Test("A list of classes reads an object of any of them, and says which by its type") func severalClasses() throws {
    let read = try KeyedUnarchiver.unarchivedObject(ofClasses: [Host.self, Allowed.self], from: data)
    #expect(read is Allowed)
    let list = try KeyedArchiver.archivedData(withRootObject: [Allowed(), Allowed()])
    #expect((try KeyedUnarchiver.unarchivedObject(ofClasses: [Allowed.self, [Allowed].self], from: list) as? [Allowed])?.count == 2)
  }

  final class Loose: MirrorCoding {
    var object: MirrorCoding?
    var any: Any?
  }

  @Test("A property declared MirrorCoding admits nothing by itself") func baseProperty() throws {
    let written = Loose()
    written.object = LooseItem()
    expectRefusal(.typeNotAllowed, at: "object", naming: ["LooseItem"]) { try KeyedArchiver.archivedData(withRootObject: written) }
    #expect(try roundTrip(written, allowing: [LooseItem.self]).object is LooseItem)
  }

  @Test("The argument with the ugly name looks plain names up; without it they are refused") func unsafeMode() throws {
    let written = Loose()
    written.any = LooseItem()
    let data = try KeyedArchiver.archivedData(withRootObject: written, requiringSecureCoding: false)
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: Loose.self, from: data) }
    let read = try KeyedUnarchiver.unarchivedObject(of: Loose.self, from: data, unsafelyAllowingAnyClass: true)
    #expect((read.any as? LooseItem)?.number == 1)
  }
}
