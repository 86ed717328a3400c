/// Shows on a terminal how far work is, once it has taken a second.
package final class Progress {
  private let what: String
  private let total: Int
  /// A terminal; nil if there is none to show anything on.
  private let output: Output?
  private let start = ContinuousClock.now
  private var nextTime: ContinuousClock.Instant
  /// The clock is asked after so many bytes alone.
  private var nextDone = 0
  private var isShown = false

  /// - Parameter output: Nothing is shown if it is no terminal.
  package init(_ what: String, total: Int, on output: Output?) {
    self.what = what
    self.total = max(total, 1)
    self.output = output?.isTerminal == true ? output : nil
    nextTime = start + .seconds(1)
  }

  /// So many bytes are done.
  package func advance(to done: Int) {
    guard done >= nextDone, let output else { return }
    nextDone = done + 1 << 18
    let now = ContinuousClock.now
    guard now >= nextTime else { return }
    nextTime = now + .milliseconds(100)
    isShown = true
    let percent = Int(Double(done) / Double(total) * 100)
    output.complain("\r\u{1B}[K\(what) \(min(percent, 100)) % of \(Text.grouped(total)) bytes")
  }

  /// Takes away what was shown.
  package func finish() {
    if isShown { output?.complain("\r\u{1B}[K") }
    isShown = false
  }
}
