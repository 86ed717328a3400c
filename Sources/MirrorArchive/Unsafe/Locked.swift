#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value behind a lock: the C library's mutex, which ThreadSanitizer knows.
///
/// `Synchronization.Mutex` waits on Linux in a way that the sanitizer does not see, so that every contended lock would be reported as a race.
@safe
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @exclusivity(unchecked) private var value: Value

  package init(_ value: consuming Value) {
    // SAFETY: the mutex is initialised before anybody can see it, never moves, and is destroyed with this object alone.
    unsafe mutex = .allocate(capacity: 1)
    let result = unsafe pthread_mutex_init(mutex, nil)
    precondition(result == 0, "the system has no mutex left")
    unsafe self.value = value
  }

  deinit {
    // SAFETY: nobody else refers to this object any more, so nobody holds its mutex.
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Calls `body` with the value while nobody else has it.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    // SAFETY: the mutex was initialised with this object and lives as long; whatever `body` does, it is given back once.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    // Whoever asked again from inside would wait for itself: there is nothing left for the run-time check to find.
    return try unsafe body(&value)
  }
}
