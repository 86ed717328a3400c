import ArchiveFormat
import Foundation
import MirrorArchive

extension Attack {
  /// A class of the archive that is `Models.Fruit` with no properties.
  private static let bareFruit = TypeEntry.object(name: fruit, version: 0, superclass: nil, properties: [])
  private static func fruit(_ property: TypeID) -> TypeEntry {
    .object(name: fruit, version: 0, superclass: nil, properties: [Property(key: "name", type: property)])
  }
  /// An enum with two cases, the first with a number.
  private static let either = TypeEntry.enumeration(
    name: "MirrorArchiveTests.Either<Swift.Int, Swift.Int>", version: 0,
    cases: [EnumCase(name: "left", payload: .int), EnumCase(name: "neither")])

  /// A column of numbers as it stands in an archive.
  private static func column(_ numbers: [Int64]) -> [UInt8] {
    var writer = ByteWriter()
    unsafe numbers.withUnsafeBufferPointer { unsafe IntegerColumn.encode($0, into: &writer) }
    return unsafe Array(writer.bytes)
  }

  /// Numbers of types, objects, pools, roots and cases that no table has, and tables that contradict themselves.
  static let beyondTables = [
    Attack(
      "legal: one object", as: Models.Fruit.self, throws: [], types: [bareFruit],
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 1)], root: .reference, bytes: [0]),
    Attack(
      "a root whose type is past the table", as: Models.Fruit.self, throws: [.malformed], types: [bareFruit], root: TypeID(entry: 7),
      bytes: [0]),
    Attack(
      "a block whose class is past the table", as: Models.Fruit.self, throws: [.malformed], types: [bareFruit],
      blocks: [BlockHeader(type: TypeID(entry: 1), count: 1, byteCount: 1)], root: .reference, bytes: [0]),
    Attack(
      "a block whose class is a number", as: Models.Fruit.self, throws: [.malformed], types: [bareFruit],
      blocks: [BlockHeader(type: .int, count: 1, byteCount: 1)], root: .reference, bytes: [0]),
    Attack(
      "a block whose class is an array", as: Models.Fruit.self, throws: [.malformed], types: [.array(.int)],
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 1)], root: .reference, bytes: [0]),
    Attack(
      "a superclass past the table", as: Models.Fruit.self, throws: [.malformed],
      types: [.object(name: fruit, version: 0, superclass: TypeID(entry: 1), properties: [])],
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 1)], root: .reference, bytes: [0]),
    Attack(
      "a class that is its own superclass", as: Models.Fruit.self, throws: [.malformed],
      types: [.object(name: fruit, version: 0, superclass: entry, properties: [])],
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 1)], root: .reference, bytes: [0]),
    Attack(
      "a property whose type is past the table", as: Models.Fruit.self, throws: [.malformed], types: [fruit(TypeID(entry: 9))],
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 1)], root: .reference, bytes: [0]),
    Attack(
      "an element whose type is past the table", as: [Int].self, throws: [.malformed], types: [.array(TypeID(entry: 1))], root: entry,
      bytes: [2, 2]),
    Attack(
      "a payload whose type is past the table", as: Either<Int, Int>.self, throws: [.malformed],
      types: [
        .enumeration(
          name: "MirrorArchiveTests.Either<Swift.Int, Swift.Int>", version: 0, cases: [EnumCase(name: "left", payload: TypeID(entry: 5))])
      ],
      root: entry, bytes: [0, 0]),
    Attack(
      "one object and a reference to a second", as: Models.Fruit.self, throws: [.malformed, .invalidValue], types: [bareFruit],
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 1)], root: .reference, bytes: number(1)),
    Attack(
      "a reference to the last number of all", as: Models.Fruit.self, throws: [.malformed, .invalidValue], types: [bareFruit],
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 1)], root: .reference, bytes: number(.max)),
    Attack(
      "a reference to the lowest number of all", as: Models.Fruit.self, throws: [.malformed, .invalidValue], types: [bareFruit],
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 1)], root: .reference, bytes: number(.min)),
    Attack("legal: a case", as: Either<Int, Int>.self, throws: [], types: [either], root: entry, bytes: number(1)),
    Attack(
      "a case past the table", as: Either<Int, Int>.self, throws: [.malformed, .invalidValue], types: [either], root: entry,
      bytes: number(2)),
    Attack(
      "a negative case", as: Either<Int, Int>.self, throws: [.malformed, .invalidValue], types: [either], root: entry, bytes: number(-1)),
    Attack(
      "case number 2^63 - 1", as: Either<Int, Int>.self, throws: [.malformed, .invalidValue, .truncated], types: [either], root: entry,
      bytes: number(.max)),
    Attack(
      "cases past the table in a long column", as: [Either<Int, Int>].self, throws: [.malformed, .invalidValue, .truncated],
      types: [.array(TypeID(entry: 1)), either], root: entry, bytes: number(16) + column((0..<16).map { $0 == 9 ? 3 : 1 })),
    Attack(
      "a string of a pool that is not there", as: [String].self, throws: [.malformed], types: [.array(.string)], root: entry,
      bytes: number(16) + [BytesColumn.pooledEncoding] + column(Array(repeating: 0, count: 16))),
    Attack(
      "legal: two classes of one name", as: Models.Fruit.self, throws: [], types: [bareFruit, bareFruit],
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 1), BlockHeader(type: TypeID(entry: 1), count: 1, byteCount: 1)],
      root: .reference, bytes: [0]),
    Attack(
      "a property twice", as: Models.Fruit.self, throws: [.malformed],
      types: [
        .object(
          name: fruit, version: 0, superclass: nil,
          properties: [Property(key: "name", type: .string), Property(key: "name", type: .string)])
      ],
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 2)], root: .reference, bytes: [0]),
  ]

  /// Counts that would take all memory or a very long time if they were believed.
  static let beyondMeasure = [
    Attack(
      "arrays in Any, 1,000,000 deep", as: [Any].self, throws: [.nestingTooDeep, .limitExceeded], types: [.array(.any)], root: entry,
      bytes: nested(1_000_000)),
    Attack(
      "optional types, 1,000,000 deep, in Any", as: [Any].self,
      types: [.array(.any)] + (0..<1_000_000).map { .optional($0 == 999_999 ? .int : TypeID(entry: $0 + 2)) },
      root: entry, bytes: [2, 1, 65, 0, 0]),
    Attack(
      "1,000,000 classes that inherit from each other", as: Models.Fruit.self,
      types: (0..<1_000_000).map {
        .object(name: "a", version: 0, superclass: $0 == 999_999 ? nil : TypeID(entry: $0 + 1), properties: [])
      },
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 1)], root: .reference, bytes: [0]),
    Attack(
      "a block of 2^40 objects", as: Models.Fruit.self, types: [bareFruit],
      blocks: [BlockHeader(type: entry, count: 1 << 40, byteCount: 1)],
      root: .reference, bytes: [0]),
    Attack(
      "a block of 2^63 - 1 objects", as: Models.Fruit.self, types: [bareFruit],
      blocks: [BlockHeader(type: entry, count: .max, byteCount: 1)], root: .reference, bytes: [0]),
    Attack(
      "a block without objects", as: Models.Fruit.self, types: [bareFruit], blocks: [BlockHeader(type: entry, count: 0, byteCount: 0)],
      root: .reference, bytes: [0]),
    Attack(
      "a block that is longer than the archive", as: Models.Fruit.self, types: [bareFruit],
      blocks: [BlockHeader(type: entry, count: 1, byteCount: 1 << 40)], root: .reference, bytes: [0], columns: [0]),
    Attack("legal: an array of no rows", as: [Int].self, throws: [], types: [.array(.int)], root: entry, bytes: [0]),
    Attack(
      "an array of no rows that has some", as: [Int].self, throws: [.malformed, .trailingBytes], types: [.array(.int)], root: entry,
      bytes: [0, 2]),
    Attack("an array of 2^63 - 1 rows", as: [Int].self, types: [.array(.int)], root: entry, bytes: number(.max) + [2, 4]),
    Attack("an array of -2^63 rows", as: [Int].self, types: [.array(.int)], root: entry, bytes: number(.min) + [2, 4]),
    Attack("2^63 - 1 rows of nothing", as: [Void].self, types: [.array(.void)], root: entry, bytes: number(.max) + [0, 0]),
    Attack("2^63 - 1 references", as: [Models.Fruit].self, types: [.array(.reference)], root: entry, bytes: number(.max) + [0]),
    Attack(
      "rows whose numbers add up to more than 2^63", as: [[Int]].self, types: [.array(TypeID(entry: 1)), .array(.int)], root: entry,
      bytes: number(3) + number(.max) + number(.max) + number(2) + [2, 4]),
    Attack("data of 2^63 - 1 bytes", as: Data.self, types: [], root: .data, bytes: Forgery.varint(1 << 63 - 1) + [1]),
    Attack("data of 2^64 - 1 bytes", as: Data.self, types: [], root: .data, bytes: Forgery.varint(.max) + [1]),
    Attack("a text of 2^64 - 1 bytes", as: String.self, types: [], root: .string, bytes: Forgery.varint(.max) + [0x61]),
    Attack(
      "a set of 1,000,000 elements that are not equal to themselves", throws: [.limitExceeded], make: { set(of: .nan) },
      read: { _ = try KeyedUnarchiver.unarchivedObject(of: Set<Double>.self, from: $0) }),
    Attack(
      "a set of 1,000,000 zeros", throws: [.invalidValue], make: { set(of: 0) },
      read: { _ = try KeyedUnarchiver.unarchivedObject(of: Set<Double>.self, from: $0) }),
    Attack(
      "100,000 sets of one text of 60,000 bytes", throws: [.limitExceeded], make: { sets(100_000, ofTextLength: 60_000) },
      read: { _ = try KeyedUnarchiver.unarchivedObject(of: [Set<String>].self, from: $0) }),
    Attack(
      "100,000 dictionaries with one key of 60,000 bytes", throws: [.limitExceeded], make: { tables(100_000, ofTextLength: 60_000) },
      read: { _ = try KeyedUnarchiver.unarchivedObject(of: [[String: Bool]].self, from: $0) }),
  ]

  /// A set of a million equal numbers: the archive of an array that calls itself a set.
  private static func set(of number: Double) -> Data {
    guard let data = try? KeyedArchiver.archivedData(withRootObject: [Double](repeating: number, count: 1_000_000)),
      var forgery = Forgery(data)
    else { return Data() }
    // The only type follows the number of types.
    if forgery.body[1] == 2 { forgery.body[1] = 3 }
    return forgery.sealed()
  }

  /// Bytes of a column of so many strings that are all the first one of the property's pool, and the pool.
  private static func pooled(_ count: Int, _ length: Int) -> (pools: [UInt8], strings: [UInt8]) {
    var writer = ByteWriter()
    StringPoolSection.encodeCount(1, into: &writer)
    StringPoolSection.encodeHead(id: 0, count: 1, into: &writer)
    let pools = unsafe Array(writer.bytes) + Forgery.varint(UInt64(length)) + [UInt8](repeating: UInt8(ascii: "a"), count: length)
    return (Forgery.varint(UInt64(pools.count)) + pools, [BytesColumn.pooledEncoding] + column(Array(repeating: 0, count: count)))
  }

  private static func archive(_ types: [TypeEntry], _ pools: [UInt8], _ value: [UInt8]) -> Data {
    var table = ByteWriter()
    TypeTable(entries: types).encode(into: &table)
    let root = [0, 1, 4] + Array("root".utf8) + Forgery.varint(UInt64(TypeID(entry: 0).rawValue)) + Forgery.varint(UInt64(value.count))
    return unsafe Forgery(flags: 10, body: Array(table.bytes) + pools + root + value).sealed()
  }

  private static func chunks(_ count: Int, _ chunk: (Int) -> [UInt8]) -> [UInt8] {
    Array(stride(from: 0, to: count, by: 1_024).map { chunk(min(1_024, count - $0)) }.joined())
  }

  private static func sets(_ count: Int, ofTextLength length: Int) -> Data {
    // In each chunk of sets: how many elements each has, then the elements.
    let value = chunks(count) { column(Array(repeating: 1, count: $0)) + pooled($0, length).strings }
    return archive([.array(TypeID(entry: 1)), .set(.string)], pooled(1, length).pools, number(Int64(count)) + value)
  }

  private static func tables(_ count: Int, ofTextLength length: Int) -> Data {
    let value = chunks(count) { column(Array(repeating: 1, count: $0)) + pooled($0, length).strings + [UInt8](repeating: 0, count: 1) }
    return archive(
      [.array(TypeID(entry: 1)), .dictionary(key: .string, value: .bool)], pooled(1, length).pools, number(Int64(count)) + value)
  }
}
