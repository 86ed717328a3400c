import ArchiveFormat

/// Reads columns of any archived type as values without types.
///
/// Lists stand in for recursion, whose depth the bytes would decide. What is allocated is paid for by bytes: each chunk of at most 1,024 values
/// takes one at least.
struct ArchiveValueReader {
  /// What is still to be done, the next one last. A column leaves its values on top of `results`.
  enum Task {
    /// Rows of a type.
    case column(TypeID, rows: Int, depth: Int)
    /// Further chunks of the column on top of `results`.
    case rest(TypeID, rows: Int, depth: Int)
    /// The column on top becomes the end of the one below it.
    case append
    /// Further chunks of keys and values.
    case entries(key: TypeID, value: TypeID, rows: Int, depth: Int)
    /// The two columns on top become the ends of the two below them.
    case appendEntries
    /// The columns on top become one column of values made of them.
    case make(Composition)
    /// The bodies of the records from here on.
    case body(shape: Int64, length: Int, depth: Int)
    case endOfBody(members: [Property])
  }

  /// How the values of a column are made of the columns that were read for it.
  enum Composition {
    case optional(presence: [UInt8], absent: ArchiveValue)
    case elements(counts: [Int64], kind: Kind)
    case dictionary(counts: [Int64])
    case tuple([Property], rows: Int)
    case structure(name: String, version: UInt64, fields: [Property], rows: Int)
    /// - `columns`: the cases that have a column, in the order of the columns.
    case enumeration(name: String, version: UInt64, cases: [EnumCase], indices: [Int64], columns: [Int])
    case any(types: [TypeID], indices: [Int64], columns: [Int])
    case records(rows: Int)
  }

  enum Kind { case array, set, inline }

  let types: TypeTable
  let table: ArchiveType.Table
  let poolID: UInt64
  var reader: ByteReader
  var tasks: [Task] = []
  var results: [[ArchiveValue]] = []
  /// The columns that wait: each takes a byte of the body that is being read, at least.
  var waiting = 0
  /// For each body that is being read what stands behind it, and what was waiting there.
  var enclosing: [(reader: ByteReader, waiting: Int)] = []

  /// As many types in types as `ColumnSkipper` passes over.
  static let maximumDepth = 1_600

  init(_ archive: ArchiveValues, _ reader: ByteReader, poolID: UInt64) {
    types = archive.types
    table = archive.table
    self.reader = reader
    self.poolID = poolID
  }

  /// Reads a column, which stands where the reader is.
  mutating func run(_ type: TypeID, _ count: Int, _ archive: ArchiveValues) throws -> [ArchiveValue] {
    guard count >= 0 else { throw reader.fail(.malformed, "a count is negative") }
    try push(type, count, 0)
    while let task = tasks.popLast() {
      switch task {
      case .column(let type, let rows, let depth):
        waiting -= 1
        try column(type, rows, depth, archive)
      case .rest(let type, let rows, let depth):
        let chunk = min(rows, maximumChunkRows)
        if rows > chunk { tasks.append(.rest(type, rows: rows - chunk, depth: depth)) }
        tasks.append(.append)
        try push(type, chunk, depth)
      case .append: append(below: 1)
      case .entries(let key, let value, let rows, let depth):
        let chunk = min(rows, maximumChunkRows)
        if rows > chunk { tasks.append(.entries(key: key, value: value, rows: rows - chunk, depth: depth)) }
        tasks.append(.appendEntries)
        try push(value, chunk, depth)
        try push(key, chunk, depth)
      case .appendEntries:
        append(below: 2)
        append(below: 2)
      case .make(let composition): results.append(make(composition))
      case .body(let shape, let length, let depth): try beginBody(shape, length, depth)
      case .endOfBody(let members): try endBody(members)
      }
    }
    return results.popLast() ?? []
  }

  /// Moves the column on top to the end of the one that is `distance` below it.
  private mutating func append(below distance: Int) {
    guard let tail = results.popLast(), results.count >= distance else { return }
    results[results.count - distance].append(contentsOf: tail)
  }

  mutating func push(_ type: TypeID, _ rows: Int, _ depth: Int) throws {
    guard waiting <= reader.remaining || rows == 0 else { throw tooMany() }
    waiting += 1
    tasks.append(.column(type, rows: rows, depth: depth))
  }

  /// - Parameter members: Their columns come in this order.
  mutating func push(_ members: [Property], _ rows: Int, _ depth: Int) throws {
    guard members.count <= reader.remaining - waiting else { throw tooMany() }
    for member in members.reversed() { try push(member.type, rows, depth) }
  }

  func tooMany() -> FormatError { reader.fail(.truncated, "the elements do not fit the bytes that are left") }

  // MARK: Columns

  private mutating func column(_ type: TypeID, _ rows: Int, _ depth: Int, _ archive: ArchiveValues) throws {
    guard depth <= Self.maximumDepth else {
      throw reader.fail(.limitExceeded, "values are nested more than \(Self.maximumDepth) levels deep")
    }
    if rows == 0 { return results.append([]) }
    let chunk = min(rows, maximumChunkRows)
    try archive.spend(chunk, isComposite: !type.isScalar || type == .any || type == .record, at: reader)
    if rows > chunk { tasks.append(.rest(type, rows: rows - chunk, depth: depth)) }
    if let wrapped = types.optionalPayload(of: type) { return try optional(wrapped, chunk, depth, absent: .null) }
    if type.isScalar {
      switch type {
      case .any: return try any(chunk, depth)
      case .record: return try records(chunk, depth)
      default: return results.append(try archive.scalars(type, chunk, from: &reader, poolID: poolID))
      }
    }
    switch types[type] {
    case .array(let element): try elements(element, try counts(chunk), .array, depth)
    case .set(let element): try elements(element, try counts(chunk), .set, depth)
    case .inlineArray(let element, let length):
      let (total, overflow) = chunk.multipliedReportingOverflow(by: length)
      guard !overflow, total / maximumChunkRows <= reader.remaining else { throw tooMany() }
      if total == 0 { try FixedColumn.skip(count: chunk, width: 0, from: &reader) }
      try elements(element, [Int64](repeating: Int64(length), count: chunk), .inline, depth)
    case .dictionary(let key, let value):
      let counts = try counts(chunk)
      tasks.append(.make(.dictionary(counts: counts)))
      results.append([])
      results.append([])
      let total = Int(counts.reduce(0, &+))
      if total > 0 { tasks.append(.entries(key: key, value: value, rows: total, depth: depth + 1)) }
    case .tuple(let members):
      if types.isLetForm(members), let payload = types.optionalPayload(of: members[0].type) {
        return try optional(payload, chunk, depth + 1, absent: .constant)
      }
      tasks.append(.make(.tuple(members, rows: chunk)))
      try parts(members, chunk, depth)
    case .structure(let name, let version, let fields):
      tasks.append(.make(.structure(name: name, version: version, fields: fields, rows: chunk)))
      try parts(fields, chunk, depth)
    case .enumeration(let name, let version, let cases): try enumeration(name, version, cases, chunk, depth)
    case .object: results.append(try archive.scalars(.reference, chunk, from: &reader, poolID: poolID))
    case nil, .optional: throw reader.fail(.malformed, "type \(type.rawValue) is not a type of values")
    }
  }

  private mutating func optional(_ wrapped: TypeID, _ rows: Int, _ depth: Int, absent: ArchiveValue) throws {
    let presence = try truths(rows)
    tasks.append(.make(.optional(presence: presence, absent: absent)))
    try push(wrapped, presence.reduce(0) { $0 + Int($1) }, depth + 1)
  }

  private mutating func elements(_ element: TypeID, _ counts: [Int64], _ kind: Kind, _ depth: Int) throws {
    tasks.append(.make(.elements(counts: counts, kind: kind)))
    try push(element, Int(counts.reduce(0, &+)), depth + 1)
  }

  private mutating func parts(_ members: [Property], _ rows: Int, _ depth: Int) throws {
    if members.isEmpty { return try FixedColumn.skip(count: rows, width: 0, from: &reader) }
    try push(members, rows, depth + 1)
  }

  private mutating func enumeration(_ name: String, _ version: UInt64, _ cases: [EnumCase], _ rows: Int, _ depth: Int) throws {
    let indices = try indices(rows, below: cases.count)
    let columns = Self.histogram(indices).filter { cases[$0.index].payload != nil }
    tasks.append(
      .make(.enumeration(name: name, version: version, cases: cases, indices: indices, columns: columns.map(\.index))))
    for column in columns.reversed() {
      if let payload = cases[column.index].payload { try push(payload, column.rows, depth + 1) }
    }
  }

  private mutating func any(_ rows: Int, _ depth: Int) throws {
    let start = reader
    let distinct = try reader.readCount()
    guard distinct >= 1 && distinct <= rows else { throw start.fail(.malformed, "\(rows) values have \(distinct) types") }
    var used: [TypeID] = []
    for _ in 0..<distinct {
      let type = try reader.readTypeID()
      guard types.isValueType(type) else { throw start.fail(.malformed, "type \(type.rawValue) is not a type of values") }
      used.append(type)
    }
    let indices = try indices(rows, below: distinct)
    let columns = Self.histogram(indices)
    tasks.append(.make(.any(types: used, indices: indices, columns: columns.map(\.index))))
    for column in columns.reversed() { try push(used[column.index], column.rows, depth + 1) }
  }

  // MARK: Numbers

  /// An array of `count` values that `body` fills or throws.
  static func filled<T>(
    _ count: Int, _ body: (UnsafeMutablePointer<T>) throws(FormatError) -> Void
  ) throws(FormatError) -> [T] {
    var failure: FormatError?
    let array = unsafe [T](unsafeUninitializedCapacity: count) { buffer, done in
      guard let base = buffer.baseAddress else { return }
      do throws(FormatError) {
        unsafe try body(base)
        done = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return array
  }

  private mutating func truths(_ rows: Int) throws -> [UInt8] {
    // SAFETY: the decoder fills as many rows or throws.
    unsafe try Self.filled(rows) { out throws(FormatError) in unsafe try BoolColumn.decode(count: rows, from: &reader, into: out) }
  }

  private mutating func integers(_ rows: Int) throws -> [Int64] {
    // SAFETY: the decoder fills as many rows or throws.
    unsafe try Self.filled(rows) { out throws(FormatError) in unsafe try IntegerColumn.decode(count: rows, from: &reader, into: out) }
  }

  private mutating func counts(_ rows: Int) throws -> [Int64] {
    let start = reader
    let counts = try integers(rows)
    var total: Int64 = 0
    for each in counts {
      let (sum, overflow) = total.addingReportingOverflow(each)
      guard each >= 0, !overflow else { throw start.fail(.malformed, "a count is negative or too large") }
      total = sum
    }
    guard total / Int64(maximumChunkRows) <= Int64(reader.remaining), Int(exactly: total) != nil else { throw tooMany() }
    return counts
  }

  private mutating func indices(_ rows: Int, below limit: Int) throws -> [Int64] {
    let start = reader
    let indices = try integers(rows)
    for index in indices where index < 0 || index >= Int64(limit) {
      throw start.fail(.malformed, "the index \(index) is not below \(limit)")
    }
    return indices
  }

  /// The indices that occur, in ascending order, with the number of their rows.
  private static func histogram(_ indices: [Int64]) -> [(index: Int, rows: Int)] {
    var found: [(index: Int, rows: Int)] = []
    for index in indices.sorted() {
      if let last = found.last, last.index == Int(index) {
        found[found.count - 1].rows += 1
      } else {
        found.append((Int(index), 1))
      }
    }
    return found
  }
}

extension TypeTable {
  /// Whether the members of a tuple are those of the form of a `let`.
  func isLetForm(_ members: [Property]) -> Bool {
    members.count == 1 && members[0].key.isEmpty && optionalPayload(of: members[0].type) != nil
  }
}
