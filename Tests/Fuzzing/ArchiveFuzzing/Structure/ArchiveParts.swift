import ArchiveFormat

/// An archive taken apart, so that each part can be changed and all be put together again with the right lengths and seals.
package struct ArchiveParts {
  struct Root {
    var key: String
    var type: TypeID
    var bytes: [UInt8]
  }

  struct Block {
    var type: TypeID
    var rows: Int
    /// The bytes of each property without their lengths; a single one if it is not clear where they end.
    var columns: [[UInt8]]
    /// Whether lengths stand in front of the columns.
    var isFramed: Bool

    var bytes: [UInt8] {
      isFramed ? columns.flatMap { column in written { $0.appendVarint(UInt64(column.count)) } + column } : columns.flatMap(\.self)
    }
  }

  var types: TypeTable
  /// Written instead of `types`.
  var typeBytes: [UInt8]?
  var pools: [UInt8]
  var roots: [Root]
  var blocks: [Block]
  var isSegmented: Bool

  /// - Returns: nil if the bytes have no readable frame; nobody looks at their seal.
  package init?(_ archive: UnsafeRawBufferPointer) {
    guard let layout = try? unsafe ArchiveLayout(parsing: archive, verification: .none) else { return nil }
    types = layout.types
    typeBytes = nil
    pools = layout.pools.map { unsafe [UInt8]($0.rest) } ?? []
    roots = zip(layout.roots, layout.rootReaders).map { root, reader in
      Root(key: root.key, type: root.type, bytes: unsafe [UInt8](reader.rest))
    }
    blocks = zip(layout.blocks, layout.blockReaders).map { block, reader in Self.block(block, reader, layout.types) }
    isSegmented = unsafe archive[4] & Flag.segmented != 0
  }

  private static func block(_ header: BlockHeader, _ reader: ByteReader, _ types: TypeTable) -> Block {
    var r = reader
    var columns: [[UInt8]] = []
    let isFramed = header.count >= firstEncodedRowCount
    let properties = types.properties(of: header.type)
    for type in properties {
      let start = r
      if isFramed {
        guard let length = try? r.readCount(), let bytes = unsafe try? r.readBytes(length) else { break }
        columns.append(unsafe [UInt8](bytes))
      } else {
        var map = ColumnMap(types)
        guard (try? map.walk(type, header.count, &r)) != nil else { break }
        columns.append(unsafe [UInt8](start.rest.prefix(r.offset - start.offset)))
      }
    }
    if columns.count < properties.count || r.remaining > 0 || properties.isEmpty {
      return Block(type: header.type, rows: header.count, columns: [unsafe [UInt8](reader.rest)], isFramed: false)
    }
    return Block(type: header.type, rows: header.count, columns: columns, isFramed: isFramed)
  }

  /// The archive.
  package func assembled() -> [UInt8] {
    let typeBytes = typeBytes ?? written { types.encode(into: &$0) }
    let rootBytes = roots.flatMap(\.bytes)
    let blockBytes = blocks.map(\.bytes)
    let headers = zip(blocks, blockBytes).map { BlockHeader(type: $0.type, count: $0.rows, byteCount: $1.count) }
    let contents = blockBytes.flatMap(\.self)
    return written { w in
      unsafe typeBytes.withUnsafeBytes { typeBytes in
        unsafe pools.withUnsafeBytes { pools in
          unsafe rootBytes.withUnsafeBytes { rootBytes in
            unsafe contents.withUnsafeBytes { contents in
              unsafe ArchiveFrame.assemble(
                typeBytes: typeBytes, pools: pools, roots: roots.map { RootKey(key: $0.key, type: $0.type, byteCount: $0.bytes.count) },
                rootBytes: rootBytes, blocks: headers, blockBytes: contents, segmentedAbove: isSegmented ? 0 : .max, into: &w)
            }
          }
        }
      }
    }
  }

  /// The body of an archive with another length and seal; nil if there is no body.
  package static func resealed(_ archive: [UInt8]) -> [UInt8]? {
    var position = 5
    while position < archive.count, archive[position] & 0x80 != 0 { position += 1 }
    position += 1
    guard archive.count >= position + 8 else { return nil }
    let body = archive[position..<(archive.count - 8)]
    var sealed = written { w in
      for byte in [0x4D, 0x41, 0x9E, archive[3], archive[4] & ~(Flag.segmented | Flag.filled)] { w.append(byte) }
      w.appendVarint(UInt64(body.count))
      unsafe body.withUnsafeBytes { unsafe w.append(contentsOf: $0) }
    }
    let isXXH3 = archive[4] & Flag.xxh3 != 0
    let hash = unsafe sealed.withUnsafeBytes { unsafe isXXH3 ? XXH3.hash($0) : XXHash64.hash($0) }
    sealed += written { $0.appendLE64(hash) }
    return sealed
  }
}

/// Bits of the flags in the head of an archive.
private enum Flag {
  static let segmented: UInt8 = 4
  static let xxh3: UInt8 = 8
  static let filled: UInt8 = 16
}

extension TypeTable {
  /// The types of the columns of a class, base first; none if the classes go in a circle.
  func properties(of type: TypeID) -> [TypeID] {
    var levels: [[Property]] = []
    var next: TypeID? = type
    while let current = next, case .object(_, _, let superclass, let properties)? = self[current] {
      levels.append(properties)
      next = superclass
      if levels.count > entries.count { return [] }
    }
    return levels.reversed().flatMap { $0.map(\.type) }
  }
}
