import Foundation
import MirrorArchive
import Testing

/// CASES rows 7 and R4, and types that reflect as something else than they are.
@Suite("Generic classes and classes with a mirror of their own")
struct GenericTests {
  final class Shelf: MirrorCoding {
    var int = Box<Int>()
    var text: Box<String>?
    var nested: Box<Box<[Int?]>>?
    var list: [Box<Double>] = []
    var table: [String: Box<Shelf>] = [:]
    var optionalInt: Box<Int?>?
  }

  @Test("Specialised generic classes come back as properties, each with its own type") func properties() throws {
    let written = Shelf()
    written.int.value = 5
    written.text = Box("t")
    written.nested = Box(Box([1, nil]))
    written.list = [Box(0.5), Box(nil), Box(-0.0)]
    written.table = ["self": Box(written)]
    written.optionalInt = Box(.some(nil))
    let read = try roundTrip(written)
    #expect(read.int.value == 5 && read.text?.value == "t" && read.nested?.value?.value == [1, nil])
    #expect(read.list.map(\.value) == [0.5, nil, 0] && read.list[2].value?.sign == .minus)
    #expect(read.table["self"]?.value === read)
    #expect(read.optionalInt?.value == .some(nil))
    read.table = [:]
    written.table = [:]
  }

  @Test("Generic classes are roots") func roots() throws {
    #expect(try roundTrip(Box(7)).value == 7)
    #expect(try roundTrip(Box([Box("a"), Box("b")])).value?.map(\.value) == ["a", "b"])
  }

  @Test("An archive of one specialisation is not read as another") func otherSpecialisation() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Box(7))
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: Box<String>.self, from: data) }
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: Slot<Int>.self, from: data) }
  }

  class Base<Key: Hashable, Value>: MirrorCoding {
    private var stored: [Key: Value] = [:]
    fileprivate var last: Value?
    subscript(key: Key) -> Value? {
      get { stored[key] }
      set {
        stored[key] = newValue
        last = newValue
      }
    }
  }
  final class Names: Base<Int, String> { var count = 0 }
  final class Swapped<First: Hashable, Second: Hashable>: Base<Second, First> {
    private var stored: (First, Second)?
    func set(_ first: First, _ second: Second) { stored = (first, second) }
    var state: String { stored.map { "\($0)" } ?? "nil" }
  }

  @Test("Subclasses of generic classes come back, generic or not") func genericBase() throws {
    let names = Names()
    names[1] = "one"
    names.count = 1
    let readNames = try roundTrip(names)
    #expect(readNames[1] == "one" && readNames.last == "one" && readNames.count == 1)
    let swapped = Swapped<String, Int>()
    swapped[3] = "three"
    swapped.set("a", 2)
    let readSwapped = try roundTrip(swapped)
    #expect(readSwapped[3] == "three" && readSwapped.state == #"("a", 2)"#)
  }

  final class Liar: MirrorCoding, CustomReflectable {
    private var truth = 1
    var name = "n"
    var customMirror: Mirror { Mirror(self, children: ["lie": "yes", "name": 5], displayStyle: .class) }
    func set(_ truth: Int) { self.truth = truth }
    var state: Int { truth }
  }
  final class Silent: MirrorCoding, CustomReflectable {
    var number = 1
    var customMirror: Mirror { Mirror(self, children: [:]) }
  }
  class LyingBase: MirrorCoding, CustomReflectable {
    var base = 1
    var customMirror: Mirror { Mirror(reflecting: 5) }
  }
  final class HonestHeir: LyingBase { var own = "o" }
  struct LyingStruct: CustomReflectable, Equatable {
    var number = 1
    var customMirror: Mirror { Mirror(self, children: ["a": 1, "b": 2]) }
  }

  @Test("A custom mirror changes nothing: the real properties are archived") func customMirror() throws {
    let written = Liar()
    written.set(44)
    written.name = "liar"
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    #expect(data.range(of: Data("lie".utf8)) == nil)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Liar.self, from: data)
    #expect(read.state == 44 && read.name == "liar")
    let silent = Silent()
    silent.number = 6
    #expect(try roundTrip(silent).number == 6)
    let heir = HonestHeir()
    heir.base = 2
    heir.own = "p"
    let readHeir = try roundTrip(heir)
    #expect(readHeir.base == 2 && readHeir.own == "p")
    #expect(try roundTrip(Slot(LyingStruct(number: 9))).value == LyingStruct(number: 9))
  }
}
