#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Memory of a size that stays. Not filled with zeros before something is put into it, as that of `Data` is, and not copied when it is full.
@safe
final class Block: @unchecked Sendable {
  // Changed by whoever makes it, before anybody else sees it.
  private let memory: UnsafeMutableRawBufferPointer

  /// - Parameter count: The number of bytes; nil comes of it if the system does not have them.
  init?(byteCount count: Int) {
    // SAFETY: the block is this object's alone, and has the bytes that the buffer says.
    guard count >= 0, let start = unsafe malloc(max(count, 1)) else { return nil }
    unsafe memory = UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  deinit {
    // SAFETY: it comes from `malloc`, and nobody has a reference to this object any more.
    unsafe free(memory.baseAddress)
  }

  var count: Int { unsafe memory.count }

  /// Calls `body` with the bytes, which are anything until they are set.
  func withBytes<Result, Failure: Error>(_ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result) throws(Failure) -> Result {
    unsafe try body(memory)
  }
}
