import Foundation
import MirrorArchive

/// A new, empty directory that is gone with this object.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-archive-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// What is in the directory, in alphabetical order.
  func contents() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}

/// What the system says of a file, without following a link.
struct FileStatus: Equatable {
  var mode: UInt32
  var owner: UInt32
  var group: UInt32
  var isLink: Bool

  init?(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    mode = UInt32(status.st_mode) & 0o7777
    owner = status.st_uid
    group = status.st_gid
    isLink = status.st_mode & S_IFMT == S_IFLNK
  }
}

/// Writes a file as the archiver does.
func replaceFile(_ path: String, with data: Data, durable: Bool = false) throws {
  unsafe try data.withUnsafeBytes { unsafe try AtomicFile.write($0, to: path, durable: durable) }
}
