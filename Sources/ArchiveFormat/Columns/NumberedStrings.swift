/// Strings that are the same text, a number in decimal digits, and the same text again: "node-17", "IMG_0042.jpg".
///
/// Such a chunk holds the two texts once and the numbers as a column of integers.
@safe package struct NumberedStrings {
  /// What stands in front of the numbers, and behind them; each at most `maximumTextLength` bytes.
  let prefix: UnsafeRawBufferPointer
  let suffix: UnsafeRawBufferPointer
  /// How many digits each number has, leading zeros among them; 0: as many as it needs.
  let digits: Int

  /// With this bound, and 1,024 rows, what a chunk expands to is bounded too.
  static let maximumTextLength = 255
  /// The most digits that every number of 64 bits has room for.
  static let maximumDigits = 18

  // MARK: Finding out

  /// Whether two of the strings look like it at a glance: equal, or with a digit where they end or begin to differ.
  package static func mayFit(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    let shorter = min(one.count, other.count)
    var front = 0
    // SAFETY: the index is below both counts.
    while unsafe front < shorter && one[front] == other[front] { front += 1 }
    if front == shorter {
      if one.count == other.count { return true }
      return unsafe isDigit(one.count > shorter ? one[front] : other[front])
    }
    return unsafe isDigit(one[front]) || isDigit(other[front])
  }

  /// What two different strings have in common around a number, if they have nothing else.
  package init?(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) {
    let shorter = min(one.count, other.count)
    var front = 0
    // SAFETY: all indices are below the smaller of the two counts, counted from the front or from the end.
    while unsafe front < shorter && one[front] == other[front] { front += 1 }
    var back = 0
    while unsafe back < shorter - front && one[one.count - 1 - back] == other[other.count - 1 - back] { back += 1 }
    // Digits that happen to be equal belong to the numbers.
    while unsafe front > 0 && Self.isDigit(one[front - 1]) { front -= 1 }
    while unsafe back > 0 && Self.isDigit(one[one.count - back]) { back -= 1 }
    guard front <= Self.maximumTextLength, back <= Self.maximumTextLength else { return nil }
    let lengths = (one.count - front - back, other.count - front - back)
    guard 1...Self.maximumDigits ~= lengths.0, 1...Self.maximumDigits ~= lengths.1 else { return nil }
    let numbers = unsafe (Self.number(one.baseAddress, front, lengths.0), Self.number(other.baseAddress, front, lengths.1))
    guard numbers.0 != nil, numbers.1 != nil else { return nil }
    unsafe prefix = UnsafeRawBufferPointer(rebasing: one[..<front])
    unsafe suffix = UnsafeRawBufferPointer(rebasing: one[(one.count - back)...])
    digits = 0
  }

  private init(_ prefix: UnsafeRawBufferPointer, _ suffix: UnsafeRawBufferPointer, _ digits: Int) {
    unsafe self.prefix = unsafe prefix
    unsafe self.suffix = unsafe suffix
    self.digits = digits
  }

  @inline(__always) private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// The number that `length` digits, at most 18 of them, stand for; nil if one of them is no digit.
  @inline(__always) private static func number(_ start: UnsafeRawPointer?, _ offset: Int, _ length: Int) -> Int64? {
    guard let start = unsafe start else { return nil }
    var value: Int64 = 0
    var wrong: UInt8 = 0
    // SAFETY: the caller has compared the end of the digits with the string.
    for i in offset..<(offset &+ length) {
      let digit = unsafe RawAccess.load8(start, i) &- 0x30
      wrong |= digit > 9 ? 1 : 0
      value = value &* 10 &+ Int64(digit)
    }
    return wrong == 0 ? value : nil
  }

  // MARK: Writing

  /// Writes a chunk of 8 or more strings with its encoding byte, unless one of them has another form: then nothing is written.
  ///
  /// - Parameter numbers: room for as many numbers.
  package func encode(
    starts: UnsafePointer<UnsafeRawPointer>, lengths: UnsafePointer<Int64>, count: Int, numbers: UnsafeMutablePointer<Int64>,
    into w: inout ByteWriter
  ) -> Bool {
    let around = unsafe Int64(prefix.count &+ suffix.count)
    let first = unsafe lengths[0] &- around
    var isFixed = true
    // Zeros in front of a number are only kept where all have the same number of digits.
    var isCanonical = true
    // SAFETY: each string has as many bytes as its length says; they are compared with what is looked at first.
    for i in 0..<count {
      let length = unsafe lengths[i] &- around
      guard length >= 1, length <= Int64(Self.maximumDigits) else { return false }
      let start = unsafe starts[i]
      guard unsafe Self.equal(start, prefix), let number = unsafe Self.number(start, prefix.count, Int(length)),
        unsafe Self.equal(start + prefix.count + Int(length), suffix)
      else { return false }
      unsafe numbers[i] = number
      isFixed = isFixed && length == first
      isCanonical = unsafe isCanonical && (length == 1 || RawAccess.load8(start, prefix.count) != 0x30)
      guard isFixed || isCanonical else { return false }
    }
    w.append(BytesColumn.numberedEncoding)
    unsafe w.append(UInt8(truncatingIfNeeded: prefix.count))
    unsafe w.append(contentsOf: prefix)
    unsafe w.append(UInt8(truncatingIfNeeded: suffix.count))
    unsafe w.append(contentsOf: suffix)
    w.append(isFixed ? UInt8(truncatingIfNeeded: first) : 0)
    unsafe IntegerColumn.encode(UnsafeBufferPointer(start: numbers, count: count), into: &w)
    return true
  }

  @inline(__always) private static func equal(_ bytes: UnsafeRawPointer, _ text: UnsafeRawBufferPointer) -> Bool {
    var different: UInt8 = 0
    // SAFETY: the caller knows that there are as many bytes.
    for i in 0..<text.count { unsafe different |= RawAccess.load8(bytes, i) ^ text[i] }
    return different == 0
  }

  // MARK: Reading

  /// Whether all characters of the strings are ASCII, whatever the numbers are.
  package var hasOnlyASCII: Bool { unsafe isASCII(prefix) && isASCII(suffix) }

  /// Reads what stands behind the encoding byte up to the numbers.
  package init(from r: inout ByteReader) throws(FormatError) {
    let prefix = unsafe try r.readBytes(Int(try r.readByte()))
    let suffix = unsafe try r.readBytes(Int(try r.readByte()))
    let start = r
    let digits = Int(try r.readByte())
    guard digits <= Self.maximumDigits else { throw start.fail(.malformed, "\(digits) is no number of digits") }
    unsafe self.init(prefix, suffix, digits)
  }

  /// Enough room for the text of `count` strings and what is stored behind it on the way.
  package func maximumByteCount(_ count: Int) -> Int {
    unsafe count &* (prefix.count &+ suffix.count &+ Self.maximumDigits) &+ Self.slack
  }

  private static let slack = 32

  /// The most bytes of one string.
  package var maximumStringLength: Int { unsafe prefix.count &+ suffix.count &+ Self.maximumDigits }

  /// Reads the numbers and makes the texts of all strings, one after another.
  ///
  /// - Parameters:
  ///   - lengths: gets the lengths, which add up to the bytes returned.
  ///   - text: room for `maximumByteCount` bytes.
  /// - Throws: `truncated`, or `malformed`, also for a number that is negative or has too many digits.
  package func decode(
    count: Int, from r: inout ByteReader, lengths: UnsafeMutablePointer<Int64>, text: UnsafeMutableRawPointer
  ) throws(FormatError) -> UnsafeRawBufferPointer {
    let start = r
    unsafe try IntegerColumn.decode(count: count, from: &r, into: lengths)
    let limit = Int64(DecimalDigits.power(digits == 0 ? Self.maximumDigits : digits))
    var wrong: Int64 = 0
    // SAFETY: indices stay below `count`; each string has at most the bytes that the room was reckoned with.
    for i in 0..<count { unsafe wrong |= lengths[i] | (limit &- 1 &- lengths[i]) }
    guard wrong >= 0 else { throw start.fail(.malformed, "a number in a string is negative or has too many digits") }
    var place = unsafe text
    let around = unsafe prefix.count &+ suffix.count
    for i in 0..<count {
      let number = unsafe UInt64(bitPattern: lengths[i])
      unsafe Self.copy(prefix, to: place)
      unsafe place += prefix.count
      let length = unsafe digits == 0 ? DecimalDigits.store(number, at: place) : DecimalDigits.store(number, digits: digits, at: place)
      unsafe place += length
      unsafe Self.copy(suffix, to: place)
      unsafe place += suffix.count
      unsafe lengths[i] = Int64(around &+ length)
    }
    return unsafe UnsafeRawBufferPointer(start: text, count: place - UnsafeMutableRawPointer(text))
  }

  /// Passes over the numbers; whether they have too many digits is not checked.
  static func skip(count: Int, from r: inout ByteReader) throws(FormatError) {
    _ = try NumberedStrings(from: &r)
    try IntegerColumn.skip(count: count, from: &r)
  }

  @inline(__always) private static func copy(_ text: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer) {
    guard text.count > 0, let start = text.baseAddress else { return }
    // SAFETY: the caller has room for the text.
    unsafe place.copyMemory(from: start, byteCount: text.count)
  }
}
