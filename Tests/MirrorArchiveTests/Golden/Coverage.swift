import ArchiveFormat
import ArchiveFuzzing
import Foundation

/// Which parts of the format archives use, of all that the page about it describes.
struct Coverage {
  private(set) var found: Set<String> = []

  mutating func add(_ data: Data) throws {
    let bytes = [UInt8](data)
    unsafe try bytes.withUnsafeBytes { buffer in
      let layout = unsafe try ArchiveLayout(parsing: buffer)
      addFlags(bytes[4])
      for entry in layout.types.entries { add(entry, in: layout.types) }
      if let pools = layout.pools { try addPools(pools, layout.types) }
      for (root, reader) in zip(layout.roots, layout.rootReaders) {
        var reader = reader
        unsafe try addColumn(root.type, rows: 1, &reader, layout.types, buffer)
      }
      if layout.roots.count > 1 { found.insert("several roots") }
      var classes: Set<UInt32> = []
      for (block, reader) in zip(layout.blocks, layout.blockReaders) {
        if !classes.insert(block.type.rawValue).inserted { found.insert("two blocks of a class") }
        unsafe try addBlock(block, reader, layout.types, buffer)
      }
    }
  }

  private mutating func addFlags(_ flags: UInt8) {
    for (bit, name) in ["simple", "string pools", "segmented", "XXH3", "filled"].enumerated() where flags & 1 << UInt8(bit) != 0 {
      found.insert(name)
    }
    if flags & 1 == 0 { found.insert("not simple") }
    if flags & 8 == 0 { found.insert("xxHash64") }
  }

  private mutating func addPools(_ section: ByteReader, _ types: TypeTable) throws {
    var r = section
    for _ in 0..<(try r.readCount()) {
      found.insert(try r.readVarint() == 0 ? "pool of the roots" : "pool of a property")
      let strings = try r.readCount()
      var left = strings
      while left > 0 {
        let chunk = min(left, maximumChunkRows)
        try BytesColumn.skipPlain(count: chunk, from: &r)
        left -= chunk
      }
      found.insert(strings > maximumChunkRows ? "pool in chunks" : strings >= firstEncodedRowCount ? "long pool" : "short pool")
    }
  }

  private mutating func addBlock(_ block: BlockHeader, _ reader: ByteReader, _ types: TypeTable, _ buffer: UnsafeRawBufferPointer) throws {
    var reader = reader
    let columns = Self.columns(of: block.type, types)
    let isFramed = block.count >= firstEncodedRowCount
    if columns.isEmpty { found.insert("block without columns") }
    found.insert(block.count == maximumChunkRows ? "full block" : isFramed ? "block with lengths" : "block without lengths")
    for type in columns {
      if isFramed { _ = try reader.readCount() }
      unsafe try addColumn(type, rows: block.count, &reader, types, buffer)
    }
  }

  private static func columns(of type: TypeID, _ types: TypeTable) -> [TypeID] {
    guard case .object(_, _, let superclass, let properties)? = types[type] else { return [] }
    return (superclass.map { columns(of: $0, types) } ?? []) + properties.map(\.type)
  }

  // MARK: Columns

  private mutating func addColumn(
    _ type: TypeID, rows: Int, _ reader: inout ByteReader, _ types: TypeTable, _ buffer: UnsafeRawBufferPointer
  ) throws {
    var map = ColumnMap(types)
    try map.walk(type, rows, &reader)
    var columns = unsafe CoveredColumns(buffer)
    for span in map.spans { try columns.add(span, types) }
    found.formUnion(columns.found)
  }

  // MARK: Types

  private mutating func add(_ entry: TypeEntry, in types: TypeTable) {
    switch entry {
    case .optional(let wrapped):
      found.insert("optional")
      if wrapped.wrappedScalar != nil { found.insert("optional of an optional") }
    case .array: found.insert("array")
    case .set: found.insert("set")
    case .dictionary: found.insert("dictionary")
    case .inlineArray(_, let count): found.insert(count == 0 ? "inline array without elements" : "inline array")
    case .tuple(let members):
      found.insert(members.isEmpty ? "tuple without members" : "tuple")
      if members.count >= 15 { found.insert("tuple of many") }
      if members.contains(where: { $0.key.first == "\0" && $0.key != "\0" }) { found.insert("escaped key") }
      if members.contains(where: { $0.key == "\0" }) { found.insert("value without a key") }
      if members.contains(where: { $0.key.isEmpty }) { found.insert("empty key") }
      for member in members { add(member) }
    case .structure(_, let version, let fields):
      found.insert(fields.isEmpty ? "structure without members" : "structure")
      if fields.count >= 31 { found.insert("structure of many") }
      if version > 0 { found.insert("version of a structure") }
      for member in fields { add(member) }
    case .enumeration(_, let version, let cases):
      found.insert("enumeration")
      if cases.count >= 15 { found.insert("enumeration of many") }
      if version > 0 { found.insert("version of an enumeration") }
      if Set(cases.map(\.name)).count < cases.count { found.insert("cases of one name") }
      for (index, one) in cases.enumerated() { add(one, at: index) }
    case .object(_, let version, let superclass, let properties):
      found.insert(properties.isEmpty ? "class without properties" : "class")
      if properties.count >= 31 { found.insert("class of many") }
      if version > 0 { found.insert("version of a class") }
      if superclass != nil { found.insert("superclass") }
      for member in properties { add(member) }
    }
  }

  private mutating func add(_ one: EnumCase, at index: Int) {
    found.insert(one.payload == nil ? "case" : "case with a payload")
    switch one.rawValue {
    case .text(let text): found.insert(text == one.name ? "raw names" : "raw texts")
    case .integer(let number): found.insert(number == index ? "raw indexes" : "raw numbers")
    case .floating: found.insert("raw floating point")
    case nil: break
    }
  }

  private mutating func add(_ member: Property) {
    let isShort = member.type.rawValue < 10 || [33, 34, 35, 36, 37].contains(member.type.rawValue)
    let isLongKey = member.key.utf8.count > 15
    found.insert(isLongKey ? isShort ? "long key" : "long key and long type" : isShort ? "short member" : "long type")
  }
}
