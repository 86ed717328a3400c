import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// An archive that nobody's program wrote, put together by hand, with a good checksum.
struct Attack: Sendable {
  let name: String
  /// What may be thrown. Empty: the archive is legal and has to decode.
  let codes: [ArchiveError.Code]
  let make: @Sendable () -> Data
  let read: @Sendable (Data) throws -> Void

  init<Root>(
    _ name: String, as _: Root.Type, throws codes: [ArchiveError.Code] = Attack.structural,
    types: @autoclosure @escaping @Sendable () -> [TypeEntry], blocks: @autoclosure @escaping @Sendable () -> [BlockHeader] = [],
    root: TypeID, bytes: @autoclosure @escaping @Sendable () -> [UInt8], columns: @autoclosure @escaping @Sendable () -> [UInt8]? = nil
  ) {
    self.name = name
    self.codes = codes
    make = {
      var table = ByteWriter()
      TypeTable(entries: types()).encode(into: &table)
      let value = bytes()
      let headers = blocks()
      var objects = Forgery.varint(UInt64(headers.count))
      for block in headers {
        for number in [Int(block.type.rawValue), block.count, block.byteCount] { objects += Forgery.varint(UInt64(number)) }
      }
      // One root key, its type and its length; then its value. Unless told otherwise, what the blocks have is zero bytes.
      let root = [1, 4] + Array("root".utf8) + Forgery.varint(UInt64(root.rawValue)) + Forgery.varint(UInt64(value.count)) + value
      let columns = columns() ?? [UInt8](repeating: 0, count: headers.reduce(0) { $0 &+ $1.byteCount })
      return unsafe Forgery(flags: 8, body: Array(table.bytes) + objects + root + columns).sealed()
    }
    read = { _ = try KeyedUnarchiver.unarchivedObject(of: Root.self, from: $0) }
  }

  init(
    _ name: String, throws codes: [ArchiveError.Code] = Attack.structural, make: @escaping @Sendable () -> Data,
    read: @escaping @Sendable (Data) throws -> Void
  ) {
    (self.name, self.codes, self.make, self.read) = (name, codes, make, read)
  }

  static func named(_ name: String) -> Attack? { all.first { $0.name == name } }
  static let all = onValues + beyondTables + beyondMeasure

  /// Codes for bytes that contradict themselves: which check comes first is not what these tests are about.
  static let structural: [ArchiveError.Code] = [
    .malformed, .unsupportedType, .truncated, .limitExceeded, .invalidValue, .nestingTooDeep, .typeMismatch, .unknownType, .typeNotAllowed,
  ]

  static let entry = TypeID(entry: 0)
  /// The bytes of a count or number in a column of fewer than eight rows.
  static func number(_ number: Int64) -> [UInt8] { Forgery.varint(UInt64(bitPattern: number << 1 ^ number >> 63)) }
  static let fruit = "MirrorArchiveTests.Models.Fruit"
  private static let notANumber: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF8, 0x7F]
  /// Nested arrays in Any: one type (the array), index 0, one element, and so on; a number at the bottom.
  static func nested(_ levels: Int) -> [UInt8] {
    [2] + Array(repeatElement([1, 64, 0, 2], count: levels - 1).joined()) + [1, 1, 0] + number(7)
  }

  /// A string that is too long to be held without a buffer.
  private static let text = [38] + Array("a string on the heap, which is released".utf8.prefix(38))

  private static let onValues = [
    Attack("legal: an array of three numbers", as: [Int].self, throws: [], types: [.array(.int)], root: entry, bytes: [6, 2, 4, 6]),
    Attack("legal: arrays in Any, 100 deep", as: [Any].self, throws: [], types: [.array(.any)], root: entry, bytes: nested(100)),
    Attack(
      "arrays in Any, 100,000 deep", as: [Any].self, throws: [.nestingTooDeep, .limitExceeded], types: [.array(.any)], root: entry,
      bytes: nested(100_000)),
    Attack("2^40 numbers", as: [Int].self, types: [.array(.int)], root: entry, bytes: number(1 << 40) + [2, 4]),
    Attack("2^40 strings", as: [String].self, types: [.array(.string)], root: entry, bytes: number(1 << 40) + [2, 4]),
    Attack("2^62 numbers", as: [Int].self, types: [.array(.int)], root: entry, bytes: number(1 << 62) + [2, 4]),
    Attack("2^40 empty tuples", as: [Void].self, types: [.array(.void)], root: entry, bytes: number(1 << 40) + [0, 0]),
    Attack("minus one elements", as: [Int].self, types: [.array(.int)], root: entry, bytes: number(-1)),
    Attack("2^40 set elements", as: Set<Int>.self, types: [.set(.int)], root: entry, bytes: number(1 << 40) + [2]),
    Attack(
      "2^40 dictionary entries", as: [Int: Int].self, types: [.dictionary(key: .int, value: .int)], root: entry,
      bytes: number(1 << 40) + [2, 2]),
    Attack("keys without values", as: [Int: Int].self, types: [.dictionary(key: .int, value: .int)], root: entry, bytes: [4, 2, 4]),
    Attack("a key twice", as: [Int: Int].self, types: [.dictionary(key: .int, value: .int)], root: entry, bytes: [4, 2, 2, 6, 6]),
    Attack("an element twice", as: Set<Int>.self, types: [.set(.int)], root: entry, bytes: [4, 2, 2]),
    Attack("a string of 2^40 bytes", as: String.self, types: [], root: .string, bytes: Forgery.varint(1 << 40) + [0x61]),
    Attack("text that is not UTF-8", as: String.self, types: [], root: .string, bytes: [2, 0xC3, 0x28]),
    Attack("a character of two characters", as: Character.self, types: [], root: .character, bytes: [2, 0x61, 0x62]),
    Attack("a character of none", as: Character.self, types: [], root: .character, bytes: [0]),
    Attack("half of a surrogate pair", as: Unicode.Scalar.self, types: [], root: .unicodeScalar, bytes: number(0xD800)),
    Attack("a scalar beyond Unicode", as: Unicode.Scalar.self, types: [], root: .unicodeScalar, bytes: number(0x110000)),
    Attack("300 in a byte", as: UInt8.self, types: [], root: .uint8, bytes: number(300)),
    Attack("a truth value of 2", as: Bool.self, types: [], root: .bool, bytes: [2]),
    Attack("a reference past the table", as: Allowed.self, types: [], root: .reference, bytes: number(5)),
    Attack("a negative reference", as: Allowed.self, types: [], root: .reference, bytes: number(-2)),
    Attack("a type past the table", as: [Any].self, types: [.array(.any)], root: entry, bytes: [2, 1] + Forgery.varint(5_000) + [0, 0]),
    Attack("an Any of 2^40 types", as: [Any].self, types: [.array(.any)], root: entry, bytes: [2] + Forgery.varint(1 << 40) + [1, 0, 0]),
    Attack(
      "an array type of itself", as: [Any].self, types: [.array(TypeID(entry: 1)), .array(TypeID(entry: 1))], root: entry, bytes: [2, 2]),
    Attack(
      "an array type of itself in Any", as: [Any].self, types: [.array(.any), .array(TypeID(entry: 1))], root: entry,
      bytes: [2, 1, 65, 0, 2, 0]),
    Attack(
      "an optional type of itself in Any", as: [Any].self, types: [.array(.any), .optional(TypeID(entry: 1))], root: entry,
      bytes: [2, 1, 65, 0, 0]),
    Attack(
      "a dictionary type of itself in Any", as: [Any].self, types: [.array(.any), .dictionary(key: .string, value: TypeID(entry: 1))],
      root: entry,
      bytes: [2, 1, 65, 0, 0]),
    Attack(
      "a tuple type of itself in Any", as: [Any].self, types: [.array(.any), .tuple([Property(key: "", type: TypeID(entry: 1))])],
      root: entry,
      bytes: [2, 1, 65, 0, 0]),
    Attack(
      "array types, 60,000 deep, in Any", as: [Any].self,
      types: [.array(.any)] + (0..<60_000).map { .array($0 == 59_999 ? .int : TypeID(entry: $0 + 2)) },
      root: entry, bytes: [2, 1, 65, 0, 0]),
    Attack(
      "a tuple type of 2^60 elements in Any", as: [Any].self,
      types: [.array(.any)]
        + (0..<60).map { number in
          let type = number == 59 ? TypeID.int : TypeID(entry: number + 2)
          return .tuple([Property(key: "a", type: type), Property(key: "b", type: type)])
        }, root: entry, bytes: [2, 1, 65, 0] + Array(repeating: 2, count: 100)),
    Attack(
      "a dictionary type whose name would have 2^60 parts in Any", as: [Any].self,
      types: [.array(.any)]
        + (0..<60).map { number in
          let type = number == 59 ? TypeID.int : TypeID(entry: number + 2)
          return .dictionary(key: type, value: type)
        }, root: entry, bytes: [2, 1, 65, 0, 0]),
    Attack(
      "a dictionary type whose name would have 2^30 parts in Any", as: [Any].self,
      types: [.array(.any)]
        + (0..<30).map { number in
          let type = number == 29 ? TypeID.int : TypeID(entry: number + 2)
          return .dictionary(key: type, value: type)
        }, root: entry, bytes: [2, 1, 65, 0, 0]),
    Attack(
      "tuples of 64 tuples, 10 deep, where a number is declared", as: Int.self,
      types: (0..<10).map { number in
        .tuple(Array(repeating: Property(key: "a", type: number == 9 ? .int : TypeID(entry: number + 1)), count: 64))
      }, root: entry, bytes: [0]),
    Attack(
      "a field twice", as: Pair<String, String>.self,
      types: [
        .structure(
          name: "MirrorArchiveTests.Pair<Swift.String, Swift.String>", version: 0,
          fields: ["first", "first", "second"].map { Property(key: $0, type: .string) })
      ], root: entry, bytes: text + text),
    Attack(
      "a recursive type written out 30,000 times", as: Branch.self,
      types: (0..<30_000).flatMap { number -> [TypeEntry] in
        [
          .structure(
            name: "MirrorArchiveTests.Branch", version: 0, fields: [Property(key: "branches", type: TypeID(entry: 2 * number + 1))]),
          .array(TypeID(entry: number == 29_999 ? 0 : 2 * number + 2)),
        ]
      }, root: entry, bytes: [0]),
    Attack(
      "an array of structs that would take 64 GB", as: [Wide].self,
      types: [.array(TypeID(entry: 1)), .structure(name: "MirrorArchiveTests.Wide", version: 0, fields: Wide.fields)],
      root: entry, bytes: number(1 << 29) + Array(repeating: 1, count: 1 << 20)),
    Attack(
      "a range from no number on", as: PartialRangeFrom<Double>.self,
      types: [.structure(name: "PartialRangeFrom", version: 0, fields: [Property(key: "lowerBound", type: .double)])],
      root: entry, bytes: notANumber),
    Attack(
      "a range up to no number", as: PartialRangeUpTo<Double>.self,
      types: [.structure(name: "PartialRangeUpTo", version: 0, fields: [Property(key: "upperBound", type: .double)])],
      root: entry, bytes: notANumber),
    Attack(
      "a range through no number", as: PartialRangeThrough<Double>.self,
      types: [.structure(name: "PartialRangeThrough", version: 0, fields: [Property(key: "upperBound", type: .double)])],
      root: entry, bytes: notANumber),
    Attack(
      "20,000 blocks of 1,024 objects in no bytes", as: Models.Fruit.self,
      types: [.object(name: fruit, version: 0, superclass: nil, properties: [])],
      blocks: Array(repeating: BlockHeader(type: entry, count: 1_024, byteCount: 0), count: 20_000), root: .reference, bytes: [0]),
    Attack(
      "20,000 blocks of 1,024 objects whose five columns take one byte", as: Models.Fruit.self,
      types: [
        .object(
          name: fruit, version: 0, superclass: nil,
          properties: ["name", "count", "price", "onSale", "tag"].map { Property(key: $0, type: .void) })
      ],
      blocks: Array(repeating: BlockHeader(type: entry, count: 1_024, byteCount: 1), count: 20_000), root: .reference, bytes: [0]),
    Attack(
      "classes that inherit 60,000 levels deep", as: Models.Fruit.self,
      types: (0..<60_000).map { .object(name: fruit, version: 0, superclass: $0 == 0 ? nil : TypeID(entry: $0 - 1), properties: []) },
      blocks: (0..<60_000).map { BlockHeader(type: TypeID(entry: 59_999 - $0), count: 1, byteCount: 1) }, root: .reference, bytes: [0]),
    Attack(
      "20,000 classes that inherit 20,000 properties", as: Models.Fruit.self,
      types: [
        .object(name: fruit, version: 0, superclass: nil, properties: (0..<20_000).map { Property(key: "gone \($0)", type: .bool) })
      ] + (0..<20_000).map { _ in .object(name: fruit, version: 0, superclass: entry, properties: []) },
      blocks: (0..<20_000).map { BlockHeader(type: TypeID(entry: 20_000 - $0), count: 1, byteCount: 1) }, root: .reference, bytes: [0]),
    Attack(
      "legal: an enum with one case 20,000 times", as: [Either<Int, Int>].self, throws: [],
      types: [
        .array(TypeID(entry: 1)),
        .enumeration(
          name: "MirrorArchiveTests.Either<Swift.Int, Swift.Int>", version: 0,
          cases: Array(repeating: EnumCase(name: "left", payload: .int), count: 20_000)),
      ], root: entry, bytes: number(1_024 * 20) + Array(repeating: 0, count: 4 * 20)),
    Attack("a value that is not used up", as: Int.self, types: [], root: .int, bytes: [2, 4]),
  ]
}

/// A struct of 128 bytes.
struct Wide {
  var a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0, m = 0, n = 0, o = 0, p = 0

  static let fields = "abcdefghijklmnop".map { Property(key: String($0), type: .int) }
}

/// A struct that holds itself.
struct Branch { var branches: [Branch] }

/// CASES row 33: counts, references and types that only an attacker writes.
@Suite("Hostile archives")
struct HostileTests {
  @Test("It throws or decodes within a tenth of a second and 50 MB", arguments: Attack.all.map(\.name)) func attack(name: String) async {
    await #expect(processExitsWith: .success) { [name = name as String] in
      reported {
        let attack = try #require(Attack.named(name))
        let data = attack.make()
        let memory = Resources.peakMemory()
        let start = Resources.threadSeconds()
        do {
          try attack.read(data)
          #expect(attack.codes.isEmpty, "\(attack.name) was read")
        } catch let error as ArchiveError {
          #expect(attack.codes.contains(error.code), "\(error)")
          #expect("\(error)".utf8.count < 10_000)
        }
        #expect(Resources.threadSeconds() - start < Resources.limit)
        #expect(Resources.peakMemory() - memory < Resources.memoryLimit)
      }
    }
  }

  @Test("An object that is its own array element is legal") func ownElement() throws {
    let node = Models.Node("self")
    node.friends = [node]
    let read = try roundTrip(node)
    #expect(read.friends.first === read)
    node.friends = []
    read.friends = []
  }

  @Test("[Any] nested 100 and 200 deep comes back", arguments: [1, 100, 200]) func nestedAny(depth: Int) throws {
    var written: [Any] = [7]
    for _ in 1..<max(2, depth) { written = [written] }
    var read = try roundTrip(AnyBox(list: written)).list
    var levels = 1
    while let inner = read.first as? [Any] {
      read = inner
      levels += 1
    }
    #expect(levels == max(2, depth) && read.first as? Int == 7)
  }

  @Test("Arrays nested 100,000 deep in Any are refused while encoding") func deepAny() async {
    await #expect(processExitsWith: .success) {
      reported {
        var written: [Any] = []
        for _ in 0..<100_000 { written = [written] }
        expectRefusal(.nestingTooDeep) { try KeyedArchiver.archivedData(withRootObject: AnyBox(list: written)) }
        while let inner = written.first as? [Any] { written = inner }
      }
    }
  }

  @Test("An indirect enum that is 100,000 deep is refused while encoding") func deepEnum() async {
    await #expect(processExitsWith: .success) {
      reported {
        var written = Enums.Chain.end
        for number in 0..<100_000 { written = .link(number, written) }
        let slot = Slot(Enums.Chain.end)
        slot.value = written
        expectRefusal(.nestingTooDeep, at: "value") { try KeyedArchiver.archivedData(withRootObject: slot) }
        slot.value = .end
        while case .link(_, let rest) = written { written = rest }
      }
    }
  }
}
