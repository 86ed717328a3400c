/// Whether bytes are UTF-8: that of the strings of a whole chunk at once, in place of string by string.
package enum UTF8Check {
  /// What one pass over some bytes has found.
  package enum Verdict { case ascii, valid, invalid }

  /// Looks at the bytes.
  ///
  /// An automaton takes one step for each byte, whatever the bytes are; eight bytes of ASCII between two characters are one step.
  /// - Complexity: O(bytes).
  package static func check(_ bytes: UnsafeRawBufferPointer) -> Verdict {
    guard let start = bytes.baseAddress else { return .ascii }
    let count = bytes.count
    var i = 0
    // SAFETY: every load ends within the bytes; the table has an entry for every byte.
    while count &- i >= 8, unsafe RawAccess.load64(start, i) & highBits == 0 { i &+= 8 }
    if count &- i < 8, unsafe isASCII(UnsafeRawBufferPointer(rebasing: bytes[i...])) { return .ascii }
    return unsafe steps.withUnsafeBufferPointer { steps in
      guard let step = steps.baseAddress else { return .invalid }
      var state = accept
      while count &- i >= 8 {
        var word = unsafe RawAccess.load64(start, i)
        i &+= 8
        if word & highBits == 0, state & 63 == accept { continue }
        for _ in 0..<8 {
          // Only the lowest six bits of a state count, both here and for the shift itself.
          unsafe state = step[Int(truncatingIfNeeded: word & 0xFF)] &>> state
          word &>>= 8
        }
      }
      while i < count {
        unsafe state = step[Int(RawAccess.load8(start, i))] &>> state
        i &+= 1
      }
      return state & 63 == accept ? .valid : .invalid
    }
  }

  /// Whether every string begins with a character: then each one is UTF-8 if they are so together.
  package static func begin(_ lengths: UnsafePointer<Int64>, count: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    var place = 0
    var inside = false
    // SAFETY: the caller has checked that the lengths add up to the bytes; a place at their end is not looked at.
    for i in 0..<count {
      if place < bytes.count { inside = unsafe inside || RawAccess.load8(start, place) & 0xC0 == 0x80 }
      place &+= unsafe Int(truncatingIfNeeded: lengths[i])
    }
    return !inside
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  // States are multiples of six, by which the entry of a byte is shifted: what then are its lowest six bits is the next state. All six bits are
  // zero for what leads nowhere.
  private static let accept: UInt64 = 6
  private static let one: UInt64 = 12
  private static let two: UInt64 = 18
  private static let three: UInt64 = 24
  /// Behind E0, ED, F0, F4 not all bytes may follow that could continue a character.
  private static let afterE0: UInt64 = 30
  private static let afterED: UInt64 = 36
  private static let afterF0: UInt64 = 42
  private static let afterF4: UInt64 = 48

  /// For each byte the next state after each state.
  private static let steps: [UInt64] = (0...255).map { byte in
    func next(_ state: UInt64) -> UInt64 {
      let continues = 0x80...0xBF ~= byte
      return switch state {
      case accept:
        switch byte {
        case ...0x7F: accept
        case 0xC2...0xDF: one
        case 0xE0: afterE0
        case 0xED: afterED
        case 0xE1...0xEF: two
        case 0xF0: afterF0
        case 0xF1...0xF3: three
        case 0xF4: afterF4
        default: 0
        }
      case one: continues ? accept : 0
      case two: continues ? one : 0
      case three: continues ? two : 0
      case afterE0: 0xA0...0xBF ~= byte ? one : 0
      case afterED: 0x80...0x9F ~= byte ? one : 0
      case afterF0: 0x90...0xBF ~= byte ? two : 0
      case afterF4: 0x80...0x8F ~= byte ? two : 0
      default: 0
      }
    }
    return stride(from: accept, through: afterF4, by: 6).reduce(0) { $0 | next($1) << $1 }
  }
}
