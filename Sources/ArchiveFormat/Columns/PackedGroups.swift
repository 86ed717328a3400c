/// Eight numbers take as many whole bytes as they are wide, so all groups of eight have the same offsets and shifts.
///
/// The width is a constant in each loop: the compiler unrolls them, with every offset and shift in the instructions.
enum PackedGroups {
  /// The widest numbers that are packed in groups; wider ones are rare.
  static let maximumWidth = 28

  static func pack<Value: ColumnInteger>(
    _ values: UnsafePointer<Value>, _ groups: Int, _ base: Value, _ width: Int, into out: UnsafeMutableRawPointer
  ) {
    switch width {
    case 1: unsafe pack(values, groups, base, 1, out)
    case 2: unsafe pack(values, groups, base, 2, out)
    case 3: unsafe pack(values, groups, base, 3, out)
    case 4: unsafe pack(values, groups, base, 4, out)
    case 5: unsafe pack(values, groups, base, 5, out)
    case 6: unsafe pack(values, groups, base, 6, out)
    case 7: unsafe pack(values, groups, base, 7, out)
    case 8: unsafe pack(values, groups, base, 8, out)
    case 9: unsafe pack(values, groups, base, 9, out)
    case 10: unsafe pack(values, groups, base, 10, out)
    case 11: unsafe pack(values, groups, base, 11, out)
    case 12: unsafe pack(values, groups, base, 12, out)
    case 13: unsafe pack(values, groups, base, 13, out)
    case 14: unsafe pack(values, groups, base, 14, out)
    case 15: unsafe pack(values, groups, base, 15, out)
    case 16: unsafe pack(values, groups, base, 16, out)
    case 17: unsafe pack(values, groups, base, 17, out)
    case 18: unsafe pack(values, groups, base, 18, out)
    case 19: unsafe pack(values, groups, base, 19, out)
    case 20: unsafe pack(values, groups, base, 20, out)
    case 21: unsafe pack(values, groups, base, 21, out)
    case 22: unsafe pack(values, groups, base, 22, out)
    case 23: unsafe pack(values, groups, base, 23, out)
    case 24: unsafe pack(values, groups, base, 24, out)
    case 25: unsafe pack(values, groups, base, 25, out)
    case 26: unsafe pack(values, groups, base, 26, out)
    case 27: unsafe pack(values, groups, base, 27, out)
    case 28: unsafe pack(values, groups, base, 28, out)
    default: break
    }
  }

  static func unpack<Value: ColumnInteger>(
    _ bytes: UnsafeRawPointer, _ groups: Int, _ base: Value, _ width: Int, into out: UnsafeMutablePointer<Value>
  ) {
    switch width {
    case 1: unsafe unpack(bytes, groups, base, 1, out)
    case 2: unsafe unpack(bytes, groups, base, 2, out)
    case 3: unsafe unpack(bytes, groups, base, 3, out)
    case 4: unsafe unpack(bytes, groups, base, 4, out)
    case 5: unsafe unpack(bytes, groups, base, 5, out)
    case 6: unsafe unpack(bytes, groups, base, 6, out)
    case 7: unsafe unpack(bytes, groups, base, 7, out)
    case 8: unsafe unpack(bytes, groups, base, 8, out)
    case 9: unsafe unpack(bytes, groups, base, 9, out)
    case 10: unsafe unpack(bytes, groups, base, 10, out)
    case 11: unsafe unpack(bytes, groups, base, 11, out)
    case 12: unsafe unpack(bytes, groups, base, 12, out)
    case 13: unsafe unpack(bytes, groups, base, 13, out)
    case 14: unsafe unpack(bytes, groups, base, 14, out)
    case 15: unsafe unpack(bytes, groups, base, 15, out)
    case 16: unsafe unpack(bytes, groups, base, 16, out)
    case 17: unsafe unpack(bytes, groups, base, 17, out)
    case 18: unsafe unpack(bytes, groups, base, 18, out)
    case 19: unsafe unpack(bytes, groups, base, 19, out)
    case 20: unsafe unpack(bytes, groups, base, 20, out)
    case 21: unsafe unpack(bytes, groups, base, 21, out)
    case 22: unsafe unpack(bytes, groups, base, 22, out)
    case 23: unsafe unpack(bytes, groups, base, 23, out)
    case 24: unsafe unpack(bytes, groups, base, 24, out)
    case 25: unsafe unpack(bytes, groups, base, 25, out)
    case 26: unsafe unpack(bytes, groups, base, 26, out)
    case 27: unsafe unpack(bytes, groups, base, 27, out)
    case 28: unsafe unpack(bytes, groups, base, 28, out)
    default: unsafe unpack(bytes, groups, base, width, out)
    }
  }

  @inline(__always) private static func pack<Value: ColumnInteger>(
    _ values: UnsafePointer<Value>, _ groups: Int, _ base: Value, _ width: Int, _ out: UnsafeMutableRawPointer
  ) {
    var source = unsafe values
    var target = unsafe out
    // SAFETY: each group stores its `width` bytes and up to 8 more, which belong to the next one or are reserved behind the last one.
    for _ in 0..<groups {
      var word: UInt64 = 0
      var filled = 0
      var offset = 0
      for k in 0..<8 {
        let number = unsafe (source[k] &- base).unsignedWord
        word |= number &<< UInt64(truncatingIfNeeded: filled)
        filled &+= width
        if filled >= 64 {
          unsafe RawAccess.store64(word, target, offset)
          offset &+= 8
          filled &-= 64
          word = number &>> UInt64(truncatingIfNeeded: width &- filled)
        }
      }
      if filled > 0 { unsafe RawAccess.store64(word, target, offset) }
      unsafe source += 8
      unsafe target += width
    }
  }

  @inline(__always) private static func unpack<Value: ColumnInteger>(
    _ bytes: UnsafeRawPointer, _ groups: Int, _ base: Value, _ width: Int, _ out: UnsafeMutablePointer<Value>
  ) {
    let mask = ~UInt64(0) &>> UInt64(truncatingIfNeeded: 64 &- width)
    var source = unsafe bytes
    var target = unsafe out
    // SAFETY: the caller has compared the end of the last load with the bytes.
    for _ in 0..<groups {
      for k in 0..<8 {
        let bit = k &* width
        let word = unsafe RawAccess.load64(source, bit &>> 3)
        unsafe target[k] = Value(truncatingIfNeeded: (word &>> UInt64(truncatingIfNeeded: bit & 7)) & mask) &+ base
      }
      unsafe source += width
      unsafe target += 8
    }
  }
}
