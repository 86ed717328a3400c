/// One walk over the columns of a value: what `ColumnSkipper` does, with all it has to remember on the way.
///
/// Lists stand in for recursion, whose depth the bytes would decide.
struct ColumnWalk {
  typealias ReferenceBody = (UnsafeBufferPointer<Int64>) throws(FormatError) -> Void

  /// What is still to be passed over.
  struct Task {
    enum Kind {
      /// Rows of a type.
      case column
      /// The last `rows` bodies of `waitingBodies`, which follow one another.
      case bodies
      case endOfBody
    }

    var kind: Kind
    var type: TypeID
    /// The type of the column that follows in every chunk: the values of a dictionary.
    var second: TypeID?
    var rows: Int
    var depth: Int
  }

  let types: TypeTable
  /// Whether references are handed over and records looked into.
  let looksAtReferences: Bool
  /// The last one is next.
  var tasks: [Task] = []
  /// Bodies of records that have bytes, the next one last.
  var waitingBodies: [(shape: Int64, length: Int)] = []
  /// For each body that is being read what stands behind it, and `firstOwnTask` of what it stands in.
  var enclosing: [(reader: ByteReader, firstOwnTask: Int)] = []
  /// The tasks from here on are paid for by the bytes that are left of the body that is being read, those in front of it by others.
  var firstOwnTask = 0

  static let maximumDepth = 1_600

  init(types: TypeTable, looksAtReferences: Bool) {
    self.types = types
    self.looksAtReferences = looksAtReferences
  }

  mutating func run(
    _ type: TypeID, _ count: Int, _ depth: Int, _ r: inout ByteReader, _ body: ReferenceBody
  ) throws(FormatError) {
    guard count >= 0 else { throw r.fail(.malformed, "a count is negative") }
    unsafe try pass(Task(kind: .column, type: type, rows: count, depth: depth), &r, body)
    while let task = tasks.popLast() {
      switch task.kind {
      case .column: unsafe try pass(task, &r, body)
      case .bodies: try beginBody(task, &r)
      case .endOfBody: try endBody(&r)
      }
    }
  }

  private mutating func pass(_ task: Task, _ r: inout ByteReader, _ body: ReferenceBody) throws(FormatError) {
    try checkDepth(task.depth, r)
    if task.rows == 0 { return }
    let chunk = min(task.rows, maximumChunkRows)
    if task.rows > chunk {
      var others = task
      others.rows -= chunk
      tasks.append(others)
    }
    if let second = task.second { add(second, chunk, task.depth) }
    unsafe try passChunk(task.type, chunk, task.depth, &r, body)
  }

  mutating func add(_ type: TypeID, _ rows: Int, _ depth: Int) {
    tasks.append(Task(kind: .column, type: type, rows: rows, depth: depth))
  }

  /// Passes over the columns of `members`, or adds them, from the first one on that has columns of its own inside.
  ///
  /// - Parameter rows: 1...1024.
  mutating func passMembers(_ members: [Property], _ rows: Int, _ depth: Int, _ r: inout ByteReader) throws(FormatError) {
    // What waits takes a byte at least, each; that bounds the list.
    guard tasks.count - firstOwnTask + members.count <= r.remaining else { throw tooMany(r) }
    try checkDepth(depth, r)
    var passed = 0
    while passed < members.count, members[passed].type.isLeaf {
      try Self.passScalar(members[passed].type, rows, &r)
      passed += 1
    }
    for member in members[passed...].reversed() { add(member.type, rows, depth) }
  }

  private func checkDepth(_ depth: Int, _ r: ByteReader) throws(FormatError) {
    guard depth <= Self.maximumDepth else {
      throw r.fail(.limitExceeded, "values are nested more than \(Self.maximumDepth) levels deep")
    }
  }

  /// Passes over the part of a chunk that belongs to the type itself and leaves the columns inside to `tasks`.
  ///
  /// - Parameter count: 1...1024.
  private mutating func passChunk(
    _ type: TypeID, _ count: Int, _ depth: Int, _ r: inout ByteReader, _ body: ReferenceBody
  ) throws(FormatError) {
    if let wrapped = type.wrappedScalar { return try passOptional(wrapped, count, depth, &r) }
    if type.isScalar {
      switch type {
      case .any: return try passAny(count, depth, &r)
      case .reference: return unsafe try passReferences(count, &r, body)
      case .record: return try passRecords(count, depth, &r)
      default: return try Self.passScalar(type, count, &r)
      }
    }
    switch types[type] {
    case .optional(let wrapped): try passOptional(wrapped, count, depth, &r)
    case .array(let element), .set(let element): add(element, try readTotal(count, &r), depth + 1)
    case .dictionary(let key, let value):
      tasks.append(Task(kind: .column, type: key, second: value, rows: try readTotal(count, &r), depth: depth + 1))
    case .inlineArray(let element, let length):
      let (total, overflow) = count.multipliedReportingOverflow(by: length)
      guard !overflow, total / maximumChunkRows <= r.remaining else { throw tooMany(r) }
      if total == 0 { return try FixedColumn.skip(count: count, width: 0, from: &r) }
      add(element, total, depth + 1)
    case .tuple(let members), .structure(_, _, let members):
      if members.isEmpty { return try FixedColumn.skip(count: count, width: 0, from: &r) }
      try passMembers(members, count, depth + 1, &r)
    case .enumeration(_, _, let cases):
      for (index, rows) in try readHistogram(count, below: cases.count, &r).reversed() {
        if let payload = cases[index].payload { add(payload, rows, depth + 1) }
      }
    case .object: unsafe try passReferences(count, &r, body)
    case nil: throw Self.noValueType(type, r)
    }
  }

  static func passScalar(_ type: TypeID, _ count: Int, _ r: inout ByteReader) throws(FormatError) {
    switch type {
    case .bool: try BoolColumn.skip(count: count, from: &r)
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .unicodeScalar, .metatype, .pooledString:
      try IntegerColumn.skip(count: count, from: &r)
    case .double, .date, .cgFloat: try DoubleColumn.skip(count: count, from: &r)
    case .string, .data, .character, .substring: try BytesColumn.skip(count: count, from: &r)
    case .uuid: try FixedColumn.skip(count: count, width: 16, from: &r)
    case .float: try FloatColumn.skip(count: count, from: &r)
    case .int128, .uint128, .duration:
      try IntegerColumn.skip(count: count, from: &r)
      try IntegerColumn.skip(count: count, from: &r)
    case .float16: try FixedColumn.skip(count: count, width: 2, from: &r)
    case .decimal: try FixedColumn.skip(count: count, width: 20, from: &r)
    case .void: try FixedColumn.skip(count: count, width: 0, from: &r)
    default: throw noValueType(type, r)
    }
  }

  private func passReferences(_ count: Int, _ r: inout ByteReader, _ body: ReferenceBody) throws(FormatError) {
    guard looksAtReferences else { return try IntegerColumn.skip(count: count, from: &r) }
    unsafe try withUnsafeTemporaryAllocation(of: Int64.self, capacity: count) { buffer throws(FormatError) in
      guard let numbers = buffer.baseAddress else { return }
      // SAFETY: the decoder fills `count` numbers or throws.
      unsafe try IntegerColumn.decode(count: count, from: &r, into: numbers)
      unsafe try body(UnsafeBufferPointer(start: numbers, count: count))
    }
  }

  private mutating func passOptional(_ wrapped: TypeID, _ count: Int, _ depth: Int, _ r: inout ByteReader) throws(FormatError) {
    add(wrapped, try BoolColumn.countTrue(count: count, from: &r), depth + 1)
  }

  private mutating func passAny(_ count: Int, _ depth: Int, _ r: inout ByteReader) throws(FormatError) {
    let start = r
    let distinct = try r.readCount()
    guard distinct >= 1 && distinct <= count else { throw start.fail(.malformed, "\(count) values have \(distinct) types") }
    var used: [TypeID] = []
    used.reserveCapacity(distinct)
    for _ in 0..<distinct { used.append(try r.readTypeID()) }
    for (index, rows) in try readHistogram(count, below: distinct, &r).reversed() { add(used[index], rows, depth + 1) }
  }

  private static func noValueType(_ type: TypeID, _ r: ByteReader) -> FormatError {
    r.fail(.malformed, "type \(type.rawValue) is not a type of values")
  }

  func tooMany(_ r: ByteReader) -> FormatError { r.fail(.truncated, "the elements do not fit the bytes that are left") }
}

extension TypeID {
  /// Whether this is a scalar that neither is a reference nor has other columns inside.
  var isLeaf: Bool { isScalar && self != .any && self != .reference && self != .record }
}
