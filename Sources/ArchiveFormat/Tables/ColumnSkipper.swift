/// Passes over columns by their type alone.
///
/// A reader that has no use for a property needs to know where it ends, and a reader that is about to trust an archive can
/// check the structure of every column before any object exists.
package struct ColumnSkipper {
  private let types: TypeTable
  private static let maximumDepth = 1_600

  /// What is still to be passed over. A list of these stands in for recursion, whose depth the bytes would decide.
  private struct Task {
    var type: TypeID
    /// The type of the column that follows in every chunk: the values of a dictionary.
    var second: TypeID?
    var rows: Int
    var depth: Int
  }

  package init(types: TypeTable) { self.types = types }

  /// Passes over the values of `count` rows.
  ///
  /// More than 1,024 rows are chunks of 1,024, each with all columns of the type, and a shorter last one.
  ///
  /// - Parameter depth: how many types these values are nested in.
  /// - Throws: `truncated`, `malformed`, or `limitExceeded` beyond 1,600 types in types: three for each of the 512 levels that
  ///   an archiver nests values, as in an array of an enum of tuples.
  /// - Complexity: O(bytes) steps of at most 1,024 rows each.
  package func skip(_ type: TypeID, count: Int, depth: Int = 0, from r: inout ByteReader) throws(FormatError) {
    guard count >= 0 else { throw r.fail(.malformed, "a count is negative") }
    // The last one is next.
    var tasks = [Task(type: type, rows: count, depth: depth)]
    while var task = tasks.popLast() {
      guard task.depth <= Self.maximumDepth else {
        throw r.fail(.limitExceeded, "values are nested more than \(Self.maximumDepth) levels deep")
      }
      let rows = min(task.rows, maximumChunkRows)
      if rows == 0 { continue }
      task.rows -= rows
      if task.rows > 0 { tasks.append(task) }
      if let second = task.second { tasks.append(Task(type: second, rows: rows, depth: task.depth)) }
      try skipChunk(task.type, rows, task.depth, &tasks, &r)
    }
  }

  /// Passes over the part of a chunk that belongs to the type itself and leaves the columns inside to `tasks`.
  ///
  /// - Parameter count: 1...1024.
  private func skipChunk(
    _ type: TypeID, _ count: Int, _ depth: Int, _ tasks: inout [Task], _ r: inout ByteReader
  ) throws(FormatError) {
    if let wrapped = type.wrappedScalar { return try skipOptional(wrapped, count, depth, &tasks, &r) }
    if type == .any { return try skipAny(count, depth, &tasks, &r) }
    if type.isScalar { return try skipScalar(type, count, &r) }
    switch types[type] {
    case .optional(let wrapped): try skipOptional(wrapped, count, depth, &tasks, &r)
    case .array(let element), .set(let element):
      tasks.append(Task(type: element, rows: try readTotal(count, &r), depth: depth + 1))
    case .dictionary(let key, let value):
      tasks.append(Task(type: key, second: value, rows: try readTotal(count, &r), depth: depth + 1))
    case .inlineArray(let element, let length):
      let (total, overflow) = count.multipliedReportingOverflow(by: length)
      guard !overflow, total / maximumChunkRows <= r.remaining else { throw tooMany(r) }
      if total == 0 { return try FixedColumn.skip(count: count, width: 0, from: &r) }
      tasks.append(Task(type: element, rows: total, depth: depth + 1))
    case .tuple(let members), .structure(_, _, let members):
      if members.isEmpty { return try FixedColumn.skip(count: count, width: 0, from: &r) }
      // What waits takes a byte at least, each; that bounds the list.
      guard tasks.count + members.count <= r.remaining else { throw tooMany(r) }
      for member in members.reversed() { tasks.append(Task(type: member.type, rows: count, depth: depth + 1)) }
    case .enumeration(_, _, let cases):
      for (index, rows) in try readHistogram(count, below: cases.count, &r).reversed() {
        if let payload = cases[index].payload { tasks.append(Task(type: payload, rows: rows, depth: depth + 1)) }
      }
    case .object: try IntegerColumn.skip(count: count, from: &r)
    case nil: throw noValueType(type, r)
    }
  }

  private func skipScalar(_ type: TypeID, _ count: Int, _ r: inout ByteReader) throws(FormatError) {
    switch type {
    case .bool: try BoolColumn.skip(count: count, from: &r)
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .reference, .unicodeScalar, .metatype:
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

  private func skipOptional(
    _ wrapped: TypeID, _ count: Int, _ depth: Int, _ tasks: inout [Task], _ r: inout ByteReader
  ) throws(FormatError) {
    tasks.append(Task(type: wrapped, rows: try BoolColumn.countTrue(count: count, from: &r), depth: depth + 1))
  }

  private func skipAny(_ count: Int, _ depth: Int, _ tasks: inout [Task], _ r: inout ByteReader) throws(FormatError) {
    let start = r
    let distinct = try r.readCount()
    guard distinct >= 1 && distinct <= count else { throw start.fail(.malformed, "\(count) values have \(distinct) types") }
    var used: [TypeID] = []
    used.reserveCapacity(distinct)
    for _ in 0..<distinct { used.append(try r.readTypeID()) }
    for (index, rows) in try readHistogram(count, below: distinct, &r).reversed() {
      tasks.append(Task(type: used[index], rows: rows, depth: depth + 1))
    }
  }

  /// Reads the counts of `count` rows and adds them up.
  private func readTotal(_ count: Int, _ r: inout ByteReader) throws(FormatError) -> Int {
    let start = r
    let total = unsafe try withUnsafeTemporaryAllocation(of: Int64.self, capacity: count) { buffer throws(FormatError) -> Int64 in
      guard let counts = buffer.baseAddress else { return 0 }
      unsafe try IntegerColumn.decode(count: count, from: &r, into: counts)
      var total: Int64 = 0
      for i in 0..<count {
        let each = unsafe counts[i]
        guard each >= 0 else { throw start.fail(.malformed, "a count is negative") }
        let (sum, overflow) = total.addingReportingOverflow(each)
        guard !overflow else { throw tooMany(start) }
        total = sum
      }
      return total
    }
    // Each chunk of 1,024 takes a byte at least.
    guard total / Int64(maximumChunkRows) <= Int64(r.remaining), let total = Int(exactly: total) else { throw tooMany(start) }
    return total
  }

  /// Reads `count` indices below `limit` and returns those that occur, in ascending order, with the number of their rows.
  ///
  /// Costs O(rows) and not O(limit): the number of cases of an enumeration comes from the archive too.
  private func readHistogram(
    _ count: Int, below limit: Int, _ r: inout ByteReader
  ) throws(FormatError) -> [(index: Int, rows: Int)] {
    let start = r
    return unsafe try withUnsafeTemporaryAllocation(
      of: Int64.self, capacity: count
    ) { buffer throws(FormatError) -> [(index: Int, rows: Int)] in
      guard let indices = buffer.baseAddress else { return [] }
      unsafe try IntegerColumn.decode(count: count, from: &r, into: indices)
      var ascending = true
      var previous: Int64 = 0
      for i in 0..<count {
        let index = unsafe indices[i]
        guard index >= 0 && index < Int64(limit) else { throw start.fail(.malformed, "the index \(index) is not below \(limit)") }
        ascending = ascending && index >= previous
        previous = index
      }
      var rows = unsafe UnsafeMutableBufferPointer(start: indices, count: count)
      if !ascending {
        if limit <= count { return unsafe Self.counted(rows, limit) }
        unsafe rows.sort()
      }
      var result: [(index: Int, rows: Int)] = []
      var first = 0
      while first < count {
        let index = unsafe rows[first]
        var end = first + 1
        while unsafe end < count && rows[end] == index { end += 1 }
        result.append((index: Int(index), rows: end - first))
        first = end
      }
      return result
    }
  }

  private static func counted(_ rows: UnsafeMutableBufferPointer<Int64>, _ limit: Int) -> [(index: Int, rows: Int)] {
    var counts = [Int](repeating: 0, count: limit)
    for i in 0..<rows.count { unsafe counts[Int(rows[i])] += 1 }
    return counts.enumerated().compactMap { $1 > 0 ? (index: $0, rows: $1) : nil }
  }

  private func noValueType(_ type: TypeID, _ r: ByteReader) -> FormatError {
    r.fail(.malformed, "type \(type.rawValue) is not a type of values")
  }

  private func tooMany(_ r: ByteReader) -> FormatError {
    r.fail(.truncated, "the elements do not fit the bytes that are left")
  }
}
