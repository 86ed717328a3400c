#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A regular file's bytes as they lie in the system's cache, for reading.
///
/// Opening costs the same for any size: a page is brought in when it is looked at. A file that is replaced by renaming another one over it,
/// as ``AtomicFile`` does, may be replaced at any time; the mapping goes on showing the old bytes. Whoever shortens a mapped file in place
/// ends this process when it looks at the bytes that are gone.
@safe
package final class MappedFile: @unchecked Sendable {
  /// The file's bytes, valid as long as this object: keep it alive (`withExtendedLifetime`) while they are used.
  package let bytes: UnsafeRawBufferPointer

  /// Maps a file.
  ///
  /// - Parameter path: The file; symbolic links are followed.
  /// - Throws: ``ArchiveError`` with the code `fileError` if there is no such file, it is not readable, or it is no regular file; a pipe is
  ///   refused without waiting for its other end.
  /// - Complexity: O(1).
  package init(_ path: String) throws {
    try FilePath.check(path, cannotBe: "read")
    // Without O_NONBLOCK, opening a pipe waits for somebody who writes to it; regular files know no such waiting.
    let (descriptor, reason) = FilePath.call { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    if descriptor < 0 { throw ArchiveError.file(path, cannotBe: "read", reason) }
    defer { close(descriptor) }
    var status = stat()
    if unsafe fstat(descriptor, &status) != 0 { throw ArchiveError.file(path, cannotBe: "read", errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw ArchiveError.file(path, cannotBe: "read", EISDIR)
    default: throw ArchiveError(.fileError, message: "the file '\(path)' could not be read: it is no regular file")
    }
    guard let count = Int(exactly: status.st_size) else { throw ArchiveError.file(path, cannotBe: "read", EFBIG) }
    if count == 0 {
      // The system maps nothing of no length.
      unsafe bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    // SAFETY: the mapping has `count` bytes and belongs to this object alone.
    guard let base = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), unsafe base != MAP_FAILED else {
      throw ArchiveError.file(path, cannotBe: "read", errno)
    }
    unsafe bytes = UnsafeRawBufferPointer(start: base, count: count)
  }

  deinit {
    // SAFETY: nobody looks at the bytes once this object is gone.
    if let base = unsafe bytes.baseAddress { unsafe munmap(UnsafeMutableRawPointer(mutating: base), bytes.count) }
  }
}
