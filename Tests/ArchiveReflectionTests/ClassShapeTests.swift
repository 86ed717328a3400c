import ArchiveReflection
import Foundation
import Observation
import ReflectionFixtures
import Testing

@propertyWrapper
struct Clamped {
  private var value: Int
  init(wrappedValue: Int) { value = min(max(wrappedValue, 0), 10) }
  var wrappedValue: Int {
    get { value }
    set { value = min(max(newValue, 0), 10) }
  }
}

struct Nothing {}

class Animal {
  var name = opaque("cat")
  private var id = opaque(1)
  var baseID: Int { id }
}

class Plain: Animal {}

final class Pet: Plain {
  private var id = opaque(2)
  var age: UInt8 = opaque(7)
  var nothing = Nothing()
  var weight: Double? = opaque(3.5)
  @Clamped var mood = 3
  lazy var big: [Int] = [1, 2, 3]
  let born: Int
  var place: (lat: Double, Int) = (1.5, 2)
  override init() { born = opaque(1999) }
  var ownID: Int { id }
}

final class Truck: Vehicle {
  var load = opaque(2.5)
}

final class Pair<A, B> {
  var first: A
  var flag = opaque(true)
  var second: [B]
  init(_ first: A, _ second: [B]) {
    self.first = first
    self.second = second
  }
}

class GenericBase<T> {
  var value: T
  init(_ value: T) { self.value = value }
}

final class GenericSub<U>: GenericBase<[U]> {
  var extra: U?
}

final class IntCrate: Crate<Int> {
  var more = opaque("more")
}

final class Pack<each T> {
  var items: (repeat each T)
  var after = opaque(9)
  init(_ items: repeat each T) { self.items = (repeat each items) }
}

final class Secretive: CustomReflectable {
  var real = opaque(5)
  var customMirror: Mirror { Mirror(self, children: ["fake": 1, "other": 2]) }
}

@Observable
final class Watched {
  var count = opaque(4)
}

final class Remote: NSObject {
  var address = opaque("a")
}

actor Counter {
  var count = opaque(6)
}

@Suite("Class shapes")
struct ClassShapeTests {
  @Test func `levels come base first, with private properties and empty levels`() throws {
    let pet = Pet()
    let shape = try Reflection.classShape(of: Pet.self, instance: pet)
    #expect(
      shape.names == [
        ["name", "id"], [], ["id", "age", "nothing", "weight", "_mood", "$__lazy_storage_$_big", "born", "place"],
      ])
    #expect(shape.levels.map { ObjectIdentifier($0.type) } == [Animal.self, Plain.self, Pet.self].map { ObjectIdentifier($0 as AnyClass) })
    #expect(!shape.isActor)
    #expect(shape.alignmentMask == 15)
    #expect(same(shape.type, Pet.self))
    let last = try shape.field("place")
    #expect(shape.instanceSize == last.offset + last.size)
  }

  @Test func `properties are read through their offsets`() throws {
    let pet = Pet()
    let shape = try Reflection.classShape(of: Pet.self, instance: pet)
    #expect(try read(shape.field("name"), of: pet) == "cat")
    #expect(try read(shape.levels[0].fields[1], of: pet) == 1)
    #expect(try read(shape.levels[2].fields[0], of: pet) == 2)
    #expect(try read(shape.field("age"), of: pet) == UInt8(7))
    #expect(try read(shape.field("weight"), of: pet) == 3.5 as Double?)
    #expect(try read(shape.field("_mood"), of: pet, as: Clamped.self).wrappedValue == 3)
    #expect(try read(shape.field("$__lazy_storage_$_big"), of: pet, as: [Int]?.self) == nil)
    #expect(try read(shape.field("born"), of: pet) == 1999)
    let place = try read(shape.field("place"), of: pet, as: (lat: Double, Int).self)
    #expect(place == (1.5, 2))
    #expect(try shape.field("nothing").size == 0)
  }

  @Test func `properties are written through their offsets and read by ordinary code`() throws {
    let pet = Pet()
    let shape = try Reflection.classShape(of: Pet.self, instance: pet)
    try write("dog", to: shape.field("name"), of: pet)
    try write(11, to: shape.levels[0].fields[1], of: pet)
    try write(12, to: shape.levels[2].fields[0], of: pet)
    try write(UInt8(200), to: shape.field("age"), of: pet)
    try write(Double?.none, to: shape.field("weight"), of: pet)
    try write([7] as [Int]?, to: shape.field("$__lazy_storage_$_big"), of: pet)
    try write((lat: -1.0, 5), to: shape.field("place"), of: pet)
    #expect(pet.name == "dog")
    #expect(pet.baseID == 11)
    #expect(pet.ownID == 12)
    #expect(pet.age == 200)
    #expect(pet.weight == nil)
    #expect(pet.big == [7])
    #expect(pet.place == (-1.0, 5))
    #expect(pet.mood == 3)
    #expect(pet.born == 1999)
  }

  @Test func `let and var are told apart`() throws {
    let shape = try Reflection.classShape(of: Pet.self, instance: nil)
    #expect(try shape.field("born").isVar == false)
    #expect(try shape.field("name").isVar)
    #expect(try shape.field("_mood").isVar)
  }

  @Test func `a superclass of another module keeps its private property`() throws {
    let truck = Truck(wheels: 6, plate: "B 12")
    let shape = try Reflection.classShape(of: Truck.self, instance: truck)
    #expect(shape.names == [["wheels", "plate"], ["load"]])
    #expect(try read(shape.field("plate"), of: truck) == "B 12")
    try write("C 34", to: shape.field("plate"), of: truck)
    try write(8.0, to: shape.field("load"), of: truck)
    #expect(truck.shownPlate == "C 34")
    #expect(truck.wheels == 6)
    #expect(truck.load == 8)
  }

  @Test func `generic parameters are bound`() throws {
    let pair = Pair<UInt8, String>(5, ["a"])
    let shape = try Reflection.classShape(of: Pair<UInt8, String>.self, instance: pair)
    #expect(shape.names == [["first", "flag", "second"]])
    #expect(try read(shape.field("first"), of: pair) == UInt8(5))
    #expect(try read(shape.field("flag"), of: pair) == true)
    #expect(try read(shape.field("second"), of: pair) == ["a"])
    let wide = Pair<(Double, Double), Int>((1, 2), [3])
    let wideShape = try Reflection.classShape(of: type(of: wide), instance: wide)
    #expect(try wideShape.field("flag").offset > shape.field("flag").offset)
    #expect(try read(wideShape.field("second"), of: wide) == [3])
  }

  @Test func `a generic subclass passes its argument up`() throws {
    let object = GenericSub<String>(["x"])
    object.extra = "y"
    let shape = try Reflection.classShape(of: GenericSub<String>.self, instance: object)
    #expect(shape.names == [["value"], ["extra"]])
    #expect(try read(shape.field("value"), of: object) == ["x"])
    try write("z" as String?, to: shape.field("extra"), of: object)
    #expect(object.extra == "z")
    let crate = IntCrate(content: 4, label: "l")
    let crateShape = try Reflection.classShape(of: IntCrate.self, instance: crate)
    #expect(crateShape.names == [["content", "label"], ["more"]])
    #expect(try read(crateShape.field("content"), of: crate) == 4)
    #expect(try read(crateShape.field("more"), of: crate) == "more")
  }

  @Test func `a generic property may stand for Void`() throws {
    let object = Pair<Void, Int>((), [1])
    let shape = try Reflection.classShape(of: Pair<Void, Int>.self, instance: object)
    let first = try shape.field("first")
    #expect(first.size == 0)
    #expect(Reflection.refusal(for: first, in: "Pair") == nil)
  }

  @Test func `parameter packs are bound`() throws {
    let pack = Pack(1, "two", 3.0)
    let shape = try Reflection.classShape(of: type(of: pack), instance: pack)
    #expect(shape.names == [["items", "after"]])
    let items = try read(shape.field("items"), of: pack, as: (Int, String, Double).self)
    #expect(items == (1, "two", 3.0))
    #expect(try read(shape.field("after"), of: pack) == 9)
  }

  @Test func `local and private classes are reflected`() throws {
    final class Local { var x = opaque(3) }
    let local = Local()
    let shape = try Reflection.classShape(of: Local.self, instance: local)
    #expect(try read(shape.field("x"), of: local) == 3)
  }

  @Test func `a custom mirror does not hide the properties`() throws {
    let object = Secretive()
    let shape = try Reflection.classShape(of: Secretive.self, instance: object)
    #expect(shape.names == [["real"]])
    #expect(try read(shape.field("real"), of: object) == 5)
  }

  @Test func `the registrar of an observable class is left out`() throws {
    let object = Watched()
    let shape = try Reflection.classShape(of: Watched.self, instance: object)
    #expect(shape.names == [["_count"]])
    try write(40, to: shape.field("_count"), of: object)
    #expect(object.count == 40)
  }

  @Test func `an actor is marked and its executor left out`() async throws {
    let counter = Counter()
    let shape = try Reflection.classShape(of: Counter.self, instance: counter)
    #expect(shape.isActor)
    #expect(shape.names == [["count"]])
    #expect(try read(shape.field("count"), of: counter) == 6)
  }

  @Test func `a subclass of NSObject is reflected where that is a Swift class`() throws {
    #if !canImport(ObjectiveC)
      let object = Remote()
      let shape = try Reflection.classShape(of: Remote.self, instance: object)
      #expect(shape.names == [[], ["address"]])
      try write("b", to: shape.field("address"), of: object)
      #expect(object.address == "b")
    #else
      #expect(throws: ReflectionError.self) { try Reflection.classShape(of: Remote.self, instance: nil) }
    #endif
  }

  @Test func `a ManagedBuffer is refused`() {
    final class Buffer: ManagedBuffer<Int, Int> {}
    let error = #expect(throws: ReflectionError.self) { try Reflection.classShape(of: Buffer.self, instance: nil) }
    #expect(error?.code == .managedBuffer)
    #expect(error?.message.contains("@Transient") == true)
  }

  @Test func `shapes are the same from any number of threads`() async throws {
    let expected = try Reflection.classShape(of: Pet.self, instance: nil).levels.flatMap(\.fields).map(\.offset)
    await withTaskGroup(of: [Int]?.self) { group in
      for _ in 0..<32 {
        group.addTask { try? Reflection.classShape(of: Pet.self, instance: Pet()).levels.flatMap(\.fields).map(\.offset) }
      }
      for await offsets in group { #expect(offsets == expected) }
    }
  }
}
