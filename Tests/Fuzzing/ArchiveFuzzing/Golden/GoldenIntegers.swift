import MirrorArchive

/// Rows that the archiver stores in each of the ways that a column of integers has, as far as a type is wide enough for them.
enum GoldenIntegers {
  static let rows = 12

  static func roots() -> [GoldenRoot] {
    forms(Int8.self) + forms(UInt8.self) + forms(Int16.self) + forms(UInt16.self) + forms(Int32.self) + forms(UInt32.self)
      + forms(Int64.self) + forms(UInt64.self)
      + forms(Int.self) + forms(UInt.self) + extremes() + scalars()
  }

  private static func forms<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) -> [GoldenRoot] {
    let width = UInt64(type.bitWidth)
    func root(_ form: String, _ value: (UInt64) -> UInt64) -> GoldenRoot {
      GoldenRoot("\(type) \(form)", (0..<rows).map { type.min &+ Value(truncatingIfNeeded: value(UInt64($0))) })
    }
    // Bits that follow no rule, the same in every process.
    func bits(_ row: UInt64, _ count: UInt64) -> UInt64 {
      var generator = SeededGenerator(seed: row)
      return generator.next() >> (64 - count)
    }
    var roots = [
      root("constant") { _ in 100 },
      root("steps") { $0 * 7 },
      root("bytes") { bits($0, 8) },
      root("packed") { $0 * 5 % 7 },
      root("differences") { $0 * 3 + ($0 + 2) / 3 },
      GoldenRoot("\(type) runs", (0..<rows).map { $0 < 5 ? Value(90) : $0 < 9 ? 11 : 77 }),
    ]
    if width > 8 { roots.append(root("two bytes") { bits($0, 16) }) }
    if width > 16 {
      roots += [root("four bytes") { bits($0, 32) }, root("packed wide") { bits($0, 21) }]
    }
    if width > 32 {
      roots += [
        root("raw") { bits($0, 64) }, root("packed wider") { bits($0, 49) },
        root("differences wide") { $0 << 50 + bits($0, 40) }, root("falling") { 0 &- $0 * 1_000_003 },
      ]
    }
    return roots
  }

  private static func extremes() -> [GoldenRoot] {
    [
      // Neighbours only when the smallest follows the largest.
      GoldenRoot("around the circle", (0..<10).map { UInt64.max &+ UInt64($0 % 3) }),
      GoldenRoot("Int64 ends", (0..<9).map { $0 % 2 == 0 ? Int64.min : .max }),
      GoldenRoot("UInt plain", [0, 1, 1 << 63, UInt.max]),
      GoldenRoot("Int128 high alone", (0..<rows).map { Int128($0) << 64 }),
      GoldenRoot("Int128 both", (0..<rows).map { ($0 % 2 == 0 ? Int128.min : Int128.max) &+ Int128($0 * $0) }),
      GoldenRoot("UInt128 low alone", (0..<rows).map { UInt128(UInt64.max) - UInt128($0) }),
      GoldenRoot("UInt128 both", (0..<rows).map { UInt128($0) << 64 + UInt128($0 * $0 % 3) }),
      GoldenRoot("Duration", (0..<rows).map { Duration.seconds($0 * 40 - 300) + .nanoseconds($0) }),
      GoldenRoot("Int128 plain", [Int128.min, -1, 0, .max]),
    ]
  }

  private static func scalars() -> [GoldenRoot] {
    func root(_ key: String, _ codes: [UInt32]) -> GoldenRoot { GoldenRoot(key, codes.compactMap(Unicode.Scalar.init)) }
    return [
      root("Unicode.Scalar constant", Array(repeating: 0x1F34E, count: 9)),
      root("Unicode.Scalar steps", (0..<9).map { 0x41 + $0 }),
      root("Unicode.Scalar packed", [0x61, 0x67, 0x62, 0x66, 0x61, 0x65, 0x63, 0x67, 0x62]),
      root("Unicode.Scalar bytes", [0x61, 0xFF, 0x62, 0xE9, 0xDF, 0x20, 0x63, 0xC0, 0x70]),
      root("Unicode.Scalar runs", [0x61, 0x61, 0x61, 0x61, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
      root("Unicode.Scalar two bytes", [0x41, 0xD7FF, 0xE9, 0x30B9, 0x65, 0xE000, 0x3B2, 0x82F9, 0x679C]),
      root("Unicode.Scalar large", [0x10FFFF, 0x41, 0x1F34E, 0xFFFF, 0, 0x10000, 0xD7FF, 0x2F800, 0xE000]),
    ]
  }
}
