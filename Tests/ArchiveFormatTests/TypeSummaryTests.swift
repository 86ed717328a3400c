import ArchiveFormat
import Testing

@Suite("What is asked of a type table")
struct TypeSummaryTests {
  private static func members(_ types: [TypeID]) -> [Property] { types.map { Property(key: "m\($0.rawValue)", type: $0) } }

  /// The table as it is after it was written and read.
  private static func read(_ table: TypeTable) throws -> TypeTable {
    try readingAll(written { table.encode(into: &$0) }) { try TypeTable(from: &$0) }
  }

  @Test("of the scalars references, Any and records may refer, and their optionals") func scalars() {
    let referring = (0..<64).map { TypeID($0) }.filter { TypeTable().mayRefer($0) }
    #expect(referring.map(\.rawValue) == [4, 23, 30, 36, 55, 62])
    #expect(!TypeTable().mayRefer(TypeID(entry: 0)))
  }

  @Test("a type may refer if a part of it may, at whatever depth") func entries() throws {
    let table = TypeTable(entries: [
      SampleFrames.point, .array(.int), .array(.reference), .optional(TypeID(entry: 2)), .tuple([]),
      .structure(name: "S", version: 0, fields: Self.members([.int, TypeID(entry: 3)])),
      .structure(name: "T", version: 0, fields: Self.members([.int, TypeID(entry: 1)])),
      // Two that contain each other by way of arrays, without and with a reference.
      .enumeration(name: "E", version: 0, cases: [EnumCase(name: "a"), EnumCase(name: "b", payload: TypeID(entry: 8))]),
      .array(TypeID(entry: 7)),
      .enumeration(
        name: "F", version: 0,
        cases: [EnumCase(name: "a", payload: TypeID(entry: 10)), EnumCase(name: "b", payload: TypeID(36))]),
      .set(TypeID(entry: 9)), .dictionary(key: .string, value: .any), .dictionary(key: TypeID(entry: 0), value: .int),
      .inlineArray(.record, count: 2), .dictionary(key: .string, value: .int),
    ])
    let expected = [true, false, true, true, false, true, false, false, false, true, true, true, true, true, false]
    #expect(table.entries.indices.map { table.mayRefer(TypeID(entry: $0)) } == expected)
    let read = try Self.read(table)
    #expect(read.entries.indices.map { read.mayRefer(TypeID(entry: $0)) } == expected)
    #expect(!read.mayRefer(TypeID(entry: 15)))
    var growing = TypeTable()
    for entry in table.entries { growing.entries.append(entry) }
    #expect(growing == table)
    #expect(growing.entries.indices.map { growing.mayRefer(TypeID(entry: $0)) } == expected)
  }

  @Test("long chains are followed to their end", arguments: [true, false]) func chains(isForward: Bool) throws {
    let n = 20_000
    var entries = (0..<n).map { TypeEntry.array(TypeID(entry: isForward ? $0 + 1 : $0 - 1)) }
    entries[isForward ? n - 1 : 0] = .array(.reference)
    let table = try Self.read(TypeTable(entries: entries))
    #expect(entries.indices.allSatisfy { table.mayRefer(TypeID(entry: $0)) })
    entries[isForward ? n - 1 : 0] = .array(.int)
    let other = try Self.read(TypeTable(entries: entries))
    #expect(!entries.indices.contains { other.mayRefer(TypeID(entry: $0)) })
  }

  @Test("a table has records if a class has a property of that type") func records() throws {
    func table(_ entry: TypeEntry) throws -> Bool { try Self.read(TypeTable(entries: [.tuple(Self.members([.int])), entry])).hasRecords }
    #expect(try table(.object(name: "O", version: 0, superclass: nil, properties: Self.members([.int, .record]))))
    #expect(try !table(.object(name: "O", version: 0, superclass: nil, properties: Self.members([.int, .any]))))
    #expect(try !table(.tuple(Self.members([.record]))))
    #expect(!TypeTable().hasRecords)
  }

  @Test("the shape of a record is a tuple") func shapes() {
    let table = TypeTable(entries: [.tuple(Self.members([.int, .record])), SampleFrames.point, .tuple([])])
    #expect(table.shape(of: 64) == Self.members([.int, .record]))
    #expect(table.shape(of: 66) == [])
    for number in [0, 30, 63, 65, 67, -1, -64, .max, .min, 1 << 32 + 64] as [Int64] { #expect(table.shape(of: number) == nil, "\(number)") }
  }
}
