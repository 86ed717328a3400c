package import Foundation

/// The directories that a platform has for what programs keep.
package enum BaseDirectory: Sendable {
  /// What may be deleted at any time: the user's caches; on Linux `$XDG_CACHE_HOME`, or `~/.cache`.
  case caches
  /// What a program keeps: Application Support; on Linux `$XDG_DATA_HOME`, or `~/.local/share`.
  case data

  /// Why there is no directory.
  package enum Failure: Error {
    /// No directory can have the name.
    case name(String)
    /// The system does not say where the user's files are.
    case place(String)
  }

  /// A directory of this kind with a name of its own, which is not made.
  package func url(named name: String) throws(Failure) -> URL {
    if name.isEmpty || name == "." || name == ".." || name.utf8.count > 255 || name.utf8.contains(0)
      || name.utf8.contains(UInt8(ascii: "/"))
    {
      throw .name("'\(name.prefix(300))' is no name that a directory can have")
    }
    return try url().appendingPathComponent(name, isDirectory: true)
  }

  private func url() throws(Failure) -> URL {
    #if canImport(Darwin)
      do {
        let directory: FileManager.SearchPathDirectory = self == .caches ? .cachesDirectory : .applicationSupportDirectory
        return try FileManager.default.url(for: directory, in: .userDomainMask, appropriateFor: nil, create: false)
      } catch {
        throw .place("the system names no directory: \(error)")
      }
    #else
      return try url(in: ProcessInfo.processInfo.environment)
    #endif
  }

  /// The directory that the XDG Base Directory Specification names.
  package func url(in environment: [String: String]) throws(Failure) -> URL {
    let (variable, standard) = self == .caches ? ("XDG_CACHE_HOME", ".cache") : ("XDG_DATA_HOME", ".local/share")
    // The specification wants a relative path ignored.
    if let path = environment[variable], path.hasPrefix("/") { return URL(fileURLWithPath: path, isDirectory: true) }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw .place("neither \(variable) nor HOME is an absolute path: set one of them, or name a directory")
    }
    return URL(fileURLWithPath: home, isDirectory: true).appendingPathComponent(standard, isDirectory: true)
  }

  /// The absolute path of a directory, without a slash at its end; nil if the URL is no directory's.
  static func path(of url: URL) -> String? {
    // A character of code 0 would end the path early: another directory would be meant.
    guard url.isFileURL, !url.absoluteString.contains("%00") else { return nil }
    // SAFETY: the path is copied before the call ends.
    let path = unsafe url.standardizedFileURL.withUnsafeFileSystemRepresentation { unsafe $0.map { unsafe String(cString: $0) } }
    guard var path, path.hasPrefix("/") else { return nil }
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
