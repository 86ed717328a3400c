/// Puts the parts of an archive together.
package enum ArchiveFrame {
  /// Appends a whole archive with the table `types`; see `assemble(typeBytes:...)`.
  package static func assemble(
    types: borrowing TypeTable, pools: UnsafeRawBufferPointer, roots: [RootKey], rootBytes: UnsafeRawBufferPointer,
    blocks: [BlockHeader], blockBytes: UnsafeRawBufferPointer, segmentedAbove: Int = ArchiveSeal.segmentedAbove, minimumLength: Int = 0,
    into w: inout ByteWriter
  ) {
    var table = ByteWriter(capacity: 64)
    types.encode(into: &table)
    unsafe assemble(
      typeBytes: table.bytes, pools: pools, roots: roots, rootBytes: rootBytes, blocks: blocks, blockBytes: blockBytes,
      segmentedAbove: segmentedAbove, minimumLength: minimumLength, into: &w)
  }

  /// Appends a whole archive: header, body and checksum.
  ///
  /// The lengths in `roots` and `blocks` must add up to `rootBytes` and `blockBytes`, and keys must differ: what a reader
  /// checks is the writer's to ensure. An empty `pools` is left out. The archive of exactly one object, under the key
  /// "root", is written without object table and root record.
  ///
  /// - Parameters:
  ///   - segmentedAbove: the archive is sealed in segments if it has more bytes than this in front of the seal.
  ///   - minimumLength: the archive is filled up with zeros to at least this length.
  package static func assemble(
    typeBytes: UnsafeRawBufferPointer, pools: UnsafeRawBufferPointer, roots: [RootKey], rootBytes: UnsafeRawBufferPointer,
    blocks: [BlockHeader], blockBytes: UnsafeRawBufferPointer, segmentedAbove: Int = ArchiveSeal.segmentedAbove, minimumLength: Int = 0,
    into w: inout ByteWriter
  ) {
    let lengths = unsafe Lengths(typeBytes, pools, roots, rootBytes, blocks, blockLength: blockBytes.count, segmentedAbove, minimumLength)
    let start = w.count
    w.reserve(lengths.whole)
    unsafe appendPrefix(lengths, typeBytes, pools, roots, rootBytes, blocks, into: &w)
    unsafe w.append(contentsOf: blockBytes)
    w.appendZeros(lengths.filling)
    ArchiveSeal.append(to: &w, from: start, isSegmented: lengths.isSegmented)
  }

  /// The same around blocks that already stand in `w`, from `blockStart` to `blockEnd`, with the root values' bytes behind them: what comes
  /// in front of them is put into the free bytes there, so that the blocks are not moved.
  ///
  /// - Parameter prefix: what comes in front of the blocks is put together here; its contents are lost.
  /// - Returns: where the archive begins in `w`, whose end is its end; nil, with nothing changed, if there is not enough room in front.
  package static func assembleInPlace(
    typeBytes: UnsafeRawBufferPointer, pools: UnsafeRawBufferPointer, roots: [RootKey], blocks: [BlockHeader], blockStart: Int,
    blockEnd: Int, segmentedAbove: Int = ArchiveSeal.segmentedAbove, minimumLength: Int = 0, prefix: inout ByteWriter,
    in w: inout ByteWriter
  ) -> Int? {
    prefix.removeAll()
    // SAFETY: `w` is not changed before the prefix is complete.
    let rootBytes = unsafe UnsafeRawBufferPointer(rebasing: w.bytes[blockEnd...])
    if rootBytes.count > blockStart { return nil }
    let lengths = unsafe Lengths(
      typeBytes, pools, roots, rootBytes, blocks, blockLength: blockEnd - blockStart, segmentedAbove, minimumLength)
    unsafe appendPrefix(lengths, typeBytes, pools, roots, rootBytes, blocks, into: &prefix)
    let start = blockStart - prefix.count
    if start < 0 { return nil }
    w.truncate(to: blockEnd)
    unsafe w.overwrite(at: start, with: prefix.bytes)
    w.appendZeros(lengths.filling)
    ArchiveSeal.append(to: &w, from: start, isSegmented: lengths.isSegmented)
    return start
  }

  /// What the head announces.
  private struct Lengths {
    let isSimple: Bool
    let body: Int
    let isSegmented: Bool
    /// Zeros behind the blocks.
    let filling: Int
    /// Of head and body, which the seal is computed over.
    private let covered: Int

    init(
      _ typeBytes: UnsafeRawBufferPointer, _ pools: UnsafeRawBufferPointer, _ roots: [RootKey], _ rootBytes: UnsafeRawBufferPointer,
      _ blocks: [BlockHeader], blockLength: Int, _ segmentedAbove: Int, _ minimumLength: Int
    ) {
      let isShort = minimumLength > 0 && minimumLength > blockLength
      isSimple = unsafe !isShort && ArchiveFrame.isSimple(roots, rootBytes, blocks)
      let pools = unsafe pools.isEmpty ? 0 : varintLength(UInt64(pools.count)) + pools.count
      let content = typeBytes.count + pools + (isSimple ? 0 : indexLength(roots, blocks) + rootBytes.count) + blockLength
      filling = isSimple ? 0 : max(0, minimumLength - content)
      body = content + filling
      covered = FrameConstants.prefixLength + varintLength(UInt64(body)) + body
      isSegmented = covered > segmentedAbove
    }

    /// Of the archive.
    var whole: Int { covered + ArchiveSeal.length(covering: covered, isSegmented: isSegmented) }
  }

  /// Everything in front of the blocks.
  private static func appendPrefix(
    _ lengths: Lengths, _ typeBytes: UnsafeRawBufferPointer, _ pools: UnsafeRawBufferPointer, _ roots: [RootKey],
    _ rootBytes: UnsafeRawBufferPointer, _ blocks: [BlockHeader], into w: inout ByteWriter
  ) {
    for i in FrameConstants.magic.indices { w.append(FrameConstants.magic[i]) }
    w.append(ArchiveFormatVersion.current << 4 | ArchiveFormatVersion.minimumReader)
    let pooled = unsafe pools.isEmpty ? 0 : FrameConstants.pools
    let segmented = lengths.isSegmented ? FrameConstants.segmented : 0
    let filled = lengths.filling > 0 ? FrameConstants.filled : 0
    w.append((lengths.isSimple ? FrameConstants.simple : 0) | pooled | segmented | filled | FrameConstants.xxh3)
    w.appendVarint(UInt64(lengths.body))
    unsafe w.append(contentsOf: typeBytes)
    if unsafe !pools.isEmpty {
      w.appendVarint(UInt64(pools.count))
      unsafe w.append(contentsOf: pools)
    }
    if !lengths.isSimple {
      encodeIndex(roots, blocks, into: &w)
      unsafe w.append(contentsOf: rootBytes)
    }
  }

  private static func isSimple(_ roots: [RootKey], _ rootBytes: UnsafeRawBufferPointer, _ blocks: [BlockHeader]) -> Bool {
    guard roots.count == 1, blocks.count == 1 else { return false }
    guard blocks[0].count == 1, blocks[0].type == TypeID(entry: 0), roots[0].type == .reference else { return false }
    // Object 0 as a plain column of one row is the zigzag varint 0.
    guard rootBytes.count == 1, unsafe rootBytes[0] == 0 else { return false }
    return roots[0].key == FrameConstants.simpleKey
  }

  /// The object table and the head of the root record.
  private static func encodeIndex(_ roots: [RootKey], _ blocks: [BlockHeader], into w: inout ByteWriter) {
    w.appendVarint(UInt64(blocks.count))
    for block in blocks {
      w.appendVarint(UInt64(block.type.rawValue))
      w.appendVarint(UInt64(block.count))
      w.appendVarint(UInt64(block.byteCount))
    }
    w.appendVarint(UInt64(roots.count))
    for root in roots {
      w.appendVarint(UInt64(root.key.utf8.count))
      w.append(root.key)
      w.appendVarint(UInt64(root.type.rawValue))
      w.appendVarint(UInt64(root.byteCount))
    }
  }

  /// The number of bytes that `encodeIndex` writes, which stands in front of them.
  private static func indexLength(_ roots: [RootKey], _ blocks: [BlockHeader]) -> Int {
    var length = varintLength(UInt64(blocks.count)) + varintLength(UInt64(roots.count))
    for block in blocks {
      length += varintLength(UInt64(block.type.rawValue)) + varintLength(UInt64(block.count)) + varintLength(UInt64(block.byteCount))
    }
    for root in roots {
      let key = root.key.utf8.count
      length += varintLength(UInt64(key)) + key + varintLength(UInt64(root.type.rawValue)) + varintLength(UInt64(root.byteCount))
    }
    return length
  }
}
