import ArchiveFormat

/// How much an archive would become.
///
/// A byte may stand for 1,024 values, or for as many texts: what is tried here stays far below, so that a run takes little time.
enum Expansion {
  /// Whether an archive has more values, or more text from numbers, than is tried.
  static func isTooLarge(_ archive: UnsafeRawBufferPointer) -> Bool {
    guard let layout = try? unsafe ArchiveLayout(parsing: archive, verification: .none) else { return false }
    var map = ColumnMap(layout.types)
    if var section = layout.pools, let pools = try? StringPoolSection(parsing: &section) {
      for pool in pools.pools where !map.admits(pool.count) { return true }
    }
    for (root, reader) in zip(layout.roots, layout.rootReaders) {
      var r = reader
      if isTooLarge(&map, root.type, 1, &r) { return true }
    }
    for (block, reader) in zip(layout.blocks, layout.blockReaders) {
      var r = reader
      for type in layout.types.properties(of: block.type) {
        if block.count >= firstEncodedRowCount {
          guard let length = try? r.readCount(), var column = try? r.slice(length) else { break }
          if isTooLarge(&map, type, block.count, &column) { return true }
        } else if isTooLarge(&map, type, block.count, &r) {
          return true
        }
      }
    }
    return false
  }

  private static func isTooLarge(_ map: inout ColumnMap, _ type: TypeID, _ rows: Int, _ r: inout ByteReader) -> Bool {
    do throws(ColumnMap.Stop) {
      try map.walk(type, rows, &r)
      return false
    } catch { return error == .bounds }
  }
}
