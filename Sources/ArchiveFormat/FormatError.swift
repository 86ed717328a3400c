/// What is wrong with a byte string that is not a well-formed archive, and where.
package struct FormatError: Error, Equatable, Sendable {
  /// The kinds of defect a reader distinguishes.
  package enum Code: Sendable {
    /// The bytes do not begin like an archive.
    case notAnArchive
    /// The archive asks for a reader of a later format version.
    case newerFormat
    /// The bytes end before what they announce.
    case truncated
    /// Bytes follow what they announce.
    case trailingBytes
    /// The content is not what the checksum was computed over.
    case checksumMismatch
    /// The content contradicts itself or the format.
    case malformed
    /// A bound that protects the reader was exceeded.
    case limitExceeded
  }

  package var code: Code
  /// The position of the defect, in bytes from the start of the archive.
  package var offset: Int
  package var message: String

  package init(code: Code, offset: Int, message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }
}
