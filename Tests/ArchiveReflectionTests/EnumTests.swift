import ArchiveReflection
import ReflectionFixtures
import Testing

enum Direction: String, CaseIterable { case north, east, south, west }
enum Only { case one }
enum OnlyPayload: Equatable { case one(Int, String) }
enum Maybe: Equatable {
  case nothing
  case some(UInt8)
  case unknown
}
enum Shape: Equatable {
  case none
  case circle(r: Double)
  case label(String)
  case tokens([Int], Bool)
  case other
}
indirect enum Tree: Equatable {
  case leaf
  case node(Tree, Int, Tree)
}
enum Partly: Equatable {
  case plain(Int)
  indirect case boxed(Partly)
  indirect case text(String)
  case empty
}
indirect enum BoxedVoid {
  case v(Void)
  case e(Nothing)
  case n
}
enum VoidPayload {
  case int(Int)
  case void(Void)
  case never(Never)
  case plain
}
enum Either<L, R> {
  case left(L)
  case right(R)
}
extension Either: Equatable where L: Equatable, R: Equatable {}
final class Host<T> {
  enum State {
    case idle
    case busy(T)
    indirect case nested(State, T)
  }
}
enum Boxes {
  case any(Any)
  case error(any Error)
  case object(AnyObject)
  case described(any CustomStringConvertible)
}
enum Failure: Error, Equatable {
  case bad(code: Int)
  case worse
}
struct WeakHolder { weak var object: Token? }
enum NotMovable {
  case held(WeakHolder)
  indirect case boxed(WeakHolder)
  case none
}

@Suite("Enums")
struct EnumTests {
  @Test func `cases come in tag order, those with payload first`() throws {
    let shape = try Reflection.enumShape(of: Shape.self)
    #expect(shape.cases.map(\.name) == ["circle", "label", "tokens", "none", "other"])
    #expect(same(shape.cases[0].payload, Double.self))
    #expect(same(shape.cases[2].payload, ([Int], Bool).self))
    #expect(same(shape.cases[3].payload, nil))
    #expect(!shape.isTrivialByte)
  }

  @Test func `an enum without payloads is its tag`() throws {
    let shape = try Reflection.enumShape(of: Direction.self)
    #expect(shape.cases.map(\.name) == ["north", "east", "south", "west"])
    #expect(shape.isTrivialByte)
    for direction in Direction.allCases { #expect(try rebuilt(direction, caseNamed: "\(direction)", payload: nil) == direction) }
  }

  @Test func `enums without a choice work`() throws {
    #expect(try Reflection.enumShape(of: Never.self).cases.isEmpty)
    #expect(try Reflection.enumShape(of: Only.self).isTrivialByte == false)
    #expect(try rebuilt(Only.one, caseNamed: "one", payload: nil) == .one)
    #expect(try rebuilt(OnlyPayload.one(3, "x"), caseNamed: "one", payload: (Int, String).self) == .one(3, "x"))
  }

  @Test func `single payloads come back`() throws {
    #expect(try rebuilt(Maybe.some(200), caseNamed: "some", payload: UInt8.self) == .some(200))
    #expect(try rebuilt(Maybe.nothing, caseNamed: "nothing", payload: nil) == .nothing)
    #expect(try rebuilt(Maybe.unknown, caseNamed: "unknown", payload: nil) == .unknown)
  }

  @Test func `multiple payloads come back`() throws {
    let long = "a string that does not fit into sixteen bytes"
    #expect(try rebuilt(Shape.none, caseNamed: "none", payload: nil) == .none)
    #expect(try rebuilt(Shape.circle(r: 2.5), caseNamed: "circle", payload: Double.self) == .circle(r: 2.5))
    #expect(try rebuilt(Shape.label(long), caseNamed: "label", payload: String.self) == .label(long))
    #expect(try rebuilt(Shape.tokens([1, 2], true), caseNamed: "tokens", payload: ([Int], Bool).self) == .tokens([1, 2], true))
    #expect(try rebuilt(Shape.other, caseNamed: "other", payload: nil) == .other)
    #expect(try rebuilt(Signal.dimmed(percent: 4), caseNamed: "dimmed", payload: Int.self) == .dimmed(percent: 4))
    #expect(
      try rebuilt(Signal.colour(red: 1, green: 2, blue: 3), caseNamed: "colour", payload: (red: UInt8, green: UInt8, blue: UInt8).self)
        == .colour(red: 1, green: 2, blue: 3))
    #expect(try rebuilt(Signal.off, caseNamed: "off", payload: nil) == .off)
  }

  @Test func `indirect payloads come back`() throws {
    let tree = Tree.node(.node(.leaf, 1, .leaf), 2, .leaf)
    #expect(try rebuilt(tree, caseNamed: "node", payload: (Tree, Int, Tree).self) == tree)
    #expect(try rebuilt(Tree.leaf, caseNamed: "leaf", payload: nil) == .leaf)
    #expect(try rebuilt(Partly.plain(-1), caseNamed: "plain", payload: Int.self) == .plain(-1))
    #expect(try rebuilt(Partly.boxed(.text("t")), caseNamed: "boxed", payload: Partly.self) == .boxed(.text("t")))
    #expect(try rebuilt(Partly.text("t"), caseNamed: "text", payload: String.self) == .text("t"))
    #expect(try rebuilt(Partly.empty, caseNamed: "empty", payload: nil) == .empty)
    let shape = try Reflection.enumShape(of: Partly.self)
    #expect(shape.cases.map(\.isIndirect) == [false, true, true, false])
  }

  @Test func `payloads without bits come back`() throws {
    let boxed = try Reflection.enumShape(of: BoxedVoid.self)
    #expect(boxed.cases.map(\.name) == ["v", "e", "n"])
    guard case .v = try rebuilt(BoxedVoid.v(()), caseNamed: "v", payload: Void.self) else {
      Issue.record("not v")
      return
    }
    guard case .e = try rebuilt(BoxedVoid.e(Nothing()), caseNamed: "e", payload: Nothing.self) else {
      Issue.record("not e")
      return
    }
    guard case .n = try rebuilt(BoxedVoid.n, caseNamed: "n", payload: nil) else {
      Issue.record("not n")
      return
    }
    guard case .int(5) = try rebuilt(VoidPayload.int(5), caseNamed: "int", payload: Int.self) else {
      Issue.record("not 5")
      return
    }
    #expect(try Reflection.enumShape(of: VoidPayload.self).cases.map(\.name) == ["int", "void", "never", "plain"])
    guard case .void = try rebuilt(VoidPayload.void(()), caseNamed: "void", payload: Void.self) else {
      Issue.record("not void")
      return
    }
    guard case .plain = try rebuilt(VoidPayload.plain, caseNamed: "plain", payload: nil) else {
      Issue.record("not plain")
      return
    }
    guard case .some = try rebuilt(Optional(()), caseNamed: "some", payload: Void.self) else {
      Issue.record("not some")
      return
    }
  }

  @Test func `generic enums come back`() throws {
    #expect(try rebuilt(Either<Int, String>.left(5), caseNamed: "left", payload: Int.self) == .left(5))
    #expect(try rebuilt(Either<Int, String>.right("r"), caseNamed: "right", payload: String.self) == .right("r"))
    #expect(try rebuilt(Either<Either<UInt8, Bool>, Int?>.right(nil), caseNamed: "right", payload: Int?.self) == .right(nil))
    #expect(try rebuilt(Either<Never, Int>.right(6), caseNamed: "right", payload: Int.self) == .right(6))
    #expect(try rebuilt(Result<Int, Failure>.success(3), caseNamed: "success", payload: Int.self) == .success(3))
    #expect(try rebuilt(Result<Int, Failure>.failure(.worse), caseNamed: "failure", payload: Failure.self) == .failure(.worse))
    #expect(try rebuilt(Failure.bad(code: 7), caseNamed: "bad", payload: Int.self) == .bad(code: 7))
    guard case .busy("b") = try rebuilt(Host<String>.State.busy("b"), caseNamed: "busy", payload: String.self) else {
      Issue.record("not busy")
      return
    }
    let nested = Host<Int>.State.nested(.busy(1), 2)
    guard case .nested(.busy(1), 2) = try rebuilt(nested, caseNamed: "nested", payload: (Host<Int>.State, Int).self) else {
      Issue.record("not nested")
      return
    }
  }

  @Test func `optionals are enums, nested ones too`() throws {
    #expect(try rebuilt(Int?.some(4), caseNamed: "some", payload: Int.self) == 4)
    #expect(try rebuilt(Int?.none, caseNamed: "none", payload: nil) == nil)
    #expect(try rebuilt(Int??.some(nil), caseNamed: "some", payload: Int?.self) == .some(nil))
    #expect(try rebuilt(Int??.none, caseNamed: "none", payload: nil) == .none)
    #expect(try rebuilt(Shape?.some(.label("x")), caseNamed: "some", payload: Shape.self) == .label("x"))
    #expect(try rebuilt(Shape?.none, caseNamed: "none", payload: nil) == Shape?.none)
    #expect(try rebuilt(Direction?.none, caseNamed: "none", payload: nil) == Direction?.none)
    #expect(try rebuilt(Tree?.some(.leaf), caseNamed: "some", payload: Tree.self) == Tree?.some(.leaf))
  }

  @Test func `existential payloads come back`() throws {
    let tracker = Tracker()
    let token = Token(1, tracker)
    guard case .any(let any) = try rebuilt(Boxes.any("s"), caseNamed: "any", payload: Any.self) else {
      Issue.record("not any")
      return
    }
    #expect(any as? String == "s")
    guard case .error(let error) = try rebuilt(Boxes.error(Failure.worse), caseNamed: "error", payload: (any Error).self) else {
      Issue.record("not error")
      return
    }
    #expect(error as? Failure == .worse)
    guard case .object(let object) = try rebuilt(Boxes.object(token), caseNamed: "object", payload: AnyObject.self) else {
      Issue.record("not object")
      return
    }
    #expect(object as? Token == token)
    let described = Boxes.described([1, 2])
    guard case .described(let text) = try rebuilt(described, caseNamed: "described", payload: (any CustomStringConvertible).self) else {
      Issue.record("not described")
      return
    }
    #expect(text.description == "[1, 2]")
  }

  @Test func `taking apart and putting together leaks nothing`() throws {
    let tracker = Tracker()
    do {
      let token = Token(1, tracker)
      for _ in 0..<20 {
        #expect(try rebuilt(Either<Token, [Token]>.left(token), caseNamed: "left", payload: Token.self) == .left(token))
        #expect(try rebuilt(Either<Token, [Token]>.right([token]), caseNamed: "right", payload: [Token].self) == .right([token]))
        #expect(try rebuilt(Token?.some(Token(2, tracker)), caseNamed: "some", payload: Token.self)?.number == 2)
        _ = try rebuilt(
          Host<Token>.State.nested(.busy(Token(3, tracker)), token), caseNamed: "nested", payload: (Host<Token>.State, Token).self)
        _ = try rebuilt(Boxes.any(Token(4, tracker)), caseNamed: "any", payload: Any.self)
        guard case .held(let holder) = try rebuilt(NotMovable.held(.init(object: token)), caseNamed: "held", payload: WeakHolder.self),
          holder.object === token
        else {
          Issue.record("not held")
          return
        }
        guard case .boxed(let boxed) = try rebuilt(NotMovable.boxed(.init(object: token)), caseNamed: "boxed", payload: WeakHolder.self),
          boxed.object === token
        else {
          Issue.record("not boxed")
          return
        }
      }
      #expect(tracker.live == 1)
    }
    #expect(tracker.live == 0)
  }

  @Test func `other types are not enums`() {
    let error = #expect(throws: ReflectionError.self) { try Reflection.enumShape(of: Int.self) }
    #expect(error?.code == .unsupportedType)
  }
}
