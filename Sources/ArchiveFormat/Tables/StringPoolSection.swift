/// The strings that pooled columns point into.
///
/// The section is a varint, the number of pools, and for each pool a varint, its identifier, a varint, the number of its
/// entries, and the entries as plain `BytesColumn` chunks of 1,024, the last one shorter.
package struct StringPoolSection {
  /// A pool that has been found and whose lengths have been checked.
  package typealias Pool = (id: UInt64, count: Int, reader: ByteReader)

  package var pools: [Pool]

  /// Finds the pools in `r`, which must hold nothing else.
  ///
  /// - Throws: `truncated`, `trailingBytes`, or `malformed`, also for two pools with one identifier.
  package init(parsing r: inout ByteReader) throws(FormatError) {
    let count = try r.readCount()
    guard count <= r.remaining / 2 else { throw r.fail(.truncated, "\(count) string pools do not fit the bytes that are left") }
    pools = []
    pools.reserveCapacity(min(count, 1024))
    var ids: Set<UInt64> = []
    for _ in 0..<count {
      let start = r
      let id = try r.readVarint()
      guard ids.insert(id).inserted else { throw start.fail(.malformed, "two string pools belong to the same property") }
      let entries = try r.readCount()
      guard entries / maximumChunkRows <= r.remaining else {
        throw start.fail(.truncated, "\(entries) pooled strings do not fit the bytes that are left")
      }
      var before = r
      var left = entries
      while left > 0 {
        let rows = min(left, maximumChunkRows)
        try BytesColumn.skipPlain(count: rows, from: &r)
        left -= rows
      }
      pools.append((id: id, count: entries, reader: try before.slice(before.remaining - r.remaining)))
    }
    guard r.remaining == 0 else { throw r.fail(.trailingBytes, "\(r.remaining) bytes follow the string pools") }
  }

  /// Writes the number of pools. For each, `encode(id:lengths:bytes:into:)` follows, or `encodeHead` and its entries.
  package static func encodeCount(_ count: Int, into w: inout ByteWriter) { w.appendVarint(UInt64(count)) }

  /// Writes what stands in front of the entries of a pool, which follow as plain `BytesColumn` chunks of 1,024.
  package static func encodeHead(id: UInt64, count: Int, into w: inout ByteWriter) {
    w.appendVarint(id)
    w.appendVarint(UInt64(count))
  }

  /// Writes one pool, whose entries' contents follow one another in `bytes`.
  package static func encode(
    id: UInt64, lengths: UnsafeBufferPointer<Int64>, bytes: UnsafeRawBufferPointer, into w: inout ByteWriter
  ) {
    encodeHead(id: id, count: lengths.count, into: &w)
    var row = 0
    var place = 0
    while row < lengths.count {
      let end = min(row + maximumChunkRows, lengths.count)
      let chunk = unsafe UnsafeBufferPointer(rebasing: lengths[row..<end])
      var length = 0
      for i in 0..<chunk.count { unsafe length += Int(chunk[i]) }
      unsafe BytesColumn.encode(lengths: chunk, bytes: UnsafeRawBufferPointer(rebasing: bytes[place..<(place + length)]), into: &w)
      row = end
      place += length
    }
  }

  /// Writes a whole section.
  package static func encode(
    _ pools: [(id: UInt64, lengths: UnsafeBufferPointer<Int64>, bytes: UnsafeRawBufferPointer)], into w: inout ByteWriter
  ) {
    unsafe encodeCount(pools.count, into: &w)
    for i in unsafe pools.indices {
      let pool = unsafe pools[i]
      unsafe encode(id: pool.id, lengths: pool.lengths, bytes: pool.bytes, into: &w)
    }
  }
}
