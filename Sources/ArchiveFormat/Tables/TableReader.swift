/// Reads the tables of an archive that may not have been verified: what has been read is verified before it is believed, and nothing else is.
struct TableReader {
  var reader: ByteReader
  private let verifier: SegmentVerifier?
  /// Everything that was read in front of this position has been verified.
  private var believed: Int
  /// No number that stands on its own is longer.
  private static let lookahead = 10

  @inline(__always) init(_ reader: ByteReader, _ verifier: SegmentVerifier?) {
    self.reader = reader
    self.verifier = verifier
    believed = reader.offset
  }

  /// Verifies what has been read since the last time.
  ///
  /// - Throws: `checksumMismatch`.
  @inline(__always) mutating func believe() throws(FormatError) {
    try verifier?.verify(from: believed, to: reader.offset)
    believed = reader.offset
  }

  /// Verifies what has been read and what may have been looked at when reading failed.
  ///
  /// - Throws: `checksumMismatch`, which then is the reason.
  func believeAttempt() throws(FormatError) { try verifier?.verify(from: believed, to: reader.offset &+ Self.lookahead) }

  /// Takes the next `n` bytes without looking at them.
  mutating func pass(_ n: Int) throws(FormatError) -> ByteReader {
    try believe()
    let passed = try reader.slice(n)
    believed = reader.offset
    return passed
  }
}
