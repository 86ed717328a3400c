import ArchiveFormat

/// A stored property of an archived class: one column of its blocks.
struct ArchivedProperty {
  /// The archive name of the class of the hierarchy that declares it.
  let level: String
  let key: String
  let type: TypeID
  let poolID: UInt64
}

extension TypeTable {
  /// The columns of the blocks of an archived class, in their order: base first.
  func columns(of type: TypeID) -> [ArchivedProperty] {
    var chain: [(name: String, properties: [Property])] = []
    var next: TypeID? = type
    while let current = next, case .object(let name, _, let superclass, let properties)? = self[current] {
      chain.append((name, properties))
      next = superclass
    }
    var columns: [ArchivedProperty] = []
    for level in chain.reversed() {
      for property in level.properties {
        let poolID = StringPools.id(entry: type.entryIndex ?? 0, ordinal: columns.count)
        columns.append(ArchivedProperty(level: level.name, key: property.key, type: property.type, poolID: poolID))
      }
    }
    return columns
  }
}

extension ArchiveValues {
  /// Reads the columns of a block, each with one value per object.
  ///
  /// - Parameter bytes: Those of the block, which have been verified.
  func columns(of block: BlockHeader, in bytes: ByteReader) throws -> [[ArchiveValue]] {
    do {
      var reader = bytes
      let properties = types.columns(of: block.type)
      if properties.isEmpty { try FixedColumn.skip(count: block.count, width: 0, from: &reader) }
      var columns: [[ArchiveValue]] = []
      for property in properties {
        if block.count >= BlockLayout.firstFramedCount {
          var column = try reader.slice(try reader.readCount())
          columns.append(try values(property.type, count: block.count, from: &column, poolID: property.poolID))
          if column.remaining > 0 { throw column.fail(.malformed, "\(column.remaining) bytes are left over behind the column") }
        } else {
          columns.append(try values(property.type, count: block.count, from: &reader, poolID: property.poolID))
        }
      }
      if reader.remaining > 0 { throw reader.fail(.malformed, "\(reader.remaining) bytes are left over behind the properties") }
      return columns
    } catch let error as FormatError {
      throw ArchiveError(error)
    }
  }
}
