import ArchiveReflection
import Testing

protocol Sized { var area: Double { get } }
protocol Holder<Item> {
  associatedtype Item
  var item: Item { get }
}
protocol Linked<Item>: AnyObject {
  associatedtype Item
  var item: Item { get }
}
final class TextLink: Linked { var item = "link" }
struct Square: Sized, Equatable, CustomStringConvertible {
  var side: Double
  var extra = (1, 2, 3)
  var area: Double { side * side }
  var description: String { "Square(\(side))" }
  static func == (a: Square, b: Square) -> Bool { a.side == b.side }
}
struct IntHolder: Holder { var item: Int }
final class Disc: Sized, Friend {
  var area: Double { 3 }
  var greeting: String { "disc" }
}

@Suite("Existentials")
struct ExistentialTests {
  /// Loads `value` through the address of a variable of static type `T`.
  private func loaded<T>(_ value: T) -> Any {
    unsafe withUnsafePointer(to: value) { unsafe ExistentialAccess.load($0, as: T.self) }
  }

  @Test func `the dynamic type is that of the value`() {
    let any: Any = Square(side: 2)
    let sized: any Sized = Square(side: 2)
    let two: any Sized & CustomStringConvertible = Square(side: 2)
    let disc: any Sized = Disc()
    let friend: any Friend = Disc()
    let object: AnyObject = Disc()
    let error: any Error = Failure.bad(code: 1)
    let holder: any Holder<Int> = IntHolder(item: 4)
    let linked: any Linked<String> = TextLink()
    let number: Any = UInt8(3)
    #expect(same(type(of: loaded(any)), Square.self))
    #expect(same(type(of: loaded(sized)), Square.self))
    #expect(same(type(of: loaded(two)), Square.self))
    #expect(same(type(of: loaded(disc)), Disc.self))
    #expect(same(type(of: loaded(friend)), Disc.self))
    #expect(same(type(of: loaded(object)), Disc.self))
    #expect(same(type(of: loaded(error)), Failure.self))
    #expect(same(type(of: loaded(holder)), IntHolder.self))
    #expect(same(type(of: loaded(linked)), TextLink.self))
    #expect(same(type(of: loaded(number)), UInt8.self))
    #expect(loaded(sized) as? Square == Square(side: 2))
    #expect(loaded(error) as? Failure == .bad(code: 1))
    #expect((loaded(holder) as? IntHolder)?.item == 4)
    #expect(same(type(of: loaded(7)), Int.self))
    // Opening the result must find the value, not another box.
    func opened<T>(_: T) -> Any.Type { T.self }
    #expect(same(_openExistential(loaded(sized), do: opened), Square.self))
    #expect(same(_openExistential(loaded(friend), do: opened), Disc.self))
    #expect(same(_openExistential(loaded(error), do: opened), Failure.self))
  }

  private func stored<T>(_ value: Any, as type: T.Type) -> T? {
    let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
    defer { unsafe memory.deallocate() }
    guard unsafe ExistentialAccess.store(value, at: memory, as: T.self) else { return nil }
    return unsafe memory.move()
  }

  @Test func `values are stored as what they conform to`() {
    #expect(stored(Square(side: 3), as: (any Sized).self)?.area == 9)
    #expect(stored(5, as: (any Sized).self) == nil)
    #expect(stored(5, as: Any.self) as? Int == 5)
    #expect(stored(Disc(), as: (any Friend).self)?.greeting == "disc")
    #expect(stored(Square(side: 1), as: (any Friend).self) == nil)
    #expect(stored(Failure.worse, as: (any Error).self) as? Failure == .worse)
    #expect(stored(IntHolder(item: 6), as: (any Holder<Int>).self)?.item == 6)
    #expect(stored(IntHolder(item: 6), as: (any Holder<String>).self) == nil)
    #expect(stored(TextLink(), as: (any Linked<String>).self)?.item == "link")
    let nested = stored(Int??.some(nil) as Any, as: Any.self)
    #expect(nested.map { same(type(of: $0), Int??.self) } == true)
  }

  private func copied<T>(_ value: Any, as type: T.Type) -> T {
    let memory = UnsafeMutablePointer<T>.allocate(capacity: 2)
    defer { unsafe memory.deallocate() }
    unsafe ExistentialAccess.copyValue(value, to: memory)
    let boxed = unsafe ExistentialAccess.takeValue(memory, of: T.self)
    unsafe ExistentialAccess.copyValue(boxed, to: memory + 1)
    return unsafe (memory + 1).move()
  }

  @Test func `concrete values go in and out of boxes`() {
    #expect(copied(5, as: Int.self) == 5)
    #expect(copied("text", as: String.self) == "text")
    #expect(copied(Square(side: 2), as: Square.self) == Square(side: 2))
    #expect(copied(Int?.none as Any, as: Int?.self) == nil)
    let tuple = copied((1, "x"), as: (Int, String).self)
    #expect(tuple.0 == 1 && tuple.1 == "x")
  }

  @Test func `taking a value out of existential memory unwraps it`() {
    let memory = UnsafeMutablePointer<any Sized>.allocate(capacity: 1)
    defer { unsafe memory.deallocate() }
    unsafe memory.initialize(to: Square(side: 4))
    let value = unsafe ExistentialAccess.takeValue(memory, of: (any Sized).self)
    #expect(same(type(of: value), Square.self))
  }

  @Test func `nothing leaks`() {
    let tracker = Tracker()
    do {
      for _ in 0..<20 {
        let token = Token(1, tracker)
        #expect(loaded(token as Any) as? Token == token)
        #expect(loaded(token as AnyObject) as? Token == token)
        #expect(stored([token], as: Any.self) as? [Token] == [token])
        #expect(stored(token, as: (any CustomStringConvertible).self)?.description == "Token(1)")
        #expect(copied((token, 1), as: (Token, Int).self).0 == token)
        #expect(copied(token, as: Token.self) == token)
      }
    }
    #expect(tracker.live == 0)
  }
}

@Suite("Array layout")
struct ArrayLayoutTests {
  private func elements<T: Equatable>(of array: [T]) -> [T] {
    unsafe withUnsafePointer(to: array) { field in
      let found = unsafe ArrayLayout.elements(of: field, elementAlignmentMask: MemoryLayout<T>.alignment - 1)
      return unsafe Array(UnsafeBufferPointer(start: found.base.assumingMemoryBound(to: T.self), count: found.count))
    }
  }

  @Test(.enabled(if: ArrayLayout.isKnown)) func `elements are found without their type`() {
    #expect(elements(of: [1, 2, 3]) == [1, 2, 3])
    #expect(elements(of: [Int]()) == [])
    #expect(elements(of: [UInt8](0...200)) == [UInt8](0...200))
    #expect(elements(of: ["a", "b"]) == ["a", "b"])
    #expect(elements(of: [true, nil, false]) == [true, nil, false])
    let wide = (0..<5).map { SIMD16<Double>(repeating: Double($0)) }
    #expect(elements(of: wide) == wide)
  }

  #if os(Linux)
    @Test func `the layout is known here`() {
      #expect(ArrayLayout.isKnown)
    }
  #endif
}
