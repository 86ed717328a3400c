import Foundation

/// A value that is being made, and those who wait for it.
///
/// Threads wait on a condition, tasks with a continuation; both are let go when the flight lands.
final class Flight<Outcome: Sendable>: AnyFlight, @unchecked Sendable {
  enum Landing: Sendable {
    case success(Outcome)
    case failure(any Error)
    /// Whoever made the value was cancelled: the next one makes it.
    case abandoned
  }

  private let condition = NSCondition()
  private var landing: Landing?
  private var waiting: [UInt64: CheckedContinuation<Landing, any Error>] = [:]
  /// Waiters that were cancelled before they began to wait.
  private var cancelled: Set<UInt64> = []
  private var next: UInt64 = 0

  /// Ends the flight. The first landing counts.
  func land(_ landing: Landing) {
    condition.lock()
    if self.landing != nil {
      condition.unlock()
      return
    }
    self.landing = landing
    let waiting = self.waiting
    self.waiting = [:]
    condition.broadcast()
    condition.unlock()
    for continuation in waiting.values { continuation.resume(returning: landing) }
  }

  /// Waits on this thread.
  func wait() -> Landing {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let landing { return landing }
      condition.wait()
    }
  }

  /// Waits without a thread.
  /// - Throws: `CancellationError` if the task is cancelled.
  nonisolated(nonsending) func landing() async throws -> Landing {
    let number = number()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in add(continuation, number) }
    } onCancel: {
      cancel(number)
    }
  }

  private func number() -> UInt64 {
    condition.lock()
    defer { condition.unlock() }
    next += 1
    return next
  }

  private func add(_ continuation: CheckedContinuation<Landing, any Error>, _ number: UInt64) {
    condition.lock()
    if let landing {
      condition.unlock()
      continuation.resume(returning: landing)
    } else if cancelled.remove(number) != nil {
      condition.unlock()
      continuation.resume(throwing: CancellationError())
    } else {
      waiting[number] = continuation
      condition.unlock()
    }
  }

  private func cancel(_ number: UInt64) {
    condition.lock()
    let continuation = waiting.removeValue(forKey: number)
    if continuation == nil, landing == nil { cancelled.insert(number) }
    condition.unlock()
    continuation?.resume(throwing: CancellationError())
  }
}
