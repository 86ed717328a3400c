import ArchiveFormat
import MirrorArchive

/// The columns in columns.
///
/// Lists stand in for recursion, whose depth the bytes would decide.
extension Anatomist {
  /// What is still to be gone over, the next one last.
  struct Task {
    enum Kind {
      /// Rows of a type, and of a second one in every chunk: the values of a dictionary.
      case column(TypeID, Labels.Label, second: (TypeID, Labels.Label)?)
      /// The last `rows` bodies of `waitingBodies`, which follow one another.
      case bodies(Labels.Label)
      case endOfBody
    }

    var kind: Kind
    var rows: Int
    /// How many types it is nested in.
    var depth: Int
    /// What the depth of annotations is counted from.
    var base: Int
  }

  /// What stands behind the body of a record that is being read.
  struct Enclosing {
    var reader: ByteReader
    var firstOwnTask: Int
  }

  private static var maximumDepth: Int { 1_600 }

  /// Goes over a column and what is in it.
  ///
  /// - Parameter depth: That of its annotations.
  mutating func column(_ type: TypeID, _ count: Int, _ label: Labels.Label, _ depth: Int) throws {
    add(type, count, label, 0, depth)
    while let task = tasks.popLast() {
      switch task.kind {
      case .column(let type, let label, let second):
        guard task.depth <= Self.maximumDepth else {
          throw reader.fail(.limitExceeded, "values are nested more than \(Self.maximumDepth) levels deep")
        }
        if task.rows == 0 { continue }
        let chunk = min(task.rows, maximumChunkRows)
        if task.rows > chunk {
          var others = task
          others.rows -= chunk
          tasks.append(others)
        }
        if let second { add(second.0, chunk, second.1, task.depth, task.base) }
        try self.chunk(type, chunk, label, task.depth, task.base)
      case .bodies(let label): try beginBody(task, label)
      case .endOfBody: try endBody()
      }
    }
  }

  mutating func add(_ type: TypeID, _ rows: Int, _ label: Labels.Label, _ depth: Int, _ base: Int) {
    tasks.append(Task(kind: .column(type, label, second: nil), rows: rows, depth: depth, base: base))
  }

  /// Columns that follow one another.
  private mutating func add(_ members: [Property], of type: TypeID, _ rows: Int, _ label: Labels.Label, _ depth: Int, _ base: Int) throws {
    // What waits takes a byte at least, each; that bounds the list.
    guard tasks.count - firstOwnTask + members.count <= reader.remaining else { throw tooMany() }
    for (index, member) in members.enumerated().reversed() {
      add(member.type, rows, labels.label(.member(of: type, index), in: label), depth, base)
    }
  }

  func tooMany() -> FormatError { reader.fail(.truncated, "the elements do not fit the bytes that are left") }

  /// Goes over the part of a chunk that belongs to the type itself, and leaves the columns inside to `tasks`.
  private mutating func chunk(_ type: TypeID, _ count: Int, _ label: Labels.Label, _ depth: Int, _ base: Int) throws {
    if let wrapped = types.optionalPayload(of: type) { return try optional(wrapped, count, label, depth, base) }
    if type.isScalar {
      switch type {
      case .any: return try any(count, label, depth, base)
      case .record: return try records(count, label, depth, base)
      default: return try leaf(type, count, label, depth &+ base)
      }
    }
    switch types[type] {
    case .array(let element), .set(let element):
      add(element, try total(count, label, depth &+ base), labels.label(.element, in: label), depth + 1, base)
    case .dictionary(let key, let value):
      let total = try total(count, label, depth &+ base)
      let second = (value, labels.label(.values, in: label))
      let kind = Task.Kind.column(key, labels.label(.keys, in: label), second: second)
      tasks.append(Task(kind: kind, rows: total, depth: depth + 1, base: base))
    case .inlineArray(let element, let length):
      let (total, overflow) = count.multipliedReportingOverflow(by: length)
      guard !overflow, total / maximumChunkRows <= reader.remaining else { throw tooMany() }
      if total == 0 { return try leaf(.void, count, label, depth &+ base) }
      add(element, total, labels.label(.element, in: label), depth + 1, base)
    case .tuple(let members), .structure(_, _, let members):
      if members.isEmpty { return try leaf(.void, count, label, depth &+ base) }
      try add(members, of: type, count, label, depth + 1, base)
    case .enumeration(_, _, let cases):
      let start = reader
      let chosen = try integers(.int, count, labels.label(.cases, in: label), depth &+ base, caseNames: cases)
      for (index, rows) in try Self.histogram(chosen, below: cases.count, start).reversed() {
        if let payload = cases[index].payload { add(payload, rows, labels.label(.payload(of: type, index), in: label), depth + 1, base) }
      }
    case .object: try leaf(.reference, count, label, depth &+ base)
    case .optional, nil: throw reader.fail(.malformed, "type \(type.rawValue) is not a type of values")
    }
  }

  private mutating func optional(_ wrapped: TypeID, _ count: Int, _ label: Labels.Label, _ depth: Int, _ base: Int) throws {
    var before = reader
    let present = try BoolColumn.countTrue(count: count, from: &before)
    try leaf(.bool, count, labels.label(.presence, in: label), depth &+ base)
    add(wrapped, present, label, depth + 1, base)
  }

  private mutating func any(_ count: Int, _ label: Labels.Label, _ depth: Int, _ base: Int) throws {
    let start = reader
    let distinct = try reader.readCount()
    guard distinct >= 1 && distinct <= count else { throw start.fail(.malformed, "\(count) values have \(distinct) types") }
    try emit(from: start, depth &+ base, words ? "\(name(label)): values of \(Text.count(distinct, "type"))" : "")
    var used: [TypeID] = []
    for _ in 0..<distinct {
      let start = reader
      let type = try reader.readTypeID()
      guard types.isValueType(type) else { throw start.fail(.malformed, "type \(type.rawValue) is not a type of values") }
      used.append(type)
      try emit(from: start, depth &+ base + 1, words ? "\(name(label)): type \(type.rawValue), \(types.describe(type))" : "")
    }
    let startOfIndices = reader
    let chosen = try integers(.int, count, labels.label(.types, in: label), depth &+ base)
    for (index, rows) in try Self.histogram(chosen, below: distinct, startOfIndices).reversed() {
      add(used[index], rows, labels.label(.type(used[index]), in: label), depth + 1, base)
    }
  }

  /// Goes over the counts of collections and adds them up.
  private mutating func total(_ count: Int, _ label: Labels.Label, _ depth: Int) throws -> Int {
    let start = reader
    var total: Int64 = 0
    for each in try integers(.int, count, labels.label(.counts, in: label), depth) {
      guard each >= 0 else { throw start.fail(.malformed, "a count is negative") }
      let (sum, overflow) = total.addingReportingOverflow(each)
      guard !overflow else { throw tooMany() }
      total = sum
    }
    // Each chunk of 1,024 takes a byte at least.
    guard total / Int64(maximumChunkRows) <= Int64(reader.remaining), let total = Int(exactly: total) else { throw tooMany() }
    return total
  }

  /// The indices that occur, in ascending order, with the number of their rows.
  private static func histogram(_ indices: [Int64], below limit: Int, _ start: ByteReader) throws -> [(index: Int, rows: Int)] {
    for index in indices where index < 0 || index >= Int64(limit) {
      throw start.fail(.malformed, "the index \(index) is not below \(limit)")
    }
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

  // MARK: Records

  private mutating func records(_ count: Int, _ label: Labels.Label, _ depth: Int, _ base: Int) throws {
    let start = reader
    let shapes = try integers(.int, count, labels.label(.shapes, in: label), depth &+ base)
    let lengths = try lengthsOfBodies(count, label, depth &+ base)
    let first = waitingBodies.count
    for row in 0..<count {
      guard let members = types.shape(of: shapes[row]) else {
        throw start.fail(.malformed, "type \(shapes[row]) is not the shape of a record")
      }
      guard let length = Int(exactly: lengths[row]), members.count <= length else {
        throw start.fail(.truncated, "the values of a record do not fit its \(lengths[row]) bytes")
      }
      if length > 0 { waitingBodies.append((shape: shapes[row], length: length)) }
    }
    let found = waitingBodies.count - first
    guard found > 0 else { return }
    waitingBodies[first...].reverse()
    tasks.append(Task(kind: .bodies(label), rows: found, depth: depth, base: base))
  }

  /// Begins the next one of the bodies that `task` stands for.
  private mutating func beginBody(_ task: Task, _ label: Labels.Label) throws {
    guard let next = waitingBodies.popLast() else { return }
    if task.rows > 1 {
      var others = task
      others.rows -= 1
      tasks.append(others)
    }
    var behind = reader
    let inside = try behind.slice(next.length)
    enclosing.append(Enclosing(reader: behind, firstOwnTask: firstOwnTask))
    tasks.append(Task(kind: .endOfBody, rows: 0, depth: task.depth, base: task.base))
    firstOwnTask = tasks.count
    reader = inside
    let shape = TypeID(UInt32(truncatingIfNeeded: next.shape))
    try add(types.shape(of: next.shape) ?? [], of: shape, 1, label, task.depth + 1, task.base)
  }

  private mutating func endBody() throws {
    guard let outer = enclosing.popLast() else { return }
    guard reader.remaining == 0 else { throw reader.fail(.malformed, "\(reader.remaining) bytes of a record belong to nothing") }
    reader = outer.reader
    firstOwnTask = outer.firstOwnTask
  }
}
