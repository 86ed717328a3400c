/// Whether strings of a column seem to repeat, by a few of them from all over the column.
///
/// Finding out with all of them costs more than writing them; of strings of which a quarter repeats, some of these nearly always do.
enum StringSample {
  /// From this many rows on a look at the sample is cheap.
  static let firstCount = 512
  private static let groupCount = 32
  /// Rows next to each other, for strings that repeat nowhere else.
  private static let groupSize = 4

  static func repeats(_ rows: Rows) -> Bool {
    // SAFETY: every row holds a String; slots are taken modulo 256, of which at most 128 are filled, and rows stay below the count.
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 256) { seen in
      unsafe seen.initialize(repeating: 0)
      // One group in each part of the column, somewhere in it.
      let part = rows.count / groupCount
      for group in 0..<groupCount {
        let first = group &* part &+ Int(truncatingIfNeeded: mix(UInt64(truncatingIfNeeded: group &+ 1)) >> 48) % (part &- groupSize)
        for row in first..<first &+ groupSize {
          let mark = unsafe fingerprint(rows[row].assumingMemoryBound(to: String.self).pointee)
          var slot = Int(truncatingIfNeeded: mark >> 56)
          while unsafe seen[slot] != 0 {
            if unsafe seen[slot] == mark { return true }
            slot = (slot &+ 1) & 255
          }
          unsafe seen[slot] = mark
        }
      }
      return false
    }
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value &* 0x9E37_79B9_7F4A_7C15
    return (product ^ product >> 29) &* 0xBF58_476D_1CE4_E5B9
  }

  /// A number that equal strings have in common, and hardly any others: of the length, the beginning, the middle and the end. Never 0.
  private static func fingerprint(_ string: borrowing String) -> UInt64 {
    let found = unsafe string.utf8.withContiguousStorageIfAvailable { utf8 in unsafe fingerprint(UnsafeRawBufferPointer(utf8)) }
    return (found ?? 1) | 1
  }

  private static func fingerprint(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = UInt64(truncatingIfNeeded: bytes.count)
    if bytes.count < 8 {
      var i = 0
      while i < bytes.count {
        unsafe state = state << 8 ^ UInt64(bytes[i])
        i &+= 1
      }
      return mix(state)
    }
    // SAFETY: there are at least 8 bytes from here on, and every load ends within them.
    unsafe state = mix(state ^ bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
    unsafe state = mix(state ^ bytes.loadUnaligned(fromByteOffset: bytes.count / 2 &- 4, as: UInt64.self))
    return unsafe mix(mix(state ^ bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)))
  }
}

extension String {
  /// Whether the UTF-8 of the string is these bytes.
  func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // SAFETY: both have as many bytes as are compared; every load ends within them.
    unsafe utf8.withContiguousStorageIfAvailable { utf8 in
      let own = UnsafeRawBufferPointer(utf8)
      if own.count != bytes.count { return false }
      var i = 0
      while i &+ 8 <= own.count {
        if unsafe own.loadUnaligned(fromByteOffset: i, as: UInt64.self) != bytes.loadUnaligned(fromByteOffset: i, as: UInt64.self) {
          return false
        }
        i &+= 8
      }
      while i < own.count {
        if unsafe own[i] != bytes[i] { return false }
        i &+= 1
      }
      return true
    } ?? false
  }
}
