import Synchronization

/// A count that objects keep of themselves from any thread.
final class Tally: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  /// Adds and answers the sum.
  @discardableResult
  func add(_ number: Int) -> Int {
    count.withLock {
      $0 += number
      return $0
    }
  }
}
