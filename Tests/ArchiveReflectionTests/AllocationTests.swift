import ArchiveReflection
import Observation
import Synchronization
import Testing

final class Counted: GenericBase<Token> {
  var text: String
  var list: [Token]
  var flag: Bool
  weak var parent: Counted?
  unowned let owner: Token
  let onDeinit: Token

  override init(_ token: Token) {
    text = ""
    list = []
    flag = false
    owner = token
    onDeinit = token
    super.init(token)
  }

  deinit { deinitRuns.tokens.append(text) }

  let deinitRuns = Log()
}

final class Log { var tokens: [String] = [] }

final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}

final class Wide {
  var small: UInt8 = 1
  var lanes = SIMD8<Double>(repeating: 2)
}

@Suite("Allocation")
struct AllocationTests {
  /// Initialises a fresh `Counted` through its fields.
  private func make(_ shape: ClassShape, token: Token, log: Log, parent: Counted?) throws -> Counted {
    let raw = try ObjectAllocation.Recipe(shape).allocate()
    func initialize<T>(_ name: String, _ value: T) throws {
      let field = try shape.field(name)
      try #require(same(field.type, T.self))
      unsafe address(of: field, in: raw).initializeMemory(as: T.self, to: value)
    }
    try initialize("value", token)
    try initialize("text", "made")
    try initialize("list", [token, token])
    try initialize("flag", true)
    try initialize("onDeinit", token)
    try initialize("deinitRuns", log)
    #expect(try initializeReference(parent, shape.field("parent"), of: raw))
    #expect(try initializeReference(token, shape.field("owner"), of: raw))
    return try #require(raw as? Counted)
  }

  @Test func `an object made field by field behaves like any other`() throws {
    let tracker = Tracker()
    let log = Log()
    do {
      let token = Token(1, tracker)
      let shape = try Reflection.classShape(of: Counted.self, instance: Counted(token))
      let parent = try make(shape, token: token, log: log, parent: nil)
      let object = try make(shape, token: token, log: log, parent: parent)
      #expect(object.value == token)
      #expect(object.text == "made")
      #expect(object.list == [token, token])
      #expect(object.flag)
      #expect(object.parent === parent)
      #expect(object.owner == token)
      #expect(parent.parent == nil)
      #expect(log.tokens.isEmpty)
    }
    #expect(log.tokens == ["made", "made"])
    #expect(tracker.live == 0)
  }

  @Test func `no initialiser runs`() throws {
    final class Loud {
      nonisolated(unsafe) static var count = 0
      var x = 1
      init() { unsafe Loud.count += 1 }
    }
    let object = try ObjectAllocation.allocate(Loud.self)
    let shape = try Reflection.classShape(of: Loud.self, instance: nil)
    unsafe address(of: try shape.field("x"), in: object).initializeMemory(as: Int.self, to: 5)
    #expect((object as? Loud)?.x == 5)
    unsafe #expect(Loud.count == 0)
  }

  @Test func `an over-aligned class is allocated aligned`() throws {
    let shape = try Reflection.classShape(of: Wide.self, instance: Wide())
    #expect(shape.alignmentMask == MemoryLayout<SIMD8<Double>>.alignment - 1)
    let recipe = try ObjectAllocation.Recipe(shape)
    let lanes = try shape.field("lanes")
    for _ in 0..<20 {
      let object = recipe.allocate()
      let place = unsafe address(of: lanes, in: object)
      #expect(UInt(bitPattern: place) % UInt(MemoryLayout<SIMD8<Double>>.alignment) == 0)
      unsafe place.initializeMemory(as: SIMD8<Double>.self, to: .init(repeating: 3))
      unsafe address(of: try shape.field("small"), in: object).initializeMemory(as: UInt8.self, to: 9)
      #expect((object as? Wide)?.lanes.sum() == 24)
    }
  }

  @Test func `an abandoned object is freed without deinit`() throws {
    let tracker = Tracker()
    let log = Log()
    do {
      let token = Token(1, tracker)
      let shape = try Reflection.classShape(of: Counted.self, instance: nil)
      let raw = try ObjectAllocation.Recipe(shape).allocate()
      let value = try shape.field("value")
      unsafe address(of: value, in: raw).initializeMemory(as: Token.self, to: token)
      let parent = try shape.field("parent")
      #expect(try initializeReference(nil, parent, of: raw))
      unsafe ValueWitnesses(Token.self).destroy(address(of: value, in: raw))
      unsafe WeakField.deinitialize(address(of: parent, in: raw), ownership: .weak)
      weak let witness = raw
      ObjectAllocation.abandon(raw)
      #expect(witness != nil)
    }
    #expect(tracker.live == 0)
    #expect(log.tokens.isEmpty)
  }

  @Test func `an observable object made field by field can be observed`() throws {
    let shape = try Reflection.classShape(of: Watched.self, instance: nil)
    let raw = try ObjectAllocation.Recipe(shape).allocate()
    unsafe address(of: try shape.field("_count"), in: raw).initializeMemory(as: Int.self, to: 8)
    let object = try #require(raw as? Watched)
    let log = Flag()
    let seen = withObservationTracking {
      object.count
    } onChange: {
      log.set()
    }
    #expect(seen == 8)
    object.count = 9
    #expect(log.isSet)
    // And one that is given up.
    ObjectAllocation.abandon(try ObjectAllocation.allocate(Watched.self))
  }

  @Test func `actors and managed buffers are refused`() {
    final class Buffer: ManagedBuffer<Int, Int> {}
    let actorError = #expect(throws: ReflectionError.self) { try ObjectAllocation.allocate(Counter.self) }
    #expect(actorError?.code == .unsupportedType)
    let bufferError = #expect(throws: ReflectionError.self) { try ObjectAllocation.allocate(Buffer.self) }
    #expect(bufferError?.code == .managedBuffer)
  }
}
