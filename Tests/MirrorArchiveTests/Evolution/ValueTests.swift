import Foundation
import MirrorArchive
import Testing

/// Values of archives as they are seen without the program's types.
@Suite("Values without types")
struct ValueTests {
  final class Everything: MirrorCoding {
    var bool = true
    var int = -5
    var int8: Int8 = -128
    var int16: Int16 = 300
    var int32: Int32 = -70_000
    var int64 = Int64.min
    var int128 = Int128.min + 1
    var uint = UInt.max
    var uint8: UInt8 = 200
    var uint16: UInt16 = 60_000
    var uint32: UInt32 = 4_000_000_000
    var uint64 = UInt64.max
    var uint128 = UInt128.max
    var float = Float(bitPattern: 0x7FA0_0001)
    var double = Double(bitPattern: 0xFFF0_0000_0000_0001)
    var negativeZero = -0.0
    var cgFloat = CGFloat(1.5)
    var decimal = Decimal(string: "-998.12") ?? 0
    var string = "apple 🍎"
    var substring = "pineapple"[...].dropFirst(4)
    var character: Character = "é"
    var scalar: Unicode.Scalar = "ß"
    var date = Date(timeIntervalSinceReferenceDate: 542_911_754.165_382_98)
    var duration = Duration.milliseconds(15)
    var data = Data([1, 2, 3])
    var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
    var absent: Int?
    var present: Int? = 5
    var presentNil: Int?? = .some(nil)
    var deep: Int??? = .some(.some(nil))
    var array = [[1, 2], [], [3]]
    var empty: [String] = []
    var set: Set<Int> = [7]
    var dictionary = ["one": 1]
    var inline: InlineArray<3, UInt8> = [1, 2, 3]
    var tuple: (lat: Double, Int) = (31.5, 7)
    var pair = Pair(first: "first", second: Pair(first: UInt8(1), second: true))
    var shape = Enums.Shape.rectangle(width: 1, height: 2)
    var plain = Enums.Plain.west
    var mode = Enums.Mode.slow
    var level = Enums.Level.high
    var any: Any = 1
    var anyEmpty: Any = [String: Int]()
    var anyNil: Any = Int?.none as Any
    var list: [Any] = [1, "two", [Int]()]
    var next: Everything?
  }

  private func only(_ root: MirrorCoding, _ name: String? = nil) throws -> ArchiveDocument.Object {
    let contents = try ArchiveDocument(of: try KeyedArchiver.archivedData(withRootObject: root))
    return try #require(contents.objects.first)
  }

  @Test("Every scalar has its own case and keeps its bits") func scalars() throws {
    let object = try only(Everything())
    #expect(object.className == "MirrorArchiveTests.ValueTests.Everything")
    let expected: [(String, ArchiveValue)] = [
      ("bool", .bool(true)), ("int", .int(-5)), ("int8", .int8(-128)), ("int16", .int16(300)), ("int32", .int32(-70_000)),
      ("int64", .int64(.min)), ("int128", .int128(.min + 1)), ("uint", .uint(.max)), ("uint8", .uint8(200)), ("uint16", .uint16(60_000)),
      ("uint32", .uint32(4_000_000_000)), ("uint64", .uint64(.max)), ("uint128", .uint128(.max)),
      ("float", .float(Float(bitPattern: 0x7FA0_0001))), ("double", .double(Double(bitPattern: 0xFFF0_0000_0000_0001))),
      ("negativeZero", .double(-0.0)), ("cgFloat", .cgFloat(1.5)), ("decimal", .decimal(Decimal(string: "-998.12") ?? 0)),
      ("string", .string("apple 🍎")), ("substring", .substring("apple")), ("character", .character("é")), ("scalar", .unicodeScalar("ß")),
      ("date", .date(Date(timeIntervalSinceReferenceDate: 542_911_754.165_382_98))), ("duration", .duration(.milliseconds(15))),
      ("data", .data(Data([1, 2, 3]))), ("uuid", .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID())),
    ]
    for (key, value) in expected { #expect(object[key] == value, "\(key)") }
    #expect(object["negativeZero"] != .double(0), "0 and -0 are two values")
    #expect(object["int"] != .int64(-5), "an Int is no Int64")
  }

  @Test("nil, and nil within an Optional, are told apart") func optionals() throws {
    let object = try only(Everything())
    #expect(object["absent"] == .null)
    #expect(object["present"] == .int(5))
    #expect(object["presentNil"] == .present(.null))
    #expect(object["deep"] == .present(.present(.null)))
    #expect(object["next"] == .null)
    #expect(object["presentNil"]?.isNull == true)
  }

  @Test("Collections, tuples, structs and enums keep names, keys and order") func composites() throws {
    let object = try only(Everything())
    #expect(object["array"] == .array([.array([.int(1), .int(2)]), .array([]), .array([.int(3)])]))
    #expect(object["empty"] == .array([]))
    #expect(object["set"] == .set([.int(7)]))
    #expect(object["dictionary"] == .dictionary([ArchiveValue.Entry(.string("one"), .int(1))]))
    #expect(object["inline"] == .inlineArray([.uint8(1), .uint8(2), .uint8(3)]))
    #expect(object["tuple"]?[0] == .double(31.5))
    #expect(object["tuple"]?[1] == .int(7))
    #expect(object["tuple"]?["lat"] == .double(31.5))
    guard case .structure(let pair)? = object["pair"], case .structure(let inner)? = pair["second"] else {
      Issue.record("a Pair is a struct: \(String(describing: object["pair"]))")
      return
    }
    #expect(pair.fields.map(\.key) == ["first", "second"])
    #expect(pair["first"] == .string("first") && inner["first"] == .uint8(1) && inner["second"] == .bool(true))
    #expect(pair.name.contains("Pair"))
    guard case .enumeration(let shape)? = object["shape"], case .enumeration(let plain)? = object["plain"] else {
      Issue.record("a Shape is an enum: \(String(describing: object["shape"]))")
      return
    }
    #expect(shape.caseName == "rectangle" && shape.payload?["width"] == .double(1) && shape.payload?["height"] == .double(2))
    #expect(plain.caseName == "west" && plain.payload == nil && plain.rawValue == nil)
    guard case .enumeration(let mode)? = object["mode"], case .enumeration(let level)? = object["level"] else {
      Issue.record("a Mode is an enum: \(String(describing: object["mode"]))")
      return
    }
    #expect(mode.caseName == "slow" && mode.rawValue == .string("very slow"))
    #expect(level.caseName == "high" && level.rawValue == .int(1_000_000_007))
  }

  @Test("What stands in Any has its type with it") func anything() throws {
    let object = try only(Everything())
    guard case .any(let one)? = object["any"], case .any(let table)? = object["anyEmpty"], case .any(let null)? = object["anyNil"] else {
      Issue.record("\(String(describing: object["any"]))")
      return
    }
    #expect(one.value == .int(1) && "\(one.type)" == "Int")
    #expect(table.value == .dictionary([]) && "\(table.type)" == "[String: Int]")
    #expect(null.value == .null && "\(null.type)" == "Int?")
    let types = object["list"]?.arrayValue?.map { value in
      if case .any(let typed) = value { "\(typed.type)" } else { "none" }
    }
    #expect(types == ["Int", "String", "[Int]"])
    #expect(object["list"]?[1]?.stringValue == "two")
  }

  @Test("The same values are equal, whatever archive they come from") func equality() throws {
    let first = try only(Everything())
    let second = try only(Everything())
    #expect(first == second)
    let other = Everything()
    other.anyEmpty = [String: Int8]()
    let third = try only(other)
    #expect(first["anyEmpty"] != third["anyEmpty"], "the types of empty dictionaries count")
    #expect(first["list"] == third["list"])
  }

  @Test("Many objects: columns with all their encodings give the same as one at a time", arguments: Sample.all)
  func columns(sample: Sample) throws {
    let contents = try ArchiveDocument(of: try sample.make())
    #expect(!contents.objects.isEmpty)
    #expect(contents.roots.count == 1)
    #expect(contents == (try ArchiveDocument(of: try sample.make())) || sample.name == "sets and dictionaries")
  }

  @Test("Repeated strings come from their pool, more than a thousand elements from several chunks") func large() throws {
    let fruits = (0..<3_000).map { Models.Fruit($0) }
    let contents = try ArchiveDocument(of: try KeyedArchiver.archivedData(withRootObject: fruits))
    #expect(contents.objects.count == 3_000)
    for (index, fruit) in fruits.enumerated() {
      #expect(contents.objects[index]["name"] == .string(fruit.name))
      #expect(contents.objects[index]["tag"] == (fruit.tag.map { .string($0) } ?? .null))
      #expect(contents.objects[index]["price"] == .double(fruit.price))
    }
    let references = contents.roots[0].value.arrayValue?.compactMap(\.referenceValue)
    #expect(references == contents.objects.map(\.number))
  }

  @Test("Hand-written coding: keys, values without keys, containers") func records() throws {
    let root = Scripted { coder in
      try coder.encode(5, forKey: "number")
      try coder.encode("unkeyed")
      try coder.encode(["a", "b"], forKey: "list")
      try coder.encodeContainer(forKey: "inner") { try $0.encode(true, forKey: "flag") }
    }
    let object = try #require(try ArchiveDocument(of: try KeyedArchiver.archivedData(withRootObject: root)).objects.first)
    let record = try #require(object.properties.last?.value)
    guard case .container(let members) = record else {
      Issue.record("\(record)")
      return
    }
    #expect(members.map(\.key) == ["number", nil, "list", "inner"])
    #expect(record["number"] == .int(5))
    #expect(members[1].value == .string("unkeyed"))
    #expect(record["list"] == .array([.string("a"), .string("b")]))
    #expect(record["inner"]?["flag"] == .bool(true))
  }

  @Test("A let is its value, or a constant of the program") func lets() throws {
    let object = try only(Lets())
    #expect(object["kind"] == .constant)
    guard case .uuid? = object["id"] else {
      Issue.record("\(String(describing: object["id"]))")
      return
    }
  }

  final class Lets: MirrorCoding {
    let kind = 5
    let id = UUID()
  }

  @Test("Typed getters convert nothing but what is exact") func getters() {
    #expect(ArchiveValue.int8(5).intValue == 5 && ArchiveValue.uint64(.max).intValue == nil)
    #expect(ArchiveValue.uint64(.max).uint64Value == .max)
    #expect(ArchiveValue.int(5).doubleValue == 5 && ArchiveValue.int(1 << 53 + 1).doubleValue == nil)
    #expect(ArchiveValue.double(5).intValue == nil && ArchiveValue.string("5").intValue == nil)
    #expect(ArchiveValue.character("x").stringValue == "x")
    #expect(ArchiveValue.float16(0x3E00).doubleValue == 1.5 && ArchiveValue.float16(0x0001).doubleValue == 0x1p-24)
    #expect(ArchiveValue.float16(0xFC00).doubleValue == -.infinity && ArchiveValue.float16(0xC500).doubleValue == -5)
    #expect(ArchiveValue.array([.bool(true)])[1] == nil && ArchiveValue.array([.bool(true)])[0]?.boolValue == true)
    #expect(ArchiveValue.null["key"] == nil && ArchiveValue.null.isNull)
  }

  @Test("Words for people, never too many") func words() {
    #expect("\(ArchiveValue.array([.int(1), .null, .string("x")]))" == "[1, nil, \"x\"]")
    #expect("\(ArchiveValue.dictionary([ArchiveValue.Entry(.string("k"), .double(1.5))]))" == "[\"k\": 1.5]")
    let point = ArchiveValue.structure(ArchiveValue.Structure(name: "Point", fields: [ArchiveValue.Field("x", .int(1))]))
    #expect("\(point)" == "Point(x: 1)")
    let circle = ArchiveValue.Enumeration(name: "Shape", caseName: "circle", caseIndex: 0, payload: .double(2))
    #expect("\(ArchiveValue.enumeration(circle))" == "Shape.circle(2.0)")
    var deep = ArchiveValue.null
    for _ in 0..<10_000 { deep = .array([deep]) }
    #expect("\(deep)".count < 100)
    #expect("\(ArchiveValue.array(Array(repeating: .int(1), count: 100_000)))".count < 300)
  }
}
