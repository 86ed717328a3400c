import ArchiveFormat
import MirrorArchive

/// The first bytes choose what the rest is read as: a byte the kind, two bytes the number of rows.
///
/// Numbers of kinds are never given to others, because the committed inputs say them.
enum ColumnFuzzing {
  private static let headLength = 3

  static func run(_ bytes: UnsafeRawBufferPointer) throws(FuzzFailure) {
    guard bytes.count > headLength else { return }
    let rows = unsafe (Int(bytes[1]) | Int(bytes[2]) << 8) % (maximumChunkRows + 1)
    let column = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes[headLength...]))
    switch unsafe bytes[0] {
    case 0: try PlainColumns.truthValues(rows, column)
    case 1: try PlainColumns.integers(rows, column)
    case 2: try PlainColumns.narrowIntegers(rows, column)
    case 3: try PlainColumns.doubles(rows, column)
    case 4: try PlainColumns.floats(rows, column)
    case 5: try PlainColumns.fixed(rows, column)
    case 6: try PlainColumns.byteStrings(rows, column)
    case 7: try PlainColumns.numbered(rows, column)
    case 8: try PlainColumns.records(rows, column)
    case 9: try Tables.pools(column)
    case 10: try Tables.types(column)
    case 11: unsafe try Tables.archive(column.rest)
    case 12: unsafe try Tables.text(column.rest)
    case let kind: try AnyColumn.run(SampleTypes.all[(Int(kind) - 13) % SampleTypes.all.count], rows, column)
    }
  }
}

/// Types that columns are read as: all scalars, their Optionals, and one entry of each kind with columns of its own inside.
enum SampleTypes {
  static let all = (0..<64).map { TypeID(UInt32($0)) } + table.entries.indices.map { TypeID(entry: $0) }

  static let table = TypeTable(entries: [
    .array(.int), .array(.string), .array(TypeID(entry: 0)), .set(.uint8), .dictionary(key: .string, value: .any),
    .inlineArray(.double, count: 3),
    .inlineArray(.int, count: 0), .tuple([]), .tuple([Property(key: "", type: .int), Property(key: "b", type: TypeID(entry: 1))]),
    .structure(name: "Point", version: 1, fields: [Property(key: "x", type: .double), Property(key: "next", type: TypeID(entry: 10))]),
    .optional(TypeID(entry: 9)), .optional(TypeID(UInt32(33))),
    .enumeration(
      name: "Tree", version: 0,
      cases: [EnumCase(name: "leaf", payload: .int), EnumCase(name: "node", payload: TypeID(entry: 13)), EnumCase(name: "none")]),
    .tuple([Property(key: "", type: TypeID(entry: 12)), Property(key: "", type: TypeID(entry: 12))]),
    .object(name: "Base", version: 0, superclass: nil, properties: [Property(key: "name", type: .string)]),
    .object(name: "Sub", version: 0, superclass: TypeID(entry: 14), properties: [Property(key: "$keys", type: .record)]),
    .tuple([Property(key: "a", type: .pooledString), Property(key: "b", type: .record), Property(key: "\0", type: .reference)]),
    .array(TypeID(entry: 14)), .array(.any), .array(.record), .dictionary(key: TypeID(entry: 12), value: TypeID(entry: 17)),
    .inlineArray(TypeID(entry: 9), count: 2), .array(.void), .set(TypeID(entry: 8)),
  ])
}
