/// The versions of the byte format that this module writes and reads.
package enum ArchiveFormatVersion {
  /// The version that is written.
  package static let current: UInt8 = 1
  /// The oldest reader that understands what is written.
  package static let minimumReader: UInt8 = 1
}

/// The most rows one column chunk holds.
///
/// Chunks of this size keep a column's scratch buffers in the nearest cache, and together with "at least one byte per chunk"
/// they bound how far a short archive can expand.
package let maximumChunkRows = 1024

/// Chunks with fewer rows than this are written plainly, without an encoding byte.
package let firstEncodedRowCount = 8
