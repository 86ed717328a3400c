import ArchiveFormat

/// What stands around the columns.
enum Tables {
  static func pools(_ bytes: ByteReader) throws(FuzzFailure) {
    var r = bytes
    guard let section = try? StringPoolSection(parsing: &r) else { return }
    try require(Set(section.pools.map(\.id)).count == section.pools.count, "two pools have one number")
    for pool in section.pools {
      var r = pool.reader
      var left = pool.count
      while left > 0 {
        let rows = min(left, maximumChunkRows)
        guard let lengths = ByteStrings.lengths(rows, &r), (try? r.skip(Int(lengths.reduce(0, +)))) != nil else {
          throw FuzzFailure("the entries of a pool that was accepted cannot be read")
        }
        left -= rows
      }
      try require(r.remaining == 0, "\(r.remaining) bytes follow the entries of a pool")
    }
  }

  static func types(_ bytes: ByteReader) throws(FuzzFailure) {
    var r = bytes
    var extent = bytes
    let isPassed = unsafe (try? unsafe TypeTable.readExtent(&extent)) != nil
    guard let table = try? TypeTable(from: &r) else { return }
    try require(isPassed && extent.offset == r.offset, "a table ends at \(r.offset), and its extent at \(isPassed ? extent.offset : -1)")
    for index in table.entries.indices { _ = table.mayRefer(TypeID(entry: index)) }
    let encoded = written { table.encode(into: &$0) }
    try reading(encoded) { bytes throws(FuzzFailure) in
      var again = bytes
      let other: TypeTable
      do throws(FormatError) { other = try TypeTable(from: &again) } catch { throw FuzzFailure("an encoded table is not read: \(error)") }
      try require(again.remaining == 0 && isSame(other, table), "another table comes back")
    }
  }

  /// NaN as a raw value is itself.
  private static func isSame(_ a: TypeTable, _ b: TypeTable) -> Bool {
    a == b || written { a.encode(into: &$0) } == written { b.encode(into: &$0) }
  }

  static func archive(_ bytes: UnsafeRawBufferPointer) throws(FuzzFailure) {
    guard let layout = try? unsafe ArchiveLayout(parsing: bytes, verification: .none) else { return }
    try require(layout.blocks.count == layout.blockReaders.count, "not every block has bytes")
    for (block, reader) in zip(layout.blocks, layout.blockReaders) {
      try require(layout.types[block.type]?.isObject == true && (1...maximumChunkRows).contains(block.count), "a block of nothing")
      try require(reader.remaining >= 1, "a block has no bytes")
    }
    // Put together again it is the same archive, but for numbers that were not as short as they could be.
    guard let parts = unsafe ArchiveParts(bytes) else { throw FuzzFailure("a layout that is read has no parts") }
    let assembled = parts.assembled()
    try reading(assembled) { again throws(FuzzFailure) in
      let other: ArchiveLayout
      do throws(FormatError) { other = unsafe try ArchiveLayout(parsing: again.rest, verification: .whole) } catch {
        throw FuzzFailure("an archive put together again is not read: \(error)")
      }
      try require(
        other.blocks.map(\.type) == layout.blocks.map(\.type) && other.blocks.map(\.count) == layout.blocks.map(\.count)
          && other.roots.map(\.key) == layout.roots.map(\.key) && isSame(other.types, layout.types), "another archive comes back")
    }
  }

  static func text(_ bytes: UnsafeRawBufferPointer) throws(FuzzFailure) {
    let verdict = unsafe UTF8Check.check(bytes)
    let isValid = unsafe String(validating: bytes, as: UTF8.self) != nil
    let isASCII = unsafe bytes.allSatisfy { $0 < 0x80 }
    let right: UTF8Check.Verdict = isASCII ? .ascii : isValid ? .valid : .invalid
    try require(verdict == right, "the text is \(right) and said to be \(verdict)")
  }
}
