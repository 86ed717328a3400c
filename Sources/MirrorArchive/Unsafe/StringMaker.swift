import ArchiveFormat
import ArchiveReflection

/// Makes strings of bytes that are known to be UTF-8.
enum StringMaker {
  /// Makes `count` strings, whose bytes follow one another.
  ///
  /// - Parameters:
  ///   - lengths: add up to the bytes.
  ///   - bytes: UTF-8, in which every string begins with a character.
  ///   - isASCII: whether that is known of all bytes.
  @inline(__always)
  static func make(
    _ lengths: UnsafePointer<Int64>, count: Int, of bytes: UnsafeRawBufferPointer, isASCII: Bool, _ store: (Int, String) -> Void
  ) {
    var place = 0
    let makesShort = StringLayout.isKnown
    for i in 0..<count {
      // SAFETY: the lengths add up to the bytes, so each string lies within them.
      let length = unsafe Int(truncatingIfNeeded: lengths[i])
      let string = unsafe UnsafeRawBufferPointer(start: bytes.baseAddress.map { unsafe $0 + place }, count: length)
      if makesShort, length <= 15, bytes.count &- place >= 16, let words = unsafe shortWords(string, isASCII) {
        // SAFETY: the words are those of a short string, which owns nothing.
        store(i, unsafe unsafeBitCast(words, to: String.self))
      } else {
        store(i, unsafe make(string, isASCII))
      }
      place &+= length
    }
  }

  /// The two words of a string of at most 15 bytes, behind which 16 bytes can be read; nil if it is not ASCII.
  @inline(__always)
  private static func shortWords(_ bytes: UnsafeRawBufferPointer, _ isASCII: Bool) -> (low: UInt64, high: UInt64)? {
    guard let start = bytes.baseAddress else { return nil }
    // SAFETY: the caller knows that 16 bytes can be read. Shifts by 64 and more leave nothing.
    let low = unsafe UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
    let high = unsafe UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    let bits = UInt64(truncatingIfNeeded: bytes.count &<< 3)
    let lowMask = bits >= 64 ? ~0 : (1 &<< bits) &- 1
    let highMask = bits > 64 ? (1 &<< (bits &- 64)) &- 1 : 0
    let words = (low & lowMask, high & highMask)
    if !isASCII, (words.0 | words.1) & 0x8080_8080_8080_8080 != 0 { return nil }
    return StringLayout.shortASCII(words.0, words.1, count: bytes.count)
  }

  /// Makes the string that is alone in its column, of bytes that nobody has looked at; nil if they are not UTF-8.
  static func make(checking bytes: UnsafeRawBufferPointer) -> String? {
    if let string = unsafe SmallString.make(bytes) ?? StringStorage.make(bytes) { return string }
    switch unsafe UTF8Check.check(bytes) {
    case .ascii: return unsafe make(bytes, true)
    case .valid: return unsafe make(bytes, false)
    case .invalid: return nil
    }
  }

  /// Makes one string.
  private static func make(_ bytes: UnsafeRawBufferPointer, _ isASCII: Bool) -> String {
    if unsafe bytes.isEmpty { return "" }
    // SAFETY: the bytes are UTF-8, which the caller has checked for many strings at once.
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let known = unsafe isASCII || ArchiveFormat.isASCII(bytes)
      let units = unsafe Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self))
      return unsafe String(copying: UTF8Span(unchecked: units, isKnownASCII: known))
    }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}
