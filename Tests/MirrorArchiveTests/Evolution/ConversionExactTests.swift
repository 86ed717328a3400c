import Foundation
import MirrorArchive
import Testing

@Suite("Values read as another type that has the very same one")
struct ConversionExactTests {
  @Test("Decimals and floating point are each other where the number is exactly the same") func decimals() {
    for (text, number) in [
      ("0", 0.0), ("0.5", 0.5), ("-3.75", -3.75), ("12", 12), ("1e22", 1e22), ("-1e22", -1e22), ("0.0009765625", 0x1p-10), ("1e30", nil),
      ("0.1", nil), ("9007199254740993", nil), ("9007199254740992", 0x1p53), ("1e-100", nil), ("7e100", nil),
    ] as [(String, Double?)] {
      let decimal = Decimal(string: text) ?? .nan
      expectConversion(of: decimal, to: number, naming: ["Decimal", "Double"])
      if let number { expectConversion(of: number, to: decimal) }
    }
    expectConversion(of: Decimal(string: "0.375") ?? .nan, to: 0.375 as Float)
    expectConversion(of: 0.375 as Float, to: Decimal(string: "0.375"))
    expectConversion(of: 16_777_217 as Decimal, to: Float?.none, naming: ["Decimal", "Float", "16777217"])
    expectConversion(of: CGFloat(2.5), to: Decimal(string: "2.5"))
    for value in [0.1, 1e-40, 0x1p-60, .greatestFiniteMagnitude, .infinity, -.infinity, .nan, 0x1p200, .leastNonzeroMagnitude] {
      expectConversion(of: value, to: Decimal?.none, naming: ["Double", "Decimal", "\(value)"])
    }
    expectConversion(of: 0x1p127, to: Decimal(string: "170141183460469231731687303715884105728"))
    expectConversion(of: 0x1p-30, to: Decimal(string: "0.000000000931322574615478515625"))
    expectConversion(of: -0.0, to: 0 as Decimal)
    expectConversion(of: Decimal.nan, to: Double?.none, naming: ["Decimal", "NaN"])
  }

  @Test("Decimals and their plain text are each other") func decimalText() {
    for text in ["0", "12", "-12", "0.5", "-0.05", "3.75", "100", "0.001", "123456789012345678901234567890.12345678"] {
      let decimal = Decimal(string: text) ?? .nan
      expectConversion(of: decimal, to: text)
      expectConversion(of: text, to: decimal)
    }
    expectConversion(of: Decimal(sign: .plus, exponent: -3, significand: 12_000), to: "12")
    expectConversion(of: Decimal(sign: .minus, exponent: 100, significand: 7), to: "-7" + String(repeating: "0", count: 100))
    expectConversion(of: "7" + String(repeating: "0", count: 127), to: Decimal(sign: .plus, exponent: 127, significand: 7))
    expectConversion(of: "0." + String(repeating: "0", count: 127) + "7", to: Decimal(sign: .plus, exponent: -128, significand: 7))
    expectConversion(of: Decimal.nan, to: String?.none, naming: ["Decimal", "NaN"])
    for text in [
      "", "-", ".", "0.", ".5", "-0", "1.50", "01", "+1", "1e3", " 1", "1 ", "1.2.3", "nan", "--1", "1-", "0x10", "٣", "1,5", "-0.0", "00",
      "0." + String(repeating: "0", count: 128) + "7", String(repeating: "9", count: 60), "8" + String(repeating: "0", count: 2_000),
    ] {
      expectConversion(of: text, to: Decimal?.none, naming: ["String", "Decimal"])
    }
    expectConversion(of: "1.5", to: Int?.none, naming: ["\"1.5\"", "Int"])
  }

  @Test("Characters, substrings and strings are each other") func texts() {
    for text in ["", "a", "é", "🇩🇪", "ab", "longer than fifteen bytes"] {
      expectConversion(of: text, to: Substring(text))
      expectConversion(of: Substring(text), to: text)
      if text.count == 1 {
        let character = Character(text)
        expectConversion(of: character, to: text)
        expectConversion(of: character, to: Substring(text))
        expectConversion(of: text, to: character)
        expectConversion(of: Substring(text), to: character)
      } else {
        expectConversion(of: text, to: Character?.none, naming: ["Character"])
        expectConversion(of: Substring(text), to: Character?.none, naming: ["Character"])
      }
    }
  }

  @Test("Bytes are Data or an array") func bytes() {
    for count in [0, 1, 300] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      expectConversion(of: bytes, to: Data(bytes))
      expectConversion(of: Data(bytes), to: bytes)
      expectConversion(of: ContiguousArray(bytes), to: Data(bytes))
      expectConversion(of: Data(bytes), to: ContiguousArray(bytes))
      expectConversion(of: Data(bytes), to: bytes[...])
    }
    expectRefusal(.typeMismatch, at: "value") { try converted(Retyped(Data([1])), to: Retyped<[Int]>.self) }
    expectRefusal(.typeMismatch, at: "value") { try converted(Retyped([1]), to: Retyped<Data>.self) }
    expectRefusal(.typeMismatch, at: "value") { try converted(Retyped(Set<UInt8>([1])), to: Retyped<Data>.self) }
  }

  @Test("Arrays of every kind and sets are each other, unless an element is there twice") func collections() throws {
    expectConversion(of: [3, 1, 2], to: Set([1, 2, 3]))
    expectConversion(of: [3, 1, 2], to: Set(["1", "2", "3"]))
    expectConversion(of: ContiguousArray([3, 1]), to: Set([1, 3]))
    expectConversion(of: [3, 1][...], to: Set([1, 3]))
    expectConversion(of: [1, 2], to: ContiguousArray([1.0, 2]))
    expectConversion(of: Set([7]), to: [7])
    expectConversion(of: Set([7]), to: ["7"])
    #expect(try converted(Set(0..<100), to: [Int].self).sorted() == Array(0..<100))
    #expect(try converted([[1, 2], [2]], to: Set<Set<Int8>>.self) == [[1, 2], [2]])
    #expect(try converted(["a": [1]], to: [String: Set<Int>].self) == ["a": [1]])
    expectRefusal(.invalidValue, at: "root[1].value", naming: ["twice"]) {
      try converted([Retyped([1, 2]), Retyped([1, 2, 1])], to: [Retyped<Set<Int>>].self)
    }
    expectRefusal(.typeMismatch, at: "value") { try converted(Retyped(["a": 1]), to: Retyped<Set<String>>.self) }
  }

  final class Node: MirrorCoding {
    var name = ""
    var next: Node?
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }
  final class Strong: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.Holder") }
    var owner: Node = Node("owner")
    var target: Node? = Node("default")
    var sure: Node = Node("default")
  }
  final class Weak: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.Holder") }
    var owner: Node?
    weak var target: Node?
    weak var sure: Node?
  }
  final class Unowned: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.Holder") }
    var owner: Node
    unowned var target: Node
    unowned var sure: Node
    init(_ node: Node) { (owner, target, sure) = (node, node, node) }
  }

  @Test("Strong, weak and unowned references are each other", arguments: [1, 9]) func references(count: Int) throws {
    let strong = (0..<count).map { index in
      let holder = Strong()
      holder.owner.name = "\(index)"
      (holder.target, holder.sure) = (holder.owner, holder.owner)
      return holder
    }
    for holder in try converted(strong, to: [Weak].self) {
      #expect(holder.target === holder.owner && holder.sure === holder.owner && holder.owner != nil)
    }
    for (index, holder) in try converted(strong, to: [Unowned].self).enumerated() {
      #expect(holder.target === holder.owner && holder.sure === holder.owner && holder.owner.name == "\(index)")
    }
    let weak = try converted(strong, to: [Weak].self)
    for (index, holder) in try converted(weak, to: [Strong].self).enumerated() {
      #expect(holder.target === holder.owner && holder.sure === holder.owner && holder.owner.name == "\(index)")
    }
    let node = Node("x")
    let unowned = try converted(Unowned(node), to: Strong.self)
    #expect(unowned.target === unowned.owner && unowned.sure === unowned.owner && unowned.owner.name == "x")
    // What only a strong property held has nobody any more.
    strong[0].target = Node("lost")
    #expect(try converted(strong, to: [Weak].self)[0].target == nil)
    weak[0].sure = nil
    expectRefusal(.missingValue, at: "sure") { try converted(weak, to: [Strong].self) }
  }
}
