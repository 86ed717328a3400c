import Foundation
import MirrorArchive
import Testing

/// Graphs that change while they are encoded, and objects that end the encoding: the archive is right or there is none, and everything is
/// let go of.
@Suite("Graphs that change or fail while they are encoded", .serialized)
struct ChangingGraphTests {
  final class Leaf: MirrorCoding {
    static let live = Tally()
    var name = "a name that is longer than fifteen bytes"
    required init() {
      super.init()
      Self.live.add(1)
    }
    convenience init(_ name: String) {
      self.init()
      self.name = "\(name), a name that is longer than fifteen bytes"
    }
    deinit { Self.live.add(-1) }
  }

  /// What is changed. Two classes, so that one is looked through before the hook runs, and one after it.
  class Patch: MirrorCoding {
    static let live = Tally()
    var one: Leaf?
    var list: [Leaf] = []
    var table: [String: Leaf] = [:]
    var any: Any = 0
    var choice = Either<Leaf, Int>.neither
    var texts: [String] = []
    required init() {
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
    func fill() {
      one = Leaf("one")
      list = (0..<20).map { Leaf("list \($0)") }
      table = Dictionary(uniqueKeysWithValues: (0..<20).map { ("key \($0)", Leaf("table \($0)")) })
      any = ["first"]
      choice = .left(Leaf("choice"))
      texts = ["before"]
    }
  }
  final class Early: Patch {}
  final class Late: Patch {}

  /// Changes others before it is archived.
  final class Changer: MirrorCoding {
    @Transient var change: (() throws -> Void)?
    var number = 7
    override func willEncode() throws { try change?() }
  }

  final class Field: MirrorCoding {
    var early: [Early] = []
    var changer: Changer?
    var late: [Late] = []
    /// With so many patches, so that short and long columns are tried.
    static func make(_ count: Int) -> Field {
      let field = Field()
      field.early = (0..<count).map { _ in Early() }
      field.changer = Changer()
      field.late = (0..<count).map { _ in Late() }
      for patch in field.early + field.late { patch.fill() }
      return field
    }
  }

  static var live: [Int] { [Leaf.live.value, Patch.live.value] }

  /// What a hook does to a patch.
  enum Change: String, CaseIterable, Sendable {
    case appendToList, removeFromList, replaceInList, emptyList, addToTable, removeFromTable, emptyTable, replaceOne, removeOne,
      replaceChoice
    case removeChoice, objectInAny, swapShared, changeTexts

    func apply(to patch: Patch) {
      switch self {
      case .appendToList: patch.list.append(Leaf("new"))
      case .removeFromList: patch.list.removeFirst(3)
      case .replaceInList: patch.list[4] = Leaf("new")
      case .emptyList: patch.list = []
      case .addToTable: patch.table["new"] = Leaf("new")
      case .removeFromTable: patch.table["key 3"] = nil
      case .emptyTable: patch.table = [:]
      case .replaceOne: patch.one = Leaf("new")
      case .removeOne: patch.one = nil
      case .replaceChoice: patch.choice = .left(Leaf("new"))
      case .removeChoice: patch.choice = .right(5)
      case .objectInAny: patch.any = [Leaf("new")]
      case .swapShared: (patch.one, patch.list[0]) = (patch.list[0], patch.one ?? patch.list[1])
      case .changeTexts: patch.texts = (0..<30).map { "after \($0)" }
      }
    }

    /// Whether there is an object after it that was not there before.
    var adds: Bool { [.appendToList, .replaceInList, .addToTable, .replaceOne, .replaceChoice, .objectInAny].contains(self) }
  }

  /// What a patch holds, in words.
  private static func describe(_ patch: Patch) -> String {
    var words = [patch.one?.name ?? "-"] + patch.list.map(\.name)
    words += patch.table.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.name)" }
    if case .left(let leaf) = patch.choice { words.append(leaf.name) } else { words.append("\(patch.choice)") }
    words.append(((patch.any as? [Any])?.first as? Leaf)?.name ?? "\(patch.any)")
    return (words + patch.texts).joined(separator: "; ")
  }

  private static func archive(_ field: Field, _ isOneShot: Bool) throws -> Data {
    if isOneShot { return try KeyedArchiver.archivedData(withRootObject: field, allowing: [Leaf.self]) }
    return try keyedArchive(allowing: [Leaf.self]) { try $0.encode(field, forKey: "root") }
  }

  @Test("A change to what has not been looked through is in the archive", arguments: Change.allCases, [true, false])
  func notYet(change: Change, isOneShot: Bool) async {
    await #expect(processExitsWith: .success) { [name = change.rawValue as String, isOneShot = isOneShot as Bool] in
      reported {
        let change = try #require(Change(rawValue: name))
        for count in [1, 12] {
          let before = ChangingGraphTests.live
          do {
            let field = Field.make(count)
            field.changer?.change = { [unowned field] in for patch in field.late { change.apply(to: patch) } }
            let data = try ChangingGraphTests.archive(field, isOneShot)
            let read = try KeyedUnarchiver.unarchivedObject(of: Field.self, from: data, allowing: [Leaf.self])
            #expect(read.late.map { ChangingGraphTests.describe($0) } == field.late.map { ChangingGraphTests.describe($0) })
            #expect(read.early.map { ChangingGraphTests.describe($0) } == field.early.map { ChangingGraphTests.describe($0) })
          }
          #expect(ChangingGraphTests.live == before)
        }
      }
    }
  }

  @Test(
    "A change to what has been looked through is in the archive, or is an error that says so", arguments: Change.allCases, [true, false])
  func already(change: Change, isOneShot: Bool) async {
    await #expect(processExitsWith: .success) { [name = change.rawValue as String, isOneShot = isOneShot as Bool] in
      reported {
        let change = try #require(Change(rawValue: name))
        for count in [1, 12] {
          let before = ChangingGraphTests.live
          do {
            let field = Field.make(count)
            field.changer?.change = { [unowned field] in for patch in field.early { change.apply(to: patch) } }
            if change.adds {
              let error = expectRefusal(.invalidValue, at: "early[") { try ChangingGraphTests.archive(field, isOneShot) }
              #expect(error?.message.contains("changed while it was encoded") == true, "\(String(describing: error))")
            } else {
              let data = try ChangingGraphTests.archive(field, isOneShot)
              let read = try KeyedUnarchiver.unarchivedObject(of: Field.self, from: data, allowing: [Leaf.self])
              #expect(read.early.map { ChangingGraphTests.describe($0) } == field.early.map { ChangingGraphTests.describe($0) })
            }
            // What comes after it is not disturbed.
            field.changer?.change = nil
            let next = try KeyedUnarchiver.unarchivedObject(
              of: Field.self, from: ChangingGraphTests.archive(field, isOneShot), allowing: [Leaf.self])
            #expect(next.early.map { ChangingGraphTests.describe($0) } == field.early.map { ChangingGraphTests.describe($0) })
          }
          #expect(ChangingGraphTests.live == before)
        }
      }
    }
  }

  @Test("A hook that takes the whole graph apart leaves an archive or an error", arguments: [true, false])
  func takenApart(isOneShot: Bool) async {
    await #expect(processExitsWith: .success) { [isOneShot = isOneShot as Bool] in
      reported {
        let before = ChangingGraphTests.live
        for count in [1, 12, 2_000] {
          let field = Field.make(count)
          field.changer?.change = { [unowned field] in
            for patch in field.early + field.late {
              (patch.one, patch.list, patch.table, patch.any, patch.choice) = (nil, [], [:], 0, .neither)
            }
            (field.early, field.late, field.changer) = ([], [], nil)
          }
          let data = try ChangingGraphTests.archive(field, isOneShot)
          let read = try KeyedUnarchiver.unarchivedObject(of: Field.self, from: data)
          #expect(read.early.isEmpty && read.late.isEmpty && read.changer == nil)
        }
        #expect(ChangingGraphTests.live == before)
      }
    }
  }

  // MARK: Objects that end the encoding

  struct Stop: Error, Equatable { let number: Int }

  @Test("What willEncode throws reaches the caller; no file comes, the old one stays, all is let go of, and the next archive is right")
  func stopped() throws {
    let directory = try TemporaryDirectory()
    let file = URL(fileURLWithPath: directory.file("field"))
    let before = Self.live
    do {
      let field = Field.make(12)
      let whole = try KeyedArchiver.archivedData(withRootObject: field)
      try KeyedArchiver.archive(field, to: file)
      for number in 0..<20 {
        field.changer?.change = { throw Stop(number: number) }
        #expect(throws: Stop(number: number)) { try KeyedArchiver.archivedData(withRootObject: field) }
        #expect(throws: Stop(number: number)) { try KeyedArchiver.archive(field, to: file) }
        #expect(throws: Stop(number: number)) { try KeyedArchiver.archive(field, to: URL(fileURLWithPath: directory.file("new"))) }
        var appended = Data([1, 2, 3])
        #expect(throws: Stop(number: number)) { try KeyedArchiver.archive(field, into: &appended) }
        #expect(appended == Data([1, 2, 3]))
        field.changer?.change = nil
        #expect(try KeyedArchiver.archivedData(withRootObject: field) == whole)
      }
      #expect(try directory.contents() == ["field"])
      #expect(try Data(contentsOf: file) == whole)
    }
    #expect(Self.live == before)
  }

  @Test("An archiver that willEncode has stopped holds nothing any more, and only throws the same again") func stoppedArchiver() throws {
    let before = Self.live
    let archiver = KeyedArchiver()
    do {
      let field = Field.make(12)
      try archiver.encode([Leaf("kept")], forKey: "first")
      field.changer?.change = { throw Stop(number: 3) }
      #expect(throws: Stop(number: 3)) { try archiver.encode(field, forKey: "second") }
      field.changer?.change = nil
    }
    #expect(Self.live == before)
    for _ in 0..<2 {
      #expect(throws: Stop(number: 3)) { try archiver.encode(1, forKey: "third") }
      #expect(throws: Stop(number: 3)) { try archiver.encodeConditionalObject(nil, forKey: "third") }
      #expect(throws: Stop(number: 3)) { try archiver.encodeContainer(forKey: "third") { _ in } }
      #expect(throws: Stop(number: 3)) { try archiver.finishEncoding() }
      #expect(throws: Stop(number: 3)) { try archiver.encodedData }
    }
  }

  final class Refused: MirrorCoding {
    var leaves = [Leaf("in a class that cannot be archived")]
    var work: () -> Void = {}
  }
  final class Holder: MirrorCoding {
    var leaves: [Leaf] = []
    var any: Any = 0
    weak var parent: Leaf?
  }
  final class Estate: MirrorCoding {
    var leaves: [Leaf] = []
    var refused: [Refused] = []
  }
  final class Tenant: MirrorCodable {
    var leaves: [Leaf] = []
    unowned let owner: Leaf
    init(_ owner: Leaf) { self.owner = owner }
  }

  /// Graphs that cannot be archived, each with the code and the place of the error.
  private static func refusals() -> [(code: ArchiveError.Code, place: String, root: Any)] {
    let holder = Holder()
    holder.leaves = (0..<20).map { Leaf("\($0)") }
    holder.any = ["a": [Refused()]]
    let estate = Estate()
    estate.leaves = [Leaf("estate")]
    estate.refused = [Refused()]
    let other = Holder()
    other.leaves = [Leaf("other")]
    other.any = [Leaf("not allowed in Any")]
    var deep: [Any] = [Leaf("deep")]
    for _ in 0..<600 { deep = [deep] }
    let nested = Holder()
    nested.any = deep
    return [
      (.unsupportedType, "", Refused()), (.unsupportedType, "", estate), (.typeNotAllowed, "any", holder), (.typeNotAllowed, "any", other),
      (.nestingTooDeep, "any", nested),
    ]
  }

  @Test("A graph that is refused is let go of, leaves no file, and does not disturb the next archive", arguments: 0..<5)
  func refused(index: Int) throws {
    let directory = try TemporaryDirectory()
    let file = URL(fileURLWithPath: directory.file("graph"))
    try KeyedArchiver.archive(["old"], to: file)
    let before = Self.live
    for _ in 0..<5 {
      let (code, place, root) = Self.refusals()[index]
      expectRefusal(code, at: place) { try KeyedArchiver.archivedData(withRootObject: root) }
      expectRefusal(code, at: place) { try KeyedArchiver.archive(root, to: file) }
      let archiver = KeyedArchiver()
      for _ in 0..<2 { expectRefusal(code, at: place) { try archiver.encode(root, forKey: "root") } }
      expectRefusal(code, at: place) { try archiver.encodedData }
      let field = Field.make(3)
      #expect(try roundTrip(field).late.map { Self.describe($0) } == field.late.map { Self.describe($0) })
    }
    #expect(Self.live == before)
    #expect(try directory.contents() == ["graph"])
    #expect(try KeyedUnarchiver.unarchivedObject(of: [String].self, contentsOf: file) == ["old"])
  }

  @Test("An unowned reference to what the archive does not reach ends the encoding and lets go of everything") func unowned() throws {
    let before = Self.live
    do {
      let owner = Leaf("owner")
      let tenants = (0..<12).map { _ in Tenant(owner) }
      for tenant in tenants { tenant.leaves = [Leaf("a"), Leaf("b")] }
      expectRefusal(.missingUnownedTarget, at: "root[0].owner") { try KeyedArchiver.archivedData(withRootObject: tenants) }
    }
    #expect(Self.live == before)
  }

  // MARK: Size

  @Test("The one-shot calls end an archive that is too large; the limit is exact", arguments: [1, 12, 3_000])
  func sizeLimit(count: Int) throws {
    let directory = try TemporaryDirectory()
    let file = URL(fileURLWithPath: directory.file("leaves"))
    try KeyedArchiver.archive(["old"], to: file)
    let leaves = (0..<count).map { Leaf("\($0)") }
    let hands = (0..<count).map { Hand("a text of \($0)") }
    let data = try KeyedArchiver.archivedData(withRootObject: leaves)
    let handData = try KeyedArchiver.archivedData(withRootObject: hands)
    #expect(try KeyedArchiver.archivedData(withRootObject: leaves, maximumByteCount: data.count) == data)
    #expect(try KeyedArchiver.archivedData(withRootObject: hands, maximumByteCount: handData.count) == handData)
    for limit in [data.count - 1, data.count / 2, 1, 0, -1] {
      var appended = Data([5])
      expectRefusal(.limitExceeded, naming: ["maximumByteCount", "\(limit)"]) {
        try KeyedArchiver.archivedData(withRootObject: leaves, maximumByteCount: limit)
      }
      expectRefusal(.limitExceeded, naming: ["maximumByteCount"]) {
        try KeyedArchiver.archivedData(withRootObject: hands, maximumByteCount: min(limit, handData.count - 1))
      }
      expectRefusal(.limitExceeded) { try KeyedArchiver.archive(leaves, into: &appended, maximumByteCount: limit) }
      expectRefusal(.limitExceeded) { try KeyedArchiver.archive(leaves, to: file, maximumByteCount: limit) }
      #expect(appended == Data([5]))
    }
    #expect(try directory.contents() == ["leaves"])
    #expect(try KeyedUnarchiver.unarchivedObject(of: [String].self, contentsOf: file) == ["old"])
    // The limit of one call is not the next one's.
    #expect(try KeyedArchiver.archivedData(withRootObject: leaves) == data)
    try KeyedArchiver.archive(leaves, to: file, maximumByteCount: data.count)
    #expect(try Data(contentsOf: file) == data)
  }
}
