/// A parsed frame: where everything stands in an archive, checked against each other and against the bytes there are.
///
/// The columns themselves have not been looked at. Borrows the archive, which must outlive it.
@safe package struct ArchiveLayout {
  package var formatVersion: UInt8
  package var minimumReaderVersion: UInt8
  package var types: TypeTable
  /// The exact bytes of the type table: equal bytes are equal tables, so they can serve as the key of a cache.
  package var typeTableBytes: UnsafeRawBufferPointer
  /// The string pools, for `StringPoolSection`; nil if there are none.
  package var pools: ByteReader?
  package var roots: [RootKey]
  /// The column of one row of each root.
  package var rootReaders: [ByteReader]
  package var blocks: [BlockHeader]
  /// The columns of each block.
  package var blockReaders: [ByteReader]

  /// Parses a whole archive.
  ///
  /// - Parameters:
  ///   - verifyingChecksum: false serves tests that damage archives on purpose.
  ///   - cachedTypes: called with the bytes of the type table; a table it returns, which must come from equal bytes, is used
  ///     instead of parsing them.
  /// - Throws: in this order: `notAnArchive` (wrong magic), `newerFormat`, `truncated` and `trailingBytes` (wrong length),
  ///   `checksumMismatch`, then `malformed`, `truncated` or `limitExceeded` for the structure.
  package init(
    parsing bytes: UnsafeRawBufferPointer, verifyingChecksum: Bool = true,
    cachedTypes: (UnsafeRawBufferPointer) -> TypeTable? = { _ in nil }
  ) throws(FormatError) {
    var r = unsafe ByteReader(bytes)
    let version = try Self.readPrefix(&r)
    formatVersion = version >> 4
    minimumReaderVersion = version & 15
    let atFlags = r
    let flags = try r.readByte()
    let bodyLength = try r.readCount()
    guard r.remaining >= FrameConstants.checksumLength, r.remaining - FrameConstants.checksumLength >= bodyLength else {
      throw r.fail(.truncated, "the archive ends before the \(bodyLength) bytes it announces and its checksum")
    }
    guard r.remaining - FrameConstants.checksumLength == bodyLength else {
      throw FormatError(
        code: .trailingBytes, offset: r.offset + bodyLength + FrameConstants.checksumLength,
        message: "\(r.remaining - FrameConstants.checksumLength - bodyLength) bytes follow the archive")
    }
    var body = try r.slice(bodyLength)
    if verifyingChecksum {
      let stored = try r.readLE64()
      let computed = unsafe XXHash64.hash(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - FrameConstants.checksumLength)]))
      guard stored == computed else { throw body.fail(.checksumMismatch, "the archive is damaged: its checksum does not match") }
    }
    guard formatVersion > 0, minimumReaderVersion > 0, minimumReaderVersion <= formatVersion else {
      throw atFlags.fail(.malformed, "the format version \(formatVersion) is impossible")
    }
    guard flags & ~FrameConstants.knownFlags == 0 else { throw atFlags.fail(.malformed, "unknown flags") }

    var table = body
    unsafe typeTableBytes = try TypeTable.readExtent(&body)
    if let cached = unsafe cachedTypes(typeTableBytes) { types = cached } else { types = try TypeTable(from: &table) }
    if flags & FrameConstants.pools != 0 {
      let length = try body.readCount()
      pools = try body.slice(length)
    } else {
      pools = nil
    }
    if flags & FrameConstants.simple != 0 {
      guard types[TypeID(entry: 0)]?.isObject == true else { throw body.fail(.malformed, "the type of the object is not a class") }
      guard body.remaining >= max(1, types.columnCount(of: 0)) else {
        throw body.fail(.truncated, "the object has less than a byte per column")
      }
      roots = SimpleRoot.keys
      unsafe rootReaders = SimpleRoot.readers
      blocks = [BlockHeader(type: TypeID(entry: 0), count: 1, byteCount: body.remaining)]
      blockReaders = [body]
      return
    }
    blocks = try Self.readBlocks(&body, types)
    roots = try Self.readRoots(&body, types)
    rootReaders = []
    blockReaders = []
    rootReaders.reserveCapacity(roots.count)
    blockReaders.reserveCapacity(blocks.count)
    for root in roots { rootReaders.append(try body.slice(root.byteCount)) }
    for block in blocks { blockReaders.append(try body.slice(block.byteCount)) }
    guard body.remaining == 0 else { throw body.fail(.malformed, "\(body.remaining) bytes of the body belong to nothing") }
  }

  /// Reads magic and version and returns the version byte.
  private static func readPrefix(_ r: inout ByteReader) throws(FormatError) -> UInt8 {
    let start = r
    for i in FrameConstants.magic.indices {
      guard r.remaining > 0 else { throw r.fail(.truncated, "the archive ends within its first bytes") }
      guard try r.readByte() == FrameConstants.magic[i] else {
        throw start.fail(.notAnArchive, "the bytes do not begin like an archive")
      }
    }
    let atVersion = r
    let version = try r.readByte()
    guard version & 15 <= ArchiveFormatVersion.current else {
      throw atVersion.fail(.newerFormat, "needs reader version \(version & 15)")
    }
    return version
  }

  private static func readBlocks(_ r: inout ByteReader, _ types: TypeTable) throws(FormatError) -> [BlockHeader] {
    let count = try r.readCount()
    guard count <= r.remaining / 3 else { throw r.fail(.truncated, "\(count) blocks do not fit the bytes that are left") }
    var blocks: [BlockHeader] = []
    blocks.reserveCapacity(min(count, 4096))
    var columnCounts = [Int](repeating: -1, count: types.entries.count)
    for _ in 0..<count {
      let start = r
      let type = try r.readTypeID()
      guard types[type]?.isObject == true else { throw start.fail(.malformed, "the type of a block is not a class") }
      let rows = try r.readCount()
      guard rows >= 1 && rows <= maximumChunkRows else { throw start.fail(.malformed, "a block has \(rows) objects") }
      let byteCount = try r.readCount()
      // Objects are made, and columns looked at, before the first byte of them is read.
      let entry = type.entryIndex ?? 0
      if columnCounts[entry] < 0 { columnCounts[entry] = types.columnCount(of: entry) }
      guard byteCount >= max(1, columnCounts[entry]) else { throw start.fail(.malformed, "a block has less than a byte per column") }
      blocks.append(BlockHeader(type: type, count: rows, byteCount: byteCount))
    }
    return blocks
  }

  private static func readRoots(_ r: inout ByteReader, _ types: TypeTable) throws(FormatError) -> [RootKey] {
    let count = try r.readCount()
    guard count <= FrameConstants.maximumRoots else { throw r.fail(.limitExceeded, "\(count) root keys are too many") }
    guard count <= r.remaining / 3 else { throw r.fail(.truncated, "\(count) root keys do not fit the bytes that are left") }
    var roots: [RootKey] = []
    var keys: Set<String> = []
    roots.reserveCapacity(min(count, 4096))
    for _ in 0..<count {
      let start = r
      let length = try r.readCount()
      let key = try r.readString(length)
      let type = try r.readTypeID()
      guard types.isValueType(type) else { throw start.fail(.malformed, "type \(type.rawValue) is not a type of values") }
      if count > 1, !keys.insert(key).inserted { throw start.fail(.malformed, "two roots have the same key") }
      roots.append(RootKey(key: key, type: type, byteCount: try r.readCount()))
    }
    return roots
  }
}

/// What the root record of a simple archive would say.
private enum SimpleRoot {
  static let keys = [RootKey(key: FrameConstants.simpleKey, type: .reference, byteCount: 1)]

  // SAFETY: one zero byte that is written once, read by any number of threads and never freed.
  nonisolated(unsafe) static let readers: [ByteReader] = {
    let zero = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    unsafe zero[0] = 0
    return unsafe [ByteReader(UnsafeRawBufferPointer(zero))]
  }()
}
