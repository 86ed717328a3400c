/// A parsed frame: where everything stands in an archive, checked against each other and against the bytes there are.
///
/// The columns themselves have not been looked at. Borrows the archive, which must outlive it. An object, and one that can be used for archive
/// after archive, because for a small archive the memory of the lists costs more than to read it.
@safe package final class ArchiveLayout {
  // SAFETY: changed by `parse` alone, which belongs to whoever has the only reference to the layout.
  @exclusivity(unchecked) @usableFromInline var contents = Contents()

  /// What a layout says.
  @safe @usableFromInline struct Contents {
    @usableFromInline var byteCount = 0
    @usableFromInline var filledLength = 0
    @usableFromInline var formatVersion: UInt8 = 0
    @usableFromInline var minimumReaderVersion: UInt8 = 0
    @usableFromInline var types = TypeTable()
    @usableFromInline var hasRecords = false
    @usableFromInline var typeTableBytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    @usableFromInline var hasExpectedTypes = false
    @usableFromInline var isSimple = false
    @usableFromInline var pools: ByteReader?
    @usableFromInline var roots: [RootKey] = []
    @usableFromInline var rootReaders: [ByteReader] = []
    @usableFromInline var blocks: [BlockHeader] = []
    @usableFromInline var blockReaders: [ByteReader] = []
    @usableFromInline var verifier: SegmentVerifier?
    /// Where the types come from, if they were expected.
    fileprivate var known: KnownTypes?
    /// Per type: how many columns a block of it has; -1 where nobody has asked yet.
    fileprivate var columnCounts: [Int] = []
    /// That of the first type; nil if it is no class.
    fileprivate var firstColumnCount: Int?

    @usableFromInline init() {}

    fileprivate mutating func setTypes(_ types: TypeTable, from known: KnownTypes?) {
      self.types = types
      self.known = known
      hasRecords = types.hasRecords
      columnCounts.removeAll(keepingCapacity: true)
      firstColumnCount = types[TypeID(entry: 0)]?.isObject == true ? types.columnCount(of: 0) : nil
    }

    /// The archive of exactly one object, which is the rest of it.
    fileprivate mutating func setSimple(_ reader: ByteReader) throws(FormatError) {
      guard let firstColumnCount else { throw reader.fail(.malformed, "the type of the object is not a class") }
      guard reader.remaining >= max(1, firstColumnCount) else {
        throw reader.fail(.truncated, "the object has less than a byte per column")
      }
      let block = BlockHeader(type: TypeID(entry: 0), count: 1, byteCount: reader.remaining)
      if isSimple {
        blocks[0] = block
        blockReaders[0] = reader
        return
      }
      blocks = [block]
      blockReaders = [reader]
      roots = SimpleRoot.keys
      unsafe rootReaders = SimpleRoot.readers
      isSimple = true
    }

    fileprivate mutating func removeAll() {
      isSimple = false
      roots.empty()
      rootReaders.empty()
      blocks.empty()
      blockReaders.empty()
    }
  }

  /// The length of the archive in bytes.
  @inlinable package var byteCount: Int { unsafe contents.byteCount }
  /// The length that the archive was filled up to, as `ArchiveFrame` was told it; 0 if it was not.
  @inlinable package var filledLength: Int { unsafe contents.filledLength }
  @inlinable package var formatVersion: UInt8 { unsafe contents.formatVersion }
  @inlinable package var minimumReaderVersion: UInt8 { unsafe contents.minimumReaderVersion }
  @inlinable package var types: TypeTable { unsafe contents.types }
  /// Whether a class has keys that were coded by hand.
  @inlinable package var hasRecords: Bool { unsafe contents.hasRecords }
  /// The exact bytes of the type table: equal bytes are equal tables, so they can serve as the key of a cache.
  @inlinable package var typeTableBytes: UnsafeRawBufferPointer { unsafe contents.typeTableBytes }
  /// Whether the type table is the one that was expected.
  @inlinable package var hasExpectedTypes: Bool { unsafe contents.hasExpectedTypes }
  /// Whether there is exactly one object, of the class of entry 0, under the only key "root", and the archive says so in short.
  @inlinable package var isSimple: Bool { unsafe contents.isSimple }
  /// The string pools, for `StringPoolSection`; nil if there are none.
  @inlinable package var pools: ByteReader? { unsafe contents.pools }
  @inlinable package var roots: [RootKey] { unsafe contents.roots }
  /// The column of one row of each root.
  @inlinable package var rootReaders: [ByteReader] { unsafe contents.rootReaders }
  @inlinable package var blocks: [BlockHeader] { unsafe contents.blocks }
  /// The columns of each block.
  @inlinable package var blockReaders: [ByteReader] { unsafe contents.blockReaders }
  /// What verifies the bytes that have not been looked at: every reader of a root, a block or the pools has to be handed to it before it is
  /// read. Nil if everything has been verified, or is not to be.
  @inlinable package var verifier: SegmentVerifier? { unsafe contents.verifier }

  /// How much of an archive is compared with its checksums.
  package enum Verification: Sendable {
    /// All of it, before anything is believed.
    case whole
    /// Of a segmented archive what is read, before it is believed; any other one whole.
    case onDemand
    /// Nothing: somebody else has a checksum of the bytes, or a test has damaged them on purpose.
    case none
  }

  /// One to parse archives with; it must not be asked for anything before.
  package init() {}

  /// Parses a whole archive; see `parse`.
  package convenience init(
    parsing bytes: UnsafeRawBufferPointer, verification: Verification = .whole, maximumTypeTableLength: Int = .max,
    expecting expected: KnownTypes? = nil, cachedTypes: (UnsafeRawBufferPointer) -> TypeTable? = { _ in nil }
  ) throws(FormatError) {
    self.init()
    unsafe try parse(
      bytes, verification: verification, maximumTypeTableLength: maximumTypeTableLength, expecting: expected, cachedTypes: cachedTypes)
  }

  /// Parses a whole archive, in place of the one before. Nobody else may have a reference to this layout.
  ///
  /// - Parameters:
  ///   - verification: how much of it is verified. With `onDemand` only head, tables and keys of a segmented archive are looked at, and what
  ///     the readers hold is for the user of the layout to verify.
  ///   - maximumTypeTableLength: the most bytes the type table may have.
  ///   - expected: a type table that is likely to be that of the archive; then its bytes are only compared.
  ///   - cachedTypes: otherwise called with the bytes of the type table; a table it returns, which must come from equal bytes, is used
  ///     instead of parsing them.
  /// - Throws: in this order: `notAnArchive` (wrong magic), `newerFormat`, `truncated` and `trailingBytes` (wrong length),
  ///   `checksumMismatch`, then `malformed`, `truncated` or `limitExceeded` for the structure. Then the layout says nothing that may be used.
  package func parse(
    _ bytes: UnsafeRawBufferPointer, verification: Verification, maximumTypeTableLength: Int = .max,
    expecting expected: KnownTypes? = nil,
    cachedTypes: (UnsafeRawBufferPointer) -> TypeTable? = { _ in nil }
  ) throws(FormatError) {
    let head = unsafe try FrameHead(bytes)
    let verifier = unsafe try head.verify(bytes, verification)
    let formatVersion = head.version >> 4
    let minimumReaderVersion = head.version & 15
    guard formatVersion > 0, minimumReaderVersion > 0, minimumReaderVersion <= formatVersion else {
      throw head.atFlags.fail(.malformed, "the format version \(formatVersion) is impossible")
    }
    guard head.flags & ~FrameConstants.knownFlags == 0 else { throw head.atFlags.fail(.malformed, "unknown flags") }
    unsafe contents.byteCount = bytes.count
    unsafe contents.filledLength = head.flags & FrameConstants.filled != 0 ? head.body.remaining : 0
    unsafe contents.verifier = verifier
    unsafe contents.formatVersion = formatVersion
    unsafe contents.minimumReaderVersion = minimumReaderVersion
    var body = TableReader(head.body, verifier)
    do throws(FormatError) {
      unsafe try parseTypes(&body, maximumTypeTableLength, expected, cachedTypes)
      if head.flags & FrameConstants.pools != 0 {
        let length = try body.reader.readCount()
        unsafe contents.pools = try body.pass(length)
      } else {
        unsafe contents.pools = nil
      }
      if head.flags & FrameConstants.simple != 0 {
        guard head.flags & FrameConstants.filled == 0 else { throw head.atFlags.fail(.malformed, "a simple archive is never filled up") }
        return unsafe try contents.setSimple(body.reader)
      }
      unsafe contents.removeAll()
      unsafe try Self.readBlocks(&body, contents.types, &contents.columnCounts, into: &contents.blocks)
      unsafe try Self.readRoots(&body, contents.types, into: &contents.roots)
      for root in roots { unsafe contents.rootReaders.append(try body.pass(root.byteCount)) }
      for block in blocks { unsafe contents.blockReaders.append(try body.pass(block.byteCount)) }
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

  private func parseTypes(
    _ body: inout TableReader, _ maximumLength: Int, _ expected: KnownTypes?, _ cachedTypes: (UnsafeRawBufferPointer) -> TypeTable?
  ) throws(FormatError) {
    if let expected, unsafe expected.isPrefix(of: body.reader.rest) {
      unsafe contents.typeTableBytes = try body.reader.readBytes(expected.byteCount)
      try body.believe()
      if unsafe contents.known !== expected { unsafe contents.setTypes(expected.table, from: expected) }
      unsafe contents.hasExpectedTypes = true
      return
    }
    var table = body.reader
    unsafe contents.typeTableBytes = try TypeTable.readExtent(&body.reader)
    try body.believe()
    let length = unsafe contents.typeTableBytes.count
    guard length <= maximumLength else {
      throw table.fail(.limitExceeded, "the types are described in \(length) bytes: maximumTypeTableLength is \(maximumLength)")
    }
    if let cached = unsafe cachedTypes(contents.typeTableBytes) {
      unsafe contents.setTypes(cached, from: nil)
    } else {
      unsafe contents.setTypes(try TypeTable(from: &table), from: nil)
    }
    unsafe contents.hasExpectedTypes = false
  }

  /// The same with all of the archive verified, or, for tests that damage archives on purpose, nothing.
  package convenience init(
    parsing bytes: UnsafeRawBufferPointer, verifyingChecksum: Bool, maximumTypeTableLength: Int = .max,
    expecting expected: KnownTypes? = nil,
    cachedTypes: (UnsafeRawBufferPointer) -> TypeTable? = { _ in nil }
  ) throws(FormatError) {
    unsafe try self.init(
      parsing: bytes, verification: verifyingChecksum ? .whole : .none, maximumTypeTableLength: maximumTypeTableLength, expecting: expected,
      cachedTypes: cachedTypes)
  }
}
