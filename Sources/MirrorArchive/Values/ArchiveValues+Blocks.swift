import ArchiveFormat

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

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

/// Everything that an archive holds, without types of the program.
package struct ArchiveContents: Sendable, Equatable {
  /// An object: its class, and its properties, those of the topmost superclass first.
  package struct Object: Sendable, Equatable {
    package var number: Int
    package var className: String
    package var properties: [ArchiveValue.Field]

    /// The value of a property; nil if there is none under this key.
    package subscript(key: String) -> ArchiveValue? { properties.first { $0.key == key }?.value }
  }

  /// The values at the top level.
  package var roots: [ArchiveValue.Field] = []
  /// The objects, by number.
  package var objects: [Object] = []

  /// Reads a whole archive.
  ///
  /// - Throws: What reading its values throws; see ``KeyedUnarchiver/header(of:)``.
  package init(of data: Data, verifyingChecksum: Bool = true) throws {
    do {
      // SAFETY: what is made copies all that it keeps; the layout does not outlive the bytes.
      self = unsafe try data.withUnsafeBytes { bytes in
        try ArchiveContents(unsafe ArchiveLayout(parsing: bytes, verifyingChecksum: verifyingChecksum))
      }
    } catch let error as FormatError {
      throw ArchiveError(error)
    }
  }

  private init(_ layout: ArchiveLayout) throws {
    let values = ArchiveValues(layout)
    for (index, root) in layout.roots.enumerated() {
      var bytes = layout.rootReaders[index]
      let value = try values.values(root.type, count: 1, from: &bytes, poolID: 0)
      guard bytes.remaining == 0, let value = value.first else {
        throw bytes.fail(.malformed, "\(bytes.remaining) bytes are left over behind the value")
      }
      roots.append(ArchiveValue.Field(root.key, value))
    }
    for (index, block) in layout.blocks.enumerated() {
      let columns = try values.columns(of: block, in: layout.blockReaders[index])
      let properties = layout.types.columns(of: block.type)
      guard case .object(let name, _, _, _)? = layout.types[block.type] else { continue }
      for row in 0..<block.count {
        let fields = zip(properties, columns).map { ArchiveValue.Field($0.key, $1[row]) }
        objects.append(Object(number: index << 10 | row, className: name, properties: fields))
      }
    }
  }
}
