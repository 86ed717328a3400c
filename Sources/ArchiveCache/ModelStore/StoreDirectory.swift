import Foundation
import Synchronization

/// The directory of a model store: files that are written whole or not at all, and are in the storage when the call returns.
final class StoreDirectory: Sendable {
  let path: String
  private let fileSystem: FileSystem
  private let clock: WallClock
  /// When abandoned files were last looked for, in nanoseconds since 1970.
  private let lastSweep = Mutex<Int64?>(nil)

  /// Nanoseconds after which a temporary file is taken for that of a writer that was killed.
  private static let abandonedAfter: Int64 = 3_600_000_000_000
  /// Nanoseconds between two searches for such files, which have to look at all names.
  private static let sweepInterval: Int64 = 600_000_000_000

  init(path: String, fileSystem: FileSystem, clock: WallClock) {
    self.path = path
    self.fileSystem = fileSystem
    self.clock = clock
  }

  private func path(_ file: String) -> String { path + "/" + file }
  /// The directory itself; by the dot also where a symbolic link leads to it.
  private var itself: String { path + "/." }

  // MARK: Reading

  /// The bytes of a file.
  /// - Throws: `ENOENT` if there is none; `EISDIR` or `EINVAL` if it is no regular file.
  func read(_ file: String) throws(SystemError) -> Data {
    let path = path(file)
    let descriptor = try fileSystem.open(path, O_RDONLY)
    defer { fileSystem.close(descriptor) }
    let status = try fileSystem.status(of: descriptor, path)
    guard status.kind == .file else { throw SystemError(.open, path, status.kind == .directory ? EISDIR : EINVAL) }
    guard let size = Int(exactly: status.size) else { throw SystemError(.read, path, EFBIG) }
    if size <= 0 { return Data() }
    // Not an allocation that ends the process where there is no room for it.
    guard let memory = unsafe malloc(size) else { throw SystemError(.read, path, ENOMEM) }
    do {
      // SAFETY: the memory has `size` bytes, of which `count` are filled; it is the data's from then on.
      let count = unsafe try fileSystem.read(descriptor, into: UnsafeMutableRawBufferPointer(start: memory, count: size), path)
      return unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
    } catch {
      unsafe free(memory)
      throw error
    }
  }

  /// The status of a regular file; nil if there is none.
  func status(_ file: String) throws(SystemError) -> FileSystem.Status? {
    do {
      let status = try fileSystem.status(at: path(file))
      return status.kind == .file ? status : nil
    } catch  where error.number == ENOENT {
      return nil
    }
  }

  /// The names in the directory; none if it is not there. Sweeps.
  func names() throws(SystemError) -> [String] {
    do {
      let names = try fileSystem.names(in: itself)
      sweep(names)
      return names
    } catch  where error.number == ENOENT {
      return []
    }
  }

  // MARK: Writing

  /// Makes a file or replaces it.
  ///
  /// - Parameter backup: The file that keeps what is replaced, if that is whole; nil if nothing is kept.
  /// - Throws: The old file is whole and no temporary file is left. Only if the very last step fails, which asks the storage to keep the
  ///   directory, is the new file there already.
  func write(_ contents: Data, as file: String, keepingAs backup: String? = nil) throws(SystemError) {
    sweepIfDue()
    do {
      try replace(file, by: contents, keepingAs: backup)
    } catch  where error.number == ENOENT {
      // The first file, or somebody has deleted the directory while the program runs.
      try makeDirectory(path)
      try replace(file, by: contents, keepingAs: backup)
    }
    try synchronize(directory: path)
  }

  private func replace(_ file: String, by contents: Data, keepingAs backup: String?) throws(SystemError) {
    let temporary = try makeTemporary(with: contents)
    do {
      if let backup { try keep(file, as: backup) }
      try fileSystem.rename(temporary, to: path(file))
    } catch {
      try? fileSystem.unlink(temporary)
      throw error
    }
  }

  /// Puts a file, under a second name, in the place of a backup: there is no moment without both versions, or without either.
  private func keep(_ file: String, as backup: String) throws(SystemError) {
    let contents: Data
    do {
      contents = try read(file)
    } catch  where error.number == ENOENT || error.number == EIO {
      return
    }
    // What is damaged must not take the place of a backup that is not.
    guard StoredModel.isWhole(contents) else { return }
    var temporary = newTemporary()
    do {
      try fileSystem.link(path(file), as: temporary)
    } catch  where error.number == ENOENT {
      return
    } catch {
      // File systems without hard links have several ways to say so.
      temporary = try makeTemporary(with: contents)
    }
    // Renaming does nothing where both names are of one file, as after a write that failed behind this point.
    defer { try? fileSystem.unlink(temporary) }
    try fileSystem.rename(temporary, to: path(backup))
  }

  /// - Returns: The path of a new file with these contents, which the storage has.
  private func makeTemporary(with contents: Data) throws(SystemError) -> String {
    let path = newTemporary()
    var file: Int32? = try fileSystem.open(path, O_CREAT | O_EXCL | O_WRONLY, mode: 0o600)
    do {
      guard let descriptor = file else { return path }
      // SAFETY: the bytes are the data's for the time of the call.
      unsafe try contents.bytes.withUnsafeBytes { (bytes) throws(SystemError) in
        unsafe try fileSystem.write(descriptor, bytes, path)
      }
      try fileSystem.synchronize(descriptor, path)
      file = nil
      try fileSystem.close(written: descriptor, path)
    } catch {
      if let file { fileSystem.close(file) }
      try? fileSystem.unlink(path)
      throw error
    }
    return path
  }

  /// Removes a file.
  /// - Returns: Whether it was there.
  func remove(_ file: String) throws(SystemError) -> Bool {
    do {
      try fileSystem.unlink(path(file))
      return true
    } catch  where error.number == ENOENT {
      return false
    }
  }

  /// Waits until the storage has the directory's names.
  func synchronize() throws(SystemError) { try synchronize(directory: path) }

  private func synchronize(directory: String) throws(SystemError) {
    let directory = directory + "/."
    let descriptor = try fileSystem.open(directory, O_RDONLY | O_DIRECTORY)
    defer { fileSystem.close(descriptor) }
    do {
      try fileSystem.synchronize(descriptor, directory)
    } catch  where error.number == EINVAL || error.number == ENOTSUP {
      // Some file systems cannot do this for directories, and say so.
    }
  }

  private func makeDirectory(_ path: String) throws(SystemError) {
    let parent = Self.parent(of: path)
    do {
      try fileSystem.makeDirectory(path)
    } catch  where error.number == EEXIST {
      return
    } catch  where error.number == ENOENT && parent != path {
      try makeDirectory(parent)
      do {
        try fileSystem.makeDirectory(path)
      } catch  where error.number == EEXIST {
        return
      }
    }
    do {
      try synchronize(directory: parent)
    } catch  where error.number == EACCES || error.number == EPERM {
      // A directory that others own may be one that this process can only pass through.
    }
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  // MARK: Temporary files

  private static let temporaryPrefix = ".modelstore-"
  private static let temporarySuffix = ".tmp"

  private func newTemporary() -> String { path(Self.temporaryPrefix + Self.random() + Self.temporarySuffix) }

  /// Thirteen digits or letters at most, that nobody can guess.
  static func random() -> String { String(UInt64.random(in: 0 ... .max), radix: 36) }

  private func sweepIfDue() {
    let now = clock.nanoseconds
    let isDue = lastSweep.withLock { last in
      if let last, last <= now, now &- last < Self.sweepInterval { return false }
      last = now
      return true
    }
    if isDue, let names = try? fileSystem.names(in: itself) { sweep(names) }
  }

  /// Removes the temporary files of writers that were killed. What does not succeed is left for the next time.
  private func sweep(_ names: [String]) {
    for name in names where name.hasPrefix(Self.temporaryPrefix) && name.hasSuffix(Self.temporarySuffix) {
      guard let status = try? status(name), clock.nanoseconds &- status.modified > Self.abandonedAfter else { continue }
      try? fileSystem.unlink(path(name))
    }
  }
}
