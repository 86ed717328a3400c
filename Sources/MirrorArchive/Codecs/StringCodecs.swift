import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `String` and what is stored as one.
///
/// A column is either plain (lengths and UTF-8) or a list of places in the property's string pool, when values repeat.
final class StringCodec: ScalarCodec, @unchecked Sendable {
  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    // SAFETY: every row holds a String.
    unsafe try Self.encode(count: rows.count, &e) { i in unsafe rows[i].assumingMemoryBound(to: String.self) }
  }

  override func reader() -> ColumnReader { StringReader(self) }

  override var hasBlank: Bool { true }
  // SAFETY: the caller hands over uninitialised memory of this type.
  override func initializeBlank(_ p: UnsafeMutableRawPointer) { unsafe p.initializeMemory(as: String.self, to: "") }

  /// Encodes `count` strings that lie wherever `string` says.
  @inline(__always)
  static func encode(count: Int, _ e: inout EncodingState, _ string: (Int) -> UnsafeMutablePointer<String>) throws {
    if count == 0 { return }
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let lengths = unsafe e.scratch.allocate(Int64.self, count)
    if count >= 16, e.pools.isOn {
      // Repeated values first: no content is touched unless a string is new to the pool.
      let worthwhile = unsafe e.pools.current().pointee.place(count: count, at: lengths, string)
      if worthwhile {
        e.writer.append(BytesColumn.pooledEncoding)
        return unsafe IntegerColumn.encode(UnsafeBufferPointer(start: lengths, count: count), into: &e.writer)
      }
    }
    // Counting code units takes no look at the contents of a native string, so they are copied once, straight to their place.
    var total = 0
    for i in 0..<count {
      let length = unsafe string(i).pointee.utf8.count
      unsafe lengths[i] = Int64(length)
      total &+= length
    }
    unsafe BytesColumn.encodeLengths(UnsafeBufferPointer(start: lengths, count: count), into: &e.writer)
    e.writer.reserve(total)
    for i in 0..<count { unsafe appendUTF8(string(i).pointee, to: &e.writer) }
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

private final class StringReader: ColumnReader, @unchecked Sendable {
  private static let empty = unsafe withUnsafeBytes(of: "") { unsafe $0.load(as: (UInt64, UInt64).self) }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    // SAFETY: every row is uninitialised room for a String; a failure takes back those already made.
    try d.strings(
      count: rows.count,
      store: { i, string in unsafe rows[i].initializeMemory(as: String.self, to: string) },
      undo: { i in unsafe rows[i].assumingMemoryBound(to: String.self).deinitialize(count: 1) })
  }

  override func assignColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    // SAFETY: every row holds a String, before and after. The empty string owns nothing, so bits like its need no release.
    let empty = Self.empty
    try d.strings(
      count: rows.count,
      store: { i, string in
        let p = unsafe rows[i]
        if unsafe p.load(as: (UInt64, UInt64).self) == empty {
          unsafe p.initializeMemory(as: String.self, to: string)
        } else {
          unsafe p.assumingMemoryBound(to: String.self).pointee = string
        }
      },
      undo: { _ in })
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
    unsafe rows.visit { i, p in
      let n = Int(truncatingIfNeeded: unsafe lengths[i])
      unsafe p.initializeMemory(as: Data.self, to: Data(UnsafeRawBufferPointer(rebasing: bytes.prefix(n))))
      unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(n))
    }
  }
}
