#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's calls for files, each of them called again while a signal interrupts it, and each of them one that a test can let fail.
///
/// Not Foundation's: that writes through `fsync` on Linux, which costs a hundred times as much as the write itself.
package struct FileSystem: Sendable {
  /// What a call is about.
  package enum Call: Sendable, Hashable, CaseIterable {
    case open, status, read, write, synchronize, close, rename, link, unlink, makeDirectory, removeDirectory, list, touch, lock
  }

  /// What a test lets happen instead of a call.
  package enum Fault: Sendable {
    /// The call does nothing and answers this `errno`.
    case error(Int32)
    /// A read or write transfers no more than so many bytes.
    case short(Int)
  }

  /// Asked before every call; nil lets it happen. For tests only.
  package typealias Faults = @Sendable (Call, String) -> Fault?

  private let faults: Faults?

  package init(faults: Faults? = nil) { self.faults = faults }

  /// A file's status, as far as it is of interest.
  package struct Status: Sendable {
    package enum Kind: Sendable { case file, directory, other }
    package let kind: Kind
    package let size: Int64
    package let device: UInt64
    package let inode: UInt64
    /// Nanoseconds since 1970.
    package let accessed: Int64
    /// Nanoseconds since 1970.
    package let modified: Int64
    package let permissions: UInt16

    fileprivate init(_ status: stat) {
      switch status.st_mode & S_IFMT {
      case S_IFREG: kind = .file
      case S_IFDIR: kind = .directory
      default: kind = .other
      }
      size = Int64(status.st_size)
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(status.st_ino)
      permissions = UInt16(status.st_mode & 0o7777)
      #if canImport(Darwin)
        accessed = Self.nanoseconds(status.st_atimespec)
        modified = Self.nanoseconds(status.st_mtimespec)
      #else
        accessed = Self.nanoseconds(status.st_atim)
        modified = Self.nanoseconds(status.st_mtim)
      #endif
    }

    private static func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }

    /// Whether it is the same file with the same contents, as far as the system tells.
    package func isSame(as other: Status) -> Bool {
      inode == other.inode && device == other.device && size == other.size && modified == other.modified
    }
  }

  // MARK: Files

  /// Opens a file. Never waits for the other end of a pipe, and never follows a symbolic link at the path's end.
  package func open(_ path: String, _ flags: Int32, mode: UInt16 = 0) throws(SystemError) -> Int32 {
    try call(.open, path) {
      // SAFETY: the path is a C string for the time of the call.
      #if canImport(Glibc)
        unsafe Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode_t(mode))
      #elseif canImport(Musl)
        unsafe Musl.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode_t(mode))
      #else
        unsafe Darwin.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode_t(mode))
      #endif
    }
  }

  /// Opens a file for reading without a change to the time of its last access, where the system can do that.
  package func open(untraced path: String) throws(SystemError) -> Int32 {
    #if os(Linux)
      // `O_NOATIME`, which Swift does not import. For files of one's own only.
      do { return try open(path, O_RDONLY | 1 << 18) } catch  where error.number == EPERM {}
    #endif
    return try open(path, O_RDONLY)
  }

  /// The status of an open file.
  package func status(of descriptor: Int32, _ path: String) throws(SystemError) -> Status {
    var result = stat()
    // SAFETY: the call fills the structure or fails.
    _ = try call(.status, path) { unsafe fstat(descriptor, &result) }
    return Status(result)
  }

  /// The status of what is at a path, of a symbolic link its own.
  package func status(at path: String) throws(SystemError) -> Status {
    var result = stat()
    // SAFETY: as above; the path is a C string for the time of the call.
    _ = try call(.status, path) { unsafe lstat(path, &result) }
    return Status(result)
  }

  /// Reads from the file's present position until the buffer is full or the file ends.
  /// - Returns: The number of bytes.
  package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, _ path: String) throws(SystemError) -> Int {
    var filled = 0
    while filled < buffer.count {
      // SAFETY: `room` bytes behind `filled` are in the buffer. Systems take at most 2 GiB in one call.
      let room = min(buffer.count - filled, 1 << 30)
      let (count, isShort) = try transfer(.read, path, room) { count in
        unsafe systemRead(descriptor, UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped) + filled, count)
      }
      if count == 0 && !isShort { break }
      filled += count
    }
    return filled
  }

  /// Writes all the bytes at the file's present position.
  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ path: String) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      // SAFETY: `rest` bytes behind `done` are in the buffer.
      let rest = min(bytes.count - done, 1 << 30)
      let (count, isShort) = try transfer(.write, path, rest) { count in
        unsafe systemWrite(descriptor, bytes.baseAddress.unsafelyUnwrapped + done, count)
      }
      // A call that writes nothing and names no reason would be made for ever.
      if count == 0 && !isShort { throw SystemError(.write, path, EIO) }
      done += count
    }
  }

  /// Waits until the storage has a file's contents, or a directory's names.
  package func synchronize(_ descriptor: Int32, _ path: String) throws(SystemError) {
    _ = try call(.synchronize, path) {
      #if canImport(Darwin)
        // `fsync` leaves the bytes in the drive's own memory there.
        // SAFETY: the command takes no pointer.
        let result = unsafe fcntl(descriptor, F_FULLFSYNC)
        if result != -1 { return result }
      #endif
      return fsync(descriptor)
    }
  }

  /// Closes a file that was read.
  package func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

  /// Closes a file that was written: some file systems tell of a failed write only now.
  package func close(written descriptor: Int32, _ path: String) throws(SystemError) {
    if let fault = faults?(.close, path), case .error(let number) = fault {
      _ = systemClose(descriptor)
      throw SystemError(.close, path, number)
    }
    // An interrupted call has closed the file nevertheless.
    if systemClose(descriptor) != 0, errno != EINTR { throw SystemError(.close, path, errno) }
  }

  /// Sets the time of the last access, and that of the last change if there is one. Both are nanoseconds since 1970.
  package func touch(_ descriptor: Int32, accessed: Int64, modified: Int64? = nil, _ path: String) throws(SystemError) {
    #if canImport(Darwin)
      let omitted = -2
    #else
      let omitted = (1 << 30) - 2
    #endif
    var times = (Self.time(accessed), modified.map { Self.time($0) } ?? timespec(tv_sec: 0, tv_nsec: omitted))
    _ = try call(.touch, path) {
      // SAFETY: the call reads two times, one behind the other as the tuple has them.
      unsafe withUnsafeBytes(of: &times) { unsafe futimens(descriptor, $0.baseAddress?.assumingMemoryBound(to: timespec.self)) }
    }
  }

  private static func time(_ nanoseconds: Int64) -> timespec {
    let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
    return rest < 0
      ? timespec(tv_sec: Int(seconds) - 1, tv_nsec: Int(rest) + 1_000_000_000) : timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
  }

  /// Takes the exclusive lock of an open file if nobody has it.
  /// - Returns: Whether it was free. It is given back when the file is closed.
  package func lock(_ descriptor: Int32, _ path: String) throws(SystemError) -> Bool {
    do {
      _ = try call(.lock, path) { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch  where error.number == EWOULDBLOCK {
      return false
    }
  }

  // MARK: Names

  package func rename(_ old: String, to new: String) throws(SystemError) {
    // SAFETY: here and below, the paths are C strings for the time of the call.
    _ = try call(.rename, new) { systemRename(old, new) }
  }

  /// Gives a file a second name.
  package func link(_ old: String, as new: String) throws(SystemError) {
    _ = try call(.link, new) { systemLink(old, new) }
  }

  package func unlink(_ path: String) throws(SystemError) { _ = try call(.unlink, path) { systemUnlink(path) } }

  package func makeDirectory(_ path: String, mode: UInt16 = 0o700) throws(SystemError) {
    _ = try call(.makeDirectory, path) { unsafe mkdir(path, mode_t(mode)) }
  }

  /// Removes an empty directory.
  package func removeDirectory(_ path: String) throws(SystemError) { _ = try call(.removeDirectory, path) { unsafe rmdir(path) } }

  /// The names in a directory, without `.` and `..`, in no order. Names that are no UTF-8 come repaired and lead nowhere.
  /// - Complexity: O(number of names).
  package func names(in path: String) throws(SystemError) -> [String] {
    let descriptor = try call(.list, path) { systemOpenDirectory(path) }
    // SAFETY: an open descriptor of a directory, which the stream takes over if there is one.
    guard let directory = unsafe fdopendir(descriptor) else {
      let number = errno
      close(descriptor)
      throw SystemError(.list, path, number)
    }
    // SAFETY: the stream owns the descriptor and is closed once; an entry is read before the next one is asked for.
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        if errno != 0 { throw SystemError(.list, path, errno) }
        return names
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  // MARK: Calling

  private func call(_ call: Call, _ path: String, _ body: () -> Int32) throws(SystemError) -> Int32 {
    while true {
      if let fault = faults?(call, path), case .error(let number) = fault {
        if number == EINTR { continue }
        throw SystemError(call, path, number)
      }
      let result = body()
      if result != -1 { return result }
      let number = errno
      if number != EINTR { throw SystemError(call, path, number) }
    }
  }

  /// One read or write.
  /// - Returns: How many bytes, and whether a test has made them fewer.
  private func transfer(_ call: Call, _ path: String, _ count: Int, _ body: (Int) -> Int) throws(SystemError) -> (Int, Bool) {
    var count = count
    var isShort = false
    while true {
      switch faults?(call, path) {
      case .error(EINTR): continue
      case .error(let number): throw SystemError(call, path, number)
      case .short(let most): (count, isShort) = (min(count, most), true)
      case nil: break
      }
      if count == 0 { return (0, isShort) }
      let result = body(count)
      if result != -1 { return (result, isShort) }
      let number = errno
      if number != EINTR { throw SystemError(call, path, number) }
    }
  }
}

// The system's functions that the methods hide by their names.

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  // SAFETY: here and below, the caller has the room, and the paths are C strings for the time of the call.
  unsafe read(descriptor, buffer, count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int { unsafe write(descriptor, bytes, count) }
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemRename(_ old: String, _ new: String) -> Int32 { unsafe rename(old, new) }
private func systemLink(_ old: String, _ new: String) -> Int32 { unsafe link(old, new) }
private func systemUnlink(_ path: String) -> Int32 { unsafe unlink(path) }
private func systemOpenDirectory(_ path: String) -> Int32 { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) }
