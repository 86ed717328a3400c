import Foundation
import MirrorArchive

/// The directories that a platform has for what programs keep.
enum BaseDirectory {
  /// What may be deleted at any time.
  case caches

  /// A directory of this kind with a name of its own.
  ///
  /// On Linux as the XDG Base Directory Specification says: a path that is not absolute does not count.
  func url(named name: String) throws -> URL {
    if name.isEmpty || name == "." || name == ".." || name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }) {
      throw ArchiveCacheError(.invalidDirectory, "'\(name)' is not the name of a directory")
    }
    #if os(Linux) || os(Android)
      let environment = ProcessInfo.processInfo.environment
      if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") {
        return URL(fileURLWithPath: base, isDirectory: true).appendingPathComponent(name, isDirectory: true)
      }
      guard let home = environment["HOME"], home.hasPrefix("/") else {
        throw ArchiveCacheError(.invalidDirectory, "neither XDG_CACHE_HOME nor HOME names a directory")
      }
      return URL(fileURLWithPath: home, isDirectory: true).appendingPathComponent(".cache/" + name, isDirectory: true)
    #else
      let base = try FileManager.default.url(for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      return base.appendingPathComponent(name, isDirectory: true)
    #endif
  }

  /// The absolute path of a directory, without a slash at its end.
  static func path(of url: URL) throws -> String {
    guard url.isFileURL, !url.absoluteString.contains("%00") else {
      throw ArchiveCacheError(.invalidDirectory, "'\(url.absoluteString)' is no directory's URL")
    }
    // SAFETY: the path is copied before the call ends.
    let path = unsafe url.standardizedFileURL.withUnsafeFileSystemRepresentation { unsafe $0.map { unsafe String(cString: $0) } }
    guard var path, path.hasPrefix("/") else {
      throw ArchiveCacheError(.invalidDirectory, "'\(url.absoluteString)' has no path that the file system could take")
    }
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
