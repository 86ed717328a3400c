import Foundation
import MirrorArchive
import Testing

@Suite("Documents: made from nothing")
struct DocumentMakingTests {
  private func name(_ type: Any.Type) -> String { String(reflecting: type) }

  static let point = ArchiveType.structure(
    name: String(reflecting: Stock.Point.self), fields: ["x": .double, "y": .double, "label": .optional(.string)])

  @Test("An object of a class that the document describes is read by the class")
  func object() throws {
    var document = ArchiveDocument()
    let item = ArchiveType.class(name: name(Stock.Item.self), properties: ["name": .string, "id": .int])
    let shape = ArchiveType.enumeration(
      name: name(Stock.Shape.self), cases: [.init("dot"), .init("circle", payload: .double)])
    let fruit = ArchiveType.class(
      name: name(Stock.Fruit.self), superclass: item,
      properties: ["id": .string, "count": .int32, "shape": shape, "point": Self.point, "next": .optional(item)])
    let stone = try document.addObject(of: item, properties: ["name": "stone", "id": 1])
    let error = #expect(throws: ArchiveError.self) { try document.addObject(of: fruit, properties: ["name": "plum"]) }
    #expect(error?.code == .missingValue)
    let apple = try document.addObject(
      of: fruit,
      properties: [
        "name": "apple", "id": "a", "count": 3,
        "shape": .enumeration(.init(name: name(Stock.Shape.self), caseName: "circle", caseIndex: 9, payload: 2)),
        "point": ["y": 2, "x": 1], "next": .reference(stone),
        "\(name(Stock.Item.self)).id": 7,
      ])
    try document.setRoot(.reference(apple))
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Stock.Fruit.self, from: try document.encoded())
    #expect(read.baseID == 7 && read.name == "apple" && read.id == "a" && read.count == 3 && read.point == Stock.Point(x: 1, y: 2))
    #expect(read.next?.name == "stone")
    guard case .circle(2) = read.shape else { return #expect(Bool(false), "\(read.shape)") }
    #expect(try ArchiveDocument(try document.encoded()).encoded() == (try document.encoded()))
  }

  static let plain: [(ArchiveValue, ArchiveType?, @Sendable (Data) throws -> Bool)] = [
    (5, nil, { try KeyedUnarchiver.unarchivedObject(of: Int.self, from: $0) == 5 }),
    (5, .uint8, { try KeyedUnarchiver.unarchivedObject(of: UInt8.self, from: $0) == 5 }),
    ("a", nil, { try KeyedUnarchiver.unarchivedObject(of: String.self, from: $0) == "a" }),
    ([1, 2], nil, { try KeyedUnarchiver.unarchivedObject(of: [Int].self, from: $0) == [1, 2] }),
    ([1, nil], nil, { try KeyedUnarchiver.unarchivedObject(of: [Int?].self, from: $0) == [1, nil] }),
    ([], .array(of: .string), { try KeyedUnarchiver.unarchivedObject(of: [String].self, from: $0).isEmpty }),
    ([1, 2], .set(of: .int), { try KeyedUnarchiver.unarchivedObject(of: Set<Int>.self, from: $0) == [1, 2] }),
    (["a": [1.5]], nil, { try KeyedUnarchiver.unarchivedObject(of: [String: [Double]].self, from: $0) == ["a": [1.5]] }),
    (nil, .optional(.int), { try KeyedUnarchiver.unarchivedObject(of: Int?.self, from: $0) == nil }),
    (["x": 1, "y": 2], point, { try KeyedUnarchiver.unarchivedObject(of: Stock.Point.self, from: $0) == .init(x: 1, y: 2) }),
    ([["x": 1, "y": 2]], .array(of: point), { try KeyedUnarchiver.unarchivedObject(of: [Stock.Point].self, from: $0).count == 1 }),
    ([1, "a"], nil, { try KeyedUnarchiver.unarchivedObject(of: [Any].self, from: $0).count == 2 }),
  ]

  @Test("Values at the top level are read as what they are", arguments: plain.indices)
  func values(_ index: Int) throws {
    var document = ArchiveDocument()
    try document.setRoot(Self.plain[index].0, type: Self.plain[index].1)
    #expect(try Self.plain[index].2(try document.encoded()))
  }

  @Test("The bytes are those of the archiver")
  func sameBytes() throws {
    var document = ArchiveDocument()
    try document.setRoot(["a": [1, 2], "b": [3]])
    let sorted = try document.encoded(outputFormatting: .sortedKeys)
    let archiver = KeyedArchiver()
    archiver.outputFormatting = .sortedKeys
    try archiver.encode(["b": [3], "a": [1, 2]], forKey: "root")
    #expect(sorted == (try archiver.encodedData))
    var turned = ArchiveDocument()
    try turned.setRoot(["b": [3], "a": [1, 2]])
    #expect(try turned.encoded(outputFormatting: .sortedKeys) == sorted)
    #expect(try turned.encoded() != sorted)
    #expect(try ArchiveDocument().encoded() == (try KeyedArchiver().encodedData))
  }

  @Test("A type is asked for where several could be meant", arguments: [nil, [], [:], [[]], .present(nil)] as [ArchiveValue])
  func ambiguous(_ value: ArchiveValue) throws {
    var document = ArchiveDocument()
    let error = #expect(throws: ArchiveError.self) { try document.setRoot(value) }
    #expect(error?.code == .typeMismatch && error?.path == "root")
    #expect(error?.message.contains("give the type") == true)
    #expect(document == ArchiveDocument())
  }

  @Test("Types are made of types, and equal to those that an archive has")
  func types() throws {
    let market = try ArchiveDocument(
      try KeyedArchiver.archivedData(withRootObject: Stock.market(), allowing: [Stock.Fruit.self, Stock.Item.self]))
    #expect(try market.type(at: "root.prices") == .dictionary(key: .string, value: .double))
    #expect(try market.type(at: "root.fruits") == .array(of: .object))
    #expect(try market.type(at: "root.fruits[0].deep") == .optional(.optional(.int)))
    #expect(try market.type(at: "root.fruits[0].point") == Self.point)
    #expect(try market.type(at: "root.fruits[0].pair") == .tuple(["": .int8, "label": .string]))
    #expect("\(ArchiveType.dictionary(key: .string, value: .array(of: .optional(Self.point))))".hasSuffix("Point?]]"))
    #expect(ArchiveType.optional(.int) != .int)
    var deep = ArchiveType.int
    for _ in 0..<1_000 { deep = .array(of: deep) }
    #expect(deep == deep && deep != .array(of: deep))
  }

  @Test("Values nested more deeply than an archive may have them are refused, on a small stack")
  func deep() async throws {
    var value: ArchiveValue = 1
    var type = ArchiveType.int
    for _ in 0..<120 {
      value = [value]
      type = .array(of: type)
    }
    var document = ArchiveDocument()
    try document.setRoot(value, type: type)
    #expect(try ArchiveDocument(try document.encoded()).value(at: "root" + String(repeating: "[0]", count: 120)) == 1)
    for _ in 0..<100 {
      value = [value]
      type = .array(of: type)
    }
    try document.setRoot(value, type: type)
    let error = #expect(throws: ArchiveError.self) { try document.encoded() }
    #expect(error?.code == .nestingTooDeep)
    #expect(throws: ArchiveError.self) { try document.setRoot(value) }
  }

  @Test("Properties without a key are refused, which no reader would take")
  func emptyKeys() throws {
    let members = ArchiveType.Members([.init("", .int)])
    let expected = "the key of a property of M.T is empty"
    var structure = ArchiveDocument()
    try structure.setRoot(
      .structure(.init(name: "M.T", fields: [.init("", 1)])), type: .structure(name: "M.T", fields: members))
    var error = #expect(throws: ArchiveError.self) { try structure.encoded() }
    #expect(error?.code == .invalidValue && error?.message.contains(expected) == true, "\(String(describing: error))")

    var object = ArchiveDocument()
    let number = try object.addObject(of: .class(name: "M.T", properties: members), properties: ["": 1])
    try object.setRoot(.reference(number))
    error = #expect(throws: ArchiveError.self) { try object.encoded() }
    #expect(error?.code == .invalidValue && error?.message.contains(expected) == true, "\(String(describing: error))")

    // The elements of tuples need none.
    var tuple = ArchiveDocument()
    try tuple.setRoot(.tuple([.init("", 1)]), type: .tuple(members))
    #expect(try ArchiveDocument(tuple.encoded()) == tuple)
  }

  @Test("Raw values are equal bit by bit, NaN among them") func rawValues() throws {
    func type(_ value: Double) -> ArchiveType {
      .enumeration(name: "Limit", cases: [.init("none", rawValue: .double(value)), .init("zero", rawValue: -0.0)])
    }
    #expect(type(.nan) == type(.nan) && type(.nan) != type(.signalingNaN) && type(0) != type(-0.0))
    var document = ArchiveDocument()
    try document.setRoot("none", type: type(.nan))
    let read = try ArchiveDocument(document.encoded())
    #expect(read == document)
  }

  @Test("Many values at the top level are found by their keys, and by those that are left when some are removed") func manyRoots() throws {
    var document = ArchiveDocument()
    for number in 0..<5_000 { try document.setRoot(.int(Int64(number)), forKey: "key \(number)") }
    for number in stride(from: 0, to: 5_000, by: 500) { try document.remove(at: "[\"key \(number)\"]") }
    try document.setRoot(-1, forKey: "key 7")
    #expect(document.roots.count == 4_990 && document["key 0"] == nil && document["key 7"] == -1)
    let read = try ArchiveDocument(document.encoded())
    #expect(read == document)
    #expect(read["key 4999"]?.intValue == 4_999 && read["key 501"]?.intValue == 501)
  }
}
