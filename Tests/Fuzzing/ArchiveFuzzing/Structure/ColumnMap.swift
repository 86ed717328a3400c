package import ArchiveFormat

/// Where the parts of a column stand: found by a reading of the format of its own, so that it can disagree with the library's.
package struct ColumnMap {
  /// What stands in a range of bytes.
  package enum Role: Equatable {
    /// Rows of a type, at most a chunk of them.
    case chunk(TypeID, rows: Int)
    /// A column of integers that says how many rows others have, or of which type or case they are.
    case integers(rows: Int)
    /// A column of truth values that says which rows are there.
    case presence(rows: Int)
    /// Numbers of types in front of values of Any.
    case typeList
    /// The values of one record.
    case body(TypeID)
  }

  package struct Span {
    package var range: Range<Int>
    package var role: Role
  }

  /// How far the reading goes.
  package struct Bounds {
    /// Values altogether, those made of others included.
    var values: Int
    /// Bytes of text that numbers and what stands around them become.
    var text: Int

    package static let small = Bounds(values: 50_000, text: 4_000_000)
  }

  /// Why the reading has ended before the column has.
  package enum Stop: Error {
    /// The bytes are no such column.
    case malformed
    /// They are more, or nested deeper, than what is looked at.
    case bounds
  }

  package private(set) var spans: [Span] = []
  private let types: TypeTable
  private var left: Bounds
  private let start: Int
  private static let maximumDepth = 100

  /// - Parameter start: the position that the ranges of the spans count from.
  package init(_ types: TypeTable, within bounds: Bounds = .small, from start: Int = 0) {
    self.types = types
    left = bounds
    self.start = start
  }

  /// Counts further values; false if they are too many.
  mutating func admits(_ values: Int) -> Bool {
    if values > left.values { return false }
    left.values -= values
    return true
  }

  /// Passes over a column.
  ///
  /// - Throws: `Stop`.
  package mutating func walk(_ type: TypeID, _ rows: Int, _ r: inout ByteReader, depth: Int = 0) throws(Stop) {
    var remaining = rows
    while remaining > 0 {
      let chunk = min(remaining, maximumChunkRows)
      try self.chunk(type, chunk, &r, depth)
      remaining -= chunk
    }
  }

  private mutating func chunk(_ type: TypeID, _ rows: Int, _ r: inout ByteReader, _ depth: Int) throws(Stop) {
    guard depth <= Self.maximumDepth, admits(rows) else { throw .bounds }
    let index = spans.count
    let place = r.offset - start
    spans.append(Span(range: place..<place, role: .chunk(type, rows: rows)))
    try content(type, rows, &r, depth)
    spans[index].range = place..<(r.offset - start)
  }

  private mutating func content(_ type: TypeID, _ rows: Int, _ r: inout ByteReader, _ depth: Int) throws(Stop) {
    if let wrapped = type.wrappedScalar { return try optional(wrapped, rows, &r, depth) }
    switch type {
    case .any: return try anyValues(rows, &r, depth)
    case .record: return try records(rows, &r, depth)
    case _ where type.isScalar: return try scalars(type, rows, &r)
    default: break
    }
    switch types[type] {
    case .optional(let wrapped): try optional(wrapped, rows, &r, depth)
    case .array(let element), .set(let element): try walk(element, try total(rows, &r), &r, depth: depth + 1)
    case .dictionary(let key, let value):
      var remaining = try total(rows, &r)
      while remaining > 0 {
        let entries = min(remaining, maximumChunkRows)
        try chunk(key, entries, &r, depth + 1)
        try chunk(value, entries, &r, depth + 1)
        remaining -= entries
      }
    case .inlineArray(let element, let count):
      let (elements, isTooMany) = rows.multipliedReportingOverflow(by: count)
      if isTooMany { throw .malformed }
      if elements == 0 { try empty(&r) } else { try walk(element, elements, &r, depth: depth + 1) }
    case .tuple(let members), .structure(_, _, let members):
      if members.isEmpty { try empty(&r) }
      for member in members { try chunk(member.type, rows, &r, depth + 1) }
    case .enumeration(_, _, let cases):
      let indices = try integers(rows, &r)
      guard indices.allSatisfy({ $0 >= 0 && $0 < cases.count }) else { throw .malformed }
      for (index, rows) in Self.counted(indices) {
        if let payload = cases[index].payload { try chunk(payload, rows, &r, depth + 1) }
      }
    case .object: _ = try integers(rows, &r)
    case nil: throw .malformed
    }
  }

  // MARK: Scalars

  private mutating func scalars(_ type: TypeID, _ rows: Int, _ r: inout ByteReader) throws(Stop) {
    try checkNumbered(type, rows, r)
    do throws(FormatError) {
      switch type {
      case .bool: try BoolColumn.skip(count: rows, from: &r)
      case .double, .date, .cgFloat: try DoubleColumn.skip(count: rows, from: &r)
      case .float: try FloatColumn.skip(count: rows, from: &r)
      case .string, .data, .character, .substring: try BytesColumn.skip(count: rows, from: &r)
      case .uuid: try FixedColumn.skip(count: rows, width: 16, from: &r)
      case .float16: try FixedColumn.skip(count: rows, width: 2, from: &r)
      case .decimal: try FixedColumn.skip(count: rows, width: 20, from: &r)
      case .void: try FixedColumn.skip(count: rows, width: 0, from: &r)
      case .int128, .uint128, .duration:
        try IntegerColumn.skip(count: rows, from: &r)
        try IntegerColumn.skip(count: rows, from: &r)
      default: try IntegerColumn.skip(count: rows, from: &r)
      }
    } catch { throw .malformed }
  }

  /// A few bytes may say a thousand texts of half a thousand bytes.
  private mutating func checkNumbered(_ type: TypeID, _ rows: Int, _ r: ByteReader) throws(Stop) {
    guard type == .string || type == .substring || type == .character || type == .data, rows >= firstEncodedRowCount else { return }
    var head = r
    guard (try? head.readByte()) == BytesColumn.numberedEncoding, let numbered = try? NumberedStrings(from: &head) else { return }
    left.text -= numbered.maximumByteCount(rows)
    if left.text < 0 { throw .bounds }
  }

  private func empty(_ r: inout ByteReader) throws(Stop) {
    do throws(FormatError) { try FixedColumn.skip(count: 1, width: 0, from: &r) } catch { throw .malformed }
  }

  // MARK: Numbers that say how the rest is to be read

  private mutating func integers(_ rows: Int, _ r: inout ByteReader) throws(Stop) -> [Int64] {
    let place = r.offset - start
    guard let values = Integers.decode(rows, &r) else { throw .malformed }
    spans.append(Span(range: place..<(r.offset - start), role: .integers(rows: rows)))
    return values
  }

  private mutating func total(_ rows: Int, _ r: inout ByteReader) throws(Stop) -> Int {
    var total = 0
    for count in try integers(rows, &r) {
      let (sum, isTooMany) = total.addingReportingOverflow(Int(count))
      if count < 0 || isTooMany { throw .malformed }
      total = sum
    }
    guard total / maximumChunkRows <= r.remaining else { throw .malformed }
    return total
  }

  private static func counted(_ indices: [Int64]) -> [(index: Int, rows: Int)] {
    var counts: [Int: Int] = [:]
    for index in indices { counts[Int(index), default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.map { (index: $0.key, rows: $0.value) }
  }

  private mutating func optional(_ wrapped: TypeID, _ rows: Int, _ r: inout ByteReader, _ depth: Int) throws(Stop) {
    let place = r.offset - start
    let present: Int
    do throws(FormatError) { present = try BoolColumn.countTrue(count: rows, from: &r) } catch { throw .malformed }
    spans.append(Span(range: place..<(r.offset - start), role: .presence(rows: rows)))
    if present > 0 { try chunk(wrapped, present, &r, depth + 1) }
  }

  private mutating func anyValues(_ rows: Int, _ r: inout ByteReader, _ depth: Int) throws(Stop) {
    let place = r.offset - start
    var used: [TypeID] = []
    do throws(FormatError) {
      let count = try r.readCount()
      guard count >= 1, count <= rows else { throw r.fail(.malformed, "") }
      for _ in 0..<count { used.append(try r.readTypeID()) }
    } catch { throw .malformed }
    spans.append(Span(range: place..<(r.offset - start), role: .typeList))
    let indices = try integers(rows, &r)
    guard indices.allSatisfy({ $0 >= 0 && $0 < used.count }) else { throw .malformed }
    for (index, rows) in Self.counted(indices) { try chunk(used[index], rows, &r, depth + 1) }
  }

  // MARK: Records

  private mutating func records(_ rows: Int, _ r: inout ByteReader, _ depth: Int) throws(Stop) {
    let shapes = try integers(rows, &r)
    guard let lengths = ByteStrings.lengths(rows, &r) else { throw .malformed }
    for (shape, length) in zip(shapes, lengths) {
      guard let members = types.shape(of: shape), let raw = UInt32(exactly: shape) else { throw .malformed }
      var body: ByteReader
      do throws(FormatError) { body = try r.slice(Int(length)) } catch { throw .malformed }
      let place = body.offset - start
      spans.append(Span(range: place..<(place + Int(length)), role: .body(TypeID(raw))))
      for member in members { try chunk(member.type, 1, &body, depth + 1) }
      guard body.remaining == 0 else { throw .malformed }
    }
  }
}
