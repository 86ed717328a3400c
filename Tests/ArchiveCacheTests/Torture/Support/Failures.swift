import MirrorArchive

/// What went wrong on other threads.
final class Failures: Sendable {
  private let texts = Locked<[String]>([])
  func add(_ text: String) { texts.withLock { $0.append(text) } }
  var all: [String] { texts.withLock { $0 } }
}
