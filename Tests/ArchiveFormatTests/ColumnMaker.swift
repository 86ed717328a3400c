import ArchiveFormat

/// Writes columns of random values of any type, and notes the object numbers in them in the order of the bytes.
struct ColumnMaker {
  let types: [TypeEntry]
  var generator: SeededGenerator
  /// The object numbers that were written.
  var references: [Int64] = []
  private var depth = 0

  init(types: [TypeEntry], seed: UInt64) {
    self.types = types
    generator = SeededGenerator(seed: seed)
  }

  mutating func column(_ type: TypeID, _ rows: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var left = rows
    while left > 0 {
      bytes += chunk(type, min(left, maximumChunkRows))
      left -= maximumChunkRows
    }
    return bytes
  }

  private mutating func chunk(_ type: TypeID, _ rows: Int) -> [UInt8] {
    depth += 1
    defer { depth -= 1 }
    if let wrapped = type.wrappedScalar { return optionals(of: wrapped, rows) }
    if type == .any { return anyValues(rows) }
    if type == .record { return records(rows) }
    if type.isScalar { return scalars(type, rows) }
    switch TypeTable(entries: types)[type] {
    case .optional(let wrapped): return optionals(of: wrapped, rows)
    case .array(let element), .set(let element):
      let counts = counts(rows)
      return Integers.encode(counts) + column(element, Int(counts.reduce(0, +)))
    case .dictionary(let key, let value):
      let counts = counts(rows)
      var bytes = Integers.encode(counts)
      var left = Int(counts.reduce(0, +))
      while left > 0 {
        let chunkRows = min(left, maximumChunkRows)
        bytes += chunk(key, chunkRows)
        bytes += chunk(value, chunkRows)
        left -= chunkRows
      }
      return bytes
    case .inlineArray(let element, let count): return count == 0 ? [0] : column(element, count * rows)
    case .tuple(let members), .structure(_, _, let members):
      return members.isEmpty ? [0] : members.flatMap { chunk($0.type, rows) }
    case .enumeration(_, _, let cases):
      let indices = (0..<rows).map { _ in Int64.random(in: 0..<Int64(cases.count), using: &generator) }
      var bytes = Integers.encode(indices)
      for (index, enumCase) in cases.enumerated() {
        let count = indices.count { $0 == Int64(index) }
        if count > 0, let payload = enumCase.payload { bytes += chunk(payload, count) }
      }
      return bytes
    case .object: return scalars(.reference, rows)
    case nil: return []
    }
  }

  /// Few elements, and none any more once values are nested.
  private mutating func counts(_ rows: Int) -> [Int64] {
    (0..<rows).map { _ in depth > 6 ? 0 : Int64.random(in: 0...3, using: &generator) }
  }

  private mutating func optionals(of type: TypeID, _ rows: Int) -> [UInt8] {
    let presence = (0..<rows).map { _ in depth <= 12 && Bool.random(using: &generator) }
    return Bools.encode(presence) + column(type, presence.count { $0 })
  }

  private mutating func anyValues(_ rows: Int) -> [UInt8] {
    let candidates: [TypeID] =
      depth > 6 ? [.int, .reference] : [.int, .reference, .string, .record, .any] + types.indices.map { TypeID(entry: $0) }
    let used = Array(candidates.shuffled(using: &generator).prefix(Int.random(in: 1...min(rows, 3, candidates.count), using: &generator)))
    let indices = (0..<rows).map { _ in Int64.random(in: 0..<Int64(used.count), using: &generator) }
    var bytes = written { w in
      w.appendVarint(UInt64(used.count))
      for type in used { w.appendVarint(UInt64(type.rawValue)) }
    }
    bytes += Integers.encode(indices)
    for (index, type) in used.enumerated() { bytes += column(type, indices.count { $0 == Int64(index) }) }
    return bytes
  }

  /// The shapes are the tuples of the table; once values are nested only the tuple without members.
  private mutating func records(_ rows: Int) -> [UInt8] {
    let tuples = types.indices.filter { index in
      if case .tuple(let members) = types[index] { depth <= 6 || members.isEmpty } else { false }
    }
    var shapes: [Int64] = []
    var bodies: [[UInt8]] = []
    for _ in 0..<rows {
      let index = tuples.randomElement(using: &generator) ?? 0
      shapes.append(Int64(TypeID(entry: index).rawValue))
      guard case .tuple(let members) = types[index] else { continue }
      bodies.append(members.flatMap { chunk($0.type, 1) })
    }
    return Records.encode(shapes, bodies)
  }

  private mutating func scalars(_ type: TypeID, _ rows: Int) -> [UInt8] {
    let range: ClosedRange<Int64> = [0...0, 0...1, 0...100, -5...5, 0...1_000_000].randomElement(using: &generator) ?? 0...1
    let integers = (0..<rows).map { _ in Int64.random(in: range, using: &generator) }
    func bytes(_ width: Int) -> [UInt8] {
      integers.flatMap { integer in (0..<width).map { UInt8(truncatingIfNeeded: Int($0) ^ Int(integer)) } }
    }
    switch type {
    case .bool: return Bools.encode(integers.map { $0 & 1 == 0 })
    case .double, .date, .cgFloat: return Doubles.encode(integers.map { Double($0) / 8 })
    case .string, .data, .character, .substring:
      return Strings.encode(integers.map { [UInt8](repeating: 0x61, count: Int($0.magnitude % 20)) })
    case .uuid: return Fixed.encode(bytes(16), width: 16)
    case .float: return Floats.encode(integers.map { Float($0) })
    case .int128, .uint128, .duration: return Integers.encode(integers) + Integers.encode(integers.map { $0 &* 1000 })
    case .float16: return Fixed.encode(bytes(2), width: 2)
    case .decimal: return Fixed.encode(bytes(20), width: 20)
    case .void: return [0]
    case .reference: references += integers
    default: break
    }
    return Integers.encode(integers)
  }
}

enum Records {
  static func encode(_ shapes: [Int64], _ bodies: [[UInt8]]) -> [UInt8] {
    let lengths = bodies.map { Int64($0.count) }
    let contents = bodies.flatMap { $0 }
    return written { w in
      unsafe shapes.withUnsafeBufferPointer { shapes in
        unsafe lengths.withUnsafeBufferPointer { lengths in
          unsafe contents.withUnsafeBytes { unsafe RecordColumn.encode(shapes: shapes, lengths: lengths, bytes: $0, into: &w) }
        }
      }
    }
  }

  static func decode(_ count: Int, _ r: inout ByteReader) throws -> (shapes: [Int64], bodies: [ByteReader]) {
    let numbers = UnsafeMutablePointer<Int64>.allocate(capacity: max(2 * count, 1))
    defer { unsafe numbers.deallocate() }
    var all = unsafe try RecordColumn.decode(count: count, from: &r, shapes: numbers, lengths: numbers + count)
    var bodies: [ByteReader] = []
    for row in 0..<count { bodies.append(try all.slice(Int(unsafe numbers[count + row]))) }
    guard all.remaining == 0 else { throw all.fail(.trailingBytes, "bodies") }
    return (unsafe Array(UnsafeBufferPointer(start: numbers, count: count)), bodies)
  }
}
