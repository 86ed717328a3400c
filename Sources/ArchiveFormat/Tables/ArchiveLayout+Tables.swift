/// The tables of an archive, which say where everything else stands.
extension ArchiveLayout {
  /// - Parameter columnCounts: what `TypeTable.columnCount` says, as far as somebody has asked; empty before.
  static func readBlocks(
    _ body: inout TableReader, _ types: TypeTable, _ columnCounts: inout [Int], into blocks: inout [BlockHeader]
  ) throws(FormatError) {
    let count = try body.reader.readCount()
    guard count <= body.reader.remaining / 3 else {
      throw body.reader.fail(.truncated, "\(count) blocks do not fit the bytes that are left")
    }
    if blocks.capacity < count { blocks.reserveCapacity(min(count, 4096)) }
    if columnCounts.isEmpty { columnCounts = [Int](repeating: -1, count: types.entries.count) }
    for _ in 0..<count {
      let start = body.reader
      let type = try body.reader.readTypeID()
      guard types[type]?.isObject == true else { throw start.fail(.malformed, "the type of a block is not a class") }
      let rows = try body.reader.readCount()
      guard rows >= 1 && rows <= maximumChunkRows else { throw start.fail(.malformed, "a block has \(rows) objects") }
      let byteCount = try body.reader.readCount()
      // Objects are made, and columns looked at, before the first byte of them is read.
      let entry = type.entryIndex ?? 0
      if columnCounts[entry] < 0 { columnCounts[entry] = types.columnCount(of: entry) }
      guard byteCount >= max(1, columnCounts[entry]) else { throw start.fail(.malformed, "a block has less than a byte per column") }
      try body.believe()
      blocks.append(BlockHeader(type: type, count: rows, byteCount: byteCount))
    }
  }

  static func readRoots(_ body: inout TableReader, _ types: TypeTable, into roots: inout [RootKey]) throws(FormatError) {
    let count = try body.reader.readCount()
    guard count <= FrameConstants.maximumRoots else { throw body.reader.fail(.limitExceeded, "\(count) root keys are too many") }
    guard count <= body.reader.remaining / 3 else {
      throw body.reader.fail(.truncated, "\(count) root keys do not fit the bytes that are left")
    }
    var keys: Set<String> = []
    if roots.capacity < count { roots.reserveCapacity(min(count, 4096)) }
    for _ in 0..<count {
      let start = body.reader
      let length = try body.reader.readCount()
      let key = try body.reader.readString(length)
      let type = try body.reader.readTypeID()
      guard types.isValueType(type) else { throw start.fail(.malformed, "type \(type.rawValue) is not a type of values") }
      if count > 1, !keys.insert(key).inserted { throw start.fail(.malformed, "two roots have the same key") }
      roots.append(RootKey(key: key, type: type, byteCount: try body.reader.readCount()))
      try body.believe()
    }
  }
}

/// What the root record of a simple archive would say.
enum SimpleRoot {
  static let keys = [RootKey(key: FrameConstants.simpleKey, type: .reference, byteCount: 1)]

  // SAFETY: one zero byte that is written once, read by any number of threads and never freed.
  nonisolated(unsafe) static let readers: [ByteReader] = {
    let zero = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    unsafe zero[0] = 0
    return unsafe [ByteReader(UnsafeRawBufferPointer(zero))]
  }()
}
