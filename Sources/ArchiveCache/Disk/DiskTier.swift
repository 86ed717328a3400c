#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Entries in files: one each, written to a temporary file and renamed, so that nobody ever sees a part of one.
final class DiskTier: Sendable {
  let directory: CacheDirectory
  let fileSystem: FileSystem
  let clock: WallClock
  /// Larger files are no entries of this cache.
  let maximumFileSize: Int64
  /// Milliseconds; nil for any age.
  let maximumAge: Int64?
  /// Wait for the storage.
  let isDurable: Bool

  /// Files up to this size are read with one call.
  private static let smallFile = 64 << 10
  /// An access is noted when the last one that was noted is older: nanoseconds.
  private static let accessInterval: Int64 = 60_000_000_000

  init(
    directory: CacheDirectory, fileSystem: FileSystem, clock: WallClock, maximumFileSize: Int64, maximumAge: Int64?, isDurable: Bool
  ) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.clock = clock
    self.maximumFileSize = maximumFileSize
    self.maximumAge = maximumAge
    self.isDurable = isDurable
  }

  // MARK: Reading

  /// What was found under a key.
  enum Finding: Sendable {
    case entry(Entry, FileSystem.Status)
    case absent
    /// The entry's time is over; it has been removed.
    case expired
    /// What is there is no entry. It has been removed.
    case damaged(String)
  }

  /// Reads the entry of a key.
  ///
  /// - Throws: Where the system refuses for a reason that says nothing of the entry: no permission, a failing disk, no descriptors.
  func read(_ key: EntryKey) throws(SystemError) -> Finding {
    let path = directory.file(key.digest)
    let descriptor: Int32
    do {
      descriptor = try fileSystem.open(path, O_RDONLY)
    } catch  where error.meansAbsence {
      return .absent
    } catch  where error.number == ELOOP || error.number == ENXIO {
      // A symbolic link, or a socket: the cache makes none.
      try directory.discardIntruder(path)
      return .damaged("no regular file")
    }
    defer { fileSystem.close(descriptor) }
    let status = try fileSystem.status(of: descriptor, path)
    guard status.kind == .file else {
      try directory.discardIntruder(path)
      return .damaged("no regular file")
    }
    let entry: Entry
    do {
      entry = try load(descriptor, status, key, path)
    } catch let flaw as Entry.Flaw {
      switch flaw {
      case .otherKey: return .absent
      case .damaged(let reason):
        try removeQuietly(path, ifStill: status)
        return .damaged(reason)
      }
    } catch let error as SystemError {
      throw error
    } catch {
      return .absent
    }
    let now = clock.nanoseconds
    if entry.header.isExpired(at: now / 1_000_000, maximumAge: maximumAge) {
      try removeQuietly(path, ifStill: status)
      return .expired
    }
    // What is never read again goes before what is. A note that fails costs the entry its place in that order, nothing more.
    if status.accessed <= status.modified || now &- status.accessed > Self.accessInterval {
      try? fileSystem.touch(descriptor, accessed: max(now, status.modified &+ 1), path)
    }
    return .entry(entry, status)
  }

  private func load(_ descriptor: Int32, _ status: FileSystem.Status, _ key: EntryKey, _ path: String) throws -> Entry {
    guard status.size >= EntryHeader.byteCount + EntryHeader.checksumByteCount, status.size <= maximumFileSize,
      let size = Int(exactly: status.size)
    else { throw Entry.Flaw.damaged("no entry has its size of \(status.size) bytes") }
    // Room for what is there, whatever a header says.
    guard let block = Block(byteCount: size) else { throw SystemError(.read, path, ENOMEM) }
    let header = unsafe try block.withBytes { memory in
      // SAFETY: only what was read is looked at.
      let first = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<min(size, Self.smallFile)])
      guard unsafe try fileSystem.read(descriptor, into: first, path) == first.count,
        let header = unsafe EntryHeader(UnsafeRawBufferPointer(first)), header.fileSize == status.size
      else { throw Entry.Flaw.damaged("it does not begin like an entry") }
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[first.count...])
      if unsafe try fileSystem.read(descriptor, into: rest, path) != rest.count { throw Entry.Flaw.damaged("it ends early") }
      return header
    }
    return try Entry(block, header: header, key: key)
  }

  /// Tells a key's file that its value is used, without reading it. If that fails the entry has lost its place in the order, nothing more.
  ///
  /// - Parameter status: The file that the value is in; another one that has taken its place knows better.
  func noteUse(_ key: EntryKey, _ status: FileSystem.Status) {
    let path = directory.file(key.digest)
    guard let descriptor = try? fileSystem.open(path, O_RDONLY) else { return }
    defer { fileSystem.close(descriptor) }
    guard let now = try? fileSystem.status(of: descriptor, path), now.isSame(as: status) else { return }
    try? fileSystem.touch(descriptor, accessed: max(clock.nanoseconds, status.modified &+ 1), path)
  }

  /// The head of an entry: what it says of itself, and its key.
  struct Head: Sendable {
    let header: EntryHeader
    let key: [UInt8]
    let status: FileSystem.Status
  }

  /// Reads the head of a file, without its archive and without its checksum; nil if it is no entry's or is gone.
  ///
  /// No use of the entry: the time of its last access stays, or those that nobody has ever used would look as if they just had been, and stay
  /// longer than those that were.
  ///
  /// - Parameter needsKey: Also read the key.
  func head(of path: String, needsKey: Bool = true) throws(SystemError) -> Head? {
    let descriptor: Int32
    do {
      descriptor = try fileSystem.open(untraced: path)
    } catch  where error.meansAbsence || error.number == ELOOP || error.number == ENXIO {
      return nil
    }
    defer { fileSystem.close(descriptor) }
    let status = try fileSystem.status(of: descriptor, path)
    guard status.kind == .file, status.size <= maximumFileSize else { return nil }
    #if !os(Linux)
      defer { try? fileSystem.touch(descriptor, accessed: status.accessed, path) }
    #endif
    do {
      // Most keys are short: they come with the header.
      // SAFETY: here and below, the calls stay within the array, which lends its bytes for their time.
      var room = [UInt8](repeating: 0, count: Int(min(status.size, needsKey ? 512 : Int64(EntryHeader.byteCount))))
      var count = unsafe try room.withUnsafeMutableBytes { unsafe try fileSystem.read(descriptor, into: $0, path) }
      guard let header = unsafe room[..<count].withUnsafeBytes({ unsafe EntryHeader($0) }), header.fileSize == status.size else {
        return nil
      }
      if !needsKey { return Head(header: header, key: [], status: status) }
      let end = EntryHeader.byteCount + Int(header.keyLength)
      if end > count {
        let start = count
        room += [UInt8](repeating: 0, count: end - start)
        count += unsafe try room.withUnsafeMutableBytes {
          unsafe try fileSystem.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), path)
        }
        if count < end { return nil }
      }
      return Head(header: header, key: Array(room[EntryHeader.byteCount..<end]), status: status)
    } catch let error as SystemError {
      throw error
    } catch {
      return nil
    }
  }

  /// The head of a key's entry, if it has one that is not past its time.
  func head(_ key: EntryKey) throws(SystemError) -> Head? {
    guard let head = try head(of: directory.file(key.digest)), head.key == key.bytes else { return nil }
    return head.header.isExpired(at: clock.milliseconds, maximumAge: maximumAge) ? nil : head
  }

  /// Whether the file of a key is still the one that it was.
  func isCurrent(_ key: EntryKey, _ status: FileSystem.Status) throws(SystemError) -> Bool {
    do {
      return try fileSystem.status(at: directory.file(key.digest)).isSame(as: status)
    } catch  where error.meansAbsence {
      return false
    }
  }

  // MARK: Removing

  /// Removes the entry of a key, or whatever is in its place.
  /// - Returns: Whether there was one.
  func remove(_ key: EntryKey) throws(SystemError) -> Bool {
    let path = directory.file(key.digest)
    if let head = try head(of: path) {
      if head.key != key.bytes { return false }
      let isThere = !head.header.isExpired(at: clock.milliseconds, maximumAge: maximumAge)
      do {
        try fileSystem.unlink(path)
      } catch  where error.meansAbsence {
        return false
      }
      return isThere
    }
    do {
      _ = try fileSystem.status(at: path)
    } catch  where error.meansAbsence {
      return false
    }
    try directory.discard(path)
    return false
  }

  /// Removes what was looked at. A file system that lets nothing be removed is no reason to withhold what was found out.
  private func removeQuietly(_ path: String, ifStill status: FileSystem.Status) throws(SystemError) {
    do {
      _ = try directory.remove(path, ifStill: status)
    } catch  where error.number == EROFS || error.number == EACCES || error.number == EPERM {}
  }

  // MARK: Writing

  /// Stores an entry in the place of the one that the key has.
  ///
  /// - Returns: The status of the file.
  /// - Throws: If the system refuses. Then the old entry is whole, and no temporary file is left.
  func write(_ entry: Entry, for key: EntryKey, temporaryName: String) throws(SystemError) -> FileSystem.Status {
    let temporary = directory.temporaries + "/" + temporaryName
    do {
      return try attempt(entry, key, temporary)
    } catch  where error.meansAbsence {
      // Somebody has emptied the directory under us, the temporary file perhaps with it: it comes again.
      try directory.make(directory.temporaries)
      return try attempt(entry, key, temporary)
    }
  }

  private func attempt(_ entry: Entry, _ key: EntryKey, _ temporary: String) throws(SystemError) -> FileSystem.Status {
    let descriptor = try fileSystem.open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    do {
      let status = try fill(descriptor, entry, temporary)
      try place(temporary, for: key)
      return status
    } catch {
      try? fileSystem.unlink(temporary)
      throw error
    }
  }

  private func fill(_ descriptor: Int32, _ entry: Entry, _ path: String) throws(SystemError) -> FileSystem.Status {
    let status: FileSystem.Status
    do {
      // A closure has no typed errors to pass on before the compiler can infer them.
      let result: Result<FileSystem.Status, SystemError> = unsafe entry.withBytes { bytes in
        do throws(SystemError) {
          // SAFETY: the entry lends its bytes for the time of the call.
          unsafe try fileSystem.write(descriptor, bytes, path)
          // To the nanosecond: the system's own clock for files stands still for milliseconds, in which a later file of the same key may get
          // the number of an earlier one. Then nothing would tell them apart.
          let now = WallClock.system.nanoseconds
          try? fileSystem.touch(descriptor, accessed: now, modified: now, path)
          if isDurable { try fileSystem.synchronize(descriptor, path) }
          return .success(try fileSystem.status(of: descriptor, path))
        } catch {
          return .failure(error)
        }
      }
      status = try result.get()
    } catch {
      fileSystem.close(descriptor)
      throw error
    }
    try fileSystem.close(written: descriptor, path)
    return status
  }

  private func place(_ temporary: String, for key: EntryKey) throws(SystemError) {
    let path = directory.file(key.digest)
    do {
      try fileSystem.rename(temporary, to: path)
    } catch {
      switch error.number {
      case ENOENT, ENOTDIR: break
      case EISDIR, ENOTEMPTY, EEXIST: try directory.discard(path)
      default: throw error
      }
      try directory.make(directory.group(key.digest))
      try fileSystem.rename(temporary, to: path)
      if isDurable { try synchronize(directory.path) }
    }
    if isDurable { try synchronize(directory.group(key.digest)) }
  }

  /// Waits until the storage has the names in a directory.
  private func synchronize(_ path: String) throws(SystemError) {
    let descriptor = try fileSystem.open(path, O_RDONLY)
    defer { fileSystem.close(descriptor) }
    do {
      try fileSystem.synchronize(descriptor, path)
    } catch  where error.number == EINVAL || error.number == ENOTSUP {
      // Some file systems cannot do this for directories, and say so.
    }
  }
}
