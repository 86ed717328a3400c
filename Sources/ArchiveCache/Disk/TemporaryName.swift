import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Names of files that are being written, no two the same on one machine: also not in the two processes of a fork.
enum TemporaryName {
  private static let middle = "-" + CacheDirectory.randomName() + "-"
  private static let counter = Atomic<UInt64>(0)

  static func next() -> String { String(getpid()) + middle + String(counter.add(1, ordering: .relaxed).newValue) }
}
