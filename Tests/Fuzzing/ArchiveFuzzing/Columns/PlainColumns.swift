import ArchiveFormat

/// Each decoder of columns against the code that passes over the same bytes, and against its own encoder.
enum PlainColumns {
  /// What a decoder made of a column, and where it ended; nil if it threw.
  private typealias Outcome<T> = (values: [T], end: Int)?

  private static func decode<T>(
    _ rows: Int, _ column: ByteReader, _ body: (UnsafeMutablePointer<T>, inout ByteReader) throws(FormatError) -> Void
  ) -> Outcome<T> {
    var r = column
    // One more, so that there is always an address.
    let memory = UnsafeMutablePointer<T>.allocate(capacity: rows + 1)
    defer { unsafe memory.deallocate() }
    do throws(FormatError) { unsafe try body(memory, &r) } catch { return nil }
    return unsafe (Array(UnsafeBufferPointer(start: memory, count: rows)), r.offset)
  }

  private static func check<T>(
    _ rows: Int, _ column: ByteReader, _ decoder: (UnsafeMutablePointer<T>, inout ByteReader) throws(FormatError) -> Void,
    skip: (inout ByteReader) throws(FormatError) -> Void, encode: ([T]) -> [UInt8], same: (T, T) -> Bool
  ) throws(FuzzFailure) {
    let outcome = unsafe decode(rows, column, decoder)
    var r = column
    let isSkipped: Bool
    do throws(FormatError) {
      try skip(&r)
      isSkipped = true
    } catch { isSkipped = false }
    guard let outcome else { return try require(!isSkipped, "skipped up to \(r.offset), and not decoded") }
    try require(isSkipped && r.offset == outcome.end, "decoded up to \(outcome.end), skipped up to \(isSkipped ? r.offset : -1)")
    let encoded = encode(outcome.values)
    let again: Outcome<T> = reading(encoded) { unsafe decode(rows, $0, decoder) }
    guard let again, again.end == encoded.count else { throw FuzzFailure("what was encoded is not decoded up to its end") }
    try require(zip(outcome.values, again.values).allSatisfy(same), "other values come back")
  }

  static func truthValues(_ rows: Int, _ column: ByteReader) throws(FuzzFailure) {
    unsafe try check(
      rows, column, { out, r throws(FormatError) in unsafe try BoolColumn.decode(count: rows, from: &r, into: out) },
      skip: { r throws(FormatError) in try BoolColumn.skip(count: rows, from: &r) }, encode: TruthValues.encode, same: ==)
    guard
      let values = unsafe decode(
        rows, column,
        { out, r throws(FormatError) in
          unsafe try BoolColumn.decode(count: rows, from: &r, into: out)
        })
    else { return }
    var r = column
    try require(values.values.allSatisfy { $0 <= 1 }, "a truth value is neither 0 nor 1")
    try require((try? BoolColumn.countTrue(count: rows, from: &r)) == values.values.count { $0 == 1 }, "true values are counted wrong")
  }

  static func integers(_ rows: Int, _ column: ByteReader) throws(FuzzFailure) {
    unsafe try check(
      rows, column, { out, r throws(FormatError) in unsafe try IntegerColumn.decode(count: rows, from: &r, into: out) },
      skip: { r throws(FormatError) in try IntegerColumn.skip(count: rows, from: &r) }, encode: Integers.encode, same: ==)
  }

  static func narrowIntegers(_ rows: Int, _ column: ByteReader) throws(FuzzFailure) {
    var isNarrow = false
    let narrow: Outcome<Int32> = unsafe decode(rows, column) { out, r throws(FormatError) in
      isNarrow = unsafe try IntegerColumn.decodeNarrow(count: rows, from: &r, into: out)
      // Nothing is written then.
      if !isNarrow { unsafe out.initialize(repeating: 0, count: rows) }
    }
    let wide: Outcome<Int64> = unsafe decode(rows, column) { out, r throws(FormatError) in
      unsafe try IntegerColumn.decode(count: rows, from: &r, into: out)
    }
    guard let narrow, isNarrow else {
      try require(narrow != nil || wide == nil, "the narrow reading throws, the wide one does not")
      return
    }
    try require(narrow.end == wide?.end, "the narrow reading ends at \(narrow.end)")
    try require(narrow.values.map(Int64.init) == wide?.values, "the narrow reading gives other values")
    let encoded = written { w in unsafe narrow.values.withUnsafeBufferPointer { unsafe IntegerColumn.encode($0, into: &w) } }
    try require(encoded == Integers.encode(narrow.values.map(Int64.init)), "narrow values are encoded in another way")
  }

  static func doubles(_ rows: Int, _ column: ByteReader) throws(FuzzFailure) {
    unsafe try check(
      rows, column, { out, r throws(FormatError) in unsafe try DoubleColumn.decode(count: rows, from: &r, into: out) },
      skip: { r throws(FormatError) in try DoubleColumn.skip(count: rows, from: &r) },
      encode: { values in written { w in unsafe values.withUnsafeBufferPointer { unsafe DoubleColumn.encode($0, into: &w) } } },
      same: { $0.bitPattern == $1.bitPattern })
  }

  static func floats(_ rows: Int, _ column: ByteReader) throws(FuzzFailure) {
    unsafe try check(
      rows, column, { out, r throws(FormatError) in unsafe try FloatColumn.decode(count: rows, from: &r, into: out) },
      skip: { r throws(FormatError) in try FloatColumn.skip(count: rows, from: &r) },
      encode: { values in written { w in unsafe values.withUnsafeBufferPointer { unsafe FloatColumn.encode($0, into: &w) } } },
      same: { $0.bitPattern == $1.bitPattern })
  }

  /// The first byte is the width.
  static func fixed(_ rows: Int, _ column: ByteReader) throws(FuzzFailure) {
    var column = column
    guard let byte = try? column.readByte() else { return }
    let width = Int(byte % 33)
    // Rows of bytes, one after another.
    var values: [UInt8] = []
    var r = column
    var isDecoded = true
    let memory = UnsafeMutableRawPointer.allocate(byteCount: rows * width + 1, alignment: 1)
    defer { unsafe memory.deallocate() }
    do throws(FormatError) {
      unsafe try FixedColumn.decode(count: rows, width: width, from: &r, into: memory)
      values = unsafe Array(UnsafeRawBufferPointer(start: memory, count: rows * width))
    } catch { isDecoded = false }
    var other = column
    let isSkipped = (try? FixedColumn.skip(count: rows, width: width, from: &other)) != nil
    try require(isDecoded == isSkipped && (!isDecoded || r.offset == other.offset), "decoding and skipping fixed width differ")
    guard isDecoded, rows > 0 else { return }
    let encoded = written { w in unsafe values.withUnsafeBytes { unsafe FixedColumn.encode($0, width: width, into: &w) } }
    try reading(encoded) { bytes throws(FuzzFailure) in
      var r = bytes
      do throws(FormatError) { unsafe try FixedColumn.decode(count: rows, width: width, from: &r, into: memory) } catch {
        throw FuzzFailure("what was encoded is not decoded: \(error)")
      }
      try require(r.remaining == 0, "\(r.remaining) bytes are left")
      try require(unsafe values == Array(UnsafeRawBufferPointer(start: memory, count: rows * width)), "other bytes come back")
    }
  }

  static func byteStrings(_ rows: Int, _ column: ByteReader) throws(FuzzFailure) {
    var r = column
    var skipped = column
    let isSkipped = (try? BytesColumn.skipPlain(count: rows, from: &skipped)) != nil
    guard let lengths = ByteStrings.lengths(rows, &r) else { return try require(!isSkipped, "skipped, and not decoded") }
    let total = Int(lengths.reduce(0, +))
    try require(lengths.allSatisfy { $0 >= 0 }, "a length is negative")
    try require(isSkipped && skipped.offset == r.offset + total, "decoded up to \(r.offset + total), skipped up to \(skipped.offset)")
    let contents = unsafe [UInt8](r.rest.prefix(total))
    let encoded = ByteStrings.encode(lengths, contents)
    try reading(encoded) { bytes throws(FuzzFailure) in
      var again = bytes
      try require(ByteStrings.lengths(rows, &again) == lengths, "other lengths come back")
      try require(unsafe [UInt8](again.rest) == contents, "other contents come back")
    }
    let isUTF8 = unsafe contents.withUnsafeBytes { unsafe UTF8Check.check($0) } != .invalid
    guard isUTF8, rows > 0 else { return }
    let begin = unsafe lengths.withUnsafeBufferPointer { lengths in
      unsafe contents.withUnsafeBytes { contents in
        guard let base = lengths.baseAddress else { return true }
        return unsafe UTF8Check.begin(base, count: rows, in: contents)
      }
    }
    var place = 0
    var isValid = true
    for length in lengths {
      isValid = isValid && String(validating: contents[place..<(place + Int(length))], as: UTF8.self) != nil
      place += Int(length)
    }
    try require(begin == isValid, "strings that are UTF-8 together are \(begin ? "" : "not ")said to be so one by one")
  }

  static func numbered(_ rows: Int, _ column: ByteReader) throws(FuzzFailure) {
    var r = column
    guard let numbered = try? NumberedStrings(from: &r) else { return }
    let lengths = UnsafeMutablePointer<Int64>.allocate(capacity: rows + 1)
    let text = UnsafeMutableRawPointer.allocate(byteCount: numbered.maximumByteCount(rows), alignment: 1)
    defer {
      unsafe lengths.deallocate()
      unsafe text.deallocate()
    }
    let contents: UnsafeRawBufferPointer
    do throws(FormatError) {
      unsafe contents = try numbered.decode(count: rows, from: &r, lengths: lengths, text: text)
    } catch { return }
    var total = 0
    for row in 0..<rows {
      try require(unsafe lengths[row] >= 0, "a length is negative")
      unsafe total += Int(lengths[row])
    }
    try require(contents.count == total, "the lengths do not add up")
    // The library reads them as a column of strings only from eight rows on.
    guard rows >= firstEncodedRowCount else { return }
    var bytes: [UInt8] = [BytesColumn.numberedEncoding]
    unsafe bytes += column.rest
    try reading(bytes) { bytes throws(FuzzFailure) in
      var skipped = bytes
      do throws(FormatError) { try BytesColumn.skip(count: rows, from: &skipped) } catch { throw FuzzFailure("decoded, and not skipped") }
      try require(skipped.remaining == r.remaining, "decoding leaves \(r.remaining) bytes, skipping \(skipped.remaining)")
    }
  }

  static func records(_ rows: Int, _ column: ByteReader) throws(FuzzFailure) {
    var r = column
    var skipped = column
    let isSkipped = (try? RecordColumn.skip(count: rows, from: &skipped)) != nil
    let shapes = UnsafeMutablePointer<Int64>.allocate(capacity: 2 * rows + 1)
    defer { unsafe shapes.deallocate() }
    do throws(FormatError) {
      let bodies = unsafe try RecordColumn.decode(count: rows, from: &r, shapes: shapes, lengths: shapes + rows)
      var total = 0
      for row in rows..<(2 * rows) { unsafe total += Int(shapes[row]) }
      try check(bodies.remaining == total, r)
    } catch { return try require(!isSkipped, "records are skipped, and not decoded") }
    try require(isSkipped && r.offset == skipped.offset, "decoded up to \(r.offset), skipped up to \(skipped.offset)")
  }

  private static func check(_ condition: Bool, _ r: ByteReader) throws(FormatError) {
    if !condition { throw r.fail(.malformed, "the bodies of records do not add up") }
  }
}
