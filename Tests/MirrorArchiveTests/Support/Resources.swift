import Foundation

/// What the process and the thread have used.
enum Resources {
  /// Processor time of this thread in seconds: independent of what else the machine does.
  static func threadSeconds() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Whether a sanitizer watches every access to memory, which takes a multiple of the time and of the memory.
  private static let isSanitized = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// Of many damages of one kind each how manieth is tried: all of them, or under a sanitizer every seventh, which falls on every byte, too.
  static let damageStride = isSanitized ? 7 : 1

  /// Seconds that a small hostile archive may take: a tenth of one in the code that is shipped. Code that is not optimised, on a processor
  /// that others use too, takes a multiple.
  #if DEBUG
    static let limit = isSanitized ? 5 : 0.5
  #else
    static let limit = isSanitized ? 5 : 0.1
  #endif

  /// Bytes that it may take at its peak.
  static let memoryLimit = isSanitized ? 1 << 30 : 50 << 20

  /// The most memory that the process has had, in bytes; 0 where the system doesn't say.
  static func peakMemory() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let number = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (number ?? 0) << 10
  }
}
