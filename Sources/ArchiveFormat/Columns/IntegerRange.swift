/// The smallest and the largest of many values, as distances from one of them.
///
/// The baseline of x86-64 finds the smaller ones of 16-bit and of floating-point numbers many at a time, but not of longer integers. So whatever
/// fits is looked at as one of these.
enum IntegerRange {
  /// - Parameter seemsSmall: Whether some of the values have shown to be in 0..<2^15.
  @inline(__always)
  static func of<Value: ColumnInteger>(
    _ values: UnsafePointer<Value>, _ count: Int, from first: Value, seemsSmall: Bool
  ) -> (low: Int64, high: Int64) {
    if count == 0 { return (0, 0) }
    // SAFETY: there are as many values as are counted.
    if seemsSmall, let (low, high) = unsafe small(values, count) { return (low &- Int64(first), high &- Int64(first)) }
    if Value.bitWidth == 32 {
      let (low, high) = unsafe ofNarrow(UnsafeRawPointer(values), count)
      return (Int64(low) &- Int64(first), Int64(high) &- Int64(first))
    }
    let start = Int64(first)
    return unsafe near(UnsafeRawPointer(values), count, start) ?? far(UnsafeRawPointer(values), count, start)
  }

  /// Values in 0..<2^15 as 16-bit numbers; nil if one is not.
  @inline(__always)
  private static func small<Value: ColumnInteger>(_ values: UnsafePointer<Value>, _ count: Int) -> (low: Int64, high: Int64)? {
    var low = Int16.max
    var high = Int16.min
    var bits: Value = 0
    // SAFETY: indices stay below the count.
    for i in 0..<count {
      let value = unsafe values[i]
      low = min(low, Int16(truncatingIfNeeded: value))
      high = max(high, Int16(truncatingIfNeeded: value))
      bits |= value
    }
    return bits >= 0 && bits <= 0x7FFF ? (Int64(low), Int64(high)) : nil
  }

  /// 32-bit values as they are, sixteen a step.
  @inline(__always)
  private static func ofNarrow(_ bytes: UnsafeRawPointer, _ count: Int) -> (Int32, Int32) {
    // SAFETY: 64 bytes are loaded where as many are left, the values behind them one by one.
    var low = unsafe bytes.load(as: Int32.self)
    var high = low
    var i = 0
    if count >= 16 {
      var lows = unsafe bytes.loadUnaligned(as: SIMD16<Int32>.self)
      var highs = lows
      i = 16
      while i &+ 15 < count {
        let next = unsafe bytes.loadUnaligned(fromByteOffset: i &* 4, as: SIMD16<Int32>.self)
        lows.replace(with: next, where: next .< lows)
        highs.replace(with: next, where: next .> highs)
        i &+= 16
      }
      (low, high) = (lows.min(), highs.max())
    }
    while i < count {
      let value = unsafe bytes.load(fromByteOffset: i &* 4, as: Int32.self)
      low = min(low, value)
      high = max(high, value)
      i &+= 1
    }
    return (low, high)
  }

  /// 1.5 * 2^52 as bits: added to the bits of an integer below 2^51 in magnitude it makes a number, and greater integers make greater numbers.
  private static let numberBits: Int64 = 0x4338_0000_0000_0000

  /// Values up to 2^51 from the first one, as floating-point numbers; nil if one is farther away.
  @inline(__always)
  private static func near(_ bytes: UnsafeRawPointer, _ count: Int, _ first: Int64) -> (low: Int64, high: Int64)? {
    if count < 4 { return nil }
    let shift = SIMD4<Int64>(repeating: numberBits &- first)
    // SAFETY: 32 bytes are loaded where as many are left; the last load may take values a second time.
    let start = unsafe bytes.loadUnaligned(as: SIMD4<Int64>.self) &+ shift
    var (every, any) = (start, start)
    var lows = unsafe unsafeBitCast(start, to: SIMD4<Double>.self)
    var highs = lows
    var i = 4
    while i < count {
      let next = unsafe bytes.loadUnaligned(fromByteOffset: min(i, count &- 4) &* 8, as: SIMD4<Int64>.self) &+ shift
      let number = unsafe unsafeBitCast(next, to: SIMD4<Double>.self)
      lows.replace(with: number, where: number .< lows)
      highs.replace(with: number, where: number .> highs)
      every &= next
      any |= next
      i &+= 4
    }
    // All of them are numbers from 2^52 to 2^53, if they have the exponent of these.
    let same = (every[0] & every[1] & every[2] & every[3], any[0] | any[1] | any[2] | any[3])
    guard same.0 >> 52 == 0x433 && same.1 >> 52 == 0x433 else { return nil }
    let low = min(min(lows[0], lows[1]), min(lows[2], lows[3]))
    let high = max(max(highs[0], highs[1]), max(highs[2], highs[3]))
    return (Int64(bitPattern: low.bitPattern) &- numberBits, Int64(bitPattern: high.bitPattern) &- numberBits)
  }

  /// Values anywhere.
  @inline(never)
  private static func far(_ bytes: UnsafeRawPointer, _ count: Int, _ first: Int64) -> (low: Int64, high: Int64) {
    // SAFETY: indices stay below the count.
    var low = unsafe bytes.load(as: Int64.self) &- first
    var high = low
    for i in 1..<max(count, 1) {
      let distance = unsafe bytes.load(fromByteOffset: i &* 8, as: Int64.self) &- first
      low = min(low, distance)
      high = max(high, distance)
    }
    return (low, high)
  }
}
