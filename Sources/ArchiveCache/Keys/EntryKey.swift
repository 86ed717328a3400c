import ArchiveFormat

/// A key as the two tiers know it: its bytes, and a hash of them that names the entry's file.
struct EntryKey: Hashable, Sendable {
  let bytes: [UInt8]
  let digest: Digest

  /// A hash of 128 bits that is the same everywhere and always: `Hasher` has another seed in each process.
  struct Digest: Hashable, Sendable, Comparable {
    let high: UInt64
    let low: UInt64

    func hash(into hasher: inout Hasher) { hasher.combine(low) }

    static func < (a: Digest, b: Digest) -> Bool { a.high != b.high ? a.high < b.high : a.low < b.low }

    /// 32 lower-case hexadecimal digits.
    var text: String {
      // SAFETY: the buffer has the length of the text, all of which is written.
      unsafe String(unsafeUninitializedCapacity: Self.textLength) { buffer in
        unsafe write(to: buffer)
        return Self.textLength
      }
    }

    static let textLength = 32

    /// Writes the text's 32 bytes to a buffer that has at least as many.
    func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
      precondition(buffer.count >= Self.textLength, "there is room for the digits")
      for i in 0..<16 {
        let shift = UInt64(60 - i * 4)
        // SAFETY: there is room for 32 digits.
        unsafe buffer[i] = Self.digit(high >> shift)
        unsafe buffer[i + 16] = Self.digit(low >> shift)
      }
    }

    private static func digit(_ word: UInt64) -> UInt8 {
      let digit = UInt8(truncatingIfNeeded: word & 15)
      return digit < 10 ? 48 + digit : 87 + digit
    }

    /// Reads what `text` writes; nil for anything else.
    init?(_ text: Substring) {
      var words: (UInt64, UInt64) = (0, 0)
      var count = 0
      for byte in text.utf8 {
        let digit: UInt8
        switch byte {
        case 48...57: digit = byte - 48
        case 97...102: digit = byte - 87
        default: return nil
        }
        if count < 16 { words.0 = words.0 << 4 | UInt64(digit) } else { words.1 = words.1 << 4 | UInt64(digit) }
        count += 1
        if count > 32 { return nil }
      }
      if count != 32 { return nil }
      (high, low) = words
    }

    init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }
  }

  init(_ bytes: [UInt8], digest: (@Sendable ([UInt8]) -> (UInt64, UInt64))? = nil) {
    self.bytes = bytes
    if let digest {
      let (high, low) = digest(bytes)
      self.digest = Digest(high: high, low: low)
    } else {
      // SAFETY: the hashes read the array's bytes and nothing else.
      self.digest = unsafe bytes.withUnsafeBytes { unsafe Digest(high: XXH3.hash($0), low: XXHash64.hash($0)) }
    }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(digest.low) }
}
