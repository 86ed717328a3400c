/// Runs the work on a thread with a stack of 512 KiB and waits for its end.
///
/// Recursion over a long list overflows such a stack at once, and the overflow ends the process.
func onSmallStack<Result: Sendable>(bytes: Int = 512 << 10, _ work: @escaping @Sendable () throws -> Result) throws -> Result {
  let outcome = Outcome<Result>()
  JoinedThread(stackSize: bytes) { outcome.result = Swift.Result { try work() } }.join()
  guard let result = outcome.result else { fatalError("the thread has not run") }
  return try result.get()
}

/// A result that one thread leaves and another one finds after its end.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
  var result: Result<Value, any Error>?
}
