import ArchiveFormat
import ArchiveReflection

/// The pool of one property: its strings are made when the first column asks for one, once each, and shared by all who use them.
final class StringPoolReader {
  private(set) var strings: [String] = []
  let count: Int
  private var reader: ByteReader
  private(set) var isLoaded = false

  init(count: Int, reader: ByteReader) {
    self.count = count
    self.reader = reader
  }

  /// Makes the strings, unless that has been done.
  ///
  /// - Parameter maximumLength: the most bytes of one.
  func load(maximumLength: Int) throws {
    if isLoaded { return }
    var loaded: [String] = []
    let lengths = UnsafeMutablePointer<Int64>.allocate(capacity: maximumChunkRows)
    defer { unsafe lengths.deallocate() }
    while loaded.count < count {
      let chunk = min(count - loaded.count, maximumChunkRows)
      // SAFETY: the column's decoder has checked that the lengths add up to the bytes it hands out.
      let bytes = unsafe try BytesColumn.decode(count: chunk, from: &reader, lengths: lengths)
      if maximumLength < bytes.count {
        for i in 0..<chunk where unsafe lengths[i] > maximumLength {
          throw LocatedError(
            .limitExceeded, row: 0, offset: reader.offset,
            "\(unsafe lengths[i]) bytes of a string are more than maximumStringLength, \(maximumLength)")
        }
      }
      let verdict = unsafe UTF8Check.check(bytes)
      guard unsafe verdict == .ascii || (verdict == .valid && UTF8Check.begin(lengths, count: chunk, in: bytes)) else {
        throw LocatedError(.invalidValue, row: 0, offset: reader.offset, "a pooled string is not valid UTF-8")
      }
      unsafe StringMaker.make(lengths, count: chunk, of: bytes, isASCII: verdict == .ascii) { _, string in loaded.append(string) }
    }
    strings = loaded
    isLoaded = true
  }

  /// The string with these bytes, or nil if they are not valid UTF-8.
  @inline(__always)
  static func string(_ bytes: UnsafeRawBufferPointer) -> String? {
    unsafe SmallString.make(bytes) ?? StringStorage.make(bytes) ?? String._tryFromUTF8(bytes.assumingMemoryBound(to: UInt8.self))
  }
}
