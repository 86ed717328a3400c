import Foundation

/// A floating-point number of 16 bits, for which not every platform has a type.
struct HalfFloat {
  /// The exact value.
  let value: Double
  private let bits: UInt16

  init(bits: UInt16) {
    self.bits = bits
    value = Self.value(bits)
  }

  private static func value(_ bits: UInt16) -> Double {
    let exponent = Int(bits >> 10 & 31)
    let fraction = Double(bits & 1023)
    let magnitude: Double =
      switch exponent {
      case 0: fraction * 0x1p-24
      case 31: fraction == 0 ? .infinity : .nan
      default: scalbn(1024 + fraction, exponent - 25)
      }
    return bits >> 15 == 1 ? -magnitude : magnitude
  }

  /// The shortest decimal number that is nearer to this one than to any other of 16 bits; whole numbers exactly. Nil for infinities and NaN.
  var text: String? {
    guard value.isFinite else { return nil }
    if value == value.rounded() { return "\(value)" }
    let magnitude = bits & 0x7FFF
    let exact = value.magnitude
    let below = (exact + Self.value(magnitude - 1)) / 2
    let above = magnitude == 0x7BFF ? .infinity : (exact + Self.value(magnitude + 1)) / 2
    let isEven = magnitude & 1 == 0
    for digits in 1...5 {
      guard let near = Double(String(format: "%.\(digits - 1)e", exact)) else { continue }
      if near > below && near < above || isEven && (near == below || near == above) { return "\(value < 0 ? -near : near)" }
    }
    return "\(value)"
  }
}
