import Foundation
import MirrorArchive

/// Floating-point numbers in every way that they are stored, and with every kind of bits.
enum GoldenFloats {
  static func roots() -> [GoldenRoot] {
    // Of each scale some that need all of its digits.
    let powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
    var roots = powers.enumerated().map { scale, power in
      root("scale \(scale)", (0..<8).map { Double($0 * 12_347 * (scale + 1) - 50_001) / power })
    }
    roots += [
      root("constant", [Double](repeating: -0.0, count: 8)),
      root("constant NaN", [Double](repeating: Double(bitPattern: 0x7FF0_0000_0000_0007), count: 8)),
      root("raw", doubles),
      root("plain", Array(doubles.prefix(7))),
      root("thirds", (0..<9).map { Double($0) / 3 }),
      root("times", (0..<9).map { Date(timeIntervalSinceReferenceDate: Double($0) * 86_400 + 0.25) }) {
        $0.timeIntervalSinceReferenceDate.bitPattern
      },
      root("same time", [Date](repeating: .distantFuture, count: 9)) { $0.timeIntervalSinceReferenceDate.bitPattern },
      root("strange times", doubles.map { Date(timeIntervalSinceReferenceDate: $0) }) { $0.timeIntervalSinceReferenceDate.bitPattern },
      root("lengths", (0..<9).map { CGFloat($0) / 8 }) { $0.native.bitPattern },
      root("strange lengths", doubles.map { CGFloat($0) }) { $0.native.bitPattern },
      root("floats", floats) { $0.bitPattern },
      root("floats plain", Array(floats.suffix(7))) { $0.bitPattern },
      root("floats constant", [Float](repeating: 0.1, count: 8)) { $0.bitPattern },
      root("halves", halves) { $0.bitPattern },
      root("halves plain", Array(halves.suffix(7))) { $0.bitPattern },
      root("halves constant", [Float16](repeating: 0.1, count: 8)) { $0.bitPattern },
      GoldenRoot("optional floats", [Float?.some(1.5), nil, .some(-.infinity)]),
      GoldenRoot("optional halves", (0..<9).map { $0 % 2 == 0 ? Float16?.some(65_504) : nil }),
    ]
    return roots
  }

  private static let doubles = [
    0.1, .nan, .signalingNaN, Double(bitPattern: 0xFFF0_0000_0000_0001), .infinity, -.infinity, -0.0, .leastNonzeroMagnitude,
    .greatestFiniteMagnitude, .pi, 1e21, 123_456_789.125,
  ]
  private static let floats = [
    0.1, .nan, .signalingNaN, Float(bitPattern: 0xFF80_0001), .infinity, -.infinity, -0.0, .leastNonzeroMagnitude,
    .greatestFiniteMagnitude, .pi, 1e20, 16_777_216,
  ]
  private static let halves = [
    0.1, .nan, .signalingNaN, Float16(bitPattern: 0xFC01), .infinity, -.infinity, -0.0, .leastNonzeroMagnitude,
    .greatestFiniteMagnitude, .pi, 2_048, 0.333,
  ]

  private static func root(_ key: String, _ values: [Double]) -> GoldenRoot { root(key, values) { $0.bitPattern } }

  private static func root<Value: Sendable>(
    _ key: String, _ values: [Value], bits: @escaping @Sendable (Value) -> some FixedWidthInteger
  ) -> GoldenRoot {
    GoldenRoot(key, values) { $0.map { UInt64(truncatingIfNeeded: bits($0)) } }
  }
}
