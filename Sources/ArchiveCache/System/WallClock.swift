#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What time it is: the system's, or one that a test sets.
package struct WallClock: Sendable {
  private let read: (@Sendable () -> Int64)?

  /// The system's clock.
  package static let system = WallClock(read: nil)

  /// A clock that answers what a test wants, in nanoseconds since 1970.
  package init(_ read: @escaping @Sendable () -> Int64) { self.init(read: read) }

  private init(read: (@Sendable () -> Int64)?) { self.read = read }

  /// Nanoseconds since 1970.
  package var nanoseconds: Int64 {
    if let read { return read() }
    var time = timespec()
    // SAFETY: the call fills the structure.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Milliseconds since 1970.
  package var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
