import ArchiveFormat
import MirrorArchive

/// A command line that cannot be understood.
package struct UsageError: Error {
  package var message: String
  /// What may have been meant.
  package var hint: String?

  package init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}

/// What is wrong with a file, for people: one line.
package struct Problem: Error {
  package var file: String?
  package var message: String
  /// The place in the file.
  package var offset: Int?

  package init(file: String? = nil, message: String, offset: Int? = nil) {
    self.file = file
    self.message = message
    self.offset = offset
  }

  /// The same as another error says.
  package init(_ error: any Error, file: String? = nil) {
    switch error {
    case let problem as Problem:
      self = problem
      self.file = problem.file ?? file
    case let error as FormatError: self.init(file: file, message: error.message, offset: error.offset)
    case let error as ArchiveError:
      self.init(file: file, message: error.path.isEmpty ? error.message : "\(error.path): \(error.message)", offset: error.offset)
    default: self.init(file: file, message: "\(error)")
    }
  }

  /// The line without its end.
  package var text: String {
    var text = file.map { "\($0): " } ?? ""
    text += message
    if let offset { text += " (at byte \(offset))" }
    return Text.safe(text)
  }
}
