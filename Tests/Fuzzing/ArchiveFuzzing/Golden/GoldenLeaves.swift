import Foundation
import MirrorArchive

/// Columns of scalars that the other archives do not have.
enum GoldenLeaves {
  /// Of one shape or the other, and of different lengths.
  final class Varied: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Varied") }
    let data: Data
    init(_ row: Int) { data = Data(repeating: 7, count: row) }
    init(coder: KeyedUnarchiver) throws {
      data = try coder.containsValue(forKey: "a") ? coder.decodeData(forKey: "a") : coder.decodeData(forKey: "b")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(data, forKey: data.count * data.count % 7 < 3 ? "a" : "b")
    }
  }

  final class Holder: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.ThingHolder", subclasses: [GoldenMixtures.Thing.self]) }
    // Which are reached first, in their order.
    var all: [GoldenMixtures.Thing] = []
    var content: Any = 0
    convenience init(_ rows: [Int]) {
      self.init()
      all = (0..<100).map { GoldenMixtures.Thing($0) }
      content = rows.map { all[$0] }
    }
  }

  static func roots() -> [GoldenRoot] { scalars() + texts() + numbers() + halves() + types() }

  private static func scalars() -> [GoldenRoot] {
    let letters: [Character] = ["a", "é", "👩‍👩‍👧"]
    return [
      GoldenRoot("Substrings", (0..<9).map { String(repeating: "x", count: $0 * $0 % 7)[...] }),
      GoldenRoot("repeated Substrings", (0..<20).map { ["one of them", "the other one"][$0 % 2][...] }),
      GoldenRoot("plain Substrings", ["a"[...], ""]),
      GoldenRoot("repeated Characters", (0..<20).map { letters[$0 % 3] }),
      GoldenRoot("CGFloats", [CGFloat](repeating: 0.5, count: 8)),
      GoldenRoot("Bools", (0..<17).map { $0 % 5 == 0 }),
      GoldenRoot("Data", (0..<9).map { Data((0..<UInt8($0 * 5 % 9)).map { 255 - $0 }) }),
      GoldenRoot("long texts", ["", String(repeating: "0123456789", count: 30), "é"]),
      GoldenRoot("Optional Durations", [Duration?.none, .zero, .seconds(-1)]),
    ]
  }

  // MARK: Texts

  private static func texts() -> [GoldenRoot] {
    // A hundred of two letters each.
    let letters = "abcdefghij"
    let names = letters.flatMap { first in letters.map { second in "\(first)\(second)" } }
    func lengths(_ key: String, _ lengths: [Int]) -> GoldenRoot {
      GoldenRoot("lengths \(key)", lengths.map { Data(repeating: 0x61, count: $0) })
    }
    return [
      GoldenRoot("all names", (0..<140).map { names[$0 % 100] }),
      GoldenRoot("names in steps", Array(names[10..<30])),
      GoldenRoot("names in runs", (0..<60).map { names[$0 / 20 * 40] }),
      GoldenRoot("names as bytes", (0..<30).map { names[$0 * $0 * 11 % 97] }),
      lengths("as bytes", [3, 110, 41, 0, 96, 65, 127, 12]), lengths("in runs", (0..<30).map { $0 / 10 * 9 % 14 }),
      lengths("in steps", Array(0..<8)),
    ]
  }

  // MARK: Numbers

  /// Twelve numbers for each encoding, in order: all the same, in steps, of a few bits, rising, in runs, and of one, two, four and eight bytes.
  private static let forms: [(name: String, values: [Int])] = [
    ("constant", [Int](repeating: 5, count: 12)), ("steps", (0..<12).map { $0 * 3 }), ("packed", (0..<12).map { $0 * 5 % 7 }),
    ("rising", (0..<12).map { $0 * 1_000 + $0 * $0 % 3 }), ("runs", (0..<12).map { $0 < 5 ? 90 : $0 < 9 ? 11 : 77 }),
    ("one byte", noise(8)), ("two bytes", noise(16)), ("four bytes", noise(32)), ("eight bytes", noise(59)),
  ]

  private static func noise(_ bits: UInt64) -> [Int] {
    (0..<12).map { row -> Int in
      var generator = SeededGenerator(seed: UInt64(row))
      return Int(generator.next() >> (64 - bits))
    }
  }

  private static func numbers() -> [GoldenRoot] {
    forms.map { form in GoldenRoot("strings \(form.name)", form.values.map { "n\($0)" }) }
      // Too many digits for a Double, and for those of one value.
      + forms.dropFirst().dropLast().map { form in GoldenRoot("tenths \(form.name)", form.values.map { Double($0) / 10 }) }
  }

  private static func halves() -> [GoldenRoot] {
    forms.flatMap { form in
      let (high, low) = (form.values.map { UInt128($0) << 64 }, form.values.map { UInt128($0) })
      return [
        GoldenRoot("UInt128 high \(form.name)", high), GoldenRoot("UInt128 low \(form.name)", low),
        GoldenRoot("Int128 high \(form.name)", high.map { Int128($0) }), GoldenRoot("Int128 low \(form.name)", low.map { Int128($0) }),
        GoldenRoot("Duration high \(form.name)", high.map { Duration(attoseconds: Int128($0)) }),
        GoldenRoot("Duration low \(form.name)", low.map { Duration(attoseconds: Int128($0)) }),
      ]
    }
  }

  // MARK: Types

  private static func types() -> [GoldenRoot] {
    func things(_ key: String, _ rows: [Int]) -> GoldenRoot {
      GoldenRoot(
        "typed \(key)", making: { Holder(rows) }, isRight: { ($0.content as? [GoldenMixtures.Thing])?.map(\.number) == rows })
    }
    return [
      things("constant", [Int](repeating: 3, count: 8)), things("in runs", (0..<40).map { $0 / 10 * 30 }),
      things("as bytes", (0..<20).map { $0 * $0 * 7 % 97 }),
      GoldenRoot(
        "Any in runs", making: { (0..<60).map { $0 < 20 ? 1 : $0 < 40 ? 0.5 : true as Any } },
        isRight: { values in values.count == 60 && values[..<20].allSatisfy { $0 is Int } && values[40...].allSatisfy { $0 is Bool } }),
      GoldenRoot("varied", making: { (0..<12).map { Varied($0) } }, isRight: { $0.map(\.data.count) == Array(0..<12) }),
    ]
  }
}
