import ArchiveFormat

/// At most 1,024 rows of a column: the values of a type without others inside, else where the rows inside begin.
enum ColumnChunk {
  case scalars([ArchiveValue])
  case texts(TextChunk)
  /// - `places`: the place of each row that is there among those, -1 for the others.
  case optional(places: [Int], ColumnGroup, isConstant: Bool)
  case elements(ValueNode, starts: [Int], ColumnGroup)
  case inlineArrays(length: Int, ColumnGroup)
  case dictionaries(starts: [Int], EntryColumns)
  case members(ValueNode, count: Int, ColumnGroup)
  case enumerations(name: String, version: UInt64, [EnumCase], Choice)
  case any([TypeID], Choice)
  case records(RecordChunk)

  /// Reads a chunk.
  ///
  /// - Parameter reader: At the chunk; then behind what belongs to the type itself.
  init(_ rows: Int, of column: ColumnCursor, _ reader: inout ByteReader) throws {
    let source = column.source
    let type = column.type
    if let wrapped = source.types.optionalPayload(of: type) {
      self = try Self.optional(wrapped, rows, column, isConstant: false, &reader)
      return
    }
    if type.isScalar {
      self = try Self.scalars(type, rows, column, &reader)
      return
    }
    switch source.types[type] {
    case .array(let element): self = try Self.elements(.array, element, rows, column, &reader)
    case .set(let element): self = try Self.elements(.set, element, rows, column, &reader)
    case .inlineArray(let element, let length):
      let (total, overflow) = rows.multipliedReportingOverflow(by: length)
      guard !overflow else { throw reader.fail(.truncated, "the elements do not fit the bytes that are left") }
      try source.checkFit(total, reader)
      self = .inlineArrays(length: length, column.group(element, total, at: reader))
    case .dictionary(let key, let value):
      let starts = try source.starts(rows, &reader)
      self = .dictionaries(
        starts: starts,
        EntryColumns(
          key: key, value: value, rows: starts.last ?? 0, poolID: column.poolID, depth: column.depth + 1, at: reader, source))
    case .tuple(let members):
      if source.types.isLetForm(members), let payload = source.types.optionalPayload(of: members[0].type) {
        self = try Self.optional(payload, rows, column, isConstant: true, &reader)
      } else {
        self = .members(.tuple(members), count: members.count, column.group(members, rows, at: reader))
      }
    case .structure(let name, let version, let fields):
      self = .members(
        .structure(name: name, version: version, fields), count: fields.count, column.group(fields, rows, at: reader))
    case .enumeration(let name, let version, let cases):
      let indices = try source.indices(rows, below: cases.count, &reader)
      self = .enumerations(
        name: name, version: version, cases, Choice(indices, column, at: reader) { cases[$0].payload })
    case .object: self = try Self.scalars(.reference, rows, column, &reader)
    case nil, .optional: throw reader.fail(.malformed, "type \(type.rawValue) is not a type of values")
    }
  }

  private static func scalars(
    _ type: TypeID, _ rows: Int, _ column: ColumnCursor, _ reader: inout ByteReader
  ) throws -> ColumnChunk {
    switch type {
    case .any: return try any(rows, column, &reader)
    case .record: return .records(try RecordChunk(rows, column.source, &reader))
    case .string, .substring, .character, .data:
      if let texts = try TextChunk(type, rows, column.source, &reader) { return .texts(texts) }
    default: break
    }
    return .scalars(try column.source.scalars(type, rows, poolID: column.poolID, &reader))
  }

  private static func optional(
    _ wrapped: TypeID, _ rows: Int, _ column: ColumnCursor, isConstant: Bool, _ reader: inout ByteReader
  ) throws -> ColumnChunk {
    var count = 0
    let places = try column.source.truths(rows, &reader).map { isPresent in
      guard isPresent != 0 else { return -1 }
      count += 1
      return count - 1
    }
    // The tuple that a `let` is counts as well.
    return .optional(places: places, column.group(wrapped, count, at: reader, levels: isConstant ? 2 : 1), isConstant: isConstant)
  }

  private static func elements(
    _ node: ValueNode, _ element: TypeID, _ rows: Int, _ column: ColumnCursor, _ reader: inout ByteReader
  ) throws -> ColumnChunk {
    let starts = try column.source.starts(rows, &reader)
    return .elements(node, starts: starts, column.group(element, starts.last ?? 0, at: reader))
  }

  private static func any(_ rows: Int, _ column: ColumnCursor, _ reader: inout ByteReader) throws -> ColumnChunk {
    let source = column.source
    let used = try source.reading(&reader) { reader in
      let start = reader
      let distinct = try reader.readCount()
      guard distinct >= 1 && distinct <= rows else { throw start.fail(.malformed, "\(rows) values have \(distinct) types") }
      return try (0..<distinct).map { _ in
        let type = try reader.readTypeID()
        guard source.types.isValueType(type) else { throw start.fail(.malformed, "type \(type.rawValue) is not a type of values") }
        return type
      }
    }
    let indices = try source.indices(rows, below: used.count, &reader)
    return .any(used, Choice(indices, column, at: reader) { used[$0] })
  }

  /// Whether what has been read is all of the chunk.
  var isPassed: Bool {
    switch self {
    case .scalars, .texts, .records: true
    default: false
    }
  }

  // MARK: Rows

  func row(_ row: Int, _ column: ColumnCursor) throws -> ColumnCursor.Row {
    switch self {
    case .scalars(let values): return .scalar(values[row])
    case .texts(let texts): return .scalar(try texts.value(row))
    case .optional(let places, let wrapped, let isConstant):
      let place = places[row]
      if isConstant {
        return .node(.constant, .rows(wrapped, column: 0, first: place), count: place < 0 ? 0 : 1)
      }
      return place < 0 ? .absent : .present(try wrapped.cursor(0), row: place)
    case .elements(let node, let starts, let elements):
      return .node(node, .rows(elements, column: 0, first: starts[row]), count: starts[row + 1] - starts[row])
    case .inlineArrays(let length, let elements):
      return .node(.inlineArray, .rows(elements, column: 0, first: row * length), count: length)
    case .dictionaries(let starts, let entries):
      return .node(.dictionary, .entries(entries, first: starts[row]), count: starts[row + 1] - starts[row])
    case .members(let node, let count, let members): return .node(node, .members(members, row: row), count: count)
    case .enumerations(let name, let version, let cases, let choice):
      let index = choice.indices[row]
      let parts = choice.parts(row)
      return .node(
        .enumeration(name: name, version: version, cases[index], index: index), parts ?? .none, count: parts == nil ? 0 : 1)
    case .any(let used, let choice):
      let parts = choice.parts(row)
      return .node(.any(used[choice.indices[row]]), parts ?? .none, count: parts == nil ? 0 : 1)
    case .records(let records): return try records.row(row, column)
    }
  }
}

extension ColumnCursor {
  /// A column inside.
  func group(_ type: TypeID, _ rows: Int, at reader: ByteReader, levels: Int = 1) -> ColumnGroup {
    ColumnGroup(type, rows: rows, poolID: poolID, depth: depth + levels, at: reader, source)
  }

  func group(_ members: [Property], _ rows: Int, at reader: ByteReader) -> ColumnGroup {
    ColumnGroup(members, rows: rows, poolID: poolID, depth: depth + 1, at: reader, source)
  }
}

/// Rows that are each of one of several kinds, some of which have a column.
struct Choice {
  /// The kind of each row.
  let indices: [Int]
  /// The place of each row in the column of its kind.
  private var places: [Int] = []
  /// The column of each kind that occurs and has one.
  private var columns: [Int: Int] = [:]
  private let group: ColumnGroup

  /// - Parameter type: Gives the type of what a kind holds; nil if it holds nothing.
  init(_ indices: [Int], _ column: ColumnCursor, at reader: ByteReader, _ type: (Int) -> TypeID?) {
    self.indices = indices
    var counts: [Int: Int] = [:]
    places.reserveCapacity(indices.count)
    for index in indices {
      let count = counts[index, default: 0]
      places.append(count)
      counts[index] = count + 1
    }
    var slots: [ColumnGroup.Slot] = []
    for (index, count) in counts.sorted(by: { $0.key < $1.key }) {
      guard let type = type(index) else { continue }
      columns[index] = slots.count
      slots.append(ColumnGroup.Slot(type: type, rows: count, poolID: column.poolID))
    }
    group = ColumnGroup(slots, depth: column.depth + 1, at: reader, column.source)
  }

  /// Where what a row holds is; nil if it holds nothing.
  func parts(_ row: Int) -> ColumnCursor.Parts? {
    columns[indices[row]].map { .rows(group, column: $0, first: places[row]) }
  }
}
