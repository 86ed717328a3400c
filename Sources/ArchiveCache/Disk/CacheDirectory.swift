#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the files of a cache lie, and how they come and go.
///
/// ```text
/// <root>/v1/xx/<32 hexadecimal digits>   an entry; xx are the first two of the digits
/// <root>/v1/tmp/<process>-<random>-<n>   a file that is being written
/// <root>/v1/trash/<random>               what is going to be deleted
/// <root>/v1/lock                         held by whoever sweeps
/// ```
///
/// The file system is the only index: no file's loss loses more than one entry, and any number of processes may be at work.
struct CacheDirectory: Sendable {
  let root: String
  /// The root and the version of the format: a later format begins with an empty cache.
  let path: String
  let fileSystem: FileSystem
  let temporaries: String
  private let entryPrefix: [UInt8]

  init(root: String, fileSystem: FileSystem) {
    self.root = root
    path = root + "/v1"
    temporaries = path + "/tmp"
    entryPrefix = Array((path + "/").utf8)
    self.fileSystem = fileSystem
  }

  var trash: String { path + "/trash" }
  var lock: String { path + "/lock" }

  /// The directory of an entry.
  func group(_ digest: EntryKey.Digest) -> String { path + "/" + digest.text.prefix(2) }

  /// The path of an entry. Made for every look at the disk, and so in one piece.
  func file(_ digest: EntryKey.Digest) -> String {
    let start = entryPrefix.count + 3
    // SAFETY: there is room for the directory, the name's first two digits, a slash and the name, and all of it is written.
    return unsafe String(unsafeUninitializedCapacity: start + EntryKey.Digest.textLength) { buffer in
      _ = unsafe buffer.update(fromContentsOf: entryPrefix)
      unsafe digest.write(to: UnsafeMutableBufferPointer(rebasing: buffer[start...]))
      unsafe buffer[start - 3] = buffer[start]
      unsafe buffer[start - 2] = buffer[start + 1]
      unsafe buffer[start - 1] = UInt8(ascii: "/")
      return start + EntryKey.Digest.textLength
    }
  }

  /// The directories of entries that there are.
  func groups() throws(SystemError) -> [String] {
    do {
      return try fileSystem.names(in: path).filter(Self.isGroup).sorted().map { path + "/" + $0 }
    } catch  where error.meansAbsence {
      return []
    }
  }

  private static func isGroup(_ name: String) -> Bool {
    name.utf8.count == 2 && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  // MARK: Directories

  /// Makes the directory for temporary files and all above it. One call of the system if they are there.
  func prepare() throws(SystemError) {
    do {
      try fileSystem.makeDirectory(temporaries)
    } catch  where error.number == EEXIST {
    } catch  where error.meansAbsence {
      try make(temporaries)
    }
  }

  /// Makes a directory and those above it, as far as they are missing. What stands in the place of one of the cache's and is none gives way.
  func make(_ directory: String) throws(SystemError) {
    do {
      try fileSystem.makeDirectory(directory)
    } catch  where error.number == EEXIST {
      guard directory.hasPrefix(path), try fileSystem.status(at: directory).kind != .directory else { return }
      try fileSystem.unlink(directory)
      try makeOne(directory)
    } catch  where error.meansAbsence {
      guard let slash = directory.utf8.lastIndex(of: UInt8(ascii: "/")), slash > directory.startIndex else { throw error }
      try make(String(directory[..<slash]))
      try makeOne(directory)
    }
  }

  private func makeOne(_ directory: String) throws(SystemError) {
    do {
      try fileSystem.makeDirectory(directory)
    } catch  where error.number == EEXIST {}
  }

  // MARK: Removing

  /// Takes whatever is at a path out of the way and deletes it.
  func discard(_ item: String) throws(SystemError) {
    if let place = try setAside(item) { delete(place) }
  }

  /// Takes whatever is at a path out of the way, to where things wait for being deleted.
  /// - Returns: Where it is now; nil if there was nothing.
  @discardableResult
  func setAside(_ item: String) throws(SystemError) -> String? {
    let place = trash + "/" + Self.randomName()
    do {
      try fileSystem.rename(item, to: place)
    } catch  where error.meansAbsence {
      // Either there is nothing, or no directory for what is thrown away.
      try make(trash)
      do {
        try fileSystem.rename(item, to: place)
      } catch  where error.meansAbsence {
        return nil
      }
    }
    return place
  }

  /// Removes a file if it is still the one that somebody has looked at, and not one that has taken its place meanwhile.
  /// - Returns: Whether it was removed by this call.
  func remove(_ file: String, ifStill status: FileSystem.Status) throws(SystemError) -> Bool {
    guard let place = try setAside(file) else { return false }
    if let moved = try? fileSystem.status(at: place), !moved.isSame(as: status) {
      // Somebody has stored a new one between the look and the move: it goes back, unless there is a newer one already.
      try? fileSystem.link(place, as: file)
      delete(place)
      return false
    }
    delete(place)
    return true
  }

  /// Takes what is no regular file out of an entry's place.
  func discardIntruder(_ path: String) throws(SystemError) {
    do {
      let status = try fileSystem.status(at: path)
      if status.kind != .file { _ = try remove(path, ifStill: status) }
    } catch  where error.meansAbsence {}
  }

  /// Deletes a file or a directory and what is in it. What cannot be deleted now stays for the next time.
  func delete(_ item: String) {
    do {
      try fileSystem.unlink(item)
    } catch  where error.number == EISDIR || error.number == EPERM {
      for name in (try? fileSystem.names(in: item)) ?? [] { delete(item + "/" + name) }
      try? fileSystem.removeDirectory(item)
    } catch {}
  }

  /// Deletes what was thrown away.
  func emptyTrash() { for name in (try? fileSystem.names(in: trash)) ?? [] { delete(trash + "/" + name) } }

  static func randomName() -> String {
    var random = SystemRandomNumberGenerator()
    return String(random.next(), radix: 36) + String(random.next(), radix: 36)
  }
}
