/// Where `String` keeps its UTF-8, so that it can be read and made without a call, a closure or a count of owners for each string.
///
/// A string is two words. Short ones have their bytes in them, the lowest first, up to 15; the highest byte says that, and how many there are.
/// Others have their length and flags in the low word and the address of an object in the high one; the bytes lie behind its head.
enum StringLayout {
  /// Whether strings have this layout, found out by looking at some. False where it is different; use `String` itself then.
  static let isKnown: Bool = {
    guard MemoryLayout<String>.size == 16, MemoryLayout<UInt>.size == 8, 1.littleEndian == 1 else { return false }
    let long = "a text that is made while the program runs, and its number is "
    let samples = [
      "", "a", "fifteen letters", "é", "seven ß", "a literal that is too long for two words", "längere Literale",
      "a text that is made while the program runs, and its number is \(runNumber)",
    ]
    return samples.allSatisfy(agrees) && agreesShort("") && agreesShort("a") && agreesShort("eight ch") && agreesShort("fifteen letters")
  }()

  /// Something that no compiler knows beforehand.
  private static let runNumber = CommandLine.arguments.count

  @inline(__always)
  static func words(_ string: UnsafeRawPointer) -> (low: UInt64, high: UInt64) {
    // SAFETY: the caller passes the address of a String.
    unsafe (string.load(as: UInt64.self), string.load(fromByteOffset: 8, as: UInt64.self))
  }

  /// Whether the bytes are in the two words.
  @inline(__always)
  static func isShort(_ high: UInt64) -> Bool { high & (1 &<< 61) != 0 }

  @inline(__always)
  static func shortCount(_ high: UInt64) -> Int { Int(truncatingIfNeeded: (high &>> 56) & 0xF) }

  /// Whether the bytes lie behind an object's head, and not, for instance, in a string of Objective-C.
  @inline(__always)
  static func isLong(_ low: UInt64, _ high: UInt64) -> Bool { high & (7 &<< 60) == 0 && low & (1 &<< 60) != 0 }

  @inline(__always)
  static func longCount(_ low: UInt64) -> Int { Int(truncatingIfNeeded: low & 0xFFFF_FFFF_FFFF) }

  /// The bytes of a long string; they stay where they are as long as the string is neither changed nor released.
  @inline(__always)
  static func longStart(_ high: UInt64) -> UnsafeRawPointer {
    // SAFETY: `isLong` says that the bytes lie there.
    unsafe UnsafeRawPointer(bitPattern: UInt(high & 0x0FFF_FFFF_FFFF_FFFF)).unsafelyUnwrapped + 32
  }

  /// The bytes of the string at an address; nil if only `String` knows where they are.
  @inline(__always)
  static func bytes(of string: UnsafeRawPointer) -> UnsafeRawBufferPointer? {
    let (low, high) = unsafe words(string)
    if isShort(high) { return unsafe UnsafeRawBufferPointer(start: string, count: shortCount(high)) }
    return unsafe isLong(low, high) ? UnsafeRawBufferPointer(start: longStart(high), count: longCount(low)) : nil
  }

  /// The words of a short string of up to 15 characters of ASCII, of which nothing may stand behind the last one.
  @inline(__always)
  static func shortASCII(_ low: UInt64, _ high: UInt64, count: Int) -> (low: UInt64, high: UInt64) {
    (low, high | (0xE0 | UInt64(truncatingIfNeeded: count)) &<< 56)
  }

  private static func agrees(_ string: String) -> Bool {
    var string = string
    string.makeContiguousUTF8()
    return unsafe withUnsafeBytes(of: string) { words in
      // SAFETY: the address is that of a String.
      guard let address = words.baseAddress, let found = unsafe bytes(of: address) else { return false }
      return unsafe string.utf8.withContiguousStorageIfAvailable { utf8 in
        let isInPlace = unsafe found.baseAddress == UnsafeRawPointer(utf8.baseAddress) || isShort(Self.words(address).high)
        return unsafe isInPlace && found.elementsEqual(utf8)
      } ?? false
    }
  }

  private static func agreesShort(_ string: String) -> Bool {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for (i, byte) in string.utf8.enumerated() {
      if i < 8 { low |= UInt64(byte) << UInt64(8 * i) } else { high |= UInt64(byte) << UInt64(8 * i - 64) }
    }
    let made = shortASCII(low, high, count: string.utf8.count)
    return unsafe withUnsafeBytes(of: string) { unsafe words($0.baseAddress.unsafelyUnwrapped) == made }
  }
}
