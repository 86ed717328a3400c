import Foundation
import MirrorArchive
import Testing

@Suite("Classes and their bases")
struct InheritanceTests {
  class Base: MirrorCoding {
    private var id = 1
    private var secret = "base"
    fileprivate var shared = 0
    var baseState: String { "\(id) \(secret)" }
    func setBase(_ id: Int, _ secret: String) {
      self.id = id
      self.secret = secret
    }
  }
  class Middle: Base {
    private var id: String = "middle"
    var note: String?
    var middleState: String { id }
    func setMiddle(_ id: String) { self.id = id }
  }
  final class Top: Middle {
    private var id = 2.5
    private var secret = ["top"]
    var topState: String { "\(id) \(secret)" }
    func setTop(_ id: Double, _ secret: [String]) {
      self.id = id
      self.secret = secret
    }
  }

  @Test("Private properties of the same name at three levels are three properties") func sameNames() throws {
    let written = Top()
    written.setBase(10, "b")
    written.setMiddle("m")
    written.setTop(-0.5, ["t", ""])
    written.shared = 7
    written.note = "n"
    let read = try roundTrip(written)
    #expect(read.baseState == "10 b" && read.middleState == "m" && read.topState == #"-0.5 ["t", ""]"#)
    #expect(read.shared == 7 && read.note == "n")
    let untouched = try roundTrip(Top())
    #expect(untouched.baseState == "1 base" && untouched.middleState == "middle" && untouched.topState == #"2.5 ["top"]"#)
  }

  class Shape: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Circle.self, Square.self]) }
    var name = ""
    func area() -> Double { 0 }
  }
  final class Circle: Shape {
    var radius = 0.0
    override func area() -> Double { radius * radius }
  }
  class Square: Shape {
    var side = 0.0
    override func area() -> Double { side * side }
  }
  final class Ringed: Square { var ring: Circle? }
  final class Outsider: Shape { var extra = 1 }
  final class Drawing: MirrorCoding {
    var first: Shape?
    var shapes: [Shape] = []
    var byName: [String: Shape] = [:]
    var circle: Circle?
    var tagged: [Either<Shape, Int>] = []
  }

  private func circle(_ radius: Double) -> Circle {
    let circle = Circle()
    circle.name = "circle \(radius)"
    circle.radius = radius
    return circle
  }

  private func square(_ side: Double) -> Square {
    let square = Square()
    square.side = side
    return square
  }

  @Test("Declared subclasses come back as what they were behind a base-class property") func declared() throws {
    let written = Drawing()
    let shared = circle(3)
    written.first = shared
    written.circle = shared
    written.shapes = [shared, square(2), Shape(), circle(4)]
    written.byName = ["s": square(5), "c": shared]
    written.tagged = [.left(square(6)), .right(1), .left(shared)]
    let read = try roundTrip(written)
    let copy = try #require(read.circle)
    #expect(copy.radius == 3 && copy.name == "circle 3.0" && read.first === copy && read.shapes.count == 4 && read.shapes[0] === copy)
    #expect(read.shapes.map { $0.area() } == [9, 4, 0, 16])
    #expect(read.shapes.map { "\(type(of: $0))" } == ["Circle", "Square", "Shape", "Circle"])
    #expect(read.byName["c"] === copy && read.byName["s"]?.area() == 25)
    guard case .left(let six) = read.tagged[0], case .right(1) = read.tagged[1], case .left(let last) = read.tagged[2] else {
      Issue.record("read \(read.tagged)")
      return
    }
    #expect(six.area() == 36 && last === copy)
  }

  @Test("Classes alternate in a long list and keep their order", arguments: [8, 1_024, 1_025, 3_000]) func alternating(count: Int) throws {
    let written = Drawing()
    written.shapes = (0..<count).map { $0.isMultiple(of: 3) ? circle(Double($0)) : square(Double($0)) }
    let read = try roundTrip(written)
    #expect(read.shapes.map { $0.area() } == written.shapes.map { $0.area() })
    #expect(read.shapes.map { $0 is Circle } == written.shapes.map { $0 is Circle })
  }

  @Test("A subclass named in the call is admitted, with what it reaches") func allowing() throws {
    let written = Drawing()
    let ringed = Ringed()
    ringed.side = 1
    ringed.ring = circle(2)
    written.shapes = [ringed]
    let read = try roundTrip(written, allowing: [Ringed.self])
    let copy = try #require(read.shapes.first as? Ringed)
    #expect(copy.side == 1 && copy.ring?.radius == 2)
  }

  final class Registered: Shape { var level = 4 }

  @Test("A registered subclass is admitted program-wide") func registered() throws {
    try KeyedArchiver.register(Registered.self, as: "registered shape")
    let written = Drawing()
    let shape = Registered()
    shape.level = 9
    written.first = shape
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    #expect(data.range(of: Data("registered shape".utf8)) != nil)
    #expect(data.range(of: Data("Registered".utf8)) == nil)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Drawing.self, from: data)
    #expect((read.first as? Registered)?.level == 9)
  }

  @Test("An undeclared subclass is refused at encode, at its place, with the cures") func undeclared() {
    let written = Drawing()
    written.shapes = [circle(1), Outsider()]
    expectRefusal(.typeNotAllowed, at: "shapes", naming: ["Outsider", "subclasses", "register", "allowing"]) {
      try KeyedArchiver.archivedData(withRootObject: written)
    }
  }

  final class Empty: MirrorCoding {}
  class EmptyBase: MirrorCoding {}
  final class FullOnEmpty: EmptyBase { var number = 0 }
  final class EmptyOnFull: Base {}
  final class Holder: MirrorCoding {
    var empties: [Empty] = []
    var first: Empty?
  }

  @Test("Classes without properties keep identity and number", arguments: [0, 1, 8, 1_025]) func emptyClass(count: Int) throws {
    let written = Holder()
    written.empties = (0..<count).map { _ in Empty() }
    written.first = written.empties.last
    let read = try roundTrip(written)
    #expect(read.empties.count == count)
    #expect(read.first === read.empties.last)
    #expect(Set(read.empties.map { ObjectIdentifier($0) }).count == count)
    _ = try roundTrip(Empty())
  }

  @Test("Levels without properties are no obstacle") func emptyLevels() throws {
    let full = FullOnEmpty()
    full.number = 5
    #expect(try roundTrip(full).number == 5)
    let empty = EmptyOnFull()
    empty.setBase(8, "e")
    #expect(try roundTrip(empty).baseState == "8 e")
  }
}
