import ArchiveFormat
import Testing

@Suite("An object is found in the records that refer to it")
struct ReferenceSearchTests {
  private static let types = TypeTable(entries: [
    .tuple([Property(key: "name", type: .string), Property(key: "list", type: TypeID(entry: 1)), Property(key: ".0", type: .reference)]),
    .array(.reference), .tuple([Property(key: "inner", type: .record)]), .tuple([]),
  ])

  private static func find(_ object: Int, _ count: Int, _ bytes: [UInt8]) throws -> ReferenceSearch.Find? {
    try reading(bytes) { try ReferenceSearch(for: object, in: types).find(.record, count: count, in: &$0) }
  }

  private static let leaf: [UInt8] = [1, 0x61] + [4, 10, 12] + [14]
  private static let column = Records.encode([67, 64, 66], [[], leaf, Records.encode([64], [[0, 0, 40]])])

  @Test("by row and key") func rows() throws {
    func check(_ object: Int, _ row: Int, _ place: String) throws {
      let found = try #require(try Self.find(object, 3, Self.column))
      #expect(found.row == row)
      #expect(found.place == place)
    }
    try check(5, 1, ".list[0]")
    try check(6, 1, ".list[1]")
    try check(7, 1, ".0")
    try check(20, 2, ".inner.0")
    #expect(try Self.find(8, 3, Self.column) == nil)
    #expect(try Self.find(8, 0, []) == nil)
  }

  @Test("and bytes that are wrong throw") func hostile() {
    func code(_ bytes: [UInt8]) -> FormatError.Code? { formatError { _ = try Self.find(99, 1, bytes) }?.code }
    #expect(code(Records.encode([65], [[0]])) == .malformed)
    #expect(code(Records.encode([-1], [[0]])) == .malformed)
    #expect(code(Records.encode([67], [[0]])) == .malformed)
    #expect(code(Records.encode([64], [[]])) == .truncated)
    #expect(code(Records.encode([64], [Array(Self.leaf.dropLast())])) == .truncated)
    var nested = Records.encode([67], [[]])
    for _ in 0..<200 { nested = Records.encode([66], [nested]) }
    #expect(code(nested) == .limitExceeded)
    for length in 0..<Self.column.count {
      #expect(formatError { _ = try Self.find(99, 3, [UInt8](Self.column[..<length])) }?.code == .truncated, "\(length)")
    }
  }
}
