#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ArchiveError {
  /// A call of the system that failed.
  /// - Parameters:
  ///   - action: What could not be done, such as "opened".
  ///   - number: The system's number for the reason.
  static func file(_ path: String, cannotBe action: String, _ number: Int32) -> ArchiveError {
    ArchiveError(.fileError, message: "the file '\(path)' could not be \(action): \(reason(number))")
  }

  private static func reason(_ number: Int32) -> String {
    #if canImport(Glibc)
      // SAFETY: a text of the C library's own, valid until this thread asks for the next one.
      if let text = unsafe strerror(number) { return unsafe String(cString: text) }
    #else
      var buffer = [CChar](repeating: 0, count: 256)
      // SAFETY: the call stays within the buffer and ends the text with a zero.
      if unsafe strerror_r(number, &buffer, buffer.count) == 0 { return unsafe String(cString: buffer) }
    #endif
    return "error \(number)"
  }
}

/// Paths as the system takes them.
enum FilePath {
  /// The path of a file URL.
  static func path(of url: URL) throws -> String {
    guard url.isFileURL else { throw ArchiveError(.fileError, message: "'\(url.absoluteString)' is no file URL") }
    let path = unsafe url.withUnsafeFileSystemRepresentation { unsafe $0.map { unsafe String(cString: $0) } }
    // A character of code 0 would end the path early: another file would be meant.
    guard let path, !url.absoluteString.contains("%00") else {
      throw ArchiveError(.fileError, message: "'\(url.absoluteString)' has no path that the file system could take")
    }
    return path
  }

  /// Refuses what a C string cannot hold.
  static func check(_ path: String, cannotBe action: String) throws {
    if path.isEmpty { throw ArchiveError.file(path, cannotBe: action, ENOENT) }
    if path.utf8.contains(0) { throw ArchiveError.file(path, cannotBe: action, EINVAL) }
  }

  /// Calls again while a signal interrupts. Returns what the call returned, and the reason if that was -1.
  static func call<Result: SignedInteger>(_ body: () -> Result) -> (result: Result, reason: Int32) {
    while true {
      let result = body()
      if result != -1 { return (result, 0) }
      let reason = errno
      if reason != EINTR { return (result, reason) }
    }
  }
}
