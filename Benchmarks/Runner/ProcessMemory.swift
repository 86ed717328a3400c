import Foundation

/// What this process keeps in memory, as Linux counts it.
enum ProcessMemory {
  /// Gives every page that nothing uses back to the system, and makes the present size the highest.
  /// - Returns: the present size in bytes; nil where the system cannot forget a peak.
  static func startPeak() -> Int? {
    #if canImport(Glibc)
      // Swift's module of the C library leaves `malloc.h` out.
      if let symbol = unsafe dlsym(nil, "malloc_trim") {
        // SAFETY: the signature is the one in `malloc.h`.
        _ = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)(0)
      }
    #endif
    let file = unsafe open("/proc/self/clear_refs", O_WRONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // 5 resets the peak, see proc(5).
    guard unsafe write(file, "5", 1) == 1 else { return nil }
    return read("VmRSS:")
  }

  /// The largest size in bytes since `startPeak`.
  static func peak() -> Int? {
    // Not `ru_maxrss`: a program inherits that from whoever started it.
    read("VmHWM:")
  }

  /// Bytes that the system could still give, without taking them from somebody.
  static func available() -> Int? {
    read("MemAvailable:", from: "/proc/meminfo")
  }

  /// A line of `/proc/self/status`, without Foundation: reading must not need memory that would be counted.
  private static func read(_ key: StaticString, from path: String = "/proc/self/status") -> Int? {
    let file = unsafe open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4_096) { buffer in
      // SAFETY: the system writes at most the size of the buffer, and only what it has written is looked at.
      let count = unsafe Foundation.read(file, buffer.baseAddress, buffer.count)
      guard count > 0 else { return nil }
      let text = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
      return key.withUTF8Buffer { unsafe kilobytes(after: $0, in: text) }
    }
  }

  private static func kilobytes(after key: UnsafeBufferPointer<UInt8>, in text: UnsafeRawBufferPointer) -> Int? {
    guard text.count > key.count else { return nil }
    for start in 0..<(text.count - key.count) where unsafe text[start..<(start + key.count)].elementsEqual(key) {
      var value = 0
      for index in (start + key.count)..<text.count {
        // SAFETY: the range ends where the text does.
        let byte = unsafe text[index]
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value &* 10 &+ Int(byte &- UInt8(ascii: "0"))
        case UInt8(ascii: "\n"): return value &* 1_024
        default: break
        }
      }
    }
    return nil
  }
}
