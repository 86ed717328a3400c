#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A type table with its bytes: archives of the same model begin with the same table, which then need not be read again.
package final class KnownTypes: Sendable {
  package let table: TypeTable
  private let bytes: [UInt8]

  /// - Parameter bytes: exactly those that the table was read from.
  package init(_ table: TypeTable, _ bytes: UnsafeRawBufferPointer) {
    self.table = table
    self.bytes = unsafe Array(bytes)
  }

  package var byteCount: Int { bytes.count }
  package var hash: UInt64 { unsafe bytes.withUnsafeBytes { unsafe XXH3.hash($0) } }

  package func hasBytes(of other: KnownTypes) -> Bool { bytes == other.bytes }

  /// Whether the table has exactly these bytes.
  package func isDescribed(by other: UnsafeRawBufferPointer) -> Bool { unsafe other.count == bytes.count && isPrefix(of: other) }

  /// Whether these bytes begin with the table. A table says itself where it ends, so none that begins like it is longer.
  func isPrefix(of other: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= other.count, let right = other.baseAddress else { return bytes.isEmpty }
    // SAFETY: both have as many bytes as there are of these.
    return unsafe bytes.withUnsafeBytes { mine in
      guard let left = mine.baseAddress else { return true }
      return unsafe memcmp(left, right, mine.count) == 0
    }
  }
}
