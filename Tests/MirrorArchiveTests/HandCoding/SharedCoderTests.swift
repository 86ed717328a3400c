import Foundation
import MirrorArchive
import Testing

/// A coder belongs to one task: calls from another thread during one of its own are turned away, and nothing of the coder is damaged.
@Suite("One coder on several threads")
struct SharedCoderTests {
  final class Pair: KeyedCoding {
    let first: String
    let second: [Int]
    init(_ number: Int) {
      first = "text \(number) that is longer than fifteen bytes"
      second = [number, number + 1]
    }
    init(coder: KeyedUnarchiver) throws {
      first = try coder.decodeString(forKey: "first")
      second = try coder.decode([Int].self, forKey: "second")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(first, forKey: "first")
      try coder.encode(second, forKey: "second")
    }
    func isNumber(_ number: Int) -> Bool { first == "text \(number) that is longer than fifteen bytes" && second == [number, number + 1] }
  }

  /// Does something with a coder on a thread of its own, and answers the code of the error.
  private static func elsewhere<Coder>(_ coder: Coder, _ work: @escaping @Sendable (Coder) throws -> Void) -> ArchiveError.Code? {
    nonisolated(unsafe) let shared = coder
    do {
      try onSmallStack { unsafe try work(shared) }
      return nil
    } catch {
      return (error as? ArchiveError)?.code
    }
  }

  @Test("While init(coder:) runs, another thread is refused and sees nothing; the object comes out right", arguments: [true, false])
  func insideInit(isOneShot: Bool) throws {
    let script = Script(
      write: { try $0.encode(Pair(3), forKey: "pair") },
      read: { coder throws in
        let keyed = Self.elsewhere(coder) { _ = try $0.decodeObject(of: Pair.self, forKey: "pair") }
        let optional = Self.elsewhere(coder) { _ = try $0.decodeIfPresent(Pair.self, forKey: "pair") }
        let unkeyed = Self.elsewhere(coder) { _ = try $0.decode(Int.self) }
        let container = Self.elsewhere(coder) { try $0.decodeContainer(forKey: "pair") { _ in } }
        #expect([keyed, optional, unkeyed, container] == [.reentrant, .reentrant, .reentrant, .reentrant])
        let looks = Self.elsewhere(coder) { coder in
          #expect(!coder.containsValue(forKey: "pair") && coder.allKeys.isEmpty && coder.storedType(forKey: "pair") == nil)
          #expect(coder.isAtEnd && coder.unkeyedCount == 0 && coder.report.isEmpty)
          coder.finishDecoding()
        }
        #expect(looks == nil)
        #expect(coder.containsValue(forKey: "pair") && coder.allKeys == ["pair"])
        #expect(try coder.decodeObject(of: Pair.self, forKey: "pair").isNumber(3))
      })
    try script.run {
      let data = try KeyedArchiver.archivedData(withRootObject: KeyedScripted())
      if isOneShot {
        _ = try KeyedUnarchiver.unarchivedObject(ofClass: KeyedScripted.self, from: data)
      } else {
        let coder = try KeyedUnarchiver(forReadingFrom: data)
        for _ in 0..<2 { _ = try coder.decodeObject(of: KeyedScripted.self, forKey: "root") }
      }
    }
  }

  @Test("While encode(with:) runs, another thread is refused; the archive comes out right", arguments: [true, false])
  func insideEncode(isOneShot: Bool) throws {
    let script = Script(
      write: { coder throws in
        try coder.encode(Pair(1), forKey: "first")
        let keyed = Self.elsewhere(coder) { try $0.encode(Pair(2), forKey: "foreign") }
        let unkeyed = Self.elsewhere(coder) { try $0.encode(5) }
        let conditional = Self.elsewhere(coder) { try $0.encodeConditionalObject(nil, forKey: "foreign") }
        let container = Self.elsewhere(coder) { try $0.encodeContainer(forKey: "foreign") { _ in } }
        let bytes = Self.elsewhere(coder) { unsafe try $0.encodeBytes(UnsafeRawBufferPointer(start: nil, count: 0), forKey: "foreign") }
        let end = Self.elsewhere(coder) { try $0.finishEncoding() }
        #expect([keyed, unkeyed, conditional, container, bytes, end] == Array(repeating: .reentrant, count: 6))
        try coder.encode(Pair(3), forKey: "second")
      },
      read: { coder throws in
        #expect(coder.allKeys == ["first", "second"])
        #expect(try coder.decodeObject(of: Pair.self, forKey: "first").isNumber(1))
        #expect(try coder.decodeObject(of: Pair.self, forKey: "second").isNumber(3))
      })
    try script.run {
      let data =
        try isOneShot
        ? KeyedArchiver.archivedData(withRootObject: KeyedScripted()) : keyedArchive { try $0.encode(KeyedScripted(), forKey: "root") }
      _ = try KeyedUnarchiver.unarchivedObject(ofClass: KeyedScripted.self, from: data)
    }
  }

  @Test("While a container at the top is open, another thread is refused") func insideContainer() throws {
    let data = try keyedArchive { coder in
      try coder.encodeContainer(forKey: "box") { box in
        try box.encode(1, forKey: "a")
        #expect(Self.elsewhere(box) { try $0.encode(2, forKey: "b") } == .reentrant)
      }
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    try coder.decodeContainer(forKey: "box") { box throws in
      #expect(Self.elsewhere(box) { _ = try $0.decodeInt(forKey: "a") } == .reentrant)
      #expect(try box.decodeInt(forKey: "a") == 1 && box.allKeys == ["a"])
    }
  }

  @Test("A coder may go from thread to thread between its calls") func moving() throws {
    let archiver = KeyedArchiver()
    for number in 0..<6 {
      #expect(Self.elsewhere(archiver) { try $0.encode(Pair(number), forKey: "\(number)") } == nil)
      try archiver.encode(Pair(-number), forKey: "-\(number)")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    for number in 0..<6 {
      #expect(try coder.decodeObject(of: Pair.self, forKey: "\(number)").isNumber(number))
      let code = Self.elsewhere(coder) { coder throws in
        #expect(try coder.decodeObject(of: Pair.self, forKey: "-\(number)").isNumber(-number))
      }
      #expect(code == nil)
    }
    #expect(Self.elsewhere(coder) { $0.finishDecoding() } == nil)
    expectRefusal(.finished) { try coder.decodeObject(of: Pair.self, forKey: "0") }
  }

  @Test("An archiver that is kept from a one-shot call is of no use on any thread") func escaped() throws {
    final class Keeper { var coder: KeyedArchiver? }
    let keeper = Keeper()
    let script = Script(write: { keeper.coder = $0 }, read: { _ in })
    _ = try script.run { try KeyedArchiver.archivedData(withRootObject: KeyedScripted()) }
    let coder = try #require(keeper.coder)
    expectRefusal(.finished) { try coder.encode(1, forKey: "a") }
    #expect(Self.elsewhere(coder) { try $0.encode(1, forKey: "a") } == .finished)
  }

  @Test("Eight threads that read by one coder get the right value or are refused; then the coder reads on")
  func readingRace() async {
    await #expect(processExitsWith: .success) {
      reported {
        let data = try keyedArchive { coder in for number in 0..<8 { try coder.encode([Pair(number), Pair(number)], forKey: "\(number)") } }
        nonisolated(unsafe) let coder = try KeyedUnarchiver(forReadingFrom: data)
        let done = Tally()
        let failures = ThreadTests.race { number in
          do {
            let pairs = unsafe try coder.decode([Pair].self, forKey: "\(number)")
            done.add(1)
            return pairs.count == 2 && pairs.allSatisfy { $0.isNumber(number) }
          } catch let error as ArchiveError where error.code == .reentrant {
            return true
          }
        }
        #expect(failures.isEmpty, "\(failures)")
        #expect(done.value > 0)
        for number in 0..<8 { #expect(unsafe try coder.decode([Pair].self, forKey: "\(number)")[1].isNumber(number)) }
      }
    }
  }

  @Test("Eight threads that write by one coder: the archive has what was not refused") func writingRace() async {
    await #expect(processExitsWith: .success) {
      reported {
        nonisolated(unsafe) let archiver = KeyedArchiver()
        let keys = (0..<8).map { _ in Tally() }
        let failures = ThreadTests.race { number in
          // The keys of each thread are numbered without a gap.
          let next = keys[number].value
          do {
            unsafe try archiver.encode(Pair(next), forKey: "\(number) \(next)")
            keys[number].add(1)
          } catch let error as ArchiveError where error.code == .reentrant {}
          return true
        }
        #expect(failures.isEmpty, "\(failures)")
        let coder = unsafe try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(coder.allKeys.count == keys.reduce(0) { $0 + $1.value } && !coder.allKeys.isEmpty)
        for number in 0..<8 {
          for key in 0..<keys[number].value {
            #expect(try coder.decodeObject(of: Pair.self, forKey: "\(number) \(key)").isNumber(key))
          }
        }
      }
    }
  }
}

/// Code of the program that runs while a coder is at work.
@Suite("Calls from inside")
struct InsideCallTests {
  /// Asks the coder that is being used, wherever the library calls it.
  final class Asker: MirrorCoding, Hashable {
    @Transient var ask: (() throws -> Void)?
    var number = 0
    nonisolated(unsafe) static var onHash: (() -> Void)?
    convenience init(_ number: Int, _ ask: (() throws -> Void)? = nil) {
      self.init()
      self.number = number
      self.ask = ask
    }
    override func willEncode() throws { try ask?() }
    static func == (left: Asker, right: Asker) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) {
      unsafe Self.onHash?()
      hasher.combine(number)
    }
  }

  @Test("willEncode that encodes with the same archiver gets reentrant, and the archive goes on without it") func willEncode() throws {
    let archiver = KeyedArchiver()
    let asker = Asker(3) {
      expectRefusal(.reentrant) { try archiver.encode(1, forKey: "inner") }
      expectRefusal(.reentrant) { try archiver.encodeContainer(forKey: "inner") { _ in } }
      expectRefusal(.reentrant) { try archiver.encodedData }
    }
    try archiver.encode([asker, Asker(4)], forKey: "list")
    asker.ask = nil
    let coder = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    #expect(coder.allKeys == ["list"])
    #expect(try coder.decode([Asker].self, forKey: "list").map(\.number) == [3, 4])
  }

  @Test("willEncode that lets reentrant out ends the encoding with it; then the archiver only rethrows") func rethrown() throws {
    let archiver = KeyedArchiver()
    let asker = Asker(3) { try archiver.encode(1, forKey: "inner") }
    for _ in 0..<2 { expectRefusal(.reentrant) { try archiver.encode(asker, forKey: "outer") } }
    expectRefusal(.reentrant) { try archiver.encodedData }
    asker.ask = nil
  }

  @Test("hash(into:) that asks the unarchiver gets reentrant, and the set is read") func hashing() throws {
    let data = try keyedArchive {
      try $0.encode(Set([Asker(1), Asker(2)]), forKey: "set")
      try $0.encode(5, forKey: "number")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    let codes = Tally()
    unsafe Asker.onHash = {
      do {
        _ = try coder.decodeInt(forKey: "number")
      } catch {
        if (error as? ArchiveError)?.code == .reentrant { codes.add(1) }
      }
    }
    defer { unsafe Asker.onHash = nil }
    let set = try coder.decode(Set<Asker>.self, forKey: "set")
    #expect(codes.value >= 2)
    unsafe Asker.onHash = nil
    #expect(Set(set.map(\.number)) == [1, 2])
    #expect(try coder.decodeInt(forKey: "number") == 5)
  }

  final class Nest: MirrorCoding {
    var name = ""
    var next: Nest?
    weak var whole: Nest?
    @Transient var copies: [Nest] = []
    @Transient var isCopied = false
    convenience init(_ name: String, _ next: Nest?) {
      self.init()
      self.name = name
      self.next = next
    }
    /// Archives and reads the graph that it is part of, with one-shot calls and with coders.
    func copy() throws {
      if isCopied { return }
      isCopied = true
      let root = whole ?? self
      let others = sequence(first: root) { $0.next }.map { $0 }
      let before = others.map(\.isCopied)
      for other in others { other.isCopied = true }
      defer { for (other, flag) in zip(others, before) { other.isCopied = flag } }
      copies.append(try roundTrip(root))
      let data = try keyedArchive { try $0.encode(root, forKey: "root") }
      copies.append(try KeyedUnarchiver(forReadingFrom: data).decodeObject(of: Nest.self, forKey: "root"))
    }
    override func willEncode() throws { try copy() }
    override func didDecode(_ context: DecodingContext) throws {
      if Self.copiesInDidDecode.value == 0 { return }
      // The copies make none.
      Self.copiesInDidDecode.add(-1)
      defer { Self.copiesInDidDecode.add(1) }
      try copy()
    }
    static let copiesInDidDecode = Tally()
  }

  @Test("Hooks may archive and unarchive the graph that they belong to, before and after") func sameGraph() async {
    await #expect(processExitsWith: .success) {
      reported {
        func graph() -> Nest {
          let root = Nest("a", Nest("b", Nest("c", nil)))
          for nest in sequence(first: root, next: { $0.next }) { nest.whole = root }
          return root
        }
        func names(_ nest: Nest) -> [String] { sequence(first: nest) { $0.next }.map(\.name) }
        let written = graph()
        let read = try roundTrip(written)
        #expect(names(read) == ["a", "b", "c"] && read.next?.next?.whole === read)
        for nest in sequence(first: written, next: { $0.next }) {
          #expect(nest.copies.count == 2 && nest.copies.allSatisfy { names($0) == ["a", "b", "c"] })
        }
        let data = try KeyedArchiver.archivedData(withRootObject: written)
        Nest.copiesInDidDecode.add(1)
        let copied = try KeyedUnarchiver.unarchivedObject(ofClass: Nest.self, from: data)
        for nest in sequence(first: copied, next: { $0.next }) {
          #expect(nest.copies.count == 2 && nest.copies.allSatisfy { names($0) == ["a", "b", "c"] })
        }
      }
    }
  }
}
