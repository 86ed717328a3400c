/// The first bytes of an archive and what follows from them: where its body and its seal stand.
struct FrameHead {
  let version: UInt8
  /// At the flags, for error messages.
  let atFlags: ByteReader
  let flags: UInt8
  let body: ByteReader
  private let seal: ByteReader

  /// - Throws: in this order: `notAnArchive`, `newerFormat`, `truncated` and `trailingBytes`.
  init(_ bytes: UnsafeRawBufferPointer) throws(FormatError) {
    var r = unsafe ByteReader(bytes)
    version = try Self.readVersion(&r)
    atFlags = r
    flags = try r.readByte()
    let bodyLength = try r.readCount()
    guard r.remaining >= ArchiveSeal.hashLength, r.remaining - ArchiveSeal.hashLength >= bodyLength else {
      throw r.fail(.truncated, "the archive ends before the \(bodyLength) bytes it announces and its checksum")
    }
    body = try r.slice(bodyLength)
    let sealLength = ArchiveSeal.length(covering: r.offset, isSegmented: flags & FrameConstants.segmented != 0)
    guard r.remaining >= sealLength else { throw r.fail(.truncated, "the archive ends within its checksums") }
    seal = try r.slice(sealLength)
    guard r.remaining == 0 else { throw r.fail(.trailingBytes, "\(r.remaining) bytes follow the archive") }
  }

  /// Reads magic and version and returns the version byte.
  private static func readVersion(_ r: inout ByteReader) throws(FormatError) -> UInt8 {
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

  /// Verifies as much as `verification` says, the head itself included.
  ///
  /// - Parameter bytes: those the head was read from.
  /// - Returns: what verifies the rest, if that is left to the reader of it.
  /// - Throws: `checksumMismatch`.
  func verify(
    _ bytes: UnsafeRawBufferPointer, _ verification: ArchiveLayout.Verification
  ) throws(FormatError) -> SegmentVerifier? {
    if verification == .none { return nil }
    let covered = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<seal.offset])
    let checksum = ArchiveSeal.Checksum(flags: flags)
    guard flags & FrameConstants.segmented != 0 else {
      var stored = seal
      guard unsafe try stored.readLE64() == checksum.hash(covered) else {
        throw body.fail(.checksumMismatch, "the archive is damaged: its checksum does not match")
      }
      return nil
    }
    let verifier = unsafe try SegmentVerifier(covered, seal: seal, checksum)
    if verification == .whole {
      try verifier.verifyAll()
      return nil
    }
    try verifier.verify(from: 0, to: body.offset)
    return verifier
  }
}
