import ArchiveFormat
import ArchiveReflection

/// What the dictionaries, or the sets, of many rows hold, flattened into chunks of 1,024 and read where it lies.
enum HashTableEntries {
  /// Gives the keys, or elements, and the values of all rows in their order of iteration, up to 1,024 at a time.
  ///
  /// - Parameters:
  ///   - values: Nil for sets; their rows of values are those of the elements.
  ///   - counts: The count of each row is written here before the first chunk.
  ///   - begin: Called when the counts are there.
  ///   - component: How the entry with this key is called in a path; nil for its place in its row.
  static func forEachChunk(
    _ rows: Rows, key: ValueCodec, value: ValueCodec?, isDiscovering: Bool, _ e: inout EncodingState,
    begin: (UnsafePointer<Int64>, inout EncodingState) throws -> Void, component: (UnsafeMutableRawPointer) -> String?,
    _ body: (Rows, Rows, inout EncodingState) throws -> Void
  ) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: every row holds such a collection, which is not changed meanwhile; there is room for one chunk of addresses, and none is more
    // than was counted.
    let counts = unsafe e.scratch.allocate(Int64.self, rows.count)
    var total = 0
    var isExclusive = isDiscovering && rows.isExclusive && OwnerCount.isKnown
    unsafe rows.visit { i, p in
      let table = unsafe HashTableLayout(of: p, hasValues: value != nil)
      unsafe counts[i] = Int64(table.count)
      total &+= table.count
      // Two dictionaries may share one table; then what is in it is met twice.
      if isExclusive && table.count > 0 { isExclusive = unsafe OwnerCount.isOne(table.storage) }
    }
    unsafe try begin(counts, &e)
    if total == 0 { return }
    let room = min(total, maximumChunkRows)
    let keys = unsafe e.scratch.allocate(UnsafeMutableRawPointer.self, room)
    let values = unsafe value == nil ? keys : e.scratch.allocate(UnsafeMutableRawPointer.self, room)
    let (keyStride, valueStride) = (key.witnesses.stride, value?.witnesses.stride ?? 0)
    var filled = 0
    var start = 0
    func flush(_ e: inout EncodingState) throws {
      do {
        unsafe try body(
          Rows(pointers: keys, count: filled).exclusive(isExclusive), Rows(pointers: values, count: filled).exclusive(isExclusive), &e)
      } catch let error as LocatedError {
        var row = 0
        var entry = start + error.row
        while row < rows.count - 1, entry >= Int(unsafe counts[row]) {
          entry -= Int(unsafe counts[row])
          row += 1
        }
        throw error.moved(to: row, below: "[\(unsafe component(keys[error.row]) ?? String(entry))]")
      }
      start += filled
      filled = 0
    }
    unsafe try rows.visit { _, p in
      var table = unsafe HashTableLayout(of: p, hasValues: value != nil)
      while let entry = unsafe table.next(keyStride: keyStride, valueStride: valueStride) {
        unsafe keys[filled] = entry.key
        if value != nil { unsafe values[filled] = entry.value }
        filled &+= 1
        if filled == room { try flush(&e) }
      }
    }
    if filled > 0 { try flush(&e) }
  }
}
