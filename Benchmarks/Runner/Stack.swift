import Foundation

/// Runs `body` on a thread whose stack has `size` bytes, and waits for it; on the calling thread when `size` is nil.
func onStack<Result>(of size: Int?, _ body: () throws -> Result) throws -> Result {
  guard let size else { return try body() }
  let job = Job<Result>()
  withoutActuallyEscaping(body) { body in
    job.body = body
    let thread = Thread { job.run() }
    thread.stackSize = size
    thread.start()
    job.finished.wait()
  }
  guard let outcome = job.outcome else { throw Skip(reason: "its thread did not run") }
  return try outcome.get()
}

/// What the thread runs. Its creator waits for it, which is why nothing in it has to be sendable.
private final class Job<Result>: @unchecked Sendable {
  let finished = DispatchSemaphore(value: 0)
  var body: (() throws -> Result)?
  var outcome: Swift.Result<Result, any Error>?

  func run() {
    if let body { outcome = Swift.Result(catching: body) }
    // Released before the waiting side goes on: it may not escape.
    body = nil
    finished.signal()
  }
}
