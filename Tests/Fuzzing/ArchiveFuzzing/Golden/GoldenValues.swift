import Foundation
import MirrorArchive

// The models of the golden archives. What is here was once written: nothing of it may change, but for what the rules of evolution bridge.

package enum Golden {
  /// One property of every scalar type of the format, and of its Optional forms.
  final class Scalars: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Scalars") }
    var bool = false
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var int128: Int128 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var uint128: UInt128 = 0
    var double = 0.0
    var float: Float = 0
    var cgFloat: CGFloat = 0
    var decimal: Decimal = 0
    var string = ""
    var substring = ""[...]
    var character: Character = " "
    var scalar: Unicode.Scalar = " "
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var duration = Duration.zero
    var data = Data()
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var nothing: Void = ()
    var absent: Int? = 1
    var present: Int?
    var text: String?
    var presentNil: Int??
    var deep: Bool???

    convenience init(written: Void) {
      self.init()
      (bool, int, int8, int16, int32, int64) = (true, -5, -128, 300, -70_000, .min)
      (int128, uint, uint8, uint16, uint32) = (Int128(1) << 100 + 1, .max, 200, 60_000, 4_000_000_000)
      (uint64, uint128, double, float) = (1 << 63, .max, Double(bitPattern: 0xFFF0_0000_0000_0001), -0.0)
      (cgFloat, decimal, string, substring) = (1.5, Decimal(sign: .minus, exponent: -2, significand: 99_812), "apple 🍎\0b", "苹果"[...])
      (character, scalar, date) = ("é", "ß", Date(timeIntervalSinceReferenceDate: 542_911_754.165_382_98))
      (duration, data) = (.milliseconds(-15), Data([1, 2, 255]))
      uuid = UUID(uuid: (0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E, 0x6E, 0x5F))
      (absent, present, text, presentNil, deep) = (nil, 5, "text", .some(nil), .some(.some(nil)))
    }

    func expected() -> Bool {
      let other = Scalars(written: ())
      return bool && int == -5 && int8 == -128 && int16 == 300 && int32 == -70_000 && int64 == .min && int128 == other.int128
        && uint == .max && uint8 == 200 && uint16 == 60_000 && uint32 == 4_000_000_000 && uint64 == 1 << 63 && uint128 == .max
        && double.bitPattern == 0xFFF0_0000_0000_0001 && float.bitPattern == 0x8000_0000 && cgFloat == 1.5 && decimal == other.decimal
        && string == "apple 🍎\0b" && substring == "苹果" && character == "é" && scalar == "ß" && date == other.date
        && duration == .milliseconds(-15) && data == Data([1, 2, 255]) && uuid == other.uuid && absent == nil && present == 5
        && text == "text" && presentNil == .some(.none) && deep == .some(.some(.none))
    }
  }

  /// A row of columns that take every encoding of the format between them.
  final class Row: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Row") }
    var constant = 0
    var offset8 = 0
    var offset16 = 0
    var offset32 = 0
    var raw = 0
    var packed = 0
    var delta = 0
    var runs = 0
    var never = true
    var always = false
    var bits = false
    var sameDouble = 0.0
    var rawDouble = 0.0
    var price = 0.0
    var sameFloat: Float = 0
    var rawFloat: Float = 0
    var sameID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var amount: Decimal = 0
    var text = ""
    var repeated = ""
    var data = Data()
    var wide: Int128 = 0
    var optional: Int?

    convenience init(_ row: Int) {
      self.init()
      // The same noise in every process.
      var generator = SeededGenerator(seed: UInt64(row))
      let noise = Int(truncatingIfNeeded: generator.next())
      (constant, offset8, offset16, offset32) = (-7, 1_000 + noise & 0xFF, noise & 0xFFFF, noise & 0xFFFF_FFFF)
      (raw, packed, delta, runs) = (noise, noise & 7, row * 1_000_003 + row % 3, row / 20 * 1_000_000)
      (never, always, bits) = (false, true, row % 3 == 0)
      (sameDouble, rawDouble, price) = (0.1, Double(row + 2).squareRoot(), Double(noise & 0xFFF) / 100)
      (sameFloat, rawFloat) = (1.5, Float(row + 2).squareRoot())
      let byte = UInt8(row)
      sameID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
      id = UUID(uuid: (byte, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, byte))
      amount = Decimal(sign: .plus, exponent: -2, significand: Decimal(row))
      text = "row \(row) of \(noise & 0xFFFF_FFFF)"
      repeated = ["a name that comes again", "another name that comes again", "the third name"][row % 3]
      data = Data((0..<row % 5).map { UInt8($0 + row) })
      (wide, optional) = (Int128(noise) << 60, row % 4 == 0 ? nil : row)
    }

    func isEqual(to other: Row) -> Bool {
      [constant, offset8, offset16, offset32, raw, packed, delta, runs]
        == [other.constant, other.offset8, other.offset16, other.offset32, other.raw, other.packed, other.delta, other.runs] as [Int]
        && [never, always, bits] == [other.never, other.always, other.bits] as [Bool] && sameDouble == other.sameDouble
        && rawDouble == other.rawDouble && price == other.price && sameFloat == other.sameFloat && rawFloat == other.rawFloat
        && sameID == other.sameID && id == other.id && amount == other.amount && text == other.text && repeated == other.repeated
        && data == other.data && wide == other.wide && optional == other.optional
    }
  }

  struct Size: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Size", version: 2) }
    var width: Int
    var height: Double?
  }

  final class Collections: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Collections") }
    var empty: [String] = ["x"]
    var numbers: [Int] = []
    var nested: [[String?]?] = []
    var set: Set<Int> = []
    var table: [String: [Int]] = [:]
    var bySize: [Size: Bool] = [:]
    var inline: InlineArray<3, UInt8> = [0, 0, 0]
    var tuple: (lat: Double, Int, name: String) = (0, 0, "")
    var sizes: [Size?] = []
    var contiguous: ContiguousArray<Float> = []
    var slice: ArraySlice<Bool> = []
    var long: [Int16] = []

    convenience init(written: Void) {
      self.init()
      (empty, numbers, nested, set) = ([], [3, 1, 2], [["a", nil], nil, [], ["b"]], [7, 8, 9])
      (table, bySize) = (
        ["one": [1], "none": [], "two": [2, 2]], [Size(width: 1, height: nil): true, Size(width: 2, height: 0.5): false]
      )
      (inline, tuple, sizes) = ([1, 2, 3], (31.5, 7, "name"), (0..<10).map { $0 % 3 == 0 ? nil : Size(width: $0, height: Double($0)) })
      (contiguous, slice, long) = ([1.5, 2.5], [true, false, true], (0..<1_500).map { Int16($0 * 7 % 1_000) })
    }

    func expected() -> Bool {
      let other = Collections(written: ())
      return empty == [] && numbers == [3, 1, 2] && nested == other.nested && set == [7, 8, 9] && table == other.table
        && bySize == other.bySize && [inline[0], inline[1], inline[2]] == [1, 2, 3] as [UInt8] && tuple == (31.5, 7, "name")
        && sizes == other.sizes && contiguous == [1.5, 2.5] && slice == [true, false, true] && long == other.long
    }
  }
}
