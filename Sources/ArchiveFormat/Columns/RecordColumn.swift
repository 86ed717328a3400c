/// A chunk of records: the keyed values that hand-written coding stores, whose keys and types may differ from row to row.
///
/// A column of integers, the shapes: each the number of a tuple in the type table, which says keys and types in order. Then the bodies as
/// byte strings that are not pooled. A body has, for each member of the row's shape, a column of one row, and nothing else.
///
/// Whether a shape exists is for the caller to check, with `TypeTable.shape(of:)`.
package enum RecordColumn {
  /// Writes records of the given `shapes`, whose bodies of the given `lengths` follow one another in `bytes`.
  package static func encode(
    shapes: UnsafeBufferPointer<Int64>, lengths: UnsafeBufferPointer<Int64>, bytes: UnsafeRawBufferPointer, into w: inout ByteWriter
  ) {
    unsafe IntegerColumn.encode(shapes, into: &w)
    unsafe BytesColumn.encode(lengths: lengths, bytes: bytes, into: &w)
  }

  /// Reads the shapes of `count` records and the lengths of their bodies into uninitialized memory.
  ///
  /// - Returns: a reader of all bodies, one after another. The lengths are not negative and add up to what it holds.
  /// - Throws: `truncated` or `malformed`. The memory may then be partly filled.
  package static func decode(
    count: Int, from r: inout ByteReader, shapes: UnsafeMutablePointer<Int64>, lengths: UnsafeMutablePointer<Int64>
  ) throws(FormatError) -> ByteReader {
    unsafe try IntegerColumn.decode(count: count, from: &r, into: shapes)
    let bodies = unsafe try BytesColumn.decode(count: count, from: &r, lengths: lengths)
    return unsafe ByteReader(bodies, at: r.offset &- bodies.count)
  }

  /// Passes over `count` records by the lengths of their bodies, into which it does not look.
  package static func skip(count: Int, from r: inout ByteReader) throws(FormatError) {
    try IntegerColumn.skip(count: count, from: &r)
    try BytesColumn.skipPlain(count: count, from: &r)
  }
}
