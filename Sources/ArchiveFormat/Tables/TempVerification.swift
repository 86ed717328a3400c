package final class SegmentVerifier { package func verify(_ r: ByteReader) throws(FormatError) {} }
extension ArchiveLayout {
  package enum Verification { case whole, none, onDemand }
  package var verifier: SegmentVerifier? { nil }
  package init(parsing bytes: UnsafeRawBufferPointer, verification: Verification) throws(FormatError) {
    unsafe try self.init(parsing: bytes, verifyingChecksum: true)
  }
}
