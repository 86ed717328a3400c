import Foundation

/// Keeps what one lap leaves behind in `malloc` from being paid for by the next one.
enum Allocator {
  /// Freed memory stays with the process, so that no lap has to fetch pages that whoever ran before has given back.
  static func keepMemory() {
    #if canImport(Glibc)
      // Swift's module of the C library leaves `malloc.h` out.
      guard let symbol = unsafe dlsym(nil, "mallopt") else { return }
      // SAFETY: the signature is the one in `malloc.h`.
      let mallopt = unsafe unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
      let trimThreshold: CInt = -1
      let mapThreshold: CInt = -3
      _ = mallopt(trimThreshold, .max)
      _ = mallopt(mapThreshold, 1 << 30)
    #endif
  }

  /// Joins the small blocks that the last lap has freed, which `malloc` puts off until somebody asks for a large one: for that somebody
  /// it would be 0.4 ms in place of 0.02.
  @inline(never)
  static func settle() {
    let block = unsafe malloc(1 << 16)
    unsafe blackHole(block)
    unsafe free(block)
  }
}
