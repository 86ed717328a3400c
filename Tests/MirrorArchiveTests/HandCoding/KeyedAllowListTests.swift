import Foundation
import MirrorArchive
import Testing

/// CASES row 30: lists that would switch the check off, in every call that takes one.
@Suite("Allow-lists, by key")
struct KeyedAllowListTests {
  static let lists: [[Any.Type]] = [
    [MirrorCoding.self], [AnyObject.self], [Any.self], [(any MirrorCodable).self], [(any KeyedCoding).self], [(any Archivable).self],
    [Hand<Int>.self, MirrorCoding.self], [Hand<Int>.self, AnyObject.self],
  ]

  @Test("Refused in each call, at every place", arguments: KeyedPlace.allCases) func refused(place: KeyedPlace) throws {
    try place.pass(
      write: {
        try $0.encode(Hand(1), forKey: "k")
        try $0.encode([Hand(1)], forKey: "list")
        if place.takesUnkeyed { try $0.encode(Hand(1)) }
      },
      read: { coder throws in
        for list in Self.lists + [[]] {
          expectRefusal(.invalidAllowList) { try coder.decodeObject(ofClasses: list, forKey: "k") }
          expectRefusal(.invalidAllowList) { try coder.decodeObjectIfPresent(ofClasses: list, forKey: "k") as Any }
          expectRefusal(.invalidAllowList) { try coder.decodeArrayOfObjects(ofClasses: list, forKey: "list") }
          // In these an empty list is the default and adds nothing.
          if list.isEmpty { continue }
          expectRefusal(.invalidAllowList) { try coder.decode(Any.self, forKey: "k", allowing: list) }
          expectRefusal(.invalidAllowList) { try coder.decodeIfPresent(Any.self, forKey: "k", allowing: list) as Any }
          if place.takesUnkeyed {
            expectRefusal(.invalidAllowList) { try coder.decode(Any.self, allowing: list) }
          }
        }
        expectRefusal(.invalidAllowList) { try coder.decodeObject(of: MirrorCoding.self, forKey: "k") }
        expectRefusal(.invalidAllowList) { try coder.decodeObjectIfPresent(of: MirrorCoding.self, forKey: "k") as Any }
        expectRefusal(.invalidAllowList) { try coder.decode(MirrorCoding.self, forKey: "k") }
        expectRefusal(.invalidAllowList) { try coder.decode(AnyObject.self, forKey: "k") }
        expectRefusal(.invalidAllowList) { try coder.decodeObject(of: MirrorCoding.self, forKey: "k") { _ in } }
        expectRefusal(.invalidAllowList) { try coder.decodeObjectIfPresent(of: MirrorCoding.self, forKey: "k") { _ in } }
        expectRefusal(.invalidAllowList) { try coder.decodeArrayOfObjects(ofClass: MirrorCoding.self, forKey: "list") }
        expectRefusal(.invalidAllowList) {
          try coder.decodeDictionary(ofKeyClass: String.self, objectClass: MirrorCoding.self, forKey: "k")
        }
        #expect(try coder.decodeObject(of: Hand<Int>.self, forKey: "k").value == 1)
      })
  }

  @Test("Refused when an archiver is given one", arguments: lists.indices) func archiver(index: Int) {
    expectRefusal(.invalidAllowList) { try keyedArchive(allowing: Self.lists[index]) { try $0.encode(1, forKey: "n") } }
    expectRefusal(.invalidAllowList) { try KeyedArchiver.archivedData(withRootObject: Hand(1), allowing: Self.lists[index]) }
  }
}
