import Foundation

/// Files as a test wants them: Foundation would write through `fsync`, or another file.
enum RawFile {
  static func read(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  /// Writes into the file that is there, or a new one.
  static func write(_ data: Data, _ path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw Child.Failure(description: "'\(path)': error \(errno)") }
    // SAFETY: the call reads the bytes of the data.
    let count = unsafe data.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    if count != data.count { throw Child.Failure(description: "'\(path)' takes \(count) bytes") }
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }
}
