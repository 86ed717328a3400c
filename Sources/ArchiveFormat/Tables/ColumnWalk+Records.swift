/// Records are passed over by their lengths, or body by body if references are looked for.
extension ColumnWalk {
  mutating func passRecords(_ count: Int, _ depth: Int, _ r: inout ByteReader) throws(FormatError) {
    guard looksAtReferences else { return try RecordColumn.skip(count: count, from: &r) }
    let first = waitingBodies.count
    let start = r
    unsafe try withUnsafeTemporaryAllocation(of: Int64.self, capacity: 2 &* count) { buffer throws(FormatError) in
      guard let shapes = buffer.baseAddress else { return }
      let lengths = unsafe shapes + count
      // SAFETY: there is room for `count` shapes and as many lengths, all of which the decoder fills or throws.
      let bodies = unsafe try RecordColumn.decode(count: count, from: &r, shapes: shapes, lengths: lengths)
      // Back to the first body.
      r = start
      try r.skip(bodies.offset &- start.offset)
      for row in 0..<count {
        let shape = unsafe shapes[row]
        let length = unsafe Int(truncatingIfNeeded: lengths[row])
        guard let members = types.shape(of: shape) else { throw start.fail(.malformed, "type \(shape) is not the shape of a record") }
        // Each member takes a byte at least.
        guard members.count <= length else { throw start.fail(.truncated, "the values of a record do not fit its \(length) bytes") }
        guard length > 0 else { continue }
        waitingBodies.append((shape: shape, length: length))
      }
    }
    let found = waitingBodies.count - first
    guard found > 0 else { return }
    waitingBodies[first...].reverse()
    tasks.append(Task(kind: .bodies, type: .record, rows: found, depth: depth))
  }

  /// Begins the next one of the bodies that `task` stands for.
  mutating func beginBody(_ task: Task, _ r: inout ByteReader) throws(FormatError) {
    guard let next = waitingBodies.popLast() else { return }
    if task.rows > 1 {
      var others = task
      others.rows -= 1
      tasks.append(others)
    }
    var behind = r
    let inside = try behind.slice(next.length)
    enclosing.append((reader: behind, firstOwnTask: firstOwnTask))
    tasks.append(Task(kind: .endOfBody, type: .record, rows: 0, depth: task.depth))
    firstOwnTask = tasks.count
    r = inside
    try passMembers(types.shape(of: next.shape) ?? [], 1, task.depth + 1, &r)
  }

  mutating func endBody(_ r: inout ByteReader) throws(FormatError) {
    guard let outer = enclosing.popLast() else { return }
    guard r.remaining == 0 else { throw r.fail(.malformed, "\(r.remaining) bytes of a record belong to nothing") }
    r = outer.reader
    firstOwnTask = outer.firstOwnTask
  }
}
