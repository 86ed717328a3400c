import ArchiveFormat

/// Columns of integers.
extension Anatomist {
  /// Goes over a column of integers that say how others are to be read, and returns them.
  ///
  /// - Parameter caseNames: The cases that they are the places of.
  mutating func integers(
    _ type: TypeID, _ rows: Int, _ label: Labels.Label, _ depth: Int, caseNames cases: [EnumCase] = []
  ) throws -> [Int64] {
    let start = reader
    let numbers = try Self.decoded(rows, start)
    try passIntegers(type, rows, label, depth) { number in
      guard let index = Int(exactly: number), cases.indices.contains(index) else { return "\(number)" }
      return "\(number), \(cases[index].name)"
    }
    return numbers
  }

  private static func decoded(_ rows: Int, _ start: ByteReader) throws -> [Int64] {
    var bytes = start
    var failure: FormatError?
    // SAFETY: the decoder fills as many numbers or throws.
    let numbers = unsafe [Int64](unsafeUninitializedCapacity: rows) { buffer, done in
      guard let base = buffer.baseAddress else { return }
      do throws(FormatError) {
        // SAFETY: the decoder fills as many rows or throws.
        unsafe try IntegerColumn.decode(count: rows, from: &bytes, into: base)
        done = rows
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return numbers
  }

  /// 128 bits: two columns.
  mutating func wideIntegers(_ type: TypeID, _ rows: Int, _ label: Labels.Label, _ depth: Int) throws {
    // As a whole for who looks at values; each half is a column for who counts bytes.
    try sink.begin(chunk: Chunk(type: type, rows: rows, label: label, poolID: poolID, bytes: reader))
    try passIntegers(.int, rows, labels.label(.high, in: label), depth)
    try passIntegers(.uint, rows, labels.label(.low, in: label), depth)
  }

  /// Goes over a column of integers.
  ///
  /// - Parameter shown: A number in words; nil for those of the type.
  mutating func passIntegers(
    _ type: TypeID, _ rows: Int, _ label: Labels.Label, _ depth: Int, shown: ((Int64) -> String)? = nil
  ) throws {
    let chunk = Chunk(type: type, rows: rows, label: label, poolID: poolID, bytes: reader)
    try sink.begin(chunk: chunk)
    let start = reader
    var end = reader
    try IntegerColumn.skip(count: rows, from: &end)
    let encoding: Encoding
    if rows < firstEncodedRowCount {
      encoding = .plain
    } else {
      var head = reader
      encoding = IntegerEncoding(rawValue: try head.readByte()).map(Encoding.init) ?? .plain
    }
    if words {
      try integersInWords(chunk, encoding, depth, shown)
    } else {
      reader = end
      try emit(from: start, depth, "")
    }
    sink.end(chunk: chunk, encoding: encoding, byteCount: reader.offset &- start.offset)
  }

  // MARK: Words

  private mutating func integersInWords(_ chunk: Chunk, _ encoding: Encoding, _ depth: Int, _ shown: ((Int64) -> String)?) throws {
    var start = reader
    let rows = chunk.rows
    let numbers = try Self.decoded(rows, start)
    var values = shown == nil ? self.shown(chunk) : numbers.map { shown?($0) ?? "" }
    if values.isEmpty { values = numbers.map { "\($0)" } }
    if encoding == .plain {
      for index in 0..<rows {
        start = reader
        _ = try reader.readVarint()
        try emit(from: start, depth, "\(row(index, of: chunk)): \(values[index])")
      }
      return
    }
    let byte = try reader.readByte()
    try emit(
      from: start, depth, "\(name(chunk.label)): \(Text.grouped(rows)) rows, encoding \(byte), \(encoding.rawValue): \(list(values))")
    switch encoding {
    case .constant: try number("the value of all rows", depth + 1)
    case .offset8: try offsets(rows, 1, depth + 1)
    case .offset16: try offsets(rows, 2, depth + 1)
    case .offset32: try offsets(rows, 4, depth + 1)
    case .raw:
      start = reader
      try reader.skip(rows &* 8)
      try emit(from: start, depth + 1, "\(Text.grouped(rows)) numbers of 8 bytes")
    case .packed:
      try number("base", depth + 1)
      try bits(rows, "to be added to the base", depth + 1)
    case .deltas:
      try number("first value", depth + 1)
      try number("smallest difference", depth + 1)
      try bits(rows - 1, "what the differences exceed it by", depth + 1)
    default: try runs(depth + 1)
    }
  }

  private mutating func number(_ what: String, _ depth: Int) throws {
    let start = reader
    let number = try reader.readZigzag()
    try emit(from: start, depth, "\(what): \(number)")
  }

  private mutating func offsets(_ rows: Int, _ width: Int, _ depth: Int) throws {
    try number("base", depth)
    let start = reader
    try reader.skip(rows &* width)
    try emit(from: start, depth, "\(Text.grouped(rows)) numbers of \(Text.count(width, "byte")), to be added to the base")
  }

  private mutating func bits(_ count: Int, _ meaning: String, _ depth: Int) throws {
    var start = reader
    let width = Int(try reader.readByte())
    try emit(from: start, depth, "width: \(Text.count(width, "bit"))")
    start = reader
    try reader.skip(BitPacking.byteCount(count, width: width))
    try emit(from: start, depth, "\(Text.grouped(count)) numbers of \(Text.count(width, "bit")), \(meaning)")
  }

  private mutating func runs(_ depth: Int) throws {
    var start = reader
    let count = try reader.readCount()
    try emit(from: start, depth, Text.count(count, "run"))
    for _ in 0..<count {
      start = reader
      let length = try reader.readCount()
      let value = try reader.readZigzag()
      try emit(from: start, depth + 1, "\(Text.count(length, "row")) of \(value)")
    }
  }
}

extension Encoding {
  init(_ encoding: IntegerEncoding) {
    self =
      switch encoding {
      case .constant: .constant
      case .offset8: .offset8
      case .offset16: .offset16
      case .offset32: .offset32
      case .raw: .raw
      case .packed: .packed
      case .delta: .deltas
      case .runs: .runs
      }
  }
}
