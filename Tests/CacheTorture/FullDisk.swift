import ArchiveCache
import Foundation

/// A file system on which nothing fits any more, or which lets nothing be written.
struct FullDisk {
  private let directory: URL
  private let size = 64 << 10
  /// The largest file that the process may write, where there is no small file system to fill; 0 for none.
  private let fileLimit: Int

  init(_ arguments: Arguments) throws {
    directory = try arguments.directory()
    fileLimit = try arguments.number("file-limit", or: 0)
  }

  private func open() throws -> ArchiveCache<String, Stamped> { try ArchiveCache(directory: directory) }

  private func expect(_ isTrue: Bool, _ text: @autoclosure () throws -> String) rethrows { if !isTrue { Report.wrong(try text()) } }

  /// A value that a cache finds which has nothing in memory.
  private func version(_ key: String) throws -> Int? {
    guard let value = try open().value(forKey: key) else { return nil }
    if let flaw = value.flaw(under: key) { Report.wrong(flaw) }
    return value.version
  }

  func fill() throws {
    let cache = try open()
    try cache.set(Stamped(key: "old", version: 1, size: size), forKey: "old")
    if fileLimit > 0 {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: rlim_t(fileLimit), rlim_max: rlim_t(fileLimit))
      #if canImport(Glibc)
        // SAFETY: the call reads the structure.
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #else
        unsafe setrlimit(RLIMIT_FSIZE, &limit)
      #endif
    }
    var kept: [Int] = []
    var refusal: (any Error)?
    for number in 1...400 where refusal == nil {
      let large = fileLimit > 0 && number > 3 ? fileLimit * 2 : size
      do {
        try cache.set(Stamped(key: "new \(number)", version: number, size: large), forKey: "new \(number)")
        kept.append(number)
      } catch {
        refusal = error
      }
    }
    guard let refusal else { return Report.wrong("400 entries of \(size) bytes found room") }
    Report.count("stored", kept.count)
    expect((refusal as? ArchiveCacheError)?.code == .noSpace, "the disk is full, but the error is \(refusal)")
    expect(kept.count >= 3, "only \(kept.count) entries found room")
    for number in kept { expect(try version("new \(number)") == number, "entry \(number) is lost") }

    // What cannot be replaced stays as it was, on the disk and in memory.
    let tooLarge = max(fileLimit * 2, size * 20)
    do {
      try cache.set(Stamped(key: "old", version: 2, size: tooLarge), forKey: "old")
      Report.wrong("a value of \(tooLarge) bytes found room")
    } catch {}
    try expect(version("old") == 1, "the old value is lost on the disk: \(String(describing: version("old")))")
    let inMemory = try cache.value(forKey: "old")?.version
    expect(inMemory == nil || inMemory == 1, "the old value is \(String(describing: inMemory)) where it was to be replaced")
    expect(EntryFiles.temporaries(in: directory).isEmpty, "temporary files are left: \(EntryFiles.temporaries(in: directory))")

    // Removing works on a full disk, and makes room.
    for number in kept {
      let isRemoved = try cache.remove("new \(number)")
      expect(isRemoved, "entry \(number) cannot be removed")
    }
    let result = try cache.set(Stamped(key: "after", version: 3, size: size), forKey: "after")
    expect(result == .stored, "with room again it is \(result)")
    expect(try version("after") == 3, "what was stored after that is lost")
  }

  /// Finds what is there, though it can change nothing.
  func readOnly() throws {
    expect(try version("old") == 1, "the old value is not found")
    let cache = try open()
    expect(try cache.contains("after"), "an entry is not contained")
    try expect(Set(cache.keys()) == ["old", "after"], "the keys are \(Set(cache.keys()))")
    expect(try cache.value(forKey: "never") == nil, "there is what nobody has stored")
    for (name, body) in [
      ("set", { _ = try cache.set(Stamped(key: "old", version: 5, size: 10), forKey: "old") }), ("remove", { _ = try cache.remove("old") }),
      ("removeAll", { try cache.removeAll() }),
    ] as [(String, () throws -> Void)] {
      do {
        try body()
        Report.wrong("\(name) says that it has worked")
      } catch {
        expect((error as? ArchiveCacheError)?.code == .unavailable, "\(name): \(error)")
      }
    }
    expect(try version("old") == 1, "the old value is gone")
  }
}
