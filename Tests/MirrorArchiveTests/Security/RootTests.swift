import Foundation
import MirrorArchive
import Testing

@Suite("Roots and the calls that read them")
struct RootTests {
  final class Item: MirrorCoding {
    var name = ""
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }
  class Base: MirrorCoding { var name = "" }
  final class Heir: Base { var extra = 1 }

  @Test("An object is a root for each of the calls") func object() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Item("i"))
    #expect(try KeyedUnarchiver.unarchivedObject(of: Item.self, from: data).name == "i")
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Item.self, from: data).name == "i")
    #expect((try KeyedUnarchiver.unarchivedObject(ofClasses: [Item.self], from: data) as? Item)?.name == "i")
  }

  @Test("Arrays of objects and of values are roots") func arrays() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: [Item("a"), Item("b")])
    #expect(try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Item.self, from: data).map(\.name) == ["a", "b"])
    #expect(try KeyedUnarchiver.unarchivedObject(of: [Item].self, from: data).map(\.name) == ["a", "b"])
    let empty = try KeyedArchiver.archivedData(withRootObject: [Item]())
    #expect(try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Item.self, from: empty).isEmpty)
    let numbers = try KeyedArchiver.archivedData(withRootObject: [1, 2, 3])
    #expect(try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Int.self, from: numbers) == [1, 2, 3])
  }

  @Test("Dictionaries are roots") func dictionaries() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: ["a": Item("1"), "b": Item("2")])
    let read = try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: String.self, objectClass: Item.self, from: data)
    #expect(read.mapValues(\.name) == ["a": "1", "b": "2"])
    let numbers = try KeyedArchiver.archivedData(withRootObject: [1: [2.5], 3: []])
    #expect(try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: Int.self, objectClass: [Double].self, from: numbers) == [1: [2.5], 3: []])
  }

  @Test("Scalars, structs, enums and sets are roots") func values() throws {
    #expect(try roundTrip(5) == 5)
    #expect(try roundTrip("text") == "text")
    #expect(try roundTrip(true) == true)
    #expect(try roundTrip(Date.distantPast) == .distantPast)
    #expect(try roundTrip(Pair(first: 1, second: "p")) == Pair(first: 1, second: "p"))
    #expect(try roundTrip(Enums.Shape.circle(r: 2)) == .circle(r: 2))
    #expect(try roundTrip(Set(["a", "b"])) == ["a", "b"])
    #expect(try roundTrip([[1: ["a"]], [:]] as [[Int: [String]]]) == [[1: ["a"]], [:]])
  }

  @Test("Optional roots keep presence") func optionals() throws {
    #expect(try roundTrip(Int?.some(3)) == 3)
    #expect(try roundTrip(Int?.none) == nil)
    #expect(try roundTrip(Item?.some(Item("o")))?.name == "o")
    #expect(try roundTrip(Item?.none) == nil)
    #expect(try roundTrip([Int?]([1, nil, 3])) == [1, nil, 3])
  }

  @Test("A root declared by its base class comes back as the subclass that it is") func baseClassRoot() throws {
    let heir = Heir()
    heir.extra = 5
    let written: Base = heir
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    let read = try KeyedUnarchiver.unarchivedObject(of: Base.self, from: data, allowing: [Heir.self])
    #expect((read as? Heir)?.extra == 5)
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Heir.self, from: data).extra == 5)
    expectGateRefusal { try KeyedUnarchiver.unarchivedObject(ofClass: Base.self, from: data) }
  }

  @Test("A root declared Any is archived as what it is") func anyRoot() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Item("a") as Any)
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Item.self, from: data).name == "a")
  }

  @Test("An archive of one kind is not read as another") func otherKind() throws {
    let object = try KeyedArchiver.archivedData(withRootObject: Item("i"))
    let number = try KeyedArchiver.archivedData(withRootObject: 5)
    let list = try KeyedArchiver.archivedData(withRootObject: [1, 2])
    expectGateRefusal { try KeyedUnarchiver.unarchivedObject(of: Int.self, from: object) }
    expectGateRefusal { try KeyedUnarchiver.unarchivedObject(of: [Item].self, from: object) }
    expectGateRefusal { try KeyedUnarchiver.unarchivedObject(of: Item.self, from: number) }
    expectGateRefusal { try KeyedUnarchiver.unarchivedObject(of: [Date].self, from: list) }
    expectGateRefusal { try KeyedUnarchiver.unarchivedObject(of: Pair<Int, Int>.self, from: number) }
    expectGateRefusal { try KeyedUnarchiver.unarchivedObject(of: Enums.Plain.self, from: list) }
    expectGateRefusal { try KeyedUnarchiver.unarchivedObject(of: Base.self, from: object) }
  }

  private func expectGateRefusal<Result>(sourceLocation: SourceLocation = #_sourceLocation, _ decode: () throws -> Result) {
    do {
      Issue.record("read \(try decode())", sourceLocation: sourceLocation)
    } catch let error as ArchiveError {
      #expect([.typeMismatch, .typeNotAllowed, .unknownType].contains(error.code), "\(error)", sourceLocation: sourceLocation)
      #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }
}
