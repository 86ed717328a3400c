#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that are written whole or not at all.
///
/// The bytes go to a temporary file in the same directory, which then takes the target's name: whoever opens the target sees the old file or
/// the new one, and any number of writers may be at work at once. A replaced file's permissions are kept, and its owner and group as far as
/// the system lets this process; access control lists, extended attributes and further hard links of the old file are not.
package enum AtomicFile {
  /// Writes the bytes to a file, which is made or replaced. If the path is a symbolic link, the file it points to is replaced.
  ///
  /// - Parameters:
  ///   - bytes: The new contents.
  ///   - path: The file; a relative path is taken from the working directory.
  ///   - durable: Wait until the storage has the file's contents and its name, so that both survive a loss of power.
  /// - Throws: ``ArchiveError`` with the code `fileError`. No temporary file is left, and the target is the old file, untouched. Only if the
  ///   very last step of a durable write fails, which asks the storage to keep the directory, is the target the new file already.
  /// - Complexity: O(number of bytes).
  package static func write(_ bytes: UnsafeRawBufferPointer, to path: String, durable: Bool) throws {
    try FilePath.check(path, cannotBe: "written")
    let target = try destination(of: path)
    let existing = try existingFile(at: target, named: path)
    let directory = directory(of: target)
    let (temporary, descriptor) = try makeTemporary(in: directory, mode: existing == nil ? 0o666 : 0o600, named: path)
    do {
      var file: Int32? = descriptor
      // Nothing is lost where closing a file that is given up fails.
      defer { if let file { close(file) } }
      unsafe try fill(descriptor, bytes, named: path)
      if let existing { try keep(existing, on: descriptor, named: path) }
      if durable { try synchronize(descriptor, named: path) }
      file = nil
      // Some file systems tell of a failed write only now. An interrupted call has closed the file nevertheless.
      if close(descriptor) != 0, errno != EINTR { throw ArchiveError.file(path, cannotBe: "written", errno) }
      let (result, reason) = FilePath.call { unsafe rename(temporary, target) }
      if result != 0 { throw ArchiveError.file(path, cannotBe: "replaced", reason) }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    if durable { try synchronizeDirectory(directory, named: path) }
  }

  // MARK: The target

  /// Where the bytes go: the end of a chain of symbolic links, which need not exist.
  private static func destination(of path: String) throws -> String {
    var current = path
    // As many as Linux follows.
    for _ in 0..<40 {
      guard let link = readLink(current) else { return current }
      if link.hasPrefix("/") {
        current = link
      } else {
        let directory = directory(of: current)
        current = directory.hasSuffix("/") ? directory + link : directory + "/" + link
      }
    }
    throw ArchiveError.file(path, cannotBe: "written", ELOOP)
  }

  /// What a symbolic link holds; nil for everything else.
  private static func readLink(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    // SAFETY: the call writes at most as many bytes as the buffer has, and returns how many.
    let length = unsafe readlink(path, &buffer, buffer.count)
    guard length > 0, length < buffer.count else { return nil }
    return String(validating: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The file that is going to be replaced, or nil if there is none.
  private static func existingFile(at target: String, named path: String) throws -> stat? {
    var status = stat()
    if unsafe lstat(target, &status) != 0 {
      if errno != ENOENT { throw ArchiveError.file(path, cannotBe: "written", errno) }
      // A name that ends with a slash is a directory's.
      if target.hasSuffix("/") { throw ArchiveError.file(path, cannotBe: "written", EISDIR) }
      return nil
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return status
    case S_IFDIR: throw ArchiveError.file(path, cannotBe: "written", EISDIR)
    default:
      // A pipe or a device would be gone, and a regular file in its place.
      throw ArchiveError(.fileError, message: "the file '\(path)' could not be written: it is no regular file")
    }
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  // MARK: The temporary file

  /// Makes a new file with a name that nobody can guess.
  ///
  /// A file that replaces another one is the owner's alone until it has the other one's permissions. For a file of its own the system applies
  /// the process's mask (or the directory's default access list) to `mode` at once: reading the mask would mean changing it for a moment,
  /// under the feet of other threads.
  private static func makeTemporary(in directory: String, mode: mode_t, named path: String) throws -> (path: String, descriptor: Int32) {
    var random = SystemRandomNumberGenerator()
    while true {
      let name = ".archive-\(String(random.next(), radix: 36))\(String(random.next(), radix: 36)).tmp"
      let temporary = directory.hasSuffix("/") ? directory + name : directory + "/" + name
      let (descriptor, reason) = FilePath.call { unsafe open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode) }
      if descriptor >= 0 { return (temporary, descriptor) }
      if reason != EEXIST { throw ArchiveError.file(path, cannotBe: "written", reason) }
    }
  }

  private static func fill(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, named path: String) throws {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      // SAFETY: `count` bytes of `rest` are there. Systems take at most 2 GiB in one call.
      let count = min(rest.count, 1 << 30)
      let (written, reason) = FilePath.call { unsafe Self.write(descriptor, rest.baseAddress, count) }
      // A call that writes nothing and names no reason would be made for ever.
      if written <= 0 { throw ArchiveError.file(path, cannotBe: "written", written == 0 ? EIO : reason) }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
    }
  }

  // The system's function, which this type's own one hides.
  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      unsafe Musl.write(descriptor, bytes, count)
    #else
      unsafe Darwin.write(descriptor, bytes, count)
    #endif
  }

  /// Gives the file the owner, group and permissions of the one it is going to replace.
  private static func keep(_ existing: stat, on descriptor: Int32, named path: String) throws {
    var mode = existing.st_mode & 0o7777
    var mine = stat()
    if unsafe fstat(descriptor, &mine) != 0 { throw ArchiveError.file(path, cannotBe: "written", errno) }
    // SAFETY: plain numbers out of a structure that the system has filled.
    let (owner, group) = (existing.st_uid, existing.st_gid)
    var keepsOwner = mine.st_uid == owner
    var keepsGroup = mine.st_gid == group
    if !keepsOwner, fchown(descriptor, owner, group) == 0 { (keepsOwner, keepsGroup) = (true, true) }
    if !keepsGroup { keepsGroup = fchown(descriptor, uid_t.max, group) == 0 }
    // Permissions that were given to somebody else's group or owner must not pass to this process's.
    if !keepsGroup { mode = mode & 0o5707 | (mode & 0o7) << 3 }
    if !keepsOwner { mode &= 0o3777 }
    if fchmod(descriptor, mode) != 0 { throw ArchiveError.file(path, cannotBe: "written", errno) }
  }

  // MARK: Durability

  private static func synchronize(_ descriptor: Int32, named path: String) throws {
    #if canImport(Darwin)
      // `fsync` leaves the bytes in the drive's own memory there.
      if unsafe fcntl(descriptor, F_FULLFSYNC) != -1 { return }
    #endif
    let (result, reason) = FilePath.call { fsync(descriptor) }
    if result != 0 { throw ArchiveError.file(path, cannotBe: "written to the storage", reason) }
  }

  /// The new name is part of the directory.
  private static func synchronizeDirectory(_ directory: String, named path: String) throws {
    let (descriptor, reason) = FilePath.call { unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0 { throw ArchiveError.file(path, cannotBe: "named in the storage", reason) }
    defer { close(descriptor) }
    let (result, failure) = FilePath.call { fsync(descriptor) }
    // Some file systems cannot do this for directories, and say so.
    if result != 0, failure != EINVAL, failure != ENOTSUP { throw ArchiveError.file(path, cannotBe: "named in the storage", failure) }
  }
}
