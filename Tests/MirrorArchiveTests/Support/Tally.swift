import Synchronization

/// A count that objects keep of themselves from any thread.
final class Tally: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add(_ number: Int) {
    count.withLock { $0 += number }
  }
}
