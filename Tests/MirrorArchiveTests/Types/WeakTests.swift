import Foundation
import MirrorArchive
import Testing

/// CASES row R3 and DESIGN 3: conditional references.
@Suite("Weak, unowned and lazy properties")
struct WeakTests {
  final class Node: MirrorCoding {
    var name = ""
    weak var parent: Node?
    var children: [Node] = []
    weak var watcher: (any Watcher)?

    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }

  final class Guard: MirrorCoding, Watcher { var post = "north" }

  final class Post: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Guard.self]) }
    var node: Node?
    var chief: Guard?
  }

  final class Engine: MirrorCodable {
    unowned let car: Car
    unowned(unsafe) var rawCar: Car
    unowned var spare: Engine?
    var power = 100
    init(car: Car) {
      self.car = car
      unsafe rawCar = car
    }
  }

  final class Car: MirrorCoding {
    var plate = ""
    var engine: Engine?
    var second: Engine?
  }

  @Test("A weak reference to an object of the graph is kept") func inside() throws {
    let root = Node("root")
    root.children = [Node("a"), Node("b")]
    for child in root.children { child.parent = root }
    let read = try roundTrip(root)
    #expect(read.parent == nil && read.children.count == 2)
    #expect(read.children.allSatisfy { $0.parent === read })
  }

  @Test("A weak reference to an object outside of the graph is nil, and its target is not dragged in") func outside() throws {
    let parent = Node("a parent with a name that would be seen in the bytes")
    let child = Node("child")
    child.parent = parent
    let data = try KeyedArchiver.archivedData(withRootObject: child)
    #expect(data.range(of: Data("would be seen".utf8)) == nil)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Node.self, from: data)
    #expect(read.name == "child" && read.parent == nil)
    #expect(parent.name.count > 10)
  }

  @Test("Whether the strong path comes before or after the weak one does not matter", arguments: [false, true]) func order(weakFirst: Bool)
    throws
  {
    let target = Node("target")
    let pointer = Node("pointer")
    pointer.parent = target
    let root = Node("root")
    root.children = weakFirst ? [pointer, target] : [target, pointer]
    let read = try roundTrip(root)
    let (readPointer, readTarget) = weakFirst ? (read.children[0], read.children[1]) : (read.children[1], read.children[0])
    #expect(readPointer.name == "pointer" && readTarget.name == "target")
    #expect(readPointer.parent === readTarget)
  }

  @Test("A weak reference chain alone keeps nothing") func weakOnly() throws {
    let root = Node("root")
    let middle = Node("middle")
    let end = Node("end")
    root.parent = middle
    middle.parent = end
    middle.children = [end]
    let read = try roundTrip(root)
    #expect(read.parent == nil)
    #expect(end.name == "end" && middle.name == "middle")
  }

  @Test("Many weak references keep their rows", arguments: [7, 8, 1_024, 1_025, 3_000]) func many(count: Int) throws {
    let root = Node("root")
    let outside = Node("outside")
    root.children = (0..<count).map { Node("\($0)") }
    for (index, child) in root.children.enumerated() {
      child.parent =
        switch index % 4 {
        case 0: root
        case 1: nil
        case 2: outside
        default: root.children[index - 1]
        }
    }
    let read = try roundTrip(root)
    try #require(read.children.count == count)
    for (index, child) in read.children.enumerated() {
      switch index % 4 {
      case 0: #expect(child.parent === read)
      case 1, 2: #expect(child.parent == nil)
      default: #expect(child.parent === read.children[index - 1])
      }
    }
    #expect(outside.name == "outside")
  }

  @Test("A weak protocol property is kept if its target is in the graph") func weakProtocol() throws {
    let written = Post()
    let node = Node("n")
    let sentinel = Guard()
    sentinel.post = "south"
    node.watcher = sentinel
    written.node = node
    written.chief = sentinel
    let read = try roundTrip(written)
    #expect(read.chief?.post == "south")
    #expect(read.node?.watcher === read.chief)
    written.chief = nil
    #expect(try roundTrip(written).node?.watcher == nil)
  }

  @Test("Unowned references are kept when their targets are in the graph") func unownedInside() throws {
    let car = Car()
    car.plate = "A 1"
    let engine = Engine(car: car)
    let second = Engine(car: car)
    second.spare = engine
    second.power = 200
    car.engine = engine
    car.second = second
    let read = try roundTrip(car)
    let readEngine = try #require(read.engine)
    let readSecond = try #require(read.second)
    #expect(readEngine.car === read && readEngine.power == 100 && readEngine.spare == nil)
    #expect(readSecond.car === read && readSecond.power == 200 && readSecond.spare === readEngine)
    unsafe #expect(readEngine.rawCar === read)
  }

  @Test("An unowned reference to an object that is not in the archive is an error") func unownedOutside() {
    let car = Car()
    let engine = Engine(car: car)
    expectRefusal(.missingUnownedTarget, at: "car", naming: ["car"]) { try roundTrip(engine) }
    #expect(car.plate.isEmpty)
  }

  static let computed = Tally()

  final class Slow: MirrorCoding {
    var factor = 2
    lazy var big: [Int] = compute()
    lazy var text: String? = nil
    lazy var friend: Slow = Slow()

    private func compute() -> [Int] {
      WeakTests.computed.add(1)
      return [factor, factor * 2]
    }
  }

  @Test("A lazy property is not computed by archiving, and is still lazy afterwards") func lazyUntouched() throws {
    let written = Slow()
    let before = Self.computed.value
    let read = try roundTrip(written)
    #expect(Self.computed.value == before)
    read.factor = 5
    #expect(read.big == [5, 10])
    #expect(Self.computed.value == before + 1)
    written.factor = 3
    #expect(written.big == [3, 6])
  }

  @Test("A lazy property that was computed comes back with its value") func lazyComputed() throws {
    let written = Slow()
    written.factor = 4
    #expect(written.big == [4, 8])
    written.text = "set"
    written.friend.factor = 11
    written.factor = 0
    let read = try roundTrip(written)
    #expect(read.big == [4, 8] && read.text == "set" && read.friend.factor == 11 && read.factor == 0)
  }
}

protocol Watcher: AnyObject { var post: String { get } }
