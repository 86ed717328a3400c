import ArchiveReflection
import Testing

struct Seven {
  var a: UInt32 = 1
  var b: UInt16 = 2
  var c: UInt8 = 3
}
struct Aligned { var lanes = SIMD8<Double>(repeating: 1) }

@Suite("Value witnesses")
struct ValueWitnessTests {
  private func facts<T>(_: T.Type) {
    let witnesses = ValueWitnesses(T.self)
    #expect(witnesses.size == MemoryLayout<T>.size)
    #expect(witnesses.stride == MemoryLayout<T>.stride)
    #expect(witnesses.alignmentMask == MemoryLayout<T>.alignment - 1)
    #expect(witnesses.isCopyable)
  }

  @Test func `sizes agree with the compiler's`() {
    facts(Int.self)
    facts(Bool.self)
    facts(String.self)
    facts(Seven.self)
    facts(Aligned.self)
    facts(Void.self)
    facts(Any.self)
    facts(Token?.self)
    facts(Shape.self)
    facts((UInt8, Int, UInt8).self)
  }

  @Test func `flags tell how values are moved`() {
    #expect(ValueWitnesses(Int.self).isTrivial)
    #expect(ValueWitnesses(Seven.self).isTrivial)
    #expect(!ValueWitnesses(String.self).isTrivial)
    #expect(ValueWitnesses(String.self).isBitwiseTakable)
    #expect(!ValueWitnesses(WeakHolder.self).isBitwiseTakable)
    #expect(!ValueWitnesses(Shape.self).isTrivial && ValueWitnesses(Shape.self).hasTag)
    #expect(!ValueWitnesses(Int.self).hasTag)
  }

  private func copies<T: Equatable>(_ value: T, _ other: T) {
    let witnesses = ValueWitnesses(T.self)
    let memory = UnsafeMutablePointer<T>.allocate(capacity: 3)
    defer { unsafe memory.deallocate() }
    unsafe memory.initialize(to: value)
    unsafe witnesses.initializeWithCopy(memory + 1, memory)
    unsafe witnesses.initializeWithTake(memory + 2, memory + 1)
    unsafe #expect(memory[0] == value)
    unsafe #expect(memory[2] == value)
    unsafe (memory + 1).initialize(to: other)
    unsafe witnesses.assignWithTake(memory, memory + 1)
    unsafe #expect(memory[0] == other)
    unsafe witnesses.assignWithCopy(memory + 2, memory)
    unsafe #expect(memory[2] == other)
    unsafe witnesses.destroy(memory)
    unsafe witnesses.destroy(memory + 2)
  }

  @Test func `values are copied, moved, assigned and destroyed without leaks`() {
    let tracker = Tracker()
    do {
      copies(5, 6)
      copies(UInt8(5), 6)
      copies("a string that lives on the heap, since it is long", "b")
      copies([1.5], [])
      copies(Token(1, tracker), Token(2, tracker))
      copies([Token(1, tracker)], [Token(2, tracker)])
      copies(Token?.none, Token(2, tracker))
      copies(Shape.label("x"), .circle(r: 1))
      copies(Either<Token, Int>.left(Token(3, tracker)), .right(1))
    }
    #expect(tracker.live == 0)
  }

  private func optionals<T: Equatable>(_ value: T) {
    let witnesses = ValueWitnesses(T.self)
    let memory = UnsafeMutablePointer<T?>.allocate(capacity: 1)
    defer { unsafe memory.deallocate() }
    unsafe memory.initialize(to: value)
    unsafe #expect(witnesses.isSome(memory), "\(value)")
    unsafe memory.pointee = nil
    unsafe #expect(!witnesses.isSome(memory), "\(value)")
    unsafe memory.deinitialize(count: 1)
    // From bytes that look like nothing.
    unsafe UnsafeMutableRawPointer(memory).initializeMemory(as: UInt8.self, repeating: 0xa5, count: MemoryLayout<T?>.size)
    unsafe UnsafeMutableRawPointer(memory).initializeMemory(as: T.self, to: value)
    unsafe witnesses.storeSome(memory)
    unsafe #expect(memory.pointee == value, "\(value)")
    unsafe memory.deinitialize(count: 1)
    unsafe UnsafeMutableRawPointer(memory).initializeMemory(as: UInt8.self, repeating: 0xa5, count: MemoryLayout<T?>.size)
    unsafe witnesses.storeNone(memory)
    unsafe #expect(memory.pointee == nil, "\(value)")
  }

  @Test func `optionals are read and made in place`() {
    let tracker = Tracker()
    do {
      optionals(5)
      optionals(UInt8(0xff))
      optionals(true)
      optionals(Double.infinity)
      optionals("text")
      optionals([1])
      optionals(Token(1, tracker))
      optionals(Direction.west)
      optionals(Shape.tokens([1], true))
      optionals(Shape.other)
      optionals(Int?.some(3))
      optionals(Int?.none)
      optionals(Bool??.some(nil))
      optionals(SIMD4<Float>(1, 2, 3, 4))
      optionals(Tree.leaf)
      optionals(Only.one)
      optionals(ObjectIdentifier(tracker))
    }
    #expect(tracker.live == 0)
  }

  @Test func `an optional without bytes of its own works`() {
    let witnesses = ValueWitnesses(Void.self)
    var value: Void? = ()
    unsafe withUnsafeMutablePointer(to: &value) { p in
      unsafe #expect(witnesses.isSome(p))
      unsafe witnesses.storeNone(p)
    }
    #expect(value == nil)
  }
}
