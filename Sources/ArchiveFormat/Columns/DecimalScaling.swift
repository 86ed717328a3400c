/// Decides whether numbers are decimal fractions, and turns them into integers and back.
///
/// A value v is stored as i with a scale s if i / 10^s gives exactly the bits of v. Division rounds correctly and powers of
/// ten up to 10^22 are exact, so every value that was read from a decimal text of few enough digits qualifies; -0, NaN and
/// infinities never do.
enum DecimalScaling {
  static let maximumScale = 9

  /// 1.5 * 2^52: adding it to a number below 2^51 leaves the rounded number in the low bits of the sum.
  private static let shifter = 0x1.8p52
  private static let shifterBits: UInt64 = 0x4338_0000_0000_0000
  private static let bias: UInt64 = 1 << 51

  @inline(__always) static func power(_ scale: Int) -> Double {
    switch scale {
    case 0: 1
    case 1: 1e1
    case 2: 1e2
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    case 6: 1e6
    case 7: 1e7
    case 8: 1e8
    default: 1e9
    }
  }

  /// Converts one value; the second result is 0 exactly if the integer restores it.
  ///
  /// Without a branch, so that loops over it are vectorised.
  @inline(__always) private static func convert(_ value: Double, _ power: Double) -> (integer: UInt64, wrong: UInt64) {
    let sum = value * power + shifter
    // For any sum outside of [2^52, 2^53), NaN included, the biased integer has bits above the lowest 52.
    let integer = sum.bitPattern &- shifterBits
    let restored = (sum - shifter) / power
    return (integer, (restored.bitPattern ^ value.bitPattern) | ((integer &+ bias) &>> 52))
  }

  /// The smallest scale of at least `lowest` that suits `value`.
  private static func scale(of value: Double, from lowest: Int) -> Int? {
    for scale in lowest..<(maximumScale + 1) where convert(value, power(scale)).wrong == 0 { return scale }
    return nil
  }

  /// The scale that a few values spread over the chunk need, nil if one of them has none.
  static func guessScale(_ values: UnsafePointer<Double>, count: Int) -> Int? {
    var result = 0
    let step = max(1, count &>> 2)
    var i = 0
    while i < count {
      guard let needed = unsafe scale(of: values[i], from: result) else { return nil }
      result = needed
      i &+= step
    }
    return result
  }

  /// Converts all values at the smallest scale of at least `guess` that suits them, nil if there is none.
  ///
  /// - Complexity: O(count), and a multiplication for each value in front of one that needs a larger scale.
  static func convert(_ values: UnsafePointer<Double>, count: Int, from guess: Int, into out: UnsafeMutablePointer<Int64>) -> Int? {
    var current = guess
    var start = 0
    while start < count {
      let end = min(start &+ 64, count)
      let power = power(current)
      var wrong: UInt64 = 0
      for i in start..<end {
        let result = unsafe convert(values[i], power)
        unsafe out[i] = Int64(bitPattern: result.integer)
        wrong |= result.wrong
      }
      if wrong == 0 {
        start = end
        continue
      }
      // One of these needs a larger scale. What came before suits it too, since both quotients are the same, as long as its integers do.
      for i in start..<end where unsafe convert(values[i], power).wrong != 0 {
        guard current < maximumScale, let next = unsafe scale(of: values[i], from: current &+ 1) else { return nil }
        guard unsafe multiply(out, start, by: Int64(self.power(next &- current))) else { return nil }
        current = next
        break
      }
    }
    return current
  }

  /// Multiplies integers, each below 2^51 in magnitude, by at most 10^9; false if one then is not.
  private static func multiply(_ integers: UnsafeMutablePointer<Int64>, _ count: Int, by factor: Int64) -> Bool {
    let limit = Int64(bias) / factor
    var wrong = false
    for i in 0..<count {
      let integer = unsafe integers[i]
      wrong = wrong || integer < -limit || integer > limit
      unsafe integers[i] = integer &* factor
    }
    return !wrong
  }

  /// Replaces integers by the bit patterns of the values they stand for.
  static func restore(_ integers: UnsafeMutablePointer<Int64>, count: Int, scale: Int) {
    if scale == 0 {
      // Division is what this loop waits for.
      for i in 0..<count { unsafe integers[i] = Int64(bitPattern: Double(integers[i]).bitPattern) }
      return
    }
    let power = power(scale)
    for i in 0..<count {
      unsafe integers[i] = Int64(bitPattern: (Double(integers[i]) / power).bitPattern)
    }
  }
}
