/// Finds out where a column refers to an object, for the paths in error messages.
///
/// Reads columns by their type alone, as `ColumnSkipper` does. Not meant to be fast: it runs once something has gone wrong.
package struct ReferenceSearch {
  /// The row that refers to the object, and the way from there: `.key`, `[3]`.
  package typealias Find = (row: Int, place: String)

  private let types: TypeTable
  private let skipper: ColumnSkipper
  private let object: Int64
  /// A longer path is of no use to a reader of the message.
  private static let maximumDepth = 128

  package init(for object: Int, in types: TypeTable) {
    self.types = types
    self.object = Int64(object)
    skipper = ColumnSkipper(types: types)
  }

  /// Looks through a column of `count` rows and moves behind it; stops at the first find.
  ///
  /// - Throws: what `ColumnSkipper` throws.
  package func find(_ type: TypeID, count: Int, depth: Int = 0, in r: inout ByteReader) throws(FormatError) -> Find? {
    if count == 0 { return nil }
    guard depth < Self.maximumDepth else { throw r.fail(.limitExceeded, "values are nested too deeply") }
    if let wrapped = type.wrappedScalar { return try findOptional(wrapped, count, depth, &r) }
    switch types[type] {
    case .optional(let wrapped): return try findOptional(wrapped, count, depth, &r)
    case .array(let element), .set(let element):
      return try findElements(try counts(count, &r), &r) { chunk, r throws(FormatError) in
        try find(element, count: chunk, depth: depth + 1, in: &r)
      }
    case .dictionary(let key, let value):
      return try findElements(try counts(count, &r), &r) { chunk, r throws(FormatError) in
        if let found = try find(key, count: chunk, depth: depth + 1, in: &r) { return found }
        return try find(value, count: chunk, depth: depth + 1, in: &r)
      }
    case .inlineArray(let element, let length):
      let (total, overflow) = count.multipliedReportingOverflow(by: length)
      guard !overflow, total / maximumChunkRows <= r.remaining else {
        throw r.fail(.truncated, "the elements do not fit the bytes that are left")
      }
      if total == 0 {
        try skipper.skip(type, count: count, from: &r)
        return nil
      }
      return try findElements([Int64](repeating: Int64(length), count: count), &r) { chunk, r throws(FormatError) in
        try find(element, count: chunk, depth: depth + 1, in: &r)
      }
    case .tuple(let members), .structure(_, _, let members):
      if members.isEmpty { try skipper.skip(type, count: count, from: &r) }
      for member in members {
        if let found = try find(member.type, count: count, depth: depth + 1, in: &r) {
          return (found.row, Self.place(of: member) + found.place)
        }
      }
      return nil
    case .enumeration(_, _, let cases): return try findPayload(cases, count, depth, &r)
    case .object: return try findNumber(count, &r)
    case nil:
      if type == .reference { return try findNumber(count, &r) }
      if type == .any { return try findAny(count, depth, &r) }
      if type == .record { return try findInRecords(count, depth, &r) }
      try skipper.skip(type, count: count, from: &r)
      return nil
    }
  }

  private func integers(_ count: Int, _ r: inout ByteReader) throws(FormatError) -> [Int64] {
    let buffer = UnsafeMutablePointer<Int64>.allocate(capacity: max(count, 1))
    defer { unsafe buffer.deallocate() }
    // SAFETY: the decoder fills `count` values or throws.
    unsafe try IntegerColumn.decode(count: count, from: &r, into: buffer)
    return unsafe Array(UnsafeBufferPointer(start: buffer, count: count))
  }

  private func counts(_ count: Int, _ r: inout ByteReader) throws(FormatError) -> [Int64] {
    let counts = try integers(count, &r)
    var total: Int64 = 0
    for each in counts {
      let (sum, overflow) = total.addingReportingOverflow(each)
      guard each >= 0, !overflow else { throw r.fail(.malformed, "a count is negative or too large") }
      total = sum
    }
    guard total / Int64(maximumChunkRows) <= Int64(r.remaining) else {
      throw r.fail(.truncated, "the elements do not fit the bytes that are left")
    }
    return counts
  }

  private func findNumber(_ count: Int, _ r: inout ByteReader) throws(FormatError) -> Find? {
    try integers(count, &r).firstIndex(of: object).map { ($0, "") }
  }

  private func findOptional(_ wrapped: TypeID, _ count: Int, _ depth: Int, _ r: inout ByteReader) throws(FormatError) -> Find? {
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    defer { unsafe buffer.deallocate() }
    // SAFETY: the decoder fills `count` values or throws.
    unsafe try BoolColumn.decode(count: count, from: &r, into: buffer)
    let present = (0..<count).filter { unsafe buffer[$0] != 0 }
    return try find(wrapped, count: present.count, depth: depth + 1, in: &r).map { (present[$0.row], $0.place) }
  }

  private func findElements(
    _ counts: [Int64], _ r: inout ByteReader, _ search: (Int, inout ByteReader) throws(FormatError) -> Find?
  ) throws(FormatError) -> Find? {
    var left = Int(counts.reduce(0, +))
    var before = 0
    while left > 0 {
      let chunk = min(left, maximumChunkRows)
      if let found = try search(chunk, &r) {
        var element = before + found.row
        for (row, count) in counts.enumerated() {
          if element < Int(count) { return (row, "[\(element)]" + found.place) }
          element -= Int(count)
        }
      }
      left -= chunk
      before += chunk
    }
    return nil
  }

  private func findPayload(_ cases: [EnumCase], _ count: Int, _ depth: Int, _ r: inout ByteReader) throws(FormatError) -> Find? {
    let indices = try integers(count, &r)
    for index in Set(indices).sorted() {
      guard index >= 0, index < Int64(cases.count) else { throw r.fail(.malformed, "case \(index) does not exist") }
      guard let payload = cases[Int(index)].payload else { continue }
      let rows = indices.indices.filter { indices[$0] == index }
      if let found = try find(payload, count: rows.count, depth: depth + 1, in: &r) {
        return (rows[found.row], "." + cases[Int(index)].name + found.place)
      }
    }
    return nil
  }

  private func findAny(_ count: Int, _ depth: Int, _ r: inout ByteReader) throws(FormatError) -> Find? {
    let distinct = try r.readCount()
    guard distinct >= 1, distinct <= count else { throw r.fail(.malformed, "\(count) values have \(distinct) types") }
    var used: [TypeID] = []
    for _ in 0..<distinct { used.append(try r.readTypeID()) }
    let indices = try integers(count, &r)
    for (index, type) in used.enumerated() {
      let rows = indices.indices.filter { indices[$0] == Int64(index) }
      if let found = try find(type, count: rows.count, depth: depth + 1, in: &r) { return (rows[found.row], found.place) }
    }
    return nil
  }

  private func findInRecords(_ count: Int, _ depth: Int, _ r: inout ByteReader) throws(FormatError) -> Find? {
    let buffer = UnsafeMutablePointer<Int64>.allocate(capacity: 2 * count)
    defer { unsafe buffer.deallocate() }
    // SAFETY: there is room for `count` shapes and as many lengths, all of which the decoder fills or throws.
    var bodies = unsafe try RecordColumn.decode(count: count, from: &r, shapes: buffer, lengths: buffer + count)
    for row in 0..<count {
      var body = unsafe try bodies.slice(Int(truncatingIfNeeded: buffer[count + row]))
      let shape = unsafe buffer[row]
      guard let members = types.shape(of: shape) else { throw body.fail(.malformed, "type \(shape) is not the shape of a record") }
      for member in members {
        if let found = try find(member.type, count: 1, depth: depth + 1, in: &body) { return (row, Self.place(of: member) + found.place) }
      }
      guard body.remaining == 0 else { throw body.fail(.malformed, "\(body.remaining) bytes of a record belong to nothing") }
    }
    return nil
  }

  private static func place(of member: Property) -> String { (member.key.hasPrefix(".") ? "" : ".") + member.key }
}
