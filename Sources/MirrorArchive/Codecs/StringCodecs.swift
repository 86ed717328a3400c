import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `String` and what is stored as one.
///
/// A column is plain (lengths and UTF-8), a list of places in the property's string pool, when values repeat, or a list of numbers, when
/// the strings differ in nothing else.
final class StringCodec: ScalarCodec, @unchecked Sendable {
  override var isPlain: Bool { true }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let count = rows.count
    if count == 0 { return }
    // SAFETY: every row holds a String.
    if count == 1, StringLayout.isKnown, let bytes = unsafe StringLayout.bytes(of: rows[0]) {
      return unsafe BytesColumn.encodeOne(bytes, into: &e.writer)
    }
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: every row holds a String; there is room for a number for each.
    let lengths = unsafe e.scratch.allocate(Int64.self, count)
    if count >= firstEncodedRowCount, let numbered = NumberedRows(rows, &e) {
      // Short strings are made from their numbers as fast as others are looked up in a pool, and take less room.
      if numbered.isShort, unsafe numbered.encode(lengths, &e) { return }
      if encodePooled(rows, &e) { return }
      if !numbered.isShort, unsafe numbered.encode(lengths, &e) { return }
    } else if encodePooled(rows, &e) {
      return
    }
    unsafe Self.encodePlain(rows, lengths, &e.text, into: &e.writer)
  }

  /// Lengths and contents. There is room for as many lengths as rows, and `text` is used if need be.
  static func encodePlain(_ rows: Rows, _ lengths: UnsafeMutablePointer<Int64>, _ text: inout ByteWriter, into w: inout ByteWriter) {
    if StringLayout.isKnown, unsafe encodeDirectly(rows, lengths, into: &w) { return }
    let bytes = unsafe copyText(rows, lengths, &text)
    unsafe BytesColumn.encode(lengths: UnsafeBufferPointer(start: lengths, count: rows.count), bytes: bytes, into: &w)
  }

  /// Repeated values: no content is touched unless a string is new to the pool. False if too few repeat; then nothing is written.
  private func encodePooled(_ rows: Rows, _ e: inout EncodingState) -> Bool {
    guard rows.count >= 16, e.pools.isOn else { return false }
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: there is room for a place for each row.
    let places = unsafe e.scratch.allocate(Int32.self, rows.count)
    guard unsafe e.pools.current().pointee.place(rows, at: places) else { return false }
    e.reckonKeys(rows)
    e.writer.append(BytesColumn.pooledEncoding)
    unsafe IntegerColumn.encode(UnsafeBufferPointer(start: places, count: rows.count), into: &e.writer)
    return true
  }

  /// Copies the bytes from where the strings keep them to the archive. False if one keeps them elsewhere; then nothing is written.
  private static func encodeDirectly(_ rows: Rows, _ lengths: UnsafeMutablePointer<Int64>, into w: inout ByteWriter) -> Bool {
    var total = 0
    var isDirect = true
    // SAFETY: every row holds a String of the known layout. Its length takes no look at its bytes.
    unsafe rows.visit { i, p in
      let (low, high) = unsafe StringLayout.words(p)
      let isShort = StringLayout.isShort(high)
      let length = isShort ? StringLayout.shortCount(high) : StringLayout.longCount(low)
      isDirect = isDirect && (isShort || StringLayout.isLong(low, high))
      unsafe lengths[i] = Int64(length)
      total &+= length
    }
    guard isDirect else { return false }
    unsafe BytesColumn.encodeLengths(UnsafeBufferPointer(start: lengths, count: rows.count), into: &w)
    // SAFETY: a short string is stored with both of its words, of which the next one covers what is no text; 16 bytes more are reserved for
    // the last one.
    var place = unsafe UnsafeMutableRawPointer(w.appendUninitialized(total &+ 16))
    unsafe rows.visit { i, p in
      let (low, high) = unsafe StringLayout.words(p)
      if StringLayout.isShort(high) {
        unsafe place.storeBytes(of: low, as: UInt64.self)
        unsafe place.storeBytes(of: high, toByteOffset: 8, as: UInt64.self)
      } else {
        unsafe place.copyMemory(from: StringLayout.longStart(high), byteCount: Int(truncatingIfNeeded: lengths[i]))
      }
      unsafe place += Int(truncatingIfNeeded: unsafe lengths[i])
    }
    w.truncate(to: w.count &- 16)
    return true
  }

  override func reader() -> ColumnReader { StringReader(self) }

  override var hasBlank: Bool { true }
  // SAFETY: the caller hands over uninitialised memory of this type.
  override func initializeBlank(_ p: UnsafeMutableRawPointer) { unsafe p.initializeMemory(as: String.self, to: "") }

  /// The bytes of all rows one after another, in `text`, and their lengths.
  fileprivate static func copyText(
    _ rows: Rows, _ lengths: UnsafeMutablePointer<Int64>, _ text: inout ByteWriter
  ) -> UnsafeRawBufferPointer {
    text.removeAll()
    // SAFETY: every row holds a String; there is room for as many lengths.
    unsafe rows.visit { i, p in
      let before = text.count
      unsafe appendUTF8(p.assumingMemoryBound(to: String.self).pointee, to: &text)
      unsafe lengths[i] = Int64(text.count &- before)
    }
    return unsafe text.bytes
  }

  @inline(__always)
  static func appendUTF8(_ string: borrowing String, to writer: inout ByteWriter) {
    let done: Void? = unsafe string.utf8.withContiguousStorageIfAvailable { utf8 in
      unsafe writer.append(contentsOf: UnsafeRawBufferPointer(utf8))
    }
    if done == nil {
      // Only strings bridged from Objective-C come here.
      var copy = copy string
      copy.withUTF8 { utf8 in unsafe writer.append(contentsOf: UnsafeRawBufferPointer(utf8)) }
    }
  }
}

/// Rows that seem to be one text with different numbers, by the first and the last of them.
@safe
private struct NumberedRows {
  private let shape: NumberedStrings
  private let starts: UnsafeMutablePointer<UnsafeRawPointer>
  private let lengths: UnsafeMutablePointer<Int64>
  private let count: Int
  /// Whether all strings have at most 15 bytes, so that making one takes no memory.
  let isShort: Bool

  /// Nil for most other rows; what it finds is valid as long as the scratch and the text of the encoding.
  @inline(__always)
  init?(_ rows: Rows, _ e: inout EncodingState) {
    // SAFETY: every row holds a String, which stays as it is while the column is written.
    if StringLayout.isKnown, let first = unsafe StringLayout.bytes(of: rows[0]),
      let last = unsafe StringLayout.bytes(of: rows[rows.count &- 1]), unsafe !NumberedStrings.mayFit(first, last)
    {
      return nil
    }
    self.init(looking: rows, &e)
  }

  @inline(never)
  private init?(looking rows: Rows, _ e: inout EncodingState) {
    count = rows.count
    unsafe starts = e.scratch.allocate(UnsafeRawPointer.self, count)
    unsafe lengths = e.scratch.allocate(Int64.self, count)
    var isDirect = StringLayout.isKnown
    var longest: Int64 = 0
    // SAFETY: every row holds a String; there is room for an address and a length for each.
    if isDirect {
      for i in 0..<count {
        guard let bytes = unsafe StringLayout.bytes(of: rows[i]), let start = bytes.baseAddress else {
          isDirect = false
          break
        }
        unsafe starts[i] = start
        unsafe lengths[i] = Int64(bytes.count)
        longest = max(longest, Int64(bytes.count))
      }
    }
    if !isDirect {
      let text = unsafe StringCodec.copyText(rows, lengths, &e.text)
      guard var start = text.baseAddress else { return nil }
      for i in 0..<count {
        unsafe starts[i] = start
        unsafe start += Int(lengths[i])
        unsafe longest = max(longest, lengths[i])
      }
    }
    isShort = longest <= 15
    let first = unsafe UnsafeRawBufferPointer(start: starts[0], count: Int(lengths[0]))
    var other = unsafe UnsafeRawBufferPointer(start: starts[count - 1], count: Int(lengths[count - 1]))
    if unsafe first.elementsEqual(other) {
      unsafe other = UnsafeRawBufferPointer(start: starts[count / 2], count: Int(lengths[count / 2]))
    }
    guard let shape = unsafe NumberedStrings(first, other) else { return nil }
    self.shape = shape
  }

  /// Writes the column; false, with nothing written, if a row does not fit after all.
  func encode(_ numbers: UnsafeMutablePointer<Int64>, _ e: inout EncodingState) -> Bool {
    guard unsafe shape.encode(starts: starts, lengths: lengths, count: count, numbers: numbers, into: &e.writer) else { return false }
    e.decodedByteCount &+= count &* shape.maximumStringLength
    return true
  }
}

private final class StringReader: ColumnReader, @unchecked Sendable {
  private static let empty = unsafe withUnsafeBytes(of: "") { unsafe $0.load(as: (UInt64, UInt64).self) }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    // SAFETY: every row is uninitialised room for a String.
    if rows.count == 1 {
      let string = try d.string()
      unsafe rows[0].initializeMemory(as: String.self, to: string)
      return
    }
    try d.strings(count: rows.count) { i, string in unsafe rows[i].initializeMemory(as: String.self, to: string) }
  }

  override func assignColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    // SAFETY: every row holds a String, before and after. The empty string owns nothing, so bits like its need no release.
    let empty = Self.empty
    if rows.count == 1 { return unsafe Self.assign(try d.string(), to: rows[0], empty) }
    try d.strings(count: rows.count) { i, string in unsafe Self.assign(string, to: rows[i], empty) }
  }

  @inline(__always) @unsafe
  private static func assign(_ string: String, to p: UnsafeMutableRawPointer, _ empty: (UInt64, UInt64)) {
    if unsafe p.load(as: (UInt64, UInt64).self) == empty {
      unsafe p.initializeMemory(as: String.self, to: string)
    } else {
      unsafe p.assumingMemoryBound(to: String.self).pointee = string
    }
  }
}

/// Byte strings: `Data`.
final class DataCodec: ScalarCodec, @unchecked Sendable {
  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: every row holds a Data.
    let lengths = unsafe e.scratch.allocate(Int64.self, rows.count)
    e.text.removeAll()
    unsafe rows.visit { i, p in
      unsafe p.assumingMemoryBound(to: Data.self).pointee.withUnsafeBytes { bytes in
        unsafe lengths[i] = Int64(bytes.count)
        unsafe e.text.append(contentsOf: bytes)
      }
    }
    unsafe BytesColumn.encode(lengths: UnsafeBufferPointer(start: lengths, count: rows.count), bytes: e.text.bytes, into: &e.writer)
  }

  override func reader() -> ColumnReader { DataReader(self) }

  override var hasBlank: Bool { true }
  // SAFETY: the caller hands over uninitialised memory of this type.
  override func initializeBlank(_ p: UnsafeMutableRawPointer) { unsafe p.initializeMemory(as: Data.self, to: Data()) }
}

private final class DataReader: ColumnReader, @unchecked Sendable {
  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: the column's decoder has checked that the lengths add up to the bytes it hands out.
    let lengths = unsafe d.scratch.allocate(Int64.self, rows.count)
    var bytes = unsafe try BytesColumn.decode(count: rows.count, from: &d.reader, lengths: lengths)
    if d.maximumStringLength < bytes.count { unsafe try d.checkLengths(lengths, rows.count) }
    unsafe rows.visit { i, p in
      let n = Int(truncatingIfNeeded: unsafe lengths[i])
      unsafe p.initializeMemory(as: Data.self, to: Data(UnsafeRawBufferPointer(rebasing: bytes.prefix(n))))
      unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(n))
    }
  }
}
