import Foundation
import Testing

/// Runs the work on a thread with a stack of 512 KiB and waits for its end.
///
/// Recursion over a long list overflows such a stack at once, and the overflow ends the process.
func onSmallStack<Result: Sendable>(bytes: Int = 512 << 10, _ work: @escaping @Sendable () throws -> Result) throws -> Result {
  let outcome = Outcome<Result>()
  let thread = Thread { outcome.finish(Swift.Result { try work() }) }
  thread.stackSize = bytes
  thread.start()
  return try outcome.wait().get()
}

/// A result that is handed from one thread to another.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var result: Result<Value, any Error>?

  func finish(_ result: Result<Value, any Error>) {
    condition.lock()
    self.result = result
    condition.signal()
    condition.unlock()
  }

  func wait() -> Result<Value, any Error> {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result { return result }
      condition.wait()
    }
  }
}
