import ArchiveFormat
import MirrorArchive

/// Columns of strings and other byte strings.
extension Anatomist {
  /// Goes over a chunk of strings.
  ///
  /// - Parameter allowsOthers: Whether the chunk may be pooled or numbered.
  mutating func byteStrings(_ type: TypeID, _ rows: Int, _ label: Labels.Label, _ depth: Int, allowsOthers: Bool = true) throws {
    let chunk = Chunk(type: type, rows: rows, label: label, poolID: poolID, bytes: reader)
    try sink.begin(chunk: chunk)
    let start = reader
    var end = reader
    if allowsOthers && type != .data {
      try BytesColumn.skip(count: rows, from: &end)
    } else {
      try BytesColumn.skipPlain(count: rows, from: &end)
    }
    var encoding = Encoding.plain
    if rows >= firstEncodedRowCount {
      var head = reader
      switch try head.readByte() {
      case BytesColumn.pooledEncoding: encoding = .pooled
      case BytesColumn.numberedEncoding: encoding = .numbered
      default: break
      }
    }
    if words {
      try stringsInWords(chunk, encoding, depth)
    } else {
      reader = end
      try emit(from: start, depth, "")
    }
    sink.end(chunk: chunk, encoding: encoding, byteCount: reader.offset &- start.offset)
  }

  private mutating func stringsInWords(_ chunk: Chunk, _ encoding: Encoding, _ depth: Int) throws {
    let values = shown(chunk)
    let start = reader
    guard chunk.rows >= firstEncodedRowCount else { return try plainStrings(chunk, values, depth) }
    let byte = try reader.readByte()
    let title = "\(stringsName(chunk)): \(Text.grouped(chunk.rows)) rows, encoding \(byte), \(encoding.rawValue)"
    try emit(from: start, depth, encoding == .pooled ? title : "\(title): \(list(values))")
    switch encoding {
    case .pooled: try passIntegers(.int, chunk.rows, labels.label(.places, in: chunk.label), depth + 1)
    case .numbered:
      try around("in front of the number", depth + 1)
      try around("behind the number", depth + 1)
      let start = reader
      let digits = try reader.readByte()
      try emit(from: start, depth + 1, digits == 0 ? "digits: as many as each number needs" : "digits: \(digits)")
      try passIntegers(.int, chunk.rows, labels.label(.numbers, in: chunk.label), depth + 1)
    default:
      let lengths = try integers(.int, chunk.rows, labels.label(.lengths, in: chunk.label), depth + 1)
      let contents = reader
      // Compared with what is left when the column was passed over.
      try reader.skip(Int(truncatingIfNeeded: lengths.reduce(0, &+)))
      try emit(from: contents, depth + 1, "contents")
    }
  }

  private func stringsName(_ chunk: Chunk) -> String { chunk.label < 0 ? "strings" : name(chunk.label) }

  /// Fewer than eight: all lengths, then all contents.
  private mutating func plainStrings(_ chunk: Chunk, _ values: [String], _ depth: Int) throws {
    let title = stringsName(chunk)
    func text(_ index: Int) -> String { values.indices.contains(index) ? values[index] : "a value that cannot be shown" }
    var start = reader
    if chunk.rows == 1 {
      let length = try reader.readCount()
      try reader.skip(length)
      return try emit(from: start, depth, "\(title): \(Text.count(length, "byte")), \(text(0))")
    }
    var lengths: [Int] = []
    for index in 0..<chunk.rows {
      start = reader
      lengths.append(try reader.readCount())
      try emit(from: start, depth, "\(title), row \(index): \(Text.count(lengths[index], "byte"))")
    }
    for (index, length) in lengths.enumerated() {
      start = reader
      try reader.skip(length)
      try emit(from: start, depth, "\(title), row \(index): \(text(index))")
    }
  }

  private mutating func around(_ place: String, _ depth: Int) throws {
    let start = reader
    // SAFETY: the reader hands out bytes that are there; they are copied at once.
    let bytes = unsafe try reader.readBytes(Int(try reader.readByte()))
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    try emit(from: start, depth, "text \(place): \(Text.quoted(text))")
  }

  /// Goes over the lengths of the bodies of records, which follow.
  mutating func lengthsOfBodies(_ count: Int, _ label: Labels.Label, _ depth: Int) throws -> [Int64] {
    let start = reader
    let label = labels.label(.lengths, in: label)
    var lengths: [Int64] = []
    if count >= firstEncodedRowCount {
      guard try reader.readByte() == BytesColumn.plainEncoding else {
        throw start.fail(.malformed, "unknown encoding of a byte string column")
      }
      try emit(from: start, depth, words ? "\(name(label)): encoding 0, plain" : "")
      lengths = try integers(.int, count, label, depth + 1)
    } else {
      for index in 0..<count {
        let start = reader
        lengths.append(Int64(try reader.readCount()))
        try emit(
          from: start, depth, words ? "\(name(label))\(count == 1 ? "" : ", row \(index)"): \(Text.count(Int(lengths[index]), "byte"))" : ""
        )
      }
    }
    var total: Int64 = 0
    for length in lengths {
      let (sum, overflow) = total.addingReportingOverflow(length)
      guard length >= 0, !overflow, sum <= Int64(reader.remaining) else {
        throw start.fail(.truncated, "the lengths of byte strings exceed the bytes that are left")
      }
      total = sum
    }
    return lengths
  }
}
