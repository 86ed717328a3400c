import Foundation

/// The clock of a lap.
enum LapClock: String, CaseIterable {
  /// What a user waits. The default.
  case wall
  /// Processor time of the whole process, all threads: steadier on a shared machine.
  case cpu

  /// Nanoseconds since some moment in the past.
  @inline(__always)
  func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
