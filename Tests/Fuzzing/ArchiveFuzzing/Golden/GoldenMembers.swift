import Foundation
import MirrorArchive

/// Types with many members, with long names and keys, and with every kind of member.
enum GoldenMembers {
  struct Wide: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Wide", version: 300) }
    var (a0, a1, a2, a3, a4, a5, a6, a7) = (0, 1, 2, 3, 4, 5, 6, 7)
    var (b0, b1, b2, b3, b4, b5, b6, b7) = (UInt8(0), UInt8(1), UInt8(2), UInt8(3), UInt8(4), UInt8(5), UInt8(6), UInt8(7))
    var (c0, c1, c2, c3, c4, c5, c6, c7) = (true, false, true, false, true, false, true, false)
    var (d0, d1, d2, d3, d4, d5, d6, d7) = (0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5)
  }
  enum Letter: String, MirrorCodable, Sendable, CaseIterable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Letter", version: 1) }
    case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p
  }
  /// Cases of one name, and with exactly fifteen a number behind the tag.
  enum Change: MirrorCodable, Equatable, Sendable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Change", version: 128) }
    case move(by: Int)
    case move(to: String)
    case aNameOfACaseThatIsLongerThanSixtyThreeBytesSoThatTwiceItsLengthTakesTwoBytes
    case c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14
  }
  typealias Row = (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, fifteenth: Int, sixteenthOfTheElements: Int)

  final class Many: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      let name = "golden.Many." + String(repeating: "long", count: 40)
      return ArchiveRules(
        name: name, version: 5,
        properties: [
          PropertyRule("long", key: String(repeating: "key ", count: 40)), PropertyRule("foreign", key: "ключ 键"),
          PropertyRule("strange", key: "\n\"\\\u{0}"),
        ])
    }
    var exactlyFifteenB = 1
    var exactlySixteenBy = 2
    var ofALongTypeAndKey: [Int?] = []
    var long = 0
    var foreign = 0
    var strange = 0
    // The short forms.
    var (t0, t1, t2, t3, t5) = (false, 0, 0.0, "", Date(timeIntervalSinceReferenceDate: 0))
    var t4: Many?
    var (t6, t8, t9) = (Data(), Float(0), Int32(0))
    var t7 = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var (s10, s11, s12, s14): (String?, Int?, Double?, Date?)
    // The other Optionals of scalars.
    var (o0, o6, o7, o8, o9): (Bool?, Data?, UUID?, Float?, Int32?)
    var (o10, o11, o12, o13, o14): (UInt8?, Int8?, Int16?, Int64?, UInt?)
    var (o15, o16, o17, o18, o19): (UInt16?, UInt32?, UInt64?, Int128?, UInt128?)
    var (o20, o21, o22, o23, o24): (Float16?, Decimal?, Character?, Any?, CGFloat?)
    var (o25, o26, o27, o28): (Substring?, Unicode.Scalar?, Void?, Duration?)
    var wide = Wide()
    var letter = Letter.a
    var changes: [Change] = []
    var row: Row = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    convenience init(_ isPresent: Bool) {
      self.init()
      (exactlyFifteenB, exactlySixteenBy, ofALongTypeAndKey, long, foreign, strange) = (15, 16, [3, nil], 4, 5, 6)
      (wide.a3, wide.d7, letter) = (33, -7.5, .p)
      changes = [.move(by: 1), .move(to: "two"), .c14]
      changes += [.aNameOfACaseThatIsLongerThanSixtyThreeBytesSoThatTwiceItsLengthTakesTwoBytes]
      row = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
      guard isPresent else { return }
      t4 = Many(false)
      (s10, s11, s12, s14) = ("", 11, 12, Date(timeIntervalSinceReferenceDate: 14))
      (o0, o6, o7, o8, o9) = (true, Data([6]), t7, 8, 9)
      (o10, o11, o12, o13, o14) = (10, -11, -12, -13, 14)
      (o15, o16, o17, o18, o19) = (15, 16, 17, -18, 19)
      (o20, o21, o22, o23, o24) = (20, 21, "2", 23, 24)
      (o25, o26, o27, o28) = ("25", "6", (), .seconds(28))
    }

    var words: String {
      let own = "\((exactlyFifteenB, exactlySixteenBy, ofALongTypeAndKey, long, foreign, strange, wide, letter, changes, row))"
      let short = "\((t0, t1, t2, t3, t5, t6, t7, t8, t9, s10, s11, s12, s14))"
      let rest = "\((o0, o6, o7, o8, o9, o10, o11, o12, o13, o14, o15, o16, o17, o18, o19, o20, o21, o22, o23, o24, o25, o26, o27, o28))"
      return [own, short, rest, t4?.words ?? "none"].joined(separator: "\n")
    }
  }
}
