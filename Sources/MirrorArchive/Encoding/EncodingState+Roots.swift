import ArchiveFormat
import ArchiveReflection

/// Encoding key by key: what each key reaches is discovered and written at once, in blocks of its own.
extension EncodingState {
  /// The most keys that a reader accepts at the top level.
  private static let maximumRootCount = 1 << 20

  /// Encodes a value at the top level.
  mutating func encodeRoot(_ root: CurrentRoot, type: Any.Type) throws {
    let recorder = unsafe recorderPointer()
    try beginRoot(root.key)
    unsafe recorder.pointee.currentRoot = root
    defer { unsafe recorder.pointee.currentRoot = nil }
    do {
      if root.codec.traits.hasReferences {
        try admission.name(type)
        try root.codec.discover(root.rows, &self)
      }
      let isConditional = root.codec.traits.hasConditional || hasMetConditional
      hasMetConditional = false
      try discoverAll()
      try encodeNewBlocks()
      let id = try root.codec.describe(&types)
      try writeRoot(root.key, id) { e in
        if !isConditional { return try root.codec.encode(root.rows, &e) }
        // SAFETY: there is one row, which holds a value of the codec's type.
        e.deferRoot(.value(unsafe ValueBox(copying: root.rows[0], root.codec)))
      }
      try checkByteLimit()
    } catch {
      throw atTopLevel(error, root)
    }
  }

  /// Encodes a reference at the top level that is kept if something archives the object, earlier or later.
  mutating func encodeConditionalRoot(_ object: AnyObject?, key: String) throws {
    try beginRoot(key)
    try writeRoot(key, .optionalReference) { e in
      if let object, unsafe e.graph.number(of: unsafe Unmanaged.passUnretained(object).toOpaque()) == nil {
        e.deferRoot(.conditional(object))
      } else {
        ConditionalReferenceCodec.encode(object, &e)
      }
    }
  }

  /// Encodes bytes at the top level as `Data` is.
  mutating func encodeRootBytes(_ bytes: UnsafeRawBufferPointer, key: String) throws {
    try beginRoot(key)
    try writeRoot(key, .data) { e in
      e.writer.appendVarint(UInt64(bytes.count))
      unsafe e.writer.append(contentsOf: bytes)
    }
    try checkByteLimit()
  }

  /// Encodes what `body` records as a container at the top level.
  mutating func encodeRootContainer(key: String, _ body: (inout EncodingState) throws -> Void) throws {
    try beginRoot(key)
    let recorder = unsafe recorderPointer()
    let block = unsafe recorder.pointee.roots.block
    unsafe recorder.pointee.block = block
    unsafe recorder.pointee.object = nil
    do {
      defer { unsafe recorder.pointee.block = nil }
      try writeRoot(key, .record) { e in
        unsafe recorder.pointee.frame = RecordFrame(start: e.writer.count)
        e.beginFrame("", openedBy: nil)
        try body(&e)
        e.endFrame()
      }
    }
    do {
      try discoverAll()
      try encodeNewBlocks()
      try checkByteLimit()
    } catch {
      throw atTopLevel(error, nil)
    }
  }

  // MARK: Steps

  private func beginRoot(_ key: String) throws {
    let recorder = unsafe recorderPointer()
    if unsafe !recorder.pointee.roots.used.insert(key).inserted {
      throw ArchiveError(
        .duplicateKey, path: key, message: "the key was encoded before; every value at the top level needs a key of its own")
    }
    if unsafe recorder.pointee.roots.used.count > Self.maximumRootCount {
      throw ArchiveError(.limitExceeded, path: key, message: "an archive has at most \(Self.maximumRootCount) values at the top level")
    }
    unsafe recorder.pointee.rootKey = key
  }

  private mutating func writeRoot(_ key: String, _ type: TypeID, _ body: (inout EncodingState) throws -> Void) throws {
    let recorder = unsafe recorderPointer()
    let block = unsafe recorder.pointee.roots.block
    let start = block.byteCount
    swap(&writer, &block.bytes)
    pools.select(0)
    do {
      try body(&self)
    } catch {
      swap(&writer, &block.bytes)
      throw error
    }
    swap(&writer, &block.bytes)
    unsafe recorder.pointee.roots.keys.append((key, type))
    block.endRow(shape: .void, length: block.byteCount - start)
  }

  private mutating func deferRoot(_ content: DeferredValue.Content) {
    let block = unsafe recorderPointer().pointee.roots.block
    block.deferred.append(DeferredValue(row: block.rowCount, position: writer.count, place: "", content: content))
  }

  // MARK: Blocks

  /// Writes the blocks that were begun since the last time, and begins new ones with the next objects: so a reader of one key passes over what
  /// others reach. Those that say whether something else archives an object wait for the end.
  private mutating func encodeNewBlocks() throws {
    let recorder = unsafe recorderPointer()
    for index in unsafe recorder.pointee.roots.places.count..<graph.blocks.count {
      let block = graph.blocks[index]
      let waits =
        unsafe block.plan.hasConditional || block.isConditional || recorder.pointee.records(of: index)?.deferred.isEmpty == false
      unsafe recorder.pointee.roots.places.append(waits ? nil : try place(of: index))
      if waits { unsafe recorder.pointee.roots.deferredBlocks.append(index) }
    }
    graph.closeBlocks()
  }

  private mutating func place(of index: Int) throws -> (start: Int, count: Int) {
    let block = graph.blocks[index]
    let type = try block.plan.describe(&types)
    let start = writer.count
    try encodeBlock(block, index, type)
    if !block.plan.isHandCoded, graph.replacesAll { unsafe recorderPointer().pointee.roots.writtenBlocks.append(index) }
    try checkByteLimit()
    return (start, writer.count - start)
  }

  /// The objects whose properties have been written since the last time.
  mutating func takeEncodedObjects() -> [AnyObject] {
    let recorder = unsafe recorderPointer()
    var objects: [AnyObject] = []
    for index in unsafe recorder.pointee.roots.writtenBlocks {
      let block = graph.blocks[index]
      // SAFETY: the graph keeps the objects alive.
      for row in 0..<block.count { unsafe objects.append(Unmanaged<AnyObject>.fromOpaque(block.objects[row]).takeUnretainedValue()) }
    }
    unsafe recorder.pointee.roots.writtenBlocks = []
    return objects
  }

  // MARK: The end

  /// Writes everything that had to wait and puts the archive together.
  mutating func finishRoots() throws {
    let recorder = unsafe recorderPointer()
    do {
      try discoverDeferred()
      let deferred = unsafe recorder.pointee.roots.deferredBlocks
      for index in deferred { unsafe recorder.pointee.roots.places[index] = try place(of: index) }
      pools.select(0)
      let roots = unsafe recorder.pointee.roots.block
      do {
        try roots.splice(&self)
      } catch let error as LocatedError {
        var located = error.error
        located.path = unsafe recorder.pointee.roots.keys[error.row].key + error.suffix
        throw located
      }
      if !deferred.isEmpty { orderBlocks() }
    } catch {
      throw atTopLevel(error, nil)
    }
    try assembleRoots()
    try checkArchive()
  }

  /// Looks through the objects once more that are written only now: what they refer to may have changed since they were met.
  private mutating func discoverDeferred() throws {
    let recorder = unsafe recorderPointer()
    var next = 0
    while unsafe next < recorder.pointee.roots.deferredBlocks.count {
      let index = unsafe recorder.pointee.roots.deferredBlocks[next]
      next += 1
      try discoverProperties(ofBlock: index, 0..<graph.blocks[index].count)
      try discoverAll()
      try encodeNewBlocks()
    }
  }

  /// Brings the bytes of the blocks into the order of the blocks.
  private mutating func orderBlocks() {
    let recorder = unsafe recorderPointer()
    var ordered = ByteWriter(capacity: writer.count)
    _ = unsafe ordered.appendUninitialized(Self.headroom)
    for place in unsafe recorder.pointee.roots.places {
      guard let place else { continue }
      // SAFETY: places lie within what was written.
      unsafe ordered.append(contentsOf: UnsafeRawBufferPointer(rebasing: writer.bytes[place.start..<place.start + place.count]))
    }
    swap(&ordered, &writer)
  }

  private mutating func assembleRoots() throws {
    let recorder = unsafe recorderPointer()
    headers.empty()
    headers.reserveCapacity(graph.blocks.count)
    for index in graph.blocks.indices {
      let block = graph.blocks[index]
      let count = unsafe recorder.pointee.roots.places[index]?.count ?? 0
      headers.append(BlockHeader(type: try block.plan.describe(&types), count: block.count, byteCount: count))
    }
    let records = unsafe recorder.pointee.roots
    let keys = zip(records.keys, records.block.lengths).map { RootKey(key: $0.key, type: $0.type, byteCount: Int($1)) }
    let blockEnd = writer.count
    unsafe writer.append(contentsOf: records.block.bytes.bytes)
    putTogether(keys, blockEnd: blockEnd, table: nil)
  }
}
