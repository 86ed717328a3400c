public import Foundation
public import MirrorArchive

extension ModelStore {
  /// A version of a model that was saved with a date.
  public struct Snapshot: Sendable, Hashable, Identifiable {
    /// The date it was saved with, exactly.
    public var date: Date { stamp.date }
    /// The bytes of its file.
    public let byteCount: Int64
    let stamp: SnapshotStamp

    /// What tells it from the other snapshots of its model, also those of the same date.
    public var id: String { stamp.text }

    init(_ stamp: SnapshotStamp, byteCount: Int64) {
      self.byteCount = byteCount
      self.stamp = stamp
    }
  }

  /// Saves a version of a model beside the earlier ones of the same name.
  ///
  /// Snapshots don't concern the model that ``save(_:as:keepingBackup:allowing:)`` saves under the same name. Any number of them may have the
  /// same date.
  ///
  /// ```swift
  /// try store.save(market, dated: .now, as: "market", keeping: 10)
  /// if let newest = try store.snapshots(of: "market").first {
  ///   market = try store.load(Market.self, as: "market", snapshot: newest)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - model: What is saved, with everything it refers to.
  ///   - date: The date of the snapshot, which is kept to the last bit.
  ///   - name: Any text but the empty one.
  ///   - keeping: How many snapshots of the name are left, at least one; nil for all. This one always is, whatever its date, and the newest of
  ///     the others. They are removed after this one is in the storage; what cannot be removed is left for the next time.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`, besides ``Options/allowedTypes``.
  /// - Returns: The snapshot.
  /// - Throws: What ``save(_:as:keepingBackup:allowing:)`` throws.
  /// - Complexity: O(size of the model + number of files in the directory).
  @discardableResult
  public func save<Model>(
    _ model: Model, dated date: Date, as name: String, keeping: Int? = nil, allowing types: [Any.Type] = []
  ) throws(ModelStoreError) -> Snapshot {
    let stem = try stem(of: name)
    let data = try StoredModel.encode(model, name: name, stem: stem, allowing: options.allowedTypes + types)
    do {
      let others = try stamps(of: stem)
      let first = SnapshotStamp(date, number: 0, random: StoreDirectory.random())
      let last = others.first { $0.hasDate(of: first) }
      // The random parts keep them apart where the numbers should end.
      let number = last.map { $0.number == .max ? .max : $0.number + 1 } ?? 0
      let stamp = SnapshotStamp(date, number: number, random: StoreDirectory.random())
      try files.write(data, as: ModelFileName(stem, .snapshot(stamp)).file)
      if let keeping, others.count > max(keeping, 1) - 1 {
        for other in others[(max(keeping, 1) - 1)...] { _ = try? files.remove(ModelFileName(stem, .snapshot(other)).file) }
        try? files.synchronize()
      }
      return Snapshot(stamp, byteCount: Int64(data.count))
    } catch {
      throw ModelStoreError(error, name: name)
    }
  }

  /// The snapshots of a name, the newest first; of the same date the one that was saved last.
  ///
  /// - Throws: ``ModelStoreError`` with the code `unavailable` or `invalidName`.
  /// - Complexity: O(number of files in the directory), and a look at the status of each of the snapshots.
  public func snapshots(of name: String) throws(ModelStoreError) -> [Snapshot] {
    let stem = try stem(of: name)
    do {
      var snapshots: [Snapshot] = []
      for stamp in try stamps(of: stem) {
        guard let status = try files.status(ModelFileName(stem, .snapshot(stamp)).file) else { continue }
        snapshots.append(Snapshot(stamp, byteCount: status.size))
      }
      return snapshots
    } catch {
      throw ModelStoreError(error, name: name)
    }
  }

  /// Loads a snapshot of a name.
  ///
  /// - Parameters:
  ///   - type: The type of the model.
  ///   - name: The name it was saved under.
  ///   - snapshot: One of ``snapshots(of:)``.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`, besides ``Options/allowedTypes``.
  ///   - options: What happens where the model does not fit the program; nil for what ``Options/decoding`` says.
  /// - Throws: What ``load(_:as:fallingBackToBackup:allowing:options:)`` throws; `notFound` if the snapshot has been removed.
  /// - Complexity: O(size of the model).
  public func load<Model>(
    _ type: Model.Type, as name: String, snapshot: Snapshot, allowing types: [Any.Type] = [], options: DecodingOptions? = nil
  ) throws(ModelStoreError) -> Model {
    try load(type, as: name, .snapshot(snapshot.stamp), types, options)
  }

  /// Removes a snapshot of a name.
  ///
  /// - Returns: Whether it was there.
  /// - Throws: ``ModelStoreError`` with the code `unavailable` or `invalidName`.
  @discardableResult
  public func remove(_ snapshot: Snapshot, of name: String) throws(ModelStoreError) -> Bool {
    let stem = try stem(of: name)
    do {
      let wasThere = try files.remove(ModelFileName(stem, .snapshot(snapshot.stamp)).file)
      if wasThere { try files.synchronize() }
      return wasThere
    } catch {
      throw ModelStoreError(error, name: name)
    }
  }

  /// The newest first.
  private func stamps(of stem: ModelStem) throws(SystemError) -> [SnapshotStamp] {
    var stamps: [SnapshotStamp] = []
    for name in try files.names() {
      guard name.hasPrefix(stem.text), let file = ModelFileName(name), file.stem == stem else { continue }
      if case .snapshot(let stamp) = file.version { stamps.append(stamp) }
    }
    return stamps.sorted { $0.isNewer(than: $1) }
  }
}
