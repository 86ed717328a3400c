import ArchiveFormat

/// The first bytes of an entry's file.
///
/// Little-endian, 64 bytes: the magic number `MAC1`, the header's length (2), flags (2), the lengths of the key (4), of the type's name (4) and
/// of the archive (8), the times of expiry and of writing (8 each, in milliseconds since 1970), the fingerprint of the type (8), the cost (8),
/// zero (4), and a checksum of what stands before it (4). Behind it come the key, the type's name, the archive, and the XXH3 of all before.
struct EntryHeader: Equatable, Sendable {
  static let byteCount = 64
  /// The bytes behind the archive.
  static let checksumByteCount = 8
  private static let magic: UInt32 = 0x3143_414D
  private static let pinnedFlag: UInt16 = 1

  var isPinned = false
  var keyLength: UInt32 = 0
  var typeLength: UInt32 = 0
  var payloadLength: UInt64 = 0
  /// Milliseconds since 1970; the largest number for never.
  var expiry: Int64 = .max
  /// Milliseconds since 1970.
  var written: Int64 = 0
  var fingerprint: UInt64 = 0
  /// What the value counts with in memory.
  var cost: Int64 = 0

  /// The size of the whole file; nil if no file can have it.
  var fileSize: Int64? {
    let parts = UInt64(Self.byteCount) + UInt64(keyLength) + UInt64(typeLength) + UInt64(Self.checksumByteCount)
    let (sum, overflow) = parts.addingReportingOverflow(payloadLength)
    return overflow ? nil : Int64(exactly: sum)
  }

  /// Where the archive lies in the file. Only of a header whose file was found to have its size.
  var payload: Range<Int> {
    let start = Self.byteCount + Int(keyLength) + Int(typeLength)
    return start..<start + Int(truncatingIfNeeded: payloadLength)
  }

  /// Whether the entry is past its time.
  /// - Parameters:
  ///   - now: Milliseconds since 1970.
  ///   - age: The greatest age of entries, in milliseconds; nil for any.
  func isExpired(at now: Int64, maximumAge age: Int64?) -> Bool {
    if expiry <= now { return true }
    guard let age else { return false }
    let (limit, overflow) = written.addingReportingOverflow(age)
    return !overflow && limit <= now
  }

  /// Writes the header's 64 bytes.
  func store(in buffer: UnsafeMutableRawBufferPointer) {
    precondition(buffer.count >= Self.byteCount, "there is room for the header")
    // SAFETY: the offsets lie within the 64 bytes.
    unsafe Self.store(Self.magic, buffer, 0)
    unsafe Self.store(UInt16(Self.byteCount), buffer, 4)
    unsafe Self.store(isPinned ? Self.pinnedFlag : 0, buffer, 6)
    unsafe Self.store(keyLength, buffer, 8)
    unsafe Self.store(typeLength, buffer, 12)
    unsafe Self.store(payloadLength, buffer, 16)
    unsafe Self.store(expiry, buffer, 24)
    unsafe Self.store(written, buffer, 32)
    unsafe Self.store(fingerprint, buffer, 40)
    unsafe Self.store(cost, buffer, 48)
    unsafe Self.store(UInt32(0), buffer, 56)
    unsafe Self.store(Self.checksum(UnsafeRawBufferPointer(rebasing: buffer[..<60])), buffer, 60)
  }

  /// Reads a header; nil if these bytes are none.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.byteCount else { return nil }
    // SAFETY: the offsets lie within the 64 bytes that are there.
    guard unsafe Self.load(UInt32.self, bytes, 0) == Self.magic, unsafe Self.load(UInt16.self, bytes, 4) == UInt16(Self.byteCount),
      unsafe Self.load(UInt32.self, bytes, 60) == Self.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<60])),
      unsafe Self.load(UInt32.self, bytes, 56) == 0
    else { return nil }
    let flags = unsafe Self.load(UInt16.self, bytes, 6)
    guard flags & ~Self.pinnedFlag == 0 else { return nil }
    isPinned = flags & Self.pinnedFlag != 0
    keyLength = unsafe Self.load(UInt32.self, bytes, 8)
    typeLength = unsafe Self.load(UInt32.self, bytes, 12)
    payloadLength = unsafe Self.load(UInt64.self, bytes, 16)
    expiry = unsafe Self.load(Int64.self, bytes, 24)
    written = unsafe Self.load(Int64.self, bytes, 32)
    fingerprint = unsafe Self.load(UInt64.self, bytes, 40)
    cost = unsafe Self.load(Int64.self, bytes, 48)
  }

  init() {}

  // SAFETY: here and below, the caller says that the bytes at the offset are there; any bits are an integer.
  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 { unsafe UInt32(truncatingIfNeeded: XXH3.hash(bytes)) }

  private static func load<T: FixedWidthInteger>(_ type: T.Type, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> T {
    unsafe T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  private static func store<T: FixedWidthInteger>(_ value: T, _ bytes: UnsafeMutableRawBufferPointer, _ offset: Int) {
    unsafe bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
  }
}
