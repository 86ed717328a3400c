/// Verifies a segmented archive piece by piece: each segment once, when somebody is about to read in it.
///
/// Borrows the archive, which must outlive it. Belongs to one reader of the archive at a time.
@safe package final class SegmentVerifier {
  /// Everything the segments are made of.
  private let covered: UnsafeRawBufferPointer
  /// The hashes of the segments, in order; these have been verified.
  private let hashes: UnsafeRawBufferPointer
  private let checksum: ArchiveSeal.Checksum
  /// A bit for each segment, the lowest first, that says whether it has been verified.
  private var verified: [UInt64]

  /// Verifies the hashes themselves.
  ///
  /// - Parameters:
  ///   - covered: the bytes in front of the seal.
  ///   - seal: the seal, of the length that belongs to them.
  /// - Throws: `checksumMismatch`.
  init(_ covered: UnsafeRawBufferPointer, seal: ByteReader, _ checksum: ArchiveSeal.Checksum) throws(FormatError) {
    self.checksum = checksum
    var rest = seal
    let count = ArchiveSeal.segmentCount(covering: covered.count)
    unsafe self.covered = unsafe covered
    unsafe hashes = unsafe try rest.readBytes(count &* ArchiveSeal.hashLength)
    verified = [UInt64](repeating: 0, count: (count + 63) / 64)
    guard unsafe try rest.readLE64() == checksum.hash(hashes) else {
      throw seal.fail(.checksumMismatch, "the archive is damaged: its list of checksums does not match")
    }
  }

  /// The number of segments that have been verified.
  package var verifiedCount: Int { verified.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Verifies the segments that the bytes of `r` lie in. To be called before they are read for the first time; a second time does nothing.
  ///
  /// - Parameter r: a reader that the layout of the archive has given out, or a part of one.
  /// - Throws: `checksumMismatch`, and again each time.
  /// - Complexity: O(bytes of the segments that have not been verified yet), and a step for each 64 segments that have.
  package func verify(_ r: ByteReader) throws(FormatError) { try verify(from: r.offset, to: r.offset &+ r.remaining) }

  /// Verifies all segments.
  package func verifyAll() throws(FormatError) { unsafe try verify(from: 0, to: covered.count) }

  /// Verifies the segments that the bytes from `start` up to `end` lie in, as far as they are covered.
  func verify(from start: Int, to end: Int) throws(FormatError) {
    let end = unsafe min(end, covered.count)
    guard start >= 0, start < end else { return }
    let first = start / ArchiveSeal.segmentLength
    let last = (end &- 1) / ArchiveSeal.segmentLength
    for word in (first &>> 6)...(last &>> 6) {
      var missing = ~verified[word]
      if word == first &>> 6 { missing &= ~0 &<< UInt64(first & 63) }
      if word == last &>> 6 { missing &= ~0 &>> UInt64(63 &- last & 63) }
      while missing != 0 {
        let bit = missing.trailingZeroBitCount
        try check(segment: word &<< 6 | bit)
        verified[word] |= 1 &<< UInt64(bit)
        missing &= missing &- 1
      }
    }
  }

  private func check(segment: Int) throws(FormatError) {
    let start = segment &* ArchiveSeal.segmentLength
    let end = unsafe min(start &+ ArchiveSeal.segmentLength, covered.count)
    // SAFETY: there are as many hashes as segments, and each segment has at least a byte.
    guard let list = unsafe hashes.baseAddress else { return }
    let stored = unsafe RawAccess.load64(list, segment &* ArchiveSeal.hashLength)
    guard unsafe stored == checksum.hash(UnsafeRawBufferPointer(rebasing: covered[start..<end])) else {
      throw FormatError(
        code: .checksumMismatch, offset: start,
        message: "the archive is damaged: the checksum of its bytes \(start)..<\(end) does not match")
    }
  }
}

@available(*, unavailable)
extension SegmentVerifier: Sendable {}
