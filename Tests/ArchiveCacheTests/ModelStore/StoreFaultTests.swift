import ArchiveCache
import Foundation
import Testing

@Suite("Stores of models when the system fails")
struct StoreFaultTests {
  let scratch = ScratchStore()
  let faulty = FaultyFiles()

  static let save: [FileSystem.Call] = [.list, .open, .write, .synchronize, .close, .rename, .open, .synchronize]
  static let saveWithBackup: [FileSystem.Call] = [
    .list, .open, .write, .synchronize, .close, .open, .status, .read, .link, .rename, .unlink, .rename, .open, .synchronize,
  ]

  /// A store that has looked for abandoned files before, or not.
  private func store() throws -> ModelStore { try scratch.store { $0.fileSystem = faulty.fileSystem } }

  /// A directory with version 2 and version 1 as the backup.
  private func prepare() throws {
    faulty.fail { _, _ in nil }
    let store = try store()
    try store.removeAll()
    for number in 1...2 { try store.save([number], as: "n", keepingBackup: true) }
    _ = faulty.takeCalls()
  }

  @Test("A save makes these calls and no others: written, in the storage, named, named in the storage") func calls() throws {
    try prepare()
    try store().save([3], as: "n")
    #expect(faulty.takeCalls() == Self.save)
    try store().save([4], as: "n", keepingBackup: true)
    #expect(faulty.takeCalls() == Self.saveWithBackup)
  }

  @Test(
    "A save in which one call fails leaves the old version, or has saved the new one, and no other file",
    arguments: [EIO, ENOSPC, EACCES, EPERM, EMFILE, EROFS, EDQUOT, ENOENT, ENOTDIR, EINTR], [false, true])
  func oneFault(number: Int32, keepingBackup: Bool) throws {
    let calls = keepingBackup ? Self.saveWithBackup : Self.save
    for index in calls.indices {
      try prepare()
      let store = try store()
      faulty.fail { count, _ in count == index ? .error(number) : nil }
      let error = try storeError { try store.save([3], as: "n", keepingBackup: keepingBackup) }
      faulty.fail { _, _ in nil }
      let version = try store.load([Int].self, as: "n")
      let backup = try store.loadBackup([Int].self, as: "n")
      let place: Comment = "call \(index), \(calls[index])"
      if let error {
        #expect(error.code == ([ENOSPC, EDQUOT].contains(number) ? .noSpace : .unavailable), place)
        #expect((error.underlying as? POSIXError)?.code.rawValue == number, place)
        // The directory is the last that the storage has to keep.
        #expect(version == (index >= calls.count - 2 ? [3] : [2]), place)
      } else {
        #expect(version == [3], place)
      }
      #expect(backup == [expectedBackup(number, index, keepingBackup, isSaved: version == [3])], place)
      #expect(try scratch.contents() == ["n.backup.modelarchive", "n.modelarchive"], place)
    }
  }

  private func expectedBackup(_ number: Int32, _ index: Int, _ keepingBackup: Bool, isSaved: Bool) -> Int {
    guard keepingBackup else { return 1 }
    // The old version is its own backup if it was not replaced after all.
    guard isSaved else { return index > 9 ? 2 : 1 }
    // No version was there to keep, or none that could be read.
    return 5...7 ~= index && [EIO, ENOENT].contains(number) || index == 8 && number == ENOENT ? 1 : 2
  }

  @Test(
    "A process that is killed before any of its calls leaves a whole version, and what else it leaves is swept", arguments: [false, true])
  func killed(keepingBackup: Bool) throws {
    let calls = keepingBackup ? Self.saveWithBackup : Self.save
    for index in 0...calls.count {
      try prepare()
      let killed = try store()
      faulty.fail { count, _ in count >= index ? .error(EIO) : nil }
      let error = try storeError { try killed.save([3], as: "n", keepingBackup: keepingBackup) }
      #expect((error == nil) == (index == calls.count))
      faulty.fail { _, _ in nil }
      let version = try store().load([Int].self, as: "n")
      let backup = try store().loadBackup([Int].self, as: "n")
      #expect(version == (index > calls.lastIndex(of: .rename)! ? [3] : [2]), "call \(index)")
      if keepingBackup {
        #expect(backup == (index > calls.firstIndex(of: .rename)! ? [2] : [1]), "call \(index)")
      } else {
        #expect(backup == [1], "call \(index)")
      }
      // Two hours later.
      let later = WallClock { Int64(Date.now.timeIntervalSince1970 + 7_200) * 1_000_000_000 }
      _ = try scratch.store { $0.clock = later }.list()
      #expect(try scratch.contents() == ["n.backup.modelarchive", "n.modelarchive"], "call \(index)")
    }
  }

  @Test("A first save that fails at any call leaves no model or a whole one", arguments: [EIO, ENOSPC, EACCES])
  func firstSave(number: Int32) throws {
    let directory = scratch.url.appending(path: "a/b", directoryHint: .isDirectory)
    var options = ModelStore.Options()
    options.fileSystem = faulty.fileSystem
    let store = try ModelStore(directory: directory, options: options)
    try store.save(1, as: "n")
    let calls = faulty.takeCalls()
    #expect(calls.count(where: { $0 == .makeDirectory }) == 5 && calls.count(where: { $0 == .synchronize }) == 5)
    for index in calls.indices {
      try FileManager.default.removeItem(atPath: scratch.path)
      faulty.fail { count, _ in count == index ? .error(number) : nil }
      let store = try ModelStore(directory: directory, options: options)
      let error = try storeError { try store.save(2, as: "n") }
      faulty.fail { _, _ in nil }
      let version = try store.loadIfPresent(Int.self, as: "n")
      if error == nil { #expect(version == 2, "call \(index), \(calls[index])") }
      #expect(version == 2 || version == nil, "call \(index), \(calls[index])")
      // As if nothing had been.
      try store.save(3, as: "n")
      #expect(try store.load(Int.self, as: "n") == 3)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["n.modelarchive"])
    }
  }

  @Test("Writes and reads of one byte each are whole all the same") func shortTransfers() throws {
    faulty.fail { _, call in call == .write || call == .read ? .short(1) : nil }
    let store = try store()
    for number in 1...2 { try store.save(Array(number..<number + 50), as: "n", keepingBackup: true) }
    #expect(try store.load([Int].self, as: "n") == Array(2..<52))
    #expect(try store.loadBackup([Int].self, as: "n") == Array(1..<51))
  }

  @Test("A directory that the file system cannot synchronize is no failure", arguments: [EINVAL, ENOTSUP])
  func unsynchronizable(number: Int32) throws {
    try prepare()
    let store = try store()
    let last = Self.save.count - 1
    faulty.fail { count, _ in count == last ? .error(number) : nil }
    try store.save([3], as: "n")
    #expect(try store.load([Int].self, as: "n") == [3])
  }

  @Test("A load in which a call fails is unavailable, and neither missing nor damaged", arguments: [EIO, EACCES, EPERM, EMFILE, ENOMEM])
  func failedLoad(number: Int32) throws {
    try prepare()
    let store = try store()
    _ = try store.load([Int].self, as: "n")
    let calls = faulty.takeCalls()
    #expect(calls == [.open, .status, .read])
    for index in calls.indices {
      faulty.fail { count, _ in count == index ? .error(number) : nil }
      let error = try storeError { _ = try store.loadIfPresent([Int].self, as: "n", fallingBackToBackup: true) }
      #expect(error?.code == .unavailable && (error?.underlying as? POSIXError)?.code.rawValue == number)
    }
    for (call, body) in [
      (.status, { _ = try store.contains("n") }), (.list, { _ = try store.list() }), (.status, { _ = try store.list() }),
      (.list, { _ = try store.snapshots(of: "n") }), (.unlink, { try store.remove("n") }),
    ] as [(FileSystem.Call, () throws -> Void)] {
      faulty.fail { _, made in made == call ? .error(number) : nil }
      #expect(try storeError(body)?.code == .unavailable)
    }
  }

  @Test("The message of the system is in the error") func message() throws {
    try prepare()
    faulty.fail { _, call in call == .write ? .error(ENOSPC) : nil }
    let error = try #require(try storeError { try store().save(3, as: "n") })
    #expect(error.description.hasPrefix("noSpace: write of '\(scratch.path)/.modelstore-"))
    #expect(error.description.hasSuffix(".tmp': No space left on device ('n')"))
  }
}
