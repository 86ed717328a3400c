import ArchiveFormat
import Testing

@Suite("Type tables")
struct TypeTableTests {
  private static func encode(_ table: TypeTable) -> [UInt8] { written { table.encode(into: &$0) } }

  private static func decode(_ bytes: [UInt8], limit: Int = 65_536) throws -> TypeTable {
    try readingAll(bytes) { try TypeTable(from: &$0, limit: limit) }
  }

  private static func object(_ name: String, _ properties: [(String, TypeID)], superclass: TypeID? = nil, version: UInt64 = 0) -> TypeEntry
  {
    .object(name: name, version: version, superclass: superclass, properties: properties.map { Property(key: $0.0, type: $0.1) })
  }

  @Test("every kind of entry survives")
  func everyKind() throws {
    let long = String(repeating: "key", count: 100)
    let table = TypeTable(entries: [
      .optional(TypeID(64)), .array(.any), .set(.uuid), .dictionary(key: .string, value: TypeID(entry: 1)),
      .inlineArray(.float, count: 100_000), .inlineArray(.void, count: 0), .tuple([]),
      .tuple([Property(key: "", type: .int), Property(key: "y", type: .metatype)]),
      .structure(name: "", version: 0, fields: []),
      .structure(name: "Módulo.Punto", version: .max, fields: (0..<40).map { Property(key: "f\($0)", type: TypeID(UInt32($0 % 30))) }),
      .enumeration(name: "E", version: 3, cases: (0..<20).map { EnumCase(name: "c\($0)", payload: $0 % 2 == 0 ? nil : TypeID(entry: 6)) }),
      .enumeration(name: "Never", version: 0, cases: []),
      Self.object("Base", [(long, .string), ("fifteen letters", .int), ("sixteen  letters", TypeID(entry: 0))]),
      Self.object("Derived", [], superclass: TypeID(entry: 12), version: 1),
      Self.object("Wide", (0..<31).map { ("p\($0)", TypeID(32 + UInt32($0 % 30))) }),
    ])
    #expect(try Self.decode(Self.encode(table)) == table)
    #expect(table[TypeID(entry: 11)] == .enumeration(name: "Never", version: 0, cases: []))
    #expect(table[TypeID(entry: 15)] == nil)
    #expect(table[.int] == nil)
    #expect(table[TypeID(33)] == nil)
    #expect(try Self.decode(Self.encode(TypeTable())) == TypeTable())
  }

  @Test("members of every number survive", arguments: [0, 1, 13, 14, 15, 16, 29, 30, 31, 32, 300])
  func memberCounts(count: Int) throws {
    let members = (0..<count).map { Property(key: "m\($0)", type: .bool) }
    let cases = (0..<count).map { EnumCase(name: "c\($0)") }
    let table = TypeTable(entries: [
      .tuple(members), .structure(name: "S", version: 1, fields: members), .enumeration(name: "E", version: 1, cases: cases),
      .object(name: "O", version: 0, superclass: nil, properties: members),
    ])
    #expect(try Self.decode(Self.encode(table)) == table)
  }

  private static func enumeration(_ names: [String], _ rawValues: [EnumCase.RawValue]) -> TypeEntry {
    .enumeration(name: "E", version: 0, cases: zip(names, rawValues).map { EnumCase(name: $0, rawValue: $1) })
  }

  @Test("raw values of every kind survive", arguments: [1, 14, 15, 16, 300])
  func rawValues(count: Int) throws {
    let names = (0..<count).map { "c\($0)" }
    let numbers = (0..<count).map { Int64($0) * 0x0101_0101_0101_01 - .max / 2 } + [.min, .max]
    for rawValues: [EnumCase.RawValue] in [
      names.map { .text($0) }, names.map { .text($0 + "ü") }, names.indices.map { .integer(Int64($0)) },
      numbers.suffix(count).map { .integer($0) }, names.indices.map { .floating(Double($0) / 3) },
    ] {
      let table = TypeTable(entries: [Self.enumeration(names, rawValues), .optional(.any)])
      let bytes = Self.encode(table)
      #expect(try Self.decode(bytes) == table)
      #expect(try readingAll(bytes) { r in unsafe try TypeTable.readExtent(&r).count } == bytes.count)
    }
  }

  @Test("raw values that are the names, or count from 0, cost one byte; an enumeration without costs none")
  func rawValueBytes() {
    let names = ["small", "large"]
    let plain = Self.encode(TypeTable(entries: [.enumeration(name: "E", version: 0, cases: names.map { EnumCase(name: $0) })]))
    #expect(plain == [1, 0x22, 1, UInt8(ascii: "E"), 10] + Array("small".utf8) + [10] + Array("large".utf8))
    let named = Self.encode(TypeTable(entries: [Self.enumeration(names, [.text("small"), .text("large")])]))
    #expect(named == [1, 6] + plain.dropFirst())
    let counted = Self.encode(TypeTable(entries: [Self.enumeration(names, [.integer(0), .integer(1)])]))
    #expect(counted == [1, 7] + plain.dropFirst())
    let texts = Self.encode(TypeTable(entries: [Self.enumeration(names, [.text("S"), .text("L")])]))
    #expect(texts == [1, 8] + plain.dropFirst() + [1, UInt8(ascii: "S"), 1, UInt8(ascii: "L")])
    let numbers = Self.encode(TypeTable(entries: [Self.enumeration(names, [.integer(1), .integer(-1)])]))
    #expect(numbers == [1, 9] + plain.dropFirst() + [2, 1])
    let floating = Self.encode(TypeTable(entries: [Self.enumeration(names, [.floating(0), .floating(1)])]))
    #expect(floating == [1, 10] + plain.dropFirst() + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
  }

  @Test("raw values of mixed kinds, of some cases or beside payloads are not written")
  func mixedRawValues() throws {
    let cases = [
      [EnumCase(name: "a", rawValue: .integer(0)), EnumCase(name: "b", rawValue: .text("b"))],
      [EnumCase(name: "a", rawValue: .text("a")), EnumCase(name: "b", rawValue: .integer(1))],
      [EnumCase(name: "a", rawValue: .floating(0)), EnumCase(name: "b")],
      [EnumCase(name: "a", payload: .int, rawValue: .integer(0)), EnumCase(name: "b", rawValue: .integer(1))],
    ]
    for mixed in cases {
      let bare = mixed.map { EnumCase(name: $0.name, payload: $0.payload) }
      let read = try Self.decode(Self.encode(TypeTable(entries: [.enumeration(name: "E", version: 0, cases: mixed)])))
      #expect(read == TypeTable(entries: [.enumeration(name: "E", version: 0, cases: bare)]))
    }
  }

  @Test("raw values that are not there, of other entries or beside payloads are refused")
  func badRawValues() {
    func code(_ bytes: [UInt8]) -> FormatError.Code? { formatError { _ = try Self.decode(bytes) }?.code }
    let plain: [UInt8] = [0x21, 1, UInt8(ascii: "E"), 2, UInt8(ascii: "a")]
    for form: UInt8 in [6, 7] { #expect(code([1, form] + plain) == nil) }
    for form: UInt8 in [8, 9, 10] { #expect(code([1, form] + plain) == .truncated) }
    #expect(code([1, 8] + plain + [200, 1]) == .truncated)
    #expect(code([1, 8] + plain + [1, 0xFF]) == .malformed)
    #expect(code([1, 11] + plain) == .malformed)
    for form: UInt8 in 6...10 {
      #expect(code([1, form, form] + plain) == .malformed)
      for entry: [UInt8] in [[1, 1], [2, 1], [0x10], [0x40, 1, 65], [0x80, 1, 65]] { #expect(code([1, form] + entry) == .malformed) }
      #expect(code([1, form, 0x21, 1, UInt8(ascii: "E"), 3, UInt8(ascii: "a"), 1] + Array(repeating: 0, count: 8)) == .malformed)
    }
  }

  @Test("a class of five common properties costs its names and eight bytes")
  func smallClass() {
    let properties: [(String, TypeID)] = [
      ("name", .string), ("count", .int), ("price", .double), ("onSale", .bool), ("tag", TypeID.string.optionalOfScalar ?? .any),
    ]
    let names = "Fruit".utf8.count + properties.reduce(0) { $0 + $1.0.utf8.count }
    #expect(Self.encode(TypeTable(entries: [Self.object("Fruit", properties)])).count == names + 8)
  }

  @Test("the fifteen common types take no byte of their own")
  func commonTypes() throws {
    for raw in 0..<64 {
      let table = TypeTable(entries: [.tuple([Property(key: "k", type: TypeID(UInt32(raw)))])])
      let bytes = Self.encode(table)
      #expect(bytes.count == ((0...9).contains(raw) || [33, 34, 35, 36, 37].contains(raw) ? 4 : 5))
      #expect(try Self.decode(bytes) == table)
    }
  }

  static let refused: [(String, TypeTable)] = [
    ("a type beyond the table", TypeTable(entries: [.array(TypeID(entry: 1))])),
    ("an empty key in a class", TypeTable(entries: [object("O", [("", .int)])])),
    ("an empty key in a structure", TypeTable(entries: [.structure(name: "S", version: 0, fields: [Property(key: "", type: .int)])])),
    (
      "a superclass that is a structure",
      TypeTable(entries: [.structure(name: "S", version: 0, fields: []), object("O", [], superclass: TypeID(64))])
    ),
    ("a superclass that is a scalar", TypeTable(entries: [object("O", [], superclass: .int)])),
    ("a superclass beyond the table", TypeTable(entries: [object("O", [], superclass: TypeID(entry: 9))])),
    ("a class that is its own superclass", TypeTable(entries: [object("O", [], superclass: TypeID(64))])),
    (
      "classes that inherit in a circle",
      TypeTable(entries: [
        object("X", [], superclass: TypeID(65)), object("A", [], superclass: TypeID(67)), object("B", [], superclass: TypeID(65)),
        object("C", [], superclass: TypeID(66)),
      ])
    ),
    ("a structure in itself", TypeTable(entries: [.structure(name: "S", version: 0, fields: [Property(key: "s", type: TypeID(64))])])),
    (
      "a structure in itself by way of a tuple and an inline array",
      TypeTable(entries: [
        .structure(name: "S", version: 0, fields: [Property(key: "s", type: TypeID(65))]), .tuple([Property(key: "", type: TypeID(66))]),
        .inlineArray(TypeID(64), count: 2), .array(.int),
      ])
    ),
  ]

  @Test("tables that contradict themselves are refused", arguments: refused)
  func contradictions(name: String, table: TypeTable) {
    #expect(formatError { _ = try Self.decode(Self.encode(table)) }?.code == .malformed)
  }

  @Test("values may contain themselves by way of anything that can be empty or ends")
  func indirection() throws {
    let table = TypeTable(entries: [
      .structure(
        name: "S", version: 0,
        fields: (1...5).map { Property(key: "f\($0)", type: TypeID(entry: $0)) }),
      .optional(TypeID(64)), .array(TypeID(64)), .set(TypeID(64)), .dictionary(key: TypeID(64), value: TypeID(64)),
      .enumeration(name: "E", version: 0, cases: [EnumCase(name: "leaf"), EnumCase(name: "node", payload: TypeID(64))]),
      .optional(TypeID(entry: 6)),
    ])
    #expect(try Self.decode(Self.encode(table)) == table)
  }

  @Test("a subclass may stand in front of its superclass")
  func forwardSuperclass() throws {
    let table = TypeTable(entries: [
      Self.object("C", [], superclass: TypeID(entry: 2)), Self.object("D", [], superclass: TypeID(64)),
      Self.object("B", [], superclass: TypeID(entry: 3)),
      Self.object("A", []),
    ])
    #expect(try Self.decode(Self.encode(table)) == table)
  }

  @Test("long chains of structures need no stack")
  func longChains() throws {
    let n = 60_000
    let table = TypeTable(
      entries: (0..<n).map { .tuple([Property(key: "", type: $0 + 1 < n ? TypeID(entry: $0 + 1) : .int)]) })
    #expect(try Self.decode(Self.encode(table)) == table)
  }

  @Test("a class has up to 256 levels, in whatever order they stand", arguments: [true, false])
  func longInheritance(isForward: Bool) throws {
    func chain(_ n: Int) -> TypeTable {
      TypeTable(
        entries: (0..<n).map { index in
          let superclass = isForward ? index + 1 : index - 1
          return Self.object("", [], superclass: (0..<n).contains(superclass) ? TypeID(entry: superclass) : nil)
        })
    }
    #expect(try Self.decode(Self.encode(chain(256))) == chain(256))
    #expect(formatError { _ = try Self.decode(Self.encode(chain(257))) }?.code == .limitExceeded)
    #expect(formatError { _ = try Self.decode(Self.encode(chain(60_000))) }?.code == .limitExceeded)
  }

  @Test(
    "hostile counts and bytes are refused",
    arguments: [
      ("more entries than bytes", [5, 1, 1], .truncated), ("unknown kind", [1, 0], .malformed), ("kind 6", [1, 6, 0], .malformed),
      ("more properties than bytes", [1, 0x9E, 0], .truncated), ("a key beyond the end", [1, 0x81, 0, 0x1F, 0x61], .truncated),
      ("a name beyond the end", [1, 0x80, 5, 0x61], .truncated), ("a name that is no UTF-8", [1, 0x80, 1, 0xFF], .malformed),
      ("a type number above 32 bits", [1, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F], .malformed),
      ("2^62 cases", [1, 0x2F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F, 0], .truncated),
      ("2^63 elements", [1, 5, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], .malformed),
    ] as [(String, [UInt8], FormatError.Code)])
  func hostile(name: String, bytes: [UInt8], code: FormatError.Code) {
    #expect(formatError { _ = try Self.decode(bytes) }?.code == code)
  }

  @Test("the number of entries is limited")
  func limit() throws {
    let table = TypeTable(entries: [TypeEntry](repeating: .array(.int), count: 10))
    #expect(try Self.decode(Self.encode(table), limit: 10) == table)
    #expect(formatError { _ = try Self.decode(Self.encode(table), limit: 9) }?.code == .limitExceeded)
  }
}
