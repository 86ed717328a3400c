import Foundation
import MirrorArchive
import Testing

/// A type that nobody has named before: a call that allows it begins with nothing that earlier calls have left.
private enum Stranger<Inner> { case only }

private func makeStranger() -> Any.Type {
  struct Names { static let last = Tally() }
  var type: Any.Type = Int.self
  func wrap<T>(_: T.Type) -> Any.Type { Stranger<T>.self }
  // One more level than the last time.
  for _ in 0..<Names.last.add(1) { type = _openExistential(type, do: wrap) }
  return type
}

@Suite("Calls that follow one another")
struct WorkspaceTests {
  class Part: MirrorCoding {
    var name = "part"
    var next: Part?
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Wheel.self, Axle.self, Hooked.self, Outer.self]) }
    convenience init(_ name: String, _ next: Part? = nil) {
      self.init()
      self.name = name
      self.next = next
    }
  }
  final class Wheel: Part { var size = 1.5 }
  final class Axle: Part {
    var open: Any?
    var places: [Place] = []
  }
  struct Place: Hashable, MirrorCodable {
    var x = 0, y = 0
    var mark: Mark?
  }
  enum Mark: Hashable, MirrorCodable {
    case none
    case text(String)
  }
  final class Hooked: Part {
    nonisolated(unsafe) static var living = 0
    var count = 0
    required init() {
      super.init()
      unsafe Self.living += 1
    }
    deinit { unsafe Self.living -= 1 }
    override func willEncode() throws { count += 1 }
  }
  /// Archives another object of its own class while it is archived itself.
  final class Outer: Part {
    var inner = Data()
    var isOuter = true
    override func willEncode() throws {
      guard isOuter else { return }
      let other = Outer("inside", Wheel("of inside"))
      other.isOuter = false
      inner = try KeyedArchiver.archivedData(withRootObject: other as Part)
    }
    override func didDecode(_ context: DecodingContext) throws {
      guard isOuter else { return }
      let other = try KeyedUnarchiver.unarchivedObject(ofClass: Part.self, from: inner)
      #expect(other.name == "inside" && other.next is Wheel)
    }
  }
  final class Bad: MirrorCoding {
    var parts = [Part("a")]
    var any: Any = Optional<() -> Void>.none as Any
  }

  private func archive(_ root: Part) throws -> Data { try KeyedArchiver.archivedData(withRootObject: root) }
  /// The bytes of a call that no other has prepared.
  private func coldly(_ root: Part) throws -> Data {
    try KeyedArchiver.archivedData(withRootObject: root, allowing: [Place.self, Mark.self, makeStranger()])
  }

  /// Chains of parts of different classes, in every order, with and without what describes itself.
  private func graph(_ generator: inout SeededGenerator) -> Part {
    var part: Part?
    for i in 0..<Int.random(in: 1...5, using: &generator) {
      let new: Part
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: new = Part()
      case 1: new = Wheel()
      case 2: new = Hooked()
      default:
        let axle = Axle()
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: axle.open = 5
        case 1: axle.open = [Place(x: i)]
        case 2: axle.open = ["a": Mark.text("b")]
        case 3: axle.open = Wheel("open")
        default: break
        }
        axle.places = (0..<Int.random(in: 0..<3, using: &generator)).map { Place(x: $0, y: i, mark: $0 == 0 ? nil : .text("t\(i)")) }
        new = axle
      }
      new.name = "part \(i)"
      new.next = part
      part = new
    }
    return part ?? Part()
  }

  @Test("The bytes do not depend on what was archived before", arguments: 0..<8) func equal(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<60 {
      let root = graph(&generator)
      let warm = try KeyedArchiver.archivedData(withRootObject: root, allowing: [Place.self, Mark.self])
      // Objects count how often they are archived.
      for part in sequence(first: root, next: \.next) { (part as? Hooked)?.count -= 1 }
      #expect(try coldly(root) == warm, "seed \(seed), round \(round)")
      let read = try KeyedUnarchiver.unarchivedObject(of: Part.self, from: warm, allowing: [Place.self, Mark.self])
      let again = Array(sequence(first: read, next: \.next))
      for part in again { (part as? Hooked)?.count -= 1 }
      #expect(try coldly(read) == warm, "seed \(seed), round \(round)")
    }
  }

  @Test("Calls inside calls have their own state") func nested() throws {
    for _ in 0..<5 {
      let outer = Outer("outside", Outer("between", Axle("last")))
      let data = try archive(outer)
      let read = try KeyedUnarchiver.unarchivedObject(ofClass: Part.self, from: data)
      #expect(Array(sequence(first: read, next: \.next)).map(\.name) == ["outside", "between", "last"])
      let inner = try #require(read.next as? Outer).inner
      #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Part.self, from: inner).name == "inside")
    }
  }

  @Test("No object is kept alive by what is left") func nothingKept() throws {
    for _ in 0..<5 {
      weak var kept: Part?
      do {
        let root = Part("root", Hooked("hooked", Wheel("wheel")))
        kept = root.next?.next
        let data = try archive(root)
        #expect(unsafe Hooked.living >= 1)
        _ = try KeyedUnarchiver.unarchivedObject(ofClass: Part.self, from: data)
      }
      #expect(kept == nil)
    }
  }

  @Test("An error is followed by calls like others") func errors() throws {
    let good = try archive(Part("a", Wheel("b")))
    for _ in 0..<5 {
      let bad = Axle("bad")
      bad.open = { () -> Void in } as Any
      #expect(throws: ArchiveError.self) { try self.archive(Part("a", bad)) }
      #expect(try archive(Part("a", Wheel("b"))) == good)
      #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(ofClass: Part.self, from: good.dropLast(3)) }
      #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Part.self, from: good).next?.name == "b")
    }
  }

  @Test("A large graph is followed by small ones") func large() throws {
    let small = try archive(Part("a", Wheel("b")))
    var chain: Part?
    for i in 0..<5_000 { chain = i % 2 == 0 ? Part("part \(i)", chain) : Wheel("wheel \(i)", chain) }
    let root = try #require(chain)
    let large = try archive(root)
    #expect(try archive(Part("a", Wheel("b"))) == small)
    #expect(try archive(root) == large)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Part.self, from: large)
    #expect(Array(sequence(first: read, next: \.next)).count == 5_000)
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Part.self, from: small).next?.name == "b")
    // Released one by one.
    for start in [root, read] {
      var part: Part? = start
      while let current = part {
        part = current.next
        current.next = nil
      }
    }
  }

  @Test("Calls on many threads have their own state") func threads() async throws {
    let expected = try archive(Part("thread", Wheel("wheel", Axle("axle"))))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            let data = try KeyedArchiver.archivedData(withRootObject: Part("thread", Wheel("wheel", Axle("axle"))))
            #expect(data == expected)
            let read = try KeyedUnarchiver.unarchivedObject(ofClass: Part.self, from: data)
            #expect(read.name == "thread" && read.next?.next is Axle)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("What is registered between two calls holds for the second") func registration() throws {
    final class Local: MirrorCoding { var number = 4 }
    final class Open: MirrorCoding { var any: Any? }
    let open = Open()
    open.any = Local()
    try KeyedArchiver.register(Open.self, as: "WorkspaceTests.Open")
    for _ in 0..<2 {
      #expect(throws: ArchiveError.self) { try KeyedArchiver.archivedData(withRootObject: open) }
    }
    open.any = 1
    let data = try KeyedArchiver.archivedData(withRootObject: open)
    open.any = Local()
    try KeyedArchiver.register(Local.self, as: "WorkspaceTests.Local")
    let withLocal = try KeyedArchiver.archivedData(withRootObject: open)
    #expect((try KeyedUnarchiver.unarchivedObject(ofClass: Open.self, from: withLocal).any as? Local)?.number == 4)
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Open.self, from: data).any as? Int == 1)
  }
}
