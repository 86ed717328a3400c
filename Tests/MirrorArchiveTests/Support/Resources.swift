import Foundation

/// What the process and the thread have used.
enum Resources {
  /// Processor time of this thread in seconds: independent of what else the machine does.
  static func threadSeconds() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Seconds that a small hostile archive may take. Sanitizers and unoptimised code are slower than what is shipped.
  static let limit = 0.1

  /// The most memory that the process has had, in bytes; 0 where the system doesn't say.
  static func peakMemory() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let number = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (number ?? 0) << 10
  }
}
