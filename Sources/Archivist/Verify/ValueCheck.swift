import ArchiveFormat
import MirrorArchive

/// Finds out whether the values of columns are such as their types admit.
struct ValueCheck {
  private(set) var references: ReferenceCheck
  private let values: ArchiveValues
  /// How many strings the pools have.
  private var poolCounts: [UInt64: Int] = [:]

  /// - Parameter layout: Of bytes that have been verified, and live as long as this.
  init(_ layout: ArchiveLayout) throws {
    references = ReferenceCheck(layout)
    values = ArchiveValues(layout)
    if var section = layout.pools {
      for pool in try StringPoolSection(parsing: &section).pools { poolCounts[pool.id] = pool.count }
    }
  }

  /// Checks what passing over the chunk does not.
  ///
  /// - Throws: `FormatError` or `Problem`, with the offset of the value or of its chunk.
  mutating func callAsFunction(_ chunk: Chunk) throws {
    switch chunk.type {
    // Any bits are a value.
    case .bool, .int, .int64, .uint, .uint64, .double, .date, .cgFloat, .float, .float16, .uuid, .void, .data, .int128, .uint128, .duration:
      break
    case .reference: try references.check(chunk)
    case .string, .substring: try strings(chunk)
    case .pooledString: try places(chunk, chunk.bytes)
    default: try read(chunk)
    }
  }

  /// Reads the values.
  private func read(_ chunk: Chunk) throws {
    var bytes = chunk.bytes
    do {
      _ = try values.scalars(chunk.type, chunk.rows, from: &bytes, poolID: chunk.poolID)
    } catch let error as ArchiveError {
      // Noticed behind the chunk.
      throw Problem(message: error.message, offset: chunk.bytes.offset)
    }
  }

  private func strings(_ chunk: Chunk) throws {
    var bytes = chunk.bytes
    if chunk.rows >= firstEncodedRowCount {
      switch try bytes.readByte() {
      case BytesColumn.pooledEncoding: return try places(chunk, bytes)
      case BytesColumn.numberedEncoding: return try read(chunk)
      default: bytes = chunk.bytes
      }
    }
    // SAFETY: the decoder fills as many numbers or throws.
    try unsafe withUnsafeTemporaryAllocation(of: Int64.self, capacity: chunk.rows) { buffer in
      guard let lengths = buffer.baseAddress else { return }
      // SAFETY: the decoder fills as many lengths, which add up to the contents, or throws.
      let contents = unsafe try BytesColumn.decode(count: chunk.rows, from: &bytes, lengths: lengths)
      switch unsafe UTF8Check.check(contents) {
      case .ascii: return
      case .valid:
        // Valid together; each is if none begins within a character.
        if unsafe UTF8Check.begin(lengths, count: chunk.rows, in: contents) { return }
      case .invalid: break
      }
      var offset = bytes.offset - contents.count
      var place = 0
      for row in 0..<chunk.rows {
        let length = unsafe Int(lengths[row])
        if unsafe UTF8Check.check(UnsafeRawBufferPointer(rebasing: contents[place..<place + length])) == .invalid { break }
        place += length
        offset += length
      }
      throw Problem(message: "the string is not valid UTF-8", offset: offset)
    }
  }

  /// Checks a column of places in a pool.
  private func places(_ chunk: Chunk, _ bytes: ByteReader) throws {
    guard let count = poolCounts[chunk.poolID] else {
      throw Problem(message: "the string pool of this property is missing", offset: chunk.bytes.offset)
    }
    try IntegerCheck.each(chunk.rows, bytes) { place, offset in
      if place < 0 || place >= Int64(count) {
        throw Problem(message: "string \(place) is not in the property's pool of \(count)", offset: offset)
      }
    }
  }
}

/// Hands out the numbers of a column.
enum IntegerCheck {
  /// - Parameter body: Gets each number, and the offset of it or of the column.
  static func each(_ rows: Int, _ bytes: ByteReader, _ body: (Int64, Int) throws -> Void) throws {
    var reader = bytes
    guard rows >= firstEncodedRowCount else {
      for _ in 0..<rows {
        let offset = reader.offset
        try body(try reader.readZigzag(), offset)
      }
      return
    }
    // SAFETY: the decoder fills as many numbers or throws.
    try unsafe withUnsafeTemporaryAllocation(of: Int64.self, capacity: rows) { buffer in
      guard let numbers = buffer.baseAddress else { return }
      // SAFETY: the decoder fills as many rows or throws.
      unsafe try IntegerColumn.decode(count: rows, from: &reader, into: numbers)
      for row in 0..<rows { try body(unsafe numbers[row], bytes.offset) }
    }
  }
}

/// Finds out whether references lead to objects, and which objects none leads to.
struct ReferenceCheck {
  let objectCount: Int
  /// For each block how many objects it has, and how many are in front of it.
  private let blocks: [(count: Int, first: Int)]
  /// A bit for each object that a reference leads to.
  private var found: [UInt64]

  init(_ layout: ArchiveLayout) {
    var first = 0
    blocks = layout.blocks.map { block in
      defer { first += block.count }
      return (block.count, first)
    }
    objectCount = first
    found = [UInt64](repeating: 0, count: (first + 63) / 64)
    // The reference of a simple archive has no byte.
    if layout.isSimple { found[0] = 1 }
  }

  var lostCount: Int { objectCount - found.reduce(0) { $0 + $1.nonzeroBitCount } }

  mutating func check(_ chunk: Chunk) throws {
    try IntegerCheck.each(chunk.rows, chunk.bytes) { number, offset in
      guard number >= 0, let index = Int(exactly: number >> 10), index < blocks.count, Int(number & 1023) < blocks[index].count else {
        throw Problem(message: "a reference leads to object \(number), which does not exist", offset: offset)
      }
      let bit = blocks[index].first + Int(number & 1023)
      found[bit >> 6] |= 1 << UInt64(bit & 63)
    }
  }
}
