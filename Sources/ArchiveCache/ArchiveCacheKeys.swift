/// The keys of a cache's entries on the disk: see ``ArchiveCache/keys()``.
public struct ArchiveCacheKeys<Key: ArchiveCacheKey>: Sequence, Sendable {
  let tier: DiskTier
  let fingerprint: UInt64
  let groups: [String]

  /// Begins at the first key.
  public func makeIterator() -> Iterator { Iterator(keys: self) }

  /// Goes through the keys, directory by directory.
  public struct Iterator: IteratorProtocol {
    private let keys: ArchiveCacheKeys
    private var nextGroup = 0
    private var group = ""
    private var names: [String] = []

    fileprivate init(keys: ArchiveCacheKeys) { self.keys = keys }

    /// The next key; entries that are gone meanwhile or cannot be read are passed over.
    public mutating func next() -> Key? {
      while true {
        while let name = names.popLast() {
          guard EntryKey.Digest(Substring(name)) != nil, let head = try? keys.tier.head(of: group + "/" + name),
            head.header.fingerprint == keys.fingerprint,
            !head.header.isExpired(at: keys.tier.clock.milliseconds, maximumAge: keys.tier.maximumAge)
          else { continue }
          if let key = Key(cacheKeyBytes: head.key) { return key }
        }
        if nextGroup == keys.groups.count { return nil }
        group = keys.groups[nextGroup]
        nextGroup += 1
        names = (try? keys.tier.fileSystem.names(in: group)) ?? []
      }
    }
  }
}
