import ArchiveFormat

/// Columns of integers, as arrays.
enum Integers {
  /// Nil if the bytes are no such column.
  static func decode(_ rows: Int, _ r: inout ByteReader) -> [Int64]? {
    try? unsafe [Int64](unsafeUninitializedCapacity: rows) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      // SAFETY: the decoder fills as many rows or throws.
      unsafe try IntegerColumn.decode(count: rows, from: &r, into: base)
      count = rows
    }
  }

  static func encode(_ values: [Int64]) -> [UInt8] {
    written { w in unsafe values.withUnsafeBufferPointer { unsafe IntegerColumn.encode($0, into: &w) } }
  }
}

/// Columns of truth values, as arrays of 0 and 1.
enum TruthValues {
  static func decode(_ rows: Int, _ r: inout ByteReader) -> [UInt8]? {
    try? unsafe [UInt8](unsafeUninitializedCapacity: rows) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      // SAFETY: the decoder fills as many rows or throws.
      unsafe try BoolColumn.decode(count: rows, from: &r, into: base)
      count = rows
    }
  }

  static func encode(_ values: [UInt8]) -> [UInt8] {
    written { w in unsafe values.withUnsafeBufferPointer { unsafe BoolColumn.encode($0, into: &w) } }
  }
}

/// Columns of byte strings that are not pooled.
enum ByteStrings {
  /// The lengths, with the reader then in front of the contents; nil if the bytes are no such column.
  static func lengths(_ rows: Int, _ r: inout ByteReader) -> [Int64]? {
    let start = r
    var contents = 0
    guard
      let lengths = try? unsafe [Int64](
        unsafeUninitializedCapacity: rows,
        initializingWith: { buffer, count in
          guard let base = buffer.baseAddress else { return }
          // SAFETY: the decoder fills as many rows or throws.
          contents = unsafe try BytesColumn.decode(count: rows, from: &r, lengths: base).count
          count = rows
        })
    else { return nil }
    let length = r.offset - contents - start.offset
    r = start
    guard (try? r.skip(length)) != nil else { return nil }
    return lengths
  }

  static func encode(_ lengths: [Int64], _ contents: [UInt8]) -> [UInt8] {
    written { w in
      unsafe lengths.withUnsafeBufferPointer { lengths in
        unsafe contents.withUnsafeBytes { unsafe BytesColumn.encode(lengths: lengths, bytes: $0, into: &w) }
      }
    }
  }
}

func written(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
  var w = ByteWriter()
  body(&w)
  return unsafe [UInt8](w.bytes)
}

/// Reads from memory of exactly the size of `bytes`, so that a sanitizer notices any byte that is read beyond.
func reading<T, Failure: Error>(_ bytes: [UInt8], _ body: (ByteReader) throws(Failure) -> T) throws(Failure) -> T {
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { unsafe copy.deallocate() }
  unsafe copy.copyBytes(from: bytes)
  return try body(unsafe ByteReader(UnsafeRawBufferPointer(copy)))
}
