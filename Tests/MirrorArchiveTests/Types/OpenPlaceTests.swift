import Foundation
import MirrorArchive
import Testing

/// What may stand in `Any` beside the types that were named: whatever those declare. What could not be read back is not written.
@Suite("Values in Any, composed")
struct OpenPlaceTests {
  struct Inner: Hashable {
    var number = 1
    var level: Level? = .high
    enum Level: Hashable { case low, high }
  }
  struct Outer: Hashable {
    var inner = Inner()
    var list = [Inner(number: 2)]
  }
  struct Tree: Equatable {
    var branches: [Tree] = []
    var number = 1
  }
  struct TupleFirst {
    var place: (Int, Int) = (3, 4)
    var name = "tuple"
  }
  indirect enum Expression: Equatable {
    case number(Inner)
    case sum(Expression, Expression)
  }

  @Test("A named struct brings the types of its fields along") func nested() throws {
    let read = try roundTrip(AnyBox(list: [Outer(), [Outer()], Outer?.none as Any, ["k": Outer()]]), allowing: [Outer.self])
    #expect(read.list[0] as? Outer == Outer())
    #expect(read.list[1] as? [Outer] == [Outer()])
    #expect(type(of: read.list[2]) == Outer?.self)
    #expect(read.list[3] as? [String: Outer] == ["k": Outer()])
  }

  @Test("A named enum brings the types of its payloads along") func enumeration() throws {
    let value = Expression.sum(.number(Inner()), .number(Inner(number: 7, level: nil)))
    #expect(try roundTrip(AnyBox(value), allowing: [Expression.self]).value as? Expression == value)
  }

  @Test("A struct that holds itself, or a tuple, stands in Any") func firstField() throws {
    let tree = Tree(branches: [Tree(branches: [Tree()], number: 2)], number: 3)
    #expect(try roundTrip(AnyBox(tree), allowing: [Tree.self]).value as? Tree == tree)
    let tuple = try #require(try roundTrip(AnyBox(TupleFirst()), allowing: [TupleFirst.self]).value as? TupleFirst)
    #expect(tuple.place == (3, 4) && tuple.name == "tuple")
  }

  @Test("A field's type alone is not named by that") func fieldAlone() {
    expectRefusal(.typeNotAllowed, at: "value", naming: ["Inner"]) {
      try KeyedArchiver.archivedData(withRootObject: AnyBox(Inner()), allowing: [Outer.self])
    }
  }

  @Test("Sets and dictionaries of AnyHashable keep their elements and their type") func anyHashable() throws {
    let set: Set<AnyHashable> = [1, "a", 2.5]
    #expect(try roundTrip(AnyBox(set)).value as? Set<AnyHashable> == set)
    let table: [AnyHashable: Int] = [1: 1, "a": 2]
    #expect(try roundTrip(AnyBox(table)).value as? [AnyHashable: Int] == table)
  }

  static let unreadable: [(name: String, value: @Sendable () -> Any)] = [
    ("ContiguousArray", { ContiguousArray([1, 2]) }),
    ("ArraySlice", { [1, 2, 3][1...] }),
    ("InlineArray", { [1, 2] as InlineArray<2, Int> }),
    ("Result", { Result<Int, Never>.success(1) }),
    ("FloatingPointRoundingRule", { FloatingPointRoundingRule.up }),
    ("WritingOptions", { Data.WritingOptions.atomic }),
    ("AnyHashable", { [AnyHashable(1)] }),
    ("CustomStringConvertible", { [1, "a"] as [any CustomStringConvertible] }),
  ]

  @Test("What a reader could not make again, with its exact type, is refused where it is written", arguments: unreadable.map(\.name))
  func refused(name: String) throws {
    let value = try #require(Self.unreadable.first { $0.name == name }).value()
    expectRefusal(.unsupportedType, at: "value", naming: [name, "exact type"]) {
      try KeyedArchiver.archivedData(withRootObject: AnyBox(value))
    }
  }

  protocol Delegate: AnyObject {}
  final class Target: MirrorCoding, Delegate { var number = 1 }
  final class Sender: MirrorCoding {
    var target: Target? = Target()
    weak var delegate: (any Delegate)?
    weak var anything: AnyObject?
  }

  @Test("A weak protocol property may point to whatever a strong path has brought in") func weakProtocol() throws {
    let sender = Sender()
    sender.delegate = sender.target
    sender.anything = sender.target
    let read = try roundTrip(sender)
    #expect(read.target != nil && read.delegate === read.target && read.anything === read.target)
  }
}
