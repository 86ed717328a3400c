import ArchiveFormat
import Foundation
import MirrorArchive

/// Every kind of column of integers in every encoding: the archiver takes the smallest one, so that many never come together.
enum GoldenForms {
  enum Coin: MirrorCodable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Coin") }
    case heads, tails
  }

  /// An array of eight elements under a key.
  private struct Kind: Sendable {
    let name: String
    let element: @Sendable (inout HandMade) -> TypeID
    /// The column of the elements, around the column of integers.
    let column: @Sendable (IntegerForm) -> [UInt8]
    let read: @Sendable (KeyedUnarchiver, String) throws -> [Int64]
  }

  static let archive = GoldenArchive(
    "forms", isMadeByHand: true, make: make,
    isRight: { data in
      let coder = try KeyedUnarchiver(forReadingFrom: data)
      return try kinds.allSatisfy { kind in
        try IntegerForm.all().allSatisfy { try kind.read(coder, "\(kind.name) \($0.name)") == $0.values }
      }
    })

  @Sendable private static func make() -> Data {
    var archive = HandMade()
    let thing = archive.type(
      .object(name: "golden.Thing", version: 0, superclass: nil, properties: [Property(key: "number", type: .int)]))
    for kind in kinds {
      let element = kind.element(&archive)
      let array = archive.type(.array(element))
      for form in IntegerForm.all() { archive.addRoot("\(kind.name) \(form.name)", array, [16] + kind.column(form)) }
    }
    // The pool of the roots: "x" and "y".
    archive.pools = [1, 0, 2, 1, 1, 0x78, 0x79]
    archive.addBlock(thing, 2, [[0, 2]])
    return archive.data()
  }

  private static let kinds: [Kind] = numbers + wide + texts + collections

  // MARK: Numbers

  private static let numbers: [Kind] = [
    number(Int.self, .int), number(Int8.self, .int8), number(Int16.self, .int16), number(Int32.self, .int32), number(Int64.self, .int64),
    number(UInt.self, .uint), number(UInt8.self, .uint8), number(UInt16.self, .uint16), number(UInt32.self, .uint32),
    number(UInt64.self, .uint64),
    Kind(
      name: "Unicode.Scalar", element: { _ in .unicodeScalar }, column: \.bytes,
      read: { try $0.decode([Unicode.Scalar].self, forKey: $1).map { Int64($0.value) } }),
    Kind(
      name: "reference", element: { _ in .reference }, column: \.bytes,
      read: { try $0.decode([GoldenMixtures.Thing].self, forKey: $1).map { Int64($0.number) } }),
    Kind(
      name: "digits", element: { _ in .double }, column: { [2, 1] + $0.bytes },
      read: { try $0.decode([Double].self, forKey: $1).map { Int64($0 * 10) } }),
  ]

  private static func number<Value: FixedWidthInteger & Sendable>(_: Value.Type, _ type: TypeID) -> Kind {
    Kind(
      name: "\(Value.self)", element: { _ in type }, column: \.bytes,
      read: { try $0.decode([Value].self, forKey: $1).map { Int64($0) } })
  }

  private static let wide: [Kind] =
    halves("Int128", .int128) { try $0.decode([Int128].self, forKey: $1).map { UInt128(bitPattern: $0) } }
    + halves("UInt128", .uint128) { try $0.decode([UInt128].self, forKey: $1) }
    + halves("Duration", .duration) { try $0.decode([Duration].self, forKey: $1).map { UInt128(bitPattern: $0.attoseconds) } }

  /// The other half is 0 in all rows.
  private static func halves(
    _ name: String, _ type: TypeID, _ read: @escaping @Sendable (KeyedUnarchiver, String) throws -> [UInt128]
  ) -> [Kind] {
    [
      Kind(
        name: "\(name), high half", element: { _ in type }, column: { $0.bytes + [0, 0] },
        read: { try read($0, $1).map { Int64($0 >> 64) } }),
      Kind(
        name: "\(name), low half", element: { _ in type }, column: { [0, 0] + $0.bytes },
        read: { try read($0, $1).map { Int64($0) } }),
    ]
  }

  // MARK: Texts

  private static let texts: [Kind] = [
    Kind(
      name: "length of String", element: { _ in .string }, column: lengths,
      read: { try $0.decode([String].self, forKey: $1).map { Int64($0.utf8.count) } }),
    Kind(
      name: "length of Data", element: { _ in .data }, column: lengths,
      read: { try $0.decode([Data].self, forKey: $1).map { Int64($0.count) } }),
    Kind(
      name: "place in a pool", element: { _ in .string }, column: { [1] + $0.bytes },
      read: { try $0.decode([String].self, forKey: $1).map { $0 == "x" ? 0 : $0 == "y" ? 1 : -1 } }),
    Kind(
      name: "number of a string", element: { _ in .string }, column: { [2, 1, 0x6E, 0, 0] + $0.bytes },
      read: { try $0.decode([String].self, forKey: $1).map { Int64($0.dropFirst()) ?? -1 } }),
  ]

  @Sendable private static func lengths(_ form: IntegerForm) -> [UInt8] {
    [0] + form.bytes + form.values.filter { $0 == 1 }.map { _ in 0x61 }
  }

  // MARK: Collections

  private static let collections: [Kind] = [
    Kind(
      name: "number of elements", element: { $0.type(.array(.bool)) }, column: { $0.bytes + truths(count($0)) },
      read: { try $0.decode([[Bool]].self, forKey: $1).map { Int64($0.count) } }),
    Kind(
      name: "number of elements of sets", element: { $0.type(.set(.bool)) }, column: { $0.bytes + truths(count($0)) },
      read: { try $0.decode([Set<Bool>].self, forKey: $1).map { Int64($0.count) } }),
    Kind(
      name: "number of entries", element: { $0.type(.dictionary(key: .uint8, value: .bool)) },
      column: { $0.bytes + zeros(count($0)) + truths(count($0)) },
      read: { try $0.decode([[UInt8: Bool]].self, forKey: $1).map { Int64($0.count) } }),
    Kind(
      name: "case",
      element: { $0.type(.enumeration(name: "golden.Coin", version: 0, cases: [EnumCase(name: "heads"), EnumCase(name: "tails")])) },
      column: \.bytes, read: { try $0.decode([Coin].self, forKey: $1).map { $0 == .heads ? 0 : 1 } }),
    Kind(
      name: "type in Any", element: { _ in .any }, column: { [2, 1, 0] + $0.bytes + zeros(8 - count($0)) + truths(count($0)) },
      read: { try $0.decode([Any].self, forKey: $1).map { $0 is Bool ? 1 : $0 is Int ? 0 : -1 } }),
  ]

  private static func count(_ form: IntegerForm) -> Int { form.values.count { $0 == 1 } }
  /// A column of that many times true.
  private static func truths(_ count: Int) -> [UInt8] { count < firstEncodedRowCount ? [UInt8](repeating: 1, count: count) : [1] }
  /// A column of that many times 0.
  private static func zeros(_ count: Int) -> [UInt8] { count < firstEncodedRowCount ? [UInt8](repeating: 0, count: count) : [0, 0] }
}
