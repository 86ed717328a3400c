import ArchiveFormat
import MirrorArchive

/// Columns without other columns in them.
extension Anatomist {
  /// Goes over 1...1,024 rows of a scalar type.
  mutating func leaf(_ type: TypeID, _ rows: Int, _ label: Labels.Label, _ depth: Int) throws {
    switch type {
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .unicodeScalar, .metatype, .pooledString,
      .reference:
      return try passIntegers(type, rows, label, depth)
    case .int128, .uint128, .duration: return try wideIntegers(type, rows, label, depth)
    case .string, .substring, .character, .data: return try byteStrings(type, rows, label, depth)
    default: break
    }
    let chunk = Chunk(type: type, rows: rows, label: label, poolID: poolID, bytes: reader)
    try sink.begin(chunk: chunk)
    let start = reader
    let encoding: Encoding
    switch type {
    case .bool: encoding = try truths(chunk, depth)
    case .double, .date, .cgFloat: encoding = try doubles(chunk, depth)
    case .float: encoding = try fixed(chunk, width: 4, depth)
    case .float16: encoding = try fixed(chunk, width: 2, depth)
    case .uuid: encoding = try fixed(chunk, width: 16, depth)
    case .decimal: encoding = try fixed(chunk, width: 20, depth)
    case .void: encoding = try nothing(chunk, depth)
    default: throw reader.fail(.malformed, "type \(type.rawValue) is not a type of values")
    }
    // Decimal: the numbers behind encoding and scale have been told already, as a column of their own.
    sink.end(chunk: chunk, encoding: encoding, byteCount: encoding == .decimal ? 2 : reader.offset &- start.offset)
  }

  // MARK: Words

  /// The values of a chunk in words; empty if they cannot be shown.
  func shown(_ chunk: Chunk) -> [String] {
    guard let values else { return [] }
    var bytes = chunk.bytes
    // What is wrong with the values is not the matter of who shows where they stand.
    guard let read = try? values.values(chunk.type, count: chunk.rows, from: &bytes, poolID: chunk.poolID) else { return [] }
    return read.map { "\($0)" }
  }

  /// The first few of some values; one if all are equal.
  func list(_ values: [String]) -> String {
    guard let first = values.first else { return "values that cannot be shown" }
    if values.allSatisfy({ $0 == first }) { return first }
    var text = first
    for (index, value) in values.enumerated().dropFirst() {
      if index == 8 || text.utf8.count > 60 { return text + ", …" }
      text += ", " + value
    }
    return text
  }

  /// What the rows of a plain column are called: the name alone if there is only one.
  func row(_ index: Int, of chunk: Chunk) -> String {
    chunk.rows == 1 ? name(chunk.label) : "\(name(chunk.label)), row \(index)"
  }

  /// The head of a column that says how it is stored.
  private mutating func encodingByte(_ start: ByteReader, _ chunk: Chunk, _ what: String, _ byte: UInt8, _ depth: Int) throws {
    guard words else { return }
    try emit(from: start, depth, "\(name(chunk.label)): \(Text.grouped(chunk.rows)) rows, encoding \(byte), \(what): \(list(shown(chunk)))")
  }

  /// What is left of a column that nobody wants in words.
  private mutating func wordless(_ start: ByteReader) throws { if !words { try emit(from: start, 0, "") } }

  // MARK: Truth values

  private mutating func truths(_ chunk: Chunk, _ depth: Int) throws -> Encoding {
    let start = reader
    guard chunk.rows >= firstEncodedRowCount else {
      guard words else {
        try BoolColumn.skip(count: chunk.rows, from: &reader)
        try wordless(start)
        return .plain
      }
      var whole = reader
      try BoolColumn.skip(count: chunk.rows, from: &whole)
      for index in 0..<chunk.rows {
        let start = reader
        let value = try BoolColumn.decodeOne(from: &reader)
        try emit(from: start, depth, "\(row(index, of: chunk)): \(value ? "yes" : "no")")
      }
      return .plain
    }
    try BoolColumn.skip(count: chunk.rows, from: &reader)
    let end = reader
    reader = start
    let byte = try reader.readByte()
    let encoding: Encoding = byte == 0 ? .allFalse : byte == 1 ? .allTrue : .bits
    try encodingByte(start, chunk, encoding.rawValue, byte, depth)
    let bits = words ? reader : start
    reader = end
    try emit(from: bits, depth + 1, words ? "a bit for each row" : "")
    return encoding
  }

  // MARK: Floating point

  private mutating func doubles(_ chunk: Chunk, _ depth: Int) throws -> Encoding {
    guard chunk.rows >= firstEncodedRowCount else { return try plainRows(chunk, width: 8, depth) }
    var before = reader
    // Finds out whether all is as it should be.
    try DoubleColumn.skip(count: chunk.rows, from: &before)
    let start = reader
    let byte = try reader.readByte()
    switch byte {
    case 0: return try single(start, chunk, width: 8, byte, depth)
    case 1: return try raw(start, chunk, width: 8, byte, depth)
    default:
      try encodingByte(start, chunk, "decimal", byte, depth)
      let atScale = reader
      let scale = try reader.readByte()
      try emit(
        from: words ? atScale : start, depth + 1, words ? "scale \(scale): whole numbers to be divided by 10 to the power of \(scale)" : "")
      try passIntegers(.int, chunk.rows, labels.label(.numbers, in: chunk.label), depth + 1)
      return .decimal
    }
  }

  /// Plain rows of a fixed width.
  private mutating func plainRows(_ chunk: Chunk, width: Int, _ depth: Int) throws -> Encoding {
    let start = reader
    if words {
      // Whether all of it is there, before any of it is shown.
      var whole = reader
      try whole.skip(chunk.rows &* width)
      let values = shown(chunk)
      for index in 0..<chunk.rows {
        let start = reader
        try reader.skip(width)
        try emit(from: start, depth, "\(row(index, of: chunk)): \(values.isEmpty ? "a value that cannot be shown" : values[index])")
      }
    } else {
      try reader.skip(chunk.rows &* width)
      try wordless(start)
    }
    return .plain
  }

  private mutating func single(_ start: ByteReader, _ chunk: Chunk, width: Int, _ byte: UInt8, _ depth: Int) throws -> Encoding {
    try encodingByte(start, chunk, "constant", byte, depth)
    let atValue = reader
    try reader.skip(width)
    try emit(from: words ? atValue : start, depth + 1, words ? "the value of all rows" : "")
    return .constant
  }

  private mutating func raw(_ start: ByteReader, _ chunk: Chunk, width: Int, _ byte: UInt8, _ depth: Int) throws -> Encoding {
    try encodingByte(start, chunk, "raw", byte, depth)
    let atValues = reader
    try reader.skip(chunk.rows &* width)
    try emit(from: words ? atValues : start, depth + 1, words ? "\(Text.grouped(chunk.rows)) values of \(Text.count(width, "byte"))" : "")
    return .raw
  }

  // MARK: Fixed width

  private mutating func fixed(_ chunk: Chunk, width: Int, _ depth: Int) throws -> Encoding {
    guard chunk.rows >= firstEncodedRowCount else { return try plainRows(chunk, width: width, depth) }
    var before = reader
    try FixedColumn.skip(count: chunk.rows, width: width, from: &before)
    let start = reader
    let byte = try reader.readByte()
    return byte == 0
      ? try single(start, chunk, width: width, byte, depth) : try raw(start, chunk, width: width, byte, depth)
  }

  private mutating func nothing(_ chunk: Chunk, _ depth: Int) throws -> Encoding {
    let start = reader
    try FixedColumn.skip(count: chunk.rows, width: 0, from: &reader)
    try emit(from: start, depth, words ? "\(name(chunk.label)): \(Text.count(chunk.rows, "row")) without content" : "")
    return .plain
  }
}
