import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

@Suite("Limits")
struct LimitsTests {
  final class Cell: MirrorCoding {
    var name = ""
    var numbers: [Int] = []
    var next: Cell?
  }

  /// A kilobyte of properties.
  final class Slab: MirrorCoding { var words = InlineArray<128, Int>(repeating: 7) }
  final class Slabs: MirrorCoding { var all: [Slab] = [] }

  indirect enum Chain: MirrorCodable, Equatable {
    case end
    case link(Chain)
    var length: Int {
      var (count, chain) = (0, self)
      while case .link(let next) = chain { (count, chain) = (count + 1, next) }
      return count
    }
  }

  struct Five: MirrorCodable { var numbers = (1, 2, 3, 4, 5) }

  private func options(_ change: (inout KeyedUnarchiver.Limits) -> Void) -> DecodingOptions {
    var options = DecodingOptions()
    change(&options.limits)
    return options
  }

  private static func cells(_ count: Int) -> Cell {
    let first = Cell()
    var last = first
    for i in 1..<count {
      let cell = Cell()
      cell.name = "cell \(i) with a name"
      last.next = cell
      last = cell
    }
    return first
  }

  // MARK: Each limit

  @Test("The number of objects", arguments: [1, 3, 2_000]) func objects(count: Int) throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Self.cells(count))
    let enough = options { $0.maximumObjectCount = count }
    #expect(try KeyedUnarchiver.unarchivedObject(of: Cell.self, from: data, options: enough).name == "")
    #expect(try KeyedUnarchiver(forReadingFrom: data, options: enough).decode(Cell.self, forKey: "root").name == "")
    let few = options { $0.maximumObjectCount = count - 1 }
    expectRefusal(.limitExceeded, naming: ["maximumObjectCount is \(count - 1)", "\(count) objects"]) {
      try KeyedUnarchiver.unarchivedObject(of: Cell.self, from: data, options: few)
    }
    expectRefusal(.limitExceeded, naming: ["maximumObjectCount"]) { try KeyedUnarchiver(forReadingFrom: data, options: few) }
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    unarchiver.limits.maximumObjectCount = count - 1
    expectRefusal(.limitExceeded, naming: ["maximumObjectCount"]) { try unarchiver.decode(Cell.self, forKey: "root") }
    // The archive is whole: with more it is read.
    unarchiver.limits.maximumObjectCount = count
    #expect(try unarchiver.decode(Cell.self, forKey: "root").name == "")
  }

  @Test("The length of strings, whether they stand in a pool or not", arguments: [1, 10, 100]) func strings(count: Int) throws {
    let long = String(repeating: "ä", count: 50)
    for strings in [(0..<count).map { "\($0)" } + [long], Array(repeating: long, count: count), [long]] {
      let data = try KeyedArchiver.archivedData(withRootObject: strings)
      #expect(
        try KeyedUnarchiver.unarchivedObject(of: [String].self, from: data, options: options { $0.maximumStringLength = 100 }) == strings)
      expectRefusal(.limitExceeded, naming: ["maximumStringLength", "99"]) {
        try KeyedUnarchiver.unarchivedObject(of: [String].self, from: data, options: options { $0.maximumStringLength = 99 })
      }
    }
    let bytes = [Data](repeating: Data(count: 64), count: count)
    let data = try KeyedArchiver.archivedData(withRootObject: bytes)
    #expect(try KeyedUnarchiver.unarchivedObject(of: [Data].self, from: data, options: options { $0.maximumStringLength = 64 }) == bytes)
    expectRefusal(.limitExceeded, naming: ["maximumStringLength"]) {
      try KeyedUnarchiver.unarchivedObject(of: [Data].self, from: data, options: options { $0.maximumStringLength = 63 })
    }
  }

  @Test("The nesting of values", arguments: [2, 20, 200]) func nesting(depth: Int) throws {
    let chain = (0..<depth).reduce(Chain.end) { chain, _ in .link(chain) }
    let data = try KeyedArchiver.archivedData(withRootObject: chain)
    let read = try KeyedUnarchiver.unarchivedObject(of: Chain.self, from: data, options: options { $0.maximumNestingDepth = depth })
    #expect(read.length == depth)
    expectRefusal(.nestingTooDeep, naming: ["maximumNestingDepth", "\(depth - 1) deep"]) {
      try KeyedUnarchiver.unarchivedObject(of: Chain.self, from: data, options: options { $0.maximumNestingDepth = depth - 1 })
    }
  }

  @Test("The description of the types") func types() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Self.cells(2))
    let length = try unsafe data.withUnsafeBytes { unsafe try ArchiveLayout(parsing: $0).typeTableBytes.count }
    for _ in 0..<3 {  // The first time reads the table, the others know it.
      let enough = options { $0.maximumTypeTableLength = length }
      #expect(try KeyedUnarchiver.unarchivedObject(of: Cell.self, from: data, options: enough).next != nil)
      let few = options { $0.maximumTypeTableLength = length - 1 }
      expectRefusal(.limitExceeded, naming: ["maximumTypeTableLength is \(length - 1)"]) {
        try KeyedUnarchiver.unarchivedObject(of: Cell.self, from: data, options: few)
      }
      expectRefusal(.limitExceeded, naming: ["maximumTypeTableLength"]) { try KeyedUnarchiver(forReadingFrom: data, options: few) }
    }
  }

  @Test("The decoded bytes: an array, a set, a dictionary, objects, boxes") func decodedBytes() throws {
    func check<Root>(_ root: Root, _ type: Root.Type, atLeast bytes: Int) throws {
      let data = try KeyedArchiver.archivedData(withRootObject: root, allowing: [Five.self])
      func read(_ limit: Int) throws -> Root {
        try KeyedUnarchiver.unarchivedObject(
          of: type, from: data, allowing: [Five.self], options: options { $0.maximumDecodedByteCount = limit })
      }
      _ = try read(bytes * 4 + 1_000)
      expectRefusal(.limitExceeded, naming: ["maximumDecodedByteCount"]) { try read(bytes) }
      expectRefusal(.limitExceeded, naming: ["maximumDecodedByteCount"]) { try read(0) }
    }
    try check([Int](repeating: 1, count: 1_000), [Int].self, atLeast: 8_000)
    try check([UInt8](repeating: 1, count: 1_000), [UInt8].self, atLeast: 1_000)
    try check([Void](repeating: (), count: 1_000), [Void].self, atLeast: 1_000)
    try check(Set(0..<1_000), Set<Int>.self, atLeast: 8_000)
    try check(Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, 1) }), [Int: Int].self, atLeast: 16_000)
    try check([[Int]](repeating: [], count: 1_000), [[Int]].self, atLeast: 40_000)
    try check([Any](repeating: Five(), count: 1_000), [Any].self, atLeast: 70_000)
    try check([Chain](repeating: .link(.end), count: 1_000), [Chain].self, atLeast: 20_000)
    try check([URL](repeating: URL(fileURLWithPath: "/a"), count: 1_000), [URL].self, atLeast: 60_000)
    try check((0..<1_000).map { "a text that is long enough \($0)" }, [String].self, atLeast: 16_000)
    try check(Self.cells(1_000), Cell.self, atLeast: 64_000)
  }

  @Test("Every call from outside has the whole allowance") func calls() throws {
    let archiver = KeyedArchiver(requiringSecureCoding: true)
    try archiver.encode([Int](repeating: 1, count: 1_000), forKey: "numbers")
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    unarchiver.limits.maximumDecodedByteCount = 10_000
    for _ in 0..<5 { #expect(try unarchiver.decode([Int].self, forKey: "numbers").count == 1_000) }
    unarchiver.limits.maximumDecodedByteCount = 5_000
    expectRefusal(.limitExceeded) { try unarchiver.decode([Int].self, forKey: "numbers") }
  }

  @Test("Keys that are not equal to themselves: as many are written as are read", arguments: [0, 1, 64, 65, 200]) func oddKeys(count: Int)
    throws
  {
    let set = Set([Double](repeating: .nan, count: count) + [1, 2])
    let table = Dictionary(
      uniqueKeysWithValues: [Double](repeating: .nan, count: count).enumerated().map { (Pair(first: $1, second: 0), $0) })
    #expect(set.count == count + 2 && table.count == count)
    if count <= 64 {
      let read = try KeyedUnarchiver.unarchivedObject(of: [Set<Double>].self, from: KeyedArchiver.archivedData(withRootObject: [set, set]))
      #expect(read.map(\.count) == [count + 2, count + 2])
      let readTable = try KeyedUnarchiver.unarchivedObject(
        of: [Pair<Double, Int>: Int].self, from: KeyedArchiver.archivedData(withRootObject: table))
      #expect(readTable.values.sorted() == Array(0..<count))
    } else {
      expectRefusal(.limitExceeded, at: "root[1]", naming: ["64", "NaN"]) {
        try KeyedArchiver.archivedData(withRootObject: [Set([1.0]), set])
      }
      expectRefusal(.limitExceeded, at: "root", naming: ["64", "NaN"]) { try KeyedArchiver.archivedData(withRootObject: table) }
    }
  }

  // MARK: What the archiver writes is read

  /// Graphs that take little room in an archive and much in memory.
  private static func expanding() throws -> [(data: Data, read: (Data, DecodingOptions) throws -> Bool)] {
    let slabs = Slabs()
    slabs.all = (0..<40_000).map { _ in Slab() }
    let numbers = [UInt64](repeating: 5, count: 6_000_000)
    return [
      (
        try KeyedArchiver.archivedData(withRootObject: numbers),
        { try KeyedUnarchiver.unarchivedObject(of: [UInt64].self, from: $0, options: $1) == [UInt64](repeating: 5, count: 6_000_000) }
      ),
      (
        try KeyedArchiver.archivedData(withRootObject: slabs),
        { data, options in
          let read = try KeyedUnarchiver.unarchivedObject(of: Slabs.self, from: data, options: options)
          return read.all.count == 40_000 && read.all.allSatisfy { $0.words[127] == 7 }
        }
      ),
    ]
  }

  @Test("An archive that becomes much is filled up, read by default, and not without what fills it", .timeLimit(.minutes(5)))
  func filled() throws {
    for (data, read) in try Self.expanding() {
      #expect(data[4] & 16 != 0)
      #expect(data.count > 100_000 && data.count < 400_000)
      #expect(try read(data, DecodingOptions()))
      // The archive as somebody writes it who wants to get more than he gives.
      let forged = try #require(Self.withoutFilling(data))
      #expect(forged.count < data.count / 2)
      expectRefusal(.limitExceeded, naming: ["maximumExpansion"]) { try read(forged, DecodingOptions()) }
      #expect(try read(forged, options { $0.maximumExpansion = 20_000 }))
      // What fills it up is zeros.
      var other = try #require(Forgery(data))
      other.body[other.body.count - 1] = 1
      expectRefusal(.malformed, naming: ["filling"]) { try read(other.sealed(), DecodingOptions()) }
    }
  }

  /// The same archive with the flag and the zeros at its end taken away.
  private static func withoutFilling(_ data: Data) -> Data? {
    guard let whole = Forgery(data) else { return nil }
    var length = 0
    unsafe data.withUnsafeBytes { bytes in
      guard let layout = unsafe try? ArchiveLayout(parsing: bytes), let last = layout.blockReaders.last ?? layout.rootReaders.last else {
        return
      }
      length = last.offset + last.remaining
    }
    let head = data.count - 8 - whole.body.count
    return length > head ? Forgery(flags: whole.prefix[4] & ~16, body: Array(whole.body[..<(length - head)])).sealed() : nil
  }

  @Test("Archives that do not become much are not filled up") func notFilled() throws {
    for data in [
      try KeyedArchiver.archivedData(withRootObject: Self.cells(3_000)),
      try KeyedArchiver.archivedData(withRootObject: [UInt64](repeating: 5, count: 1_000_000)),
      try KeyedArchiver.archivedData(withRootObject: (0..<100_000).map { $0 }),
    ] { #expect(data[4] & 16 == 0) }
  }
}
