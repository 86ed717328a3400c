import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension EncodingState {
  /// Encodes the graph below one root value. Discovery walks it with a worklist; then every block is written column by column.
  mutating func archive<Root>(_ root: Root, as codec: ValueCodec) throws {
    // SAFETY: the root lives in its place until the archive is put together, and is only read there.
    unsafe try withUnsafePointer(to: root) { place in
      let rows = unsafe Rows(base: UnsafeMutableRawPointer(mutating: place), stride: MemoryLayout<Root>.stride, count: 1)
      do {
        if codec.traits.hasReferences { try codec.discover(rows, &self) }
        try discoverAll(from: (rows, codec))
        try assemble(rows, codec)
      } catch {
        throw atTopLevel(error, CurrentRoot(rows: rows, codec: codec, key: "root"))
      }
    }
  }

  /// Writes the blocks and, now that all types are described, the root's value, and puts everything together.
  private mutating func assemble(_ root: Rows, _ codec: ValueCodec) throws {
    let shape = shapes.shape(of: graph.blocks, codec)
    headers.empty()
    reserveOutput()
    for index in graph.blocks.indices {
      let block = graph.blocks[index]
      let type = try shape?.blockTypes[index] ?? block.plan.describe(&types)
      let start = writer.count
      try encodeBlock(block, index, type)
      try checkByteLimit()
      headers.append(BlockHeader(type: type, count: block.count, byteCount: writer.count - start))
    }
    let rootType = try shape?.rootType ?? codec.describe(&types)
    let blockEnd = writer.count
    pools.select(0)
    try codec.encode(root, &self)
    try checkByteLimit()
    let table = shape?.table ?? shapes.learn(graph.blocks, headers, codec, rootType, types.table)
    soleRoot[0].type = rootType
    soleRoot[0].byteCount = writer.count - blockEnd
    putTogether(soleRoot, blockEnd: blockEnd, table: table)
    try checkArchive()
  }

  /// Makes room for a byte for each value, in one step instead of many, when there are many.
  private mutating func reserveOutput() {
    if graph.blocks.count < 4 { return }
    var total = 0
    for index in graph.blocks.indices {
      total &+= unsafe graph.blocks[index].count &* graph.blocks[index].plan.columns.all.count
      if total >= Self.largestReservation { break }
    }
    writer.reserve(min(total, Self.largestReservation))
  }

  /// Puts the archive together, whose blocks stand in the writer up to `blockEnd` and whose values at the top level stand behind them.
  ///
  /// - Parameter table: the bytes of the type table, if they are known.
  mutating func putTogether(_ roots: [RootKey], blockEnd: Int, table: [UInt8]?) {
    var poolBytes = ByteWriter()
    if !pools.isEmpty { encodePools(into: &poolBytes) }
    for index in graph.blocks.indices { decodedByteCount &+= graph.blocks[index].count &* graph.blocks[index].plan.decodedSize }
    if let table {
      unsafe table.withUnsafeBytes { unsafe putTogether($0, poolBytes, roots, blockEnd) }
    } else {
      var described = ByteWriter()
      types.table.encode(into: &described)
      unsafe putTogether(described.bytes, poolBytes, roots, blockEnd)
    }
  }

  private mutating func putTogether(
    _ typeBytes: UnsafeRawBufferPointer, _ poolBytes: borrowing ByteWriter, _ roots: [RootKey], _ blockEnd: Int
  ) {
    let required = KeyedUnarchiver.Limits.requiredLength(toBecome: decodedByteCount)
    let minimumLength = documentLength ?? max(required, lengthForKept(), leastLength)
    let place = unsafe ArchiveFrame.assembleInPlace(
      typeBytes: typeBytes, pools: poolBytes.bytes, roots: roots, blocks: headers, blockStart: Self.headroom, blockEnd: blockEnd,
      minimumLength: minimumLength, prefix: &text, in: &writer)
    if let place {
      archiveStart = place
      return
    }
    var output = ByteWriter()
    // SAFETY: the writer is not changed while its bytes are looked at.
    unsafe ArchiveFrame.assemble(
      typeBytes: typeBytes, pools: poolBytes.bytes, roots: roots,
      rootBytes: UnsafeRawBufferPointer(rebasing: writer.bytes[blockEnd...]),
      blocks: headers, blockBytes: UnsafeRawBufferPointer(rebasing: writer.bytes[Self.headroom..<blockEnd]), minimumLength: minimumLength,
      into: &output)
    archiveStart = 0
    swap(&output, &writer)
  }

  /// Whoever writes more grows by so much at a time that it is no matter.
  private static let largestReservation = 1 << 18

  /// What the archive has to be filled up to for objects that were kept of archives which were filled up: their share.
  private func lengthForKept() -> Int {
    var counts: [UnknownClass.Filling: Int] = [:]
    for index in graph.blocks.indices {
      if let filling = graph.blocks[index].plan.unknownClass?.filling { counts[filling, default: 0] += graph.blocks[index].count }
    }
    return counts.reduce(0) { length, kept in
      let (high, low) = kept.key.length.multipliedFullWidth(by: min(kept.value, kept.key.objectCount))
      return length + kept.key.objectCount.dividingFullWidth((high, low)).quotient + 1
    }
  }

  mutating func encodeBlock(_ block: ObjectGraph.Block, _ index: Int, _ type: TypeID) throws {
    let entry = type.entryIndex ?? 0
    graph.expect(block: index)
    let framed = block.count >= BlockLayout.firstFramedCount
    // SAFETY: the columns and what they refer to are the plan's, which the block holds.
    let columns = unsafe block.plan.columns.all
    let gathers = block.count >= GatheredColumns.firstCount
    let mark = scratch.mark()
    defer { scratch.release(mark) }
    var group = 0..<0
    var copies: UnsafePointer<UnsafeMutableRawPointer>?
    for ordinal in 0..<columns.count {
      let column = unsafe columns[ordinal]
      if gathers && column.groupCount > 0 {
        scratch.release(mark)
        group = ordinal..<ordinal &+ column.groupCount
        unsafe copies = GatheredColumns.copy(UnsafeBufferPointer(rebasing: columns[group]), of: block.objects, block.count, &scratch)
      }
      pools.select(StringPools.id(entry: entry, ordinal: ordinal))
      let start = framed ? writer.beginLength() : writer.count
      if let codec = unsafe column.codec {
        if column.way < 0 || !encodeNoted(block.plan.ways[column.way], column.way, of: block) {
          do {
            let rows: Rows
            if group.contains(ordinal), let copies = unsafe copies {
              unsafe rows = Rows(base: copies[ordinal &- group.lowerBound], stride: column.stride, count: block.count)
            } else {
              unsafe rows = Rows(pointers: block.objects, offset: column.offset, count: block.count)
            }
            try unsafe codec._withUnsafeGuaranteedRef { try $0.encode(rows, &self) }
          } catch let error as LocatedError {
            guard let property = unsafe column.property?.takeUnretainedValue() else { throw error }
            throw locate(error, object: UInt(index) << 10 | UInt(error.row), property)
          }
        }
        if framed { writer.endLength(at: start) }
      } else if let records = unsafe recorder.pointer?.pointee.records(of: index) {
        try encodeRecords(records, ofBlock: index)
        if framed { writer.endLength(at: start) }
        records.noteEnd(writer.count)
      }
    }
    if columns.isEmpty { writer.append(0) }  // Every block has at least one byte, so that a count is always paid for.
  }

  private mutating func encodeRecords(_ records: RecordBlock, ofBlock index: Int) throws {
    unsafe recorderPointer().pointee.pendingByteCount -= records.byteCount
    do {
      try records.encode(&self)
    } catch let error as LocatedError {
      throw ObjectError(error: error.error, object: index << 10 | error.row, place: error.suffix)
    }
  }

  private mutating func encodePools(into bytes: inout ByteWriter) {
    if pools.isEmpty { return }
    let used = pools.used
    if used.isEmpty { return }
    StringPoolSection.encodeCount(used.count, into: &bytes)
    for pool in used {
      decodedByteCount &+= pool.strings.count &* MemoryLayout<String>.stride
      StringPoolSection.encodeHead(id: pool.id, count: pool.strings.count, into: &bytes)
      unsafe pool.strings.withUnsafeBufferPointer { unsafe encodePool($0, into: &bytes) }
    }
  }

  private mutating func encodePool(_ strings: UnsafeBufferPointer<String>, into bytes: inout ByteWriter) {
    let mark = scratch.mark()
    defer { scratch.release(mark) }
    // SAFETY: the rows are strings, which are only read; there is room for a length for each of one chunk.
    guard let base = unsafe UnsafeMutableRawPointer(mutating: strings.baseAddress) else { return }
    let lengths = unsafe scratch.allocate(Int64.self, min(strings.count, maximumChunkRows))
    let rows = unsafe Rows(base: base, stride: MemoryLayout<String>.stride, count: strings.count)
    for start in stride(from: 0, to: rows.count, by: maximumChunkRows) {
      let chunk = rows.slice(start, min(maximumChunkRows, rows.count - start))
      unsafe StringCodec.encodePlain(chunk, lengths, &text, into: &bytes)
    }
  }

  func locate(_ error: LocatedError, object: UInt, _ property: PropertyPlan) -> ObjectError {
    var located = error.error
    let plan = graph.blocks[Int(object >> 10)].plan
    let name = plan.unknownClass?.name ?? Reflection.unqualifiedName(of: plan.type)
    located.message = "\(name).\(property.name): \(located.message)"
    return ObjectError(error: located, object: Int(object), place: ".\(property.name)\(error.suffix)")
  }
}

/// How the columns of one block follow each other.
enum BlockLayout {
  /// From this many rows on each column has its byte length in front; smaller blocks go without.
  static let firstFramedCount = 8
}
