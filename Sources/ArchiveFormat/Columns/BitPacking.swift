/// Numbers of a fixed width of 1...57 bits, one after another, least significant bit first.
///
/// 57 is the widest number that an unaligned 64-bit load reaches whatever bit it begins at.
package enum BitPacking {
  static let maximumWidth = 57

  /// The bytes that `count` numbers of `width` bits take; cannot overflow for counts below 2^56.
  @inline(__always) package static func byteCount(_ count: Int, width: Int) -> Int {
    (count &>> 3) &* width &+ ((count & 7) &* width &+ 7) &>> 3
  }

  /// The bits a number up to `range` takes, 0...64.
  @inline(__always) static func width(of range: UInt64) -> Int { 64 &- range.leadingZeroBitCount }

  /// The widest number that `pack` takes: on top of 7 bits it leaves the shift below 64.
  ///
  /// Wider ones save so little that they would be stored as whole bytes anyway.
  static let maximumPackedWidth = 56

  /// Packs `values[i] - base` (wrapping), each of which fits `width` bits.
  static func pack<Value: ColumnInteger>(
    _ values: UnsafePointer<Value>, count: Int, base: Value, width: Int, into w: inout ByteWriter
  ) {
    let length = byteCount(count, width: width)
    // Each step stores a whole word and advances by the bytes that are complete, so up to 8 bytes more are touched.
    // SAFETY: `length + 8` bytes are reserved; the last store begins at a byte below `length`.
    let out = unsafe UnsafeMutableRawPointer(w.appendUninitialized(length &+ 8))
    var cursor = unsafe PackCursor(place: out)
    var done = 0
    if width <= PackedGroups.maximumWidth {
      unsafe PackedGroups.pack(values, count &>> 3, base, width, into: out)
      done = count & ~7
      unsafe cursor.place += (count &>> 3) &* width
    }
    unsafe cursor.pack(values + done, count &- done, base, width)
    w.truncate(to: w.count &- 8)
  }

  /// Unpacks `count` numbers and adds `base` (wrapping) to each.
  ///
  /// `bytes` must hold exactly `byteCount(count, width:)` bytes. Nothing outside of them is read.
  static func unpack<Value: ColumnInteger>(
    _ bytes: UnsafeRawBufferPointer, count: Int, width: Int, base: Value, into out: UnsafeMutablePointer<Value>
  ) {
    guard count > 0, let p = bytes.baseAddress else { return }
    let length = bytes.count
    // SAFETY: a group is read as long as its last load, which begins with its last number, ends inside of `length`.
    let lastOffset = (7 &* width) &>> 3
    let groups = min(count &>> 3, max(0, length &- lastOffset &- 8 &+ width) / width)
    unsafe PackedGroups.unpack(p, groups, base, width, into: out)
    let mask = ~UInt64(0) &>> UInt64(truncatingIfNeeded: 64 &- width)
    var i = groups &<< 3
    guard i < count else { return }
    if length >= 8 {
      // SAFETY: the load is moved back so that it ends with the bytes; the number ends with them at the latest.
      var bit = i &* width
      while i < count {
        let start = min(bit &>> 3, length &- 8)
        let word = unsafe RawAccess.load64(p, start)
        let shift = UInt64(truncatingIfNeeded: bit &- start &<< 3)
        unsafe out[i] = Value(truncatingIfNeeded: (word &>> shift) & mask) &+ base
        bit &+= width
        i &+= 1
      }
    } else {
      // SAFETY: each byte is read at an index below `length`.
      var word: UInt64 = 0
      for k in 0..<length { unsafe word |= UInt64(RawAccess.load8(p, k)) &<< UInt64(truncatingIfNeeded: k &<< 3) }
      let step = UInt64(truncatingIfNeeded: width)
      var shift = UInt64(truncatingIfNeeded: i) &* step
      while i < count {
        unsafe out[i] = Value(truncatingIfNeeded: (word &>> shift) & mask) &+ base
        shift &+= step
        i &+= 1
      }
    }
  }

  /// Whether the bits after the last number are zero, as they must be.
  static func hasCleanTail(_ bytes: UnsafeRawBufferPointer, count: Int, width: Int) -> Bool {
    let used = ((count & 7) &* width) & 7
    guard used != 0, let last = unsafe bytes.last else { return true }
    return last &>> UInt8(truncatingIfNeeded: used) == 0
  }
}

/// Where packed bits go: a position in memory and up to 7 bits that do not make a byte yet.
@unsafe private struct PackCursor {
  var place: UnsafeMutableRawPointer
  var word: UInt64 = 0
  var filled: UInt64 = 0

  init(place: UnsafeMutableRawPointer) { unsafe self.place = place }

  @inline(__always) mutating func pack<Value: ColumnInteger>(_ values: UnsafePointer<Value>, _ count: Int, _ base: Value, _ width: Int) {
    let step = UInt64(truncatingIfNeeded: width)
    for i in 0..<count {
      unsafe word |= (values[i] &- base).unsignedWord &<< filled
      // SAFETY: 8 bytes more than what is packed are writable.
      unsafe RawAccess.store64(word, place)
      unsafe filled &+= step
      let whole = unsafe filled & ~7
      unsafe place += Int(truncatingIfNeeded: whole &>> 3)
      unsafe word &>>= whole
      unsafe filled &= 7
    }
  }
}
