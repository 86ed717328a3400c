import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension EncodingState {
  /// Encodes the graph below one root value. Discovery walks it with a worklist; then every block is written column by column.
  mutating func archive<Root>(_ root: Root, as codec: ValueCodec, into output: inout ByteWriter) throws {
    // SAFETY: the copy of the root lives in `value` until the archive is put together.
    unsafe try withUnsafeTemporaryRoot(root) { (base, state: inout EncodingState) in
      let rows = unsafe Rows(base: base, stride: MemoryLayout<Root>.stride, count: 1)
      do {
        if codec.traits.hasReferences { try codec.discover(rows, &state) }
        try state.discoverAll(from: (rows, codec))
        try state.assemble(rows, codec, into: &output)
      } catch {
        throw state.atTopLevel(error, CurrentRoot(rows: rows, codec: codec, key: "root"))
      }
    }
  }

  private mutating func withUnsafeTemporaryRoot<Root>(
    _ root: Root, _ body: (UnsafeMutableRawPointer, inout EncodingState) throws -> Void
  ) throws {
    let memory = UnsafeMutablePointer<Root>.allocate(capacity: 1)
    unsafe memory.initialize(to: root)
    defer {
      unsafe memory.deinitialize(count: 1)
      unsafe memory.deallocate()
    }
    unsafe try body(UnsafeMutableRawPointer(memory), &self)
  }

  private mutating func assemble(_ root: Rows, _ codec: ValueCodec, into output: inout ByteWriter) throws {
    if graph.blocks.count == 1, codec is ReferenceCodec, let table = try graph.blocks[0].plan.soleDescription() {
      // One class, one block: its description is known.
      try encodeBlock(graph.blocks[0], 0, TypeID(entry: 0))
      let header = BlockHeader(type: TypeID(entry: 0), count: graph.blocks[0].count, byteCount: writer.count - Self.headroom)
      return try finish(root, codec, [header], rootType: .reference, table: table, into: &output)
    }
    var headers: [BlockHeader] = []
    headers.reserveCapacity(graph.blocks.count)
    for index in graph.blocks.indices {
      let block = graph.blocks[index]
      let type = try block.plan.describe(&types)
      let start = writer.count
      try encodeBlock(block, index, type)
      headers.append(BlockHeader(type: type, count: block.count, byteCount: writer.count - start))
    }
    let rootType = try codec.describe(&types)
    try finish(root, codec, headers, rootType: rootType, table: nil, into: &output)
  }

  /// Encodes the root's value, which only now has all its types described, and puts everything together.
  private mutating func finish(
    _ root: Rows, _ codec: ValueCodec, _ headers: [BlockHeader], rootType: TypeID, table: [UInt8]?, into output: inout ByteWriter
  ) throws {
    let blockEnd = writer.count
    pools.select(0)
    try codec.encode(root, &self)
    let roots = [RootKey(key: "root", type: rootType, byteCount: writer.count - blockEnd)]
    try putTogether(roots, headers, blockEnd: blockEnd, table: table, into: &output)
  }

  /// Puts the archive together, whose blocks stand in the writer up to `blockEnd` and whose values at the top level stand behind them.
  mutating func putTogether(
    _ roots: [RootKey], _ headers: [BlockHeader], blockEnd: Int, table: [UInt8]?, into output: inout ByteWriter
  ) throws {
    var poolBytes = ByteWriter()
    encodePools(into: &poolBytes)
    var described = ByteWriter()
    if table == nil { types.table.encode(into: &described) }
    // SAFETY: the writers are not changed while their bytes are looked at.
    unsafe (table ?? Array(described.bytes)).withUnsafeBytes { typeBytes in
      if let start = unsafe ArchiveFrame.assembleInPlace(
        typeBytes: typeBytes, pools: poolBytes.bytes, roots: roots, blocks: headers, blockStart: Self.headroom, blockEnd: blockEnd,
        in: &writer)
      {
        archiveStart = start
        swap(&output, &writer)
      } else {
        unsafe ArchiveFrame.assemble(
          typeBytes: typeBytes, pools: poolBytes.bytes, roots: roots,
          rootBytes: UnsafeRawBufferPointer(rebasing: writer.bytes[blockEnd...]),
          blocks: headers, blockBytes: UnsafeRawBufferPointer(rebasing: writer.bytes[Self.headroom..<blockEnd]), into: &output)
      }
    }
  }

  mutating func encodeBlock(_ block: ObjectGraph.Block, _ index: Int, _ type: TypeID) throws {
    let entry = type.entryIndex ?? 0
    graph.expect(block: index)
    var ordinal = 0
    var way = 0
    let framed = block.count >= BlockLayout.firstFramedCount
    for level in block.plan.levels {
      for property in level.properties {
        pools.select(StringPools.id(entry: entry, ordinal: ordinal))
        ordinal += 1
        let start = writer.count
        var isDone = false
        if property.codec.traits.hasReferences {
          isDone = encodeNoted(block.plan.ways[way], way, of: block)
          way += 1
        }
        if !isDone {
          do {
            try property.codec.encode(unsafe Rows(pointers: block.objects, offset: property.offset, count: block.count), &self)
          } catch let error as LocatedError {
            throw locate(error, object: UInt(index) << 10 | UInt(error.row), property)
          }
        }
        if framed { writer.insertVarint(UInt64(writer.count - start), at: start) }
      }
      if level.hasRecord { try encodeRecords(ofBlock: index, framed: framed, StringPools.id(entry: entry, ordinal: ordinal), &ordinal) }
    }
    if block.plan.isHandCoded { try encodeRecords(ofBlock: index, framed: framed, StringPools.id(entry: entry, ordinal: 0), &ordinal) }
    if ordinal == 0 { writer.append(0) }  // Every block has at least one byte, so that a count is always paid for.
  }

  private mutating func encodeRecords(ofBlock index: Int, framed: Bool, _ pool: UInt64, _ ordinal: inout Int) throws {
    ordinal += 1
    guard let records = unsafe recorder.pointer?.pointee.records(of: index) else { return }
    pools.select(pool)
    let start = writer.count
    unsafe recorderPointer().pointee.pendingByteCount -= records.byteCount
    do {
      try records.encode(&self)
    } catch let error as LocatedError {
      throw ObjectError(error: error.error, object: index << 10 | error.row, place: error.suffix)
    }
    if framed { writer.insertVarint(UInt64(writer.count - start), at: start) }
    records.noteEnd(writer.count)
  }

  func encodePools(into bytes: inout ByteWriter) {
    let used = pools.used
    if used.isEmpty { return }
    StringPoolSection.encodeCount(used.count, into: &bytes)
    for pool in used {
      var lengths: [Int64] = []
      var text = ByteWriter()
      for string in pool.strings {
        let before = text.count
        StringCodec.appendUTF8(string, to: &text)
        lengths.append(Int64(text.count - before))
      }
      unsafe lengths.withUnsafeBufferPointer { unsafe StringPoolSection.encode(id: pool.id, lengths: $0, bytes: text.bytes, into: &bytes) }
    }
  }

  func locate(_ error: LocatedError, object: UInt, _ property: PropertyPlan) -> ObjectError {
    var located = error.error
    let plan = graph.blocks[Int(object >> 10)].plan
    located.message = "\(Reflection.unqualifiedName(of: plan.type)).\(property.name): \(located.message)"
    return ObjectError(error: located, object: Int(object), place: ".\(property.name)\(error.suffix)")
  }
}

/// How the columns of one block follow each other.
enum BlockLayout {
  /// From this many rows on each column has its byte length in front; smaller blocks go without.
  static let firstFramedCount = 8
}
