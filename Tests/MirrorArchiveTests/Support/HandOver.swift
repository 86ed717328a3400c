import Foundation
import MirrorArchive

/// An archive in a file that a child process is told about.
///
/// An exit test runs its body in a process of its own; what it captures is handed over in that process's environment.
enum HandOver {
  /// Writes the bytes to a new file and answers its path.
  static func write(_ data: Data) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-archive-\(UUID().uuidString)")
    try data.write(to: file)
    return file.path
  }

  static func read(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }
}
