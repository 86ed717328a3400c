package import ArchiveFormat

/// Reads the values of an archive one by one, of any of its objects, without ever holding more than a few chunks of 1,024 rows of it.
///
/// Made for archives of any size of which a part is to be seen. Of an archive with a checksum for each segment, the segments alone are verified
/// in which that part lies, and the tables. Objects are best asked for in ascending order: going back within a block begins it again.
package final class ArchiveCursor {
  /// What all objects of a class have in common.
  package struct ObjectClass {
    /// A class that the objects inherit from, or their own.
    package struct Level {
      package var name: String
      /// Which of the properties it declares.
      package var properties: Range<Int>
    }

    package var name: String
    /// Those of the topmost superclass first.
    package var properties: [Property]
    package var levels: [Level]
  }

  package let layout: ArchiveLayout
  package var types: TypeTable { layout.types }
  private let source: CursorSource
  /// The blocks that were used last, the latest one at the end.
  private var open: [(index: Int, columns: ColumnGroup)] = []
  private var classes: [TypeID: ObjectClass] = [:]
  private static let maximumOpenCount = 8

  /// - Parameter bytes: The archive, which has to outlive what is made.
  /// - Throws: `FormatError` if it is none, or its tables are damaged.
  package init(_ bytes: UnsafeRawBufferPointer) throws(FormatError) {
    // SAFETY: the caller keeps the bytes for as long as the cursor is used.
    layout = unsafe try ArchiveLayout(parsing: bytes, verification: .onDemand)
    source = CursorSource(layout)
  }

  /// The value of a root.
  package func root(_ index: Int) throws -> ValuePlace {
    let column = try ColumnCursor(
      layout.roots[index].type, rows: 1, poolID: 0, depth: 0, at: layout.rootReaders[index], source)
    return ValuePlace(column: column, row: 0)
  }

  /// How many objects a block has whose first one has the number 1,024 times its index.
  package func objectCount(ofBlock index: Int) -> Int { layout.blocks[index].count }

  /// The class of an object.
  ///
  /// - Throws: `ArchiveError` if there is no such object.
  package func objectClass(of number: Int) throws -> ObjectClass { objectClass(try block(of: number)) }

  private func objectClass(_ block: BlockHeader) -> ObjectClass {
    if let known = classes[block.type] { return known }
    var chain: [(name: String, properties: [Property])] = []
    var next: TypeID? = block.type
    while let current = next, case .object(let name, _, let superclass, let properties)? = types[current] {
      chain.append((name, properties))
      next = superclass
    }
    var made = ObjectClass(name: chain.first?.name ?? "", properties: [], levels: [])
    for level in chain.reversed() {
      let first = made.properties.count
      made.properties += level.properties
      made.levels.append(ObjectClass.Level(name: level.name, properties: first..<made.properties.count))
    }
    classes[block.type] = made
    return made
  }

  /// The value of a property of an object.
  ///
  /// - Parameter index: The place of the property among those of the object's class.
  /// - Throws: `ArchiveError` if there is no such object, `FormatError` if the archive is damaged.
  package func property(_ index: Int, of number: Int) throws -> ValuePlace {
    let block = try block(of: number)
    return ValuePlace(column: try columns(of: block, number >> 10).cursor(index), row: number & 1023)
  }

  private func block(of number: Int) throws -> BlockHeader {
    guard number >= 0, number >> 10 < layout.blocks.count, number & 1023 < layout.blocks[number >> 10].count else {
      throw ArchiveError(.missingValue, message: "there is no object \(number)")
    }
    return layout.blocks[number >> 10]
  }

  private func columns(of block: BlockHeader, _ index: Int) -> ColumnGroup {
    if let place = open.firstIndex(where: { $0.index == index }) {
      let found = open.remove(at: place)
      open.append(found)
      return found.columns
    }
    let slots = types.columns(of: block.type).map { ColumnGroup.Slot(type: $0.type, rows: block.count, poolID: $0.poolID) }
    let columns = ColumnGroup(
      slots, depth: 0, at: layout.blockReaders[index], isFramed: block.count >= BlockLayout.firstFramedCount, source)
    if open.count >= Self.maximumOpenCount { open.removeFirst() }
    open.append((index, columns))
    return columns
  }

  // MARK: Whole archives

  /// Checks that nothing stands behind the value of a root.
  ///
  /// - Throws: `FormatError`.
  package func checkEnd(ofRoot index: Int) throws {
    let slot = ColumnGroup.Slot(type: layout.roots[index].type, rows: 1, poolID: 0)
    try ColumnGroup([slot], depth: 0, at: layout.rootReaders[index], source).checkEnd(hasMark: false)
  }

  /// Checks that nothing stands in a block but the columns of its objects.
  ///
  /// - Throws: `FormatError`.
  package func checkEnd(ofBlock index: Int) throws { try columns(of: layout.blocks[index], index).checkEnd(hasMark: true) }

  /// Checks the string pools, which properties need not make use of.
  ///
  /// - Throws: `FormatError` or `ArchiveError`.
  package func checkPools() throws { try source.checkPools() }
}
