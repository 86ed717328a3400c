public import Foundation

extension ModelStore {
  /// What a store has under one name.
  public struct Entry: Sendable, Hashable, Identifiable {
    /// The name, as it was given when the model was saved.
    public let name: String
    /// When the current version was saved; without one, when the newest file of the name was.
    public internal(set) var modificationDate: Date
    /// The bytes of the current version's file; 0 without one.
    public internal(set) var byteCount: Int64
    /// Whether there is a current version. Without one there are snapshots, or a backup whose model somebody has deleted.
    public internal(set) var hasCurrentVersion: Bool
    /// Whether there is a backup.
    public internal(set) var hasBackup: Bool
    /// The number of snapshots.
    public internal(set) var snapshotCount: Int
    /// The bytes of all files of the name.
    public internal(set) var totalByteCount: Int64

    /// The name.
    public var id: String { name }
  }

  /// What is in the store, in the order of the names' UTF-8.
  ///
  /// Names that are too long for a file's name are read from the files themselves; a model of such a name all of whose files are damaged
  /// where the name is is left out, because nobody knows its name.
  /// - Throws: ``ModelStoreError`` with the code `unavailable`. A directory that does not exist is an empty store.
  /// - Complexity: O(number of files in the directory), and a look at the status of each of the store's; for long names O(size of a version).
  public func list() throws(ModelStoreError) -> [Entry] {
    do {
      var entries: [Entry] = []
      for (stem, versions) in Dictionary(grouping: try storeFiles(), by: \.stem) {
        var found: [(file: ModelFileName, status: FileSystem.Status)] = []
        for file in versions {
          if let status = try files.status(file.file) { found.append((file, status)) }
        }
        if found.isEmpty { continue }
        var name = stem.name
        if name == nil { name = try nameInside(found.map(\.file)) }
        guard let name else { continue }
        entries.append(found.reduce(into: Entry(name)) { $0.add($1.file.version, $1.status) })
      }
      return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    } catch {
      throw ModelStoreError(error, name: nil)
    }
  }

  /// Whether there is a current version of a model, damaged or not.
  ///
  /// - Throws: ``ModelStoreError`` with the code `unavailable` or `invalidName`.
  public func contains(_ name: String) throws(ModelStoreError) -> Bool { try modificationDate(of: name) != nil }

  /// When the current version of a model was saved; nil if there is none.
  ///
  /// - Throws: ``ModelStoreError`` with the code `unavailable` or `invalidName`.
  public func modificationDate(of name: String) throws(ModelStoreError) -> Date? {
    let stem = try stem(of: name)
    do {
      return try files.status(ModelFileName(stem, .current).file)?.modificationDate
    } catch {
      throw ModelStoreError(error, name: name)
    }
  }

  /// Removes a model, its backup and its snapshots.
  ///
  /// The current version goes last: what is interrupted has not removed the model.
  /// - Returns: Whether anything was there.
  /// - Throws: ``ModelStoreError`` with the code `unavailable` or `invalidName`.
  /// - Complexity: O(number of files in the directory).
  @discardableResult
  public func remove(_ name: String) throws(ModelStoreError) -> Bool {
    let stem = try stem(of: name)
    do {
      return try remove(storeFiles().filter { $0.stem == stem })
    } catch {
      throw ModelStoreError(error, name: name)
    }
  }

  /// Removes everything that the store has, and nothing else: files of others stay in the directory, and so does the directory.
  ///
  /// - Throws: ``ModelStoreError`` with the code `unavailable`.
  /// - Complexity: O(number of files in the directory).
  public func removeAll() throws(ModelStoreError) {
    do {
      _ = try remove(storeFiles())
    } catch {
      throw ModelStoreError(error, name: nil)
    }
  }

  /// The name that files hold because their own have no room for it; nil if all are damaged or gone.
  private func nameInside(_ versions: [ModelFileName]) throws(SystemError) -> String? {
    for file in versions {
      do {
        if let name = StoredModel.name(in: try files.read(file.file), stem: file.stem) { return name }
      } catch  where error.number == ENOENT || error.number == EIO {
        continue
      }
    }
    return nil
  }

  private func storeFiles() throws(SystemError) -> [ModelFileName] { try files.names().compactMap { ModelFileName($0) } }

  private func remove(_ names: [ModelFileName]) throws(SystemError) -> Bool {
    var removed = false
    for isCurrent in [false, true] {
      for name in names where (name.version == .current) == isCurrent {
        // Something else may have such a name too.
        guard try files.status(name.file) != nil else { continue }
        if try files.remove(name.file) { removed = true }
      }
    }
    if removed { try files.synchronize() }
    return removed
  }
}

extension ModelStore.Entry {
  fileprivate init(_ name: String) {
    self.init(
      name: name, modificationDate: .distantPast, byteCount: 0, hasCurrentVersion: false, hasBackup: false, snapshotCount: 0,
      totalByteCount: 0)
  }

  fileprivate mutating func add(_ version: ModelFileName.Version, _ status: FileSystem.Status) {
    totalByteCount &+= status.size
    switch version {
    case .current:
      hasCurrentVersion = true
      byteCount = status.size
      modificationDate = status.modificationDate
      return
    case .backup: hasBackup = true
    case .snapshot: snapshotCount += 1
    }
    if !hasCurrentVersion { modificationDate = max(modificationDate, status.modificationDate) }
  }
}

extension FileSystem.Status {
  fileprivate var modificationDate: Date { Date(timeIntervalSince1970: Double(modified) / 1e9) }
}
