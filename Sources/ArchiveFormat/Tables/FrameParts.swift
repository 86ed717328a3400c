/// A block of objects of one class, whose columns take `byteCount` bytes.
package struct BlockHeader: Equatable, Sendable {
  package var type: TypeID
  /// The number of objects, 1...1024.
  package var count: Int
  package var byteCount: Int

  package init(type: TypeID, count: Int, byteCount: Int) {
    self.type = type
    self.count = count
    self.byteCount = byteCount
  }
}

/// A value at the top level of an archive, whose column of one row takes `byteCount` bytes.
package struct RootKey: Equatable, Sendable {
  package var key: String
  package var type: TypeID
  package var byteCount: Int

  package init(key: String, type: TypeID, byteCount: Int) {
    self.key = key
    self.type = type
    self.byteCount = byteCount
  }
}

/// The constants of a frame.
package enum FrameConstants {
  package static let magic: [UInt8] = [0x4D, 0x41, 0x9E]
  /// Exactly one object, which is the root, and of the class in entry 0: no object table, no root record.
  package static let simple: UInt8 = 1
  package static let pools: UInt8 = 2
  /// A hash of each segment instead of one for all: see `ArchiveSeal`.
  package static let segmented: UInt8 = 4
  /// Hashed with XXH3 instead of xxHash64: see `ArchiveSeal.Checksum`.
  package static let xxh3: UInt8 = 8
  /// Zeros stand behind the blocks, so that the archive is as long as what it becomes asks for. Not together with `simple`.
  package static let filled: UInt8 = 16
  package static let knownFlags: UInt8 = 31
  package static let simpleKey = "root"
  package static let maximumRoots = 1 << 20
  /// Magic, version, flags.
  package static let prefixLength = 5
}
