import Foundation

/// One line on the terminal that says what is running; nothing at all in a pipe.
struct Progress {
  private let isTerminal = isatty(2) == 1

  func show(_ text: String) {
    guard isTerminal else { return }
    writeToStandardError("\r\u{1B}[K\(text)")
  }

  func clear() {
    guard isTerminal else { return }
    writeToStandardError("\r\u{1B}[K")
  }
}

/// Diagnostics never mix with the figures.
func writeToStandardError(_ text: String) {
  FileHandle.standardError.write(Data(text.utf8))
}
