/// A parsed frame: where everything stands in an archive, checked against each other and against the bytes there are.
///
/// The columns themselves have not been looked at. Borrows the archive, which must outlive it.
@safe package struct ArchiveLayout {
  /// The length of the archive in bytes.
  package let byteCount: Int
  package var formatVersion: UInt8
  package var minimumReaderVersion: UInt8
  package var types: TypeTable
  /// The exact bytes of the type table: equal bytes are equal tables, so they can serve as the key of a cache.
  package var typeTableBytes: UnsafeRawBufferPointer
  /// Whether the type table is the one that was expected.
  package let hasExpectedTypes: Bool
  /// The string pools, for `StringPoolSection`; nil if there are none.
  package var pools: ByteReader?
  package var roots: [RootKey]
  /// The column of one row of each root.
  package var rootReaders: [ByteReader]
  package var blocks: [BlockHeader]
  /// The columns of each block.
  package var blockReaders: [ByteReader]
  /// What verifies the bytes that have not been looked at: every reader of a root, a block or the pools has to be handed to it before it is
  /// read. Nil if everything has been verified, or is not to be.
  package let verifier: SegmentVerifier?

  /// How much of an archive is compared with its checksums.
  package enum Verification: Sendable {
    /// All of it, before anything is believed.
    case whole
    /// Of a segmented archive what is read, before it is believed; any other one whole.
    case onDemand
    /// Nothing, for tests that damage archives on purpose.
    case none
  }

  /// Parses a whole archive.
  ///
  /// - Parameters:
  ///   - verification: how much of it is verified. With `onDemand` only head, tables and keys of a segmented archive are looked at, and what
  ///     the readers hold is for the user of the layout to verify.
  ///   - maximumTypeTableLength: the most bytes the type table may have.
  ///   - expected: a type table that is likely to be that of the archive; then its bytes are only compared.
  ///   - cachedTypes: otherwise called with the bytes of the type table; a table it returns, which must come from equal bytes, is used
  ///     instead of parsing them.
  /// - Throws: in this order: `notAnArchive` (wrong magic), `newerFormat`, `truncated` and `trailingBytes` (wrong length),
  ///   `checksumMismatch`, then `malformed`, `truncated` or `limitExceeded` for the structure.
  package init(
    parsing bytes: UnsafeRawBufferPointer, verification: Verification = .whole, maximumTypeTableLength: Int = .max,
    expecting expected: KnownTypes? = nil,
    cachedTypes: (UnsafeRawBufferPointer) -> TypeTable? = { _ in nil }
  ) throws(FormatError) {
    byteCount = bytes.count
    let head = unsafe try FrameHead(bytes)
    verifier = unsafe try head.verify(bytes, verification)
    formatVersion = head.version >> 4
    minimumReaderVersion = head.version & 15
    guard formatVersion > 0, minimumReaderVersion > 0, minimumReaderVersion <= formatVersion else {
      throw head.atFlags.fail(.malformed, "the format version \(formatVersion) is impossible")
    }
    guard head.flags & ~FrameConstants.knownFlags == 0 else { throw head.atFlags.fail(.malformed, "unknown flags") }
    var body = TableReader(head.body, verifier)
    do throws(FormatError) {
      if let expected, unsafe expected.isPrefix(of: body.reader.rest) {
        unsafe typeTableBytes = try body.reader.readBytes(expected.byteCount)
        try body.believe()
        types = expected.table
        hasExpectedTypes = true
      } else {
        var table = body.reader
        unsafe typeTableBytes = try TypeTable.readExtent(&body.reader)
        try body.believe()
        guard unsafe typeTableBytes.count <= maximumTypeTableLength else {
          throw table.fail(
            .limitExceeded,
            "the types are described in \(unsafe typeTableBytes.count) bytes: maximumTypeTableLength is \(maximumTypeTableLength)")
        }
        if let cached = unsafe cachedTypes(typeTableBytes) { types = cached } else { types = try TypeTable(from: &table) }
        hasExpectedTypes = false
      }
      if head.flags & FrameConstants.pools != 0 {
        let length = try body.reader.readCount()
        pools = try body.pass(length)
      } else {
        pools = nil
      }
      if head.flags & FrameConstants.simple != 0 {
        guard head.flags & FrameConstants.filled == 0 else { throw head.atFlags.fail(.malformed, "a simple archive is never filled up") }
        blocks = [try Self.simpleBlock(body.reader, types)]
        blockReaders = [body.reader]
        roots = SimpleRoot.keys
        unsafe rootReaders = SimpleRoot.readers
        return
      }
      blocks = try Self.readBlocks(&body, types)
      roots = try Self.readRoots(&body, types)
      rootReaders = []
      blockReaders = []
      rootReaders.reserveCapacity(roots.count)
      blockReaders.reserveCapacity(blocks.count)
      for root in roots { rootReaders.append(try body.pass(root.byteCount)) }
      for block in blocks { blockReaders.append(try body.pass(block.byteCount)) }
      if head.flags & FrameConstants.filled != 0 {
        let filling = try body.pass(body.reader.remaining)
        try verifier?.verify(filling)
        guard unsafe filling.rest.allSatisfy({ $0 == 0 }) else { throw filling.fail(.malformed, "the filling is not made of zeros") }
      }
      let left = body.reader.remaining
      guard left == 0 else { throw body.reader.fail(.malformed, "\(left) bytes of the body belong to nothing") }
    } catch {
      try body.believeAttempt()
      throw error
    }
  }

  /// The same with all of the archive verified, or, for tests that damage archives on purpose, nothing.
  package init(
    parsing bytes: UnsafeRawBufferPointer, verifyingChecksum: Bool, maximumTypeTableLength: Int = .max,
    expecting expected: KnownTypes? = nil,
    cachedTypes: (UnsafeRawBufferPointer) -> TypeTable? = { _ in nil }
  ) throws(FormatError) {
    unsafe try self.init(
      parsing: bytes, verification: verifyingChecksum ? .whole : .none, maximumTypeTableLength: maximumTypeTableLength, expecting: expected,
      cachedTypes: cachedTypes)
  }
}
