import Foundation
import MirrorArchive
import Testing

/// Every call of the archiver and the unarchiver.
@Suite("Public calls")
struct CallTests {
  final class Item: MirrorCoding {
    var number = 1
    init(_ number: Int) {
      self.number = number
      super.init()
    }
    required init() {}
  }
  final class Other: MirrorCoding { var text = "other" }
  class Base: MirrorCoding { var label = "" }
  final class Unknown: Base { var extra = 1 }
  final class Registered: Base { var extra = 2 }
  final class Holder: MirrorCoding {
    var base: Base?
    var any: Any?
  }
  struct Point: Equatable { var x = 0.0, y = 0.0 }

  @Test("archivedData and unarchivedObject(of:from:) take any supported root") func roots() throws {
    let points = [Point(x: 1, y: 2), Point(x: -0.5, y: .infinity)]
    let data: Data = try KeyedArchiver.archivedData(withRootObject: points)
    #expect(try KeyedUnarchiver.unarchivedObject(of: [Point].self, from: data) == points)
    let text = try KeyedArchiver.archivedData(withRootObject: "text")
    #expect(try KeyedUnarchiver.unarchivedObject(of: String.self, from: text) == "text")
    #expect(try KeyedUnarchiver.unarchivedObject(of: Any.self, from: text) as? String == "text")
  }

  @Test("unarchivedObject(ofClass:from:) reads an object") func ofClass() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Item(7))
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Item.self, from: data).number == 7)
  }

  @Test("unarchivedObject(ofClasses:from:) reads one of several") func ofClasses() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Item(8))
    let root: Any = try KeyedUnarchiver.unarchivedObject(ofClasses: [Other.self, Item.self], from: data)
    #expect((root as? Item)?.number == 8)
  }

  @Test("unarchivedArrayOfObjects(ofClass:from:) reads an array, shared elements as one object") func array() throws {
    let item = Item(9)
    let data = try KeyedArchiver.archivedData(withRootObject: [item, Item(10), item])
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Item.self, from: data)
    #expect(read.map(\.number) == [9, 10, 9] && read[0] === read[2] && read[0] !== read[1])
  }

  @Test("unarchivedDictionary(ofKeyClass:objectClass:from:) reads a dictionary") func dictionary() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: ["a": Item(1), "b": Item(2)])
    let read = try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: String.self, objectClass: Item.self, from: data)
    #expect(read.mapValues(\.number) == ["a": 1, "b": 2])
  }

  @Test("An undeclared subclass needs allowing: on both sides") func allowing() throws {
    let holder = Holder()
    holder.base = Unknown()
    let refusal = #expect(throws: ArchiveError.self) { try KeyedArchiver.archivedData(withRootObject: holder) }
    #expect(refusal?.code == .typeNotAllowed && refusal?.path == "root.base")
    let data = try KeyedArchiver.archivedData(withRootObject: holder, allowing: [Unknown.self])
    let refused = #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(ofClass: Holder.self, from: data) }
    #expect(refused?.code == .typeNotAllowed)
    let read = try KeyedUnarchiver.unarchivedObject(of: Holder.self, from: data, allowing: [Unknown.self])
    #expect((read.base as? Unknown)?.extra == 1)
  }

  @Test("register(_:as:) admits a class and names it") func register() throws {
    try KeyedArchiver.register(Registered.self, as: "public-api-registered")
    let holder = Holder()
    holder.base = Registered()
    holder.any = holder.base
    let data = try KeyedArchiver.archivedData(withRootObject: holder)
    #expect(data.range(of: Data("public-api-registered".utf8)) != nil)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Holder.self, from: data)
    #expect(read.base is Registered && read.any as? Base === read.base)
  }

  @Test("Both checks can be switched off by name") func insecure() throws {
    let holder = Holder()
    holder.base = Unknown()
    let data = try KeyedArchiver.archivedData(withRootObject: holder, requiringSecureCoding: false)
    let read = try KeyedUnarchiver.unarchivedObject(of: Holder.self, from: data, unsafelyAllowingAnyClass: true)
    #expect(read.base is Unknown)
  }
}
