import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The thread that is at work with a coder, while one is.
///
/// A coder belongs to one task, which may go on another thread from call to call but not within one. So whoever calls while another thread is at
/// work is turned away before anything of the coder is looked at. Calls inside a call, from code of the program that runs meanwhile, come from
/// the same thread.
struct CoderOwner: ~Copyable {
  /// 0 between calls.
  private let thread = Atomic<UInt>(0)

  /// What tells this thread from all others that run.
  @inline(__always)
  private static var current: UInt {
    #if canImport(Darwin) || canImport(Musl)
      // SAFETY: the pointer is only compared.
      UInt(bitPattern: unsafe pthread_self())
    #else
      pthread_self()
    #endif
  }

  /// Whether a call of this thread is under way.
  @inline(__always)
  var isHere: Bool { thread.load(ordering: .relaxed) == Self.current }

  /// Begins a call.
  ///
  /// - Returns: Whether it is the outermost one, which `leave` ends.
  /// - Throws: `reentrant` if another thread is at work.
  @inline(__always)
  func enter(_ coder: StaticString) throws -> Bool {
    let current = Self.current
    if thread.load(ordering: .relaxed) == current { return false }
    if !begin(current) { throw Self.refusal(coder) }
    return true
  }

  /// Runs `body` as a call that cannot throw, and does nothing while another thread is at work.
  func ifFree<R>(_ body: () -> R) -> R? {
    let current = Self.current
    if thread.load(ordering: .relaxed) == current { return body() }
    if !begin(current) { return nil }
    defer { leave() }
    return body()
  }

  @inline(__always)
  private func begin(_ current: UInt) -> Bool {
    // What the last thread has done is seen from here on.
    thread.compareExchange(expected: 0, desired: current, ordering: .acquiring).exchanged
  }

  /// Ends the outermost call.
  @inline(__always)
  func leave() { thread.store(0, ordering: .releasing) }

  @inline(never)
  private static func refusal(_ coder: StaticString) -> ArchiveError {
    ArchiveError(
      .reentrant, message: "another thread is at work with the \(coder), which belongs to one task; make one for each task")
  }
}
