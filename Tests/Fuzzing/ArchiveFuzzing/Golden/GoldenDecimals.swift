import Foundation
import MirrorArchive

/// Decimals: exponents of each sign, digits of each number, none, and what is no number.
enum GoldenDecimals {
  static func roots() -> [GoldenRoot] {
    [
      root("digits", exponents.prefix(5).map { Decimal(sign: .plus, exponent: $0, significand: 123) }),
      root("negative", exponents.map { Decimal(sign: .minus, exponent: $0, significand: 99_812) }),
      root("zeros", [0, Decimal(sign: .plus, exponent: 3, significand: 0)]),
      root("lengths", (0..<9).map { power in (0..<power).reduce(Decimal(7)) { value, _ in value * 40_000 + 1 } }),
      root("largest", [.greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude, .pi]),
      root("no number", [.nan, 1]),
      root("no numbers", [Decimal](repeating: .nan, count: 8)),
      root("constant", [Decimal](repeating: Decimal(sign: .minus, exponent: -2, significand: 1_999), count: 12)),
      GoldenRoot("optional", [Decimal?.none, .some(5), .some(.nan)]) { $0.map { $0.map { "\($0)" } } },
      GoldenRoot("one", Decimal(sign: .plus, exponent: 6, significand: 4)),
      GoldenRoot("keys", [Decimal(1): "one", Decimal(sign: .plus, exponent: -1, significand: 5): "half"]),
    ]
  }

  private static let exponents = [0, 1, -1, 127, -128, 9, -9, 38, -38]

  /// Equal with the same exponent and sign: 1.0 is another value than 1 here, and what is no number equal to itself.
  private static func root(_ key: String, _ values: [Decimal]) -> GoldenRoot {
    GoldenRoot(key, values) { $0.map { "\($0) \($0.exponent) \($0.sign)" } }
  }
}
