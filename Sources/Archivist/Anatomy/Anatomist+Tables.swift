import ArchiveFormat
import MirrorArchive

/// What stands between the types and the columns, and behind them.
extension Anatomist {
  mutating func pools() throws {
    try sink.begin(.pools)
    var start = reader
    let length = try reader.readCount()
    try emit(from: start, 0, words ? "the string pools have \(Text.count(length, "byte"))" : "")
    let section = try reader.slice(length)
    let behind = reader
    reader = section
    start = reader
    let count = try reader.readCount()
    guard count <= reader.remaining / 2 else {
      throw start.fail(.truncated, "\(count) string pools do not fit the bytes that are left")
    }
    try emit(from: start, 0, words ? Text.count(count, "pool") : "")
    for _ in 0..<count {
      start = reader
      let id = try reader.readVarint()
      guard poolCounts[id] == nil else { throw start.fail(.malformed, "two string pools belong to the same property") }
      try emit(from: start, 1, words ? "pool \(id): \(owner(ofPool: id))" : "")
      start = reader
      var left = try reader.readCount()
      guard left / maximumChunkRows <= reader.remaining else {
        throw start.fail(.truncated, "\(left) pooled strings do not fit the bytes that are left")
      }
      poolCounts[id] = left
      try emit(from: start, 2, words ? Text.count(left, "string") : "")
      while left > 0 {
        let rows = min(left, maximumChunkRows)
        try byteStrings(.string, rows, -1, 2, allowsOthers: false)
        left -= rows
      }
    }
    guard reader.remaining == 0 else { throw reader.fail(.trailingBytes, "\(reader.remaining) bytes follow the string pools") }
    reader = behind
  }

  private func owner(ofPool id: UInt64) -> String {
    if id == 0 { return "the strings of the roots" }
    guard let entry = Int(exactly: (id &- 1) >> 24), let ordinal = Int(exactly: (id &- 1) & 0xFF_FFFF),
      let name = types.name(ofEntry: entry)
    else { return "of no property" }
    let columns = types.columns(ofClass: entry)
    return columns.indices.contains(ordinal) ? "the strings of \(name).\(columns[ordinal].property.key)" : "of no property"
  }

  // MARK: Tables

  mutating func tables() throws {
    try sink.begin(.tables)
    try objectTable()
    try rootTable()
    knowObjects()
  }

  private mutating func objectTable() throws {
    var start = reader
    let count = try reader.readCount()
    guard count <= reader.remaining / 3 else { throw start.fail(.truncated, "\(count) blocks do not fit the bytes that are left") }
    try emit(from: start, 0, words ? Text.count(count, "block") : "")
    var columnCounts: [TypeID: Int] = [:]
    for index in 0..<count {
      start = reader
      let type = try reader.readTypeID()
      guard types[type]?.isObject == true, let entry = type.entryIndex else {
        throw start.fail(.malformed, "the type of a block is not a class")
      }
      let rows = try reader.readCount()
      guard rows >= 1 && rows <= maximumChunkRows else { throw start.fail(.malformed, "a block has \(rows) objects") }
      let length = try reader.readCount()
      let columns = columnCounts[type] ?? types.columns(ofClass: entry).count
      columnCounts[type] = columns
      guard length >= max(1, columns) else { throw start.fail(.malformed, "a block has less than a byte per column") }
      blocks.append(BlockHeader(type: type, count: rows, byteCount: length))
      try emit(from: start, 1, words ? Self.text(blocks[index], index, types) : "")
    }
  }

  private static func text(_ block: BlockHeader, _ index: Int, _ types: TypeTable) -> String {
    let objects = Text.count(block.count, "object")
    let length = Text.count(block.byteCount, "byte")
    return "block \(index): type \(block.type.rawValue), \(objects) of \(types.describe(block.type)), \(length)"
  }

  private mutating func rootTable() throws {
    var start = reader
    let count = try reader.readCount()
    guard count <= FrameConstants.maximumRoots else { throw start.fail(.limitExceeded, "\(count) root keys are too many") }
    guard count <= reader.remaining / 3 else { throw start.fail(.truncated, "\(count) root keys do not fit the bytes that are left") }
    try emit(from: start, 0, words ? Text.count(count, "root") : "")
    var keys: Set<String> = []
    for _ in 0..<count {
      start = reader
      let key = try reader.readString(try reader.readCount())
      let type = try reader.readTypeID()
      guard types.isValueType(type) else { throw start.fail(.malformed, "type \(type.rawValue) is not a type of values") }
      guard keys.insert(key).inserted else { throw start.fail(.malformed, "two roots have the same key") }
      let length = try reader.readCount()
      roots.append(RootKey(key: key, type: type, byteCount: length))
      try emit(
        from: start, 1, words ? "root \(Text.quoted(key)): \(types.describe(type)), \(Text.count(length, "byte"))" : "")
    }
  }

  /// Values can be put in words as far as it is known which objects there are.
  mutating func knowObjects() {
    if words { values = ArchiveValues(types: types, objectCounts: blocks.map(\.count), length: Int.max) }
  }

  // MARK: Values

  mutating func rootValues() throws {
    if roots.isEmpty { return }
    try sink.begin(.roots)
    poolID = 0
    for (index, root) in roots.enumerated() {
      let value = try reader.slice(root.byteCount)
      let behind = reader
      reader = value
      try sink.begin(.root(index), type: root.type, rows: 1)
      if words { labels.removeAll() }
      try column(root.type, 1, labels.label(.root(index), in: -1), 0)
      guard reader.remaining == 0 else { throw reader.fail(.malformed, "\(reader.remaining) bytes are left over behind the value") }
      reader = behind
    }
  }

  mutating func allBlocks() throws {
    if blocks.isEmpty { return }
    try sink.begin(.blocks)
    for index in blocks.indices {
      let block = blocks[index]
      let bytes = try reader.slice(block.byteCount)
      if sink.wants(from: bytes.offset, to: bytes.offset &+ bytes.remaining) {
        let behind = reader
        reader = bytes
        try sink.begin(block: index, block, bytes: bytes)
        try columns(of: block)
        reader = behind
      }
    }
  }

  private mutating func columns(of block: BlockHeader) throws {
    let entry = block.type.entryIndex ?? 0
    let columns = columnsByEntry[entry] ?? types.columns(ofClass: entry)
    columnsByEntry[entry] = columns
    if columns.isEmpty {
      let start = reader
      try FixedColumn.skip(count: block.count, width: 0, from: &reader)
      try emit(from: start, 0, words ? "no properties" : "")
    }
    for (ordinal, column) in columns.enumerated() {
      let type = column.property.type
      try sink.begin(.property(entry: entry, ordinal: ordinal), type: type, rows: block.count)
      if words { labels.removeAll() }
      let label = labels.label(.property(entry: entry, ordinal: ordinal), in: -1)
      poolID = 1 &+ (UInt64(entry) << 24 | UInt64(ordinal))
      guard block.count >= firstEncodedRowCount else {
        try self.column(type, block.count, label, 0)
        continue
      }
      let start = reader
      let length = try reader.readCount()
      try emit(from: start, 0, words ? "\(column.property.key): the column has \(Text.count(length, "byte"))" : "")
      let inside = try reader.slice(length)
      let behind = reader
      reader = inside
      try self.column(type, block.count, label, 1)
      guard reader.remaining == 0 else { throw reader.fail(.malformed, "\(reader.remaining) bytes are left over behind the column") }
      reader = behind
    }
    guard reader.remaining == 0 else { throw reader.fail(.malformed, "\(reader.remaining) bytes are left over behind the properties") }
  }

  mutating func filling() throws {
    try sink.begin(.filling)
    let start = reader
    // SAFETY: bytes of the archive, which are only looked at.
    let zeros = unsafe try reader.readBytes(reader.remaining)
    if let wrong = unsafe zeros.firstIndex(where: { $0 != 0 }) {
      throw FormatError(code: .malformed, offset: start.offset &+ wrong, message: "the filling is not made of zeros")
    }
    try emit(from: start, 0, words ? "filling: \(Text.count(zeros.count, "zero byte"))" : "")
  }
}
