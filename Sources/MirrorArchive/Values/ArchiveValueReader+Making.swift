import ArchiveFormat

extension ArchiveValueReader {
  /// Makes a column of values of the columns on top of `results`, which it takes away.
  mutating func make(_ composition: Composition) -> [ArchiveValue] {
    let table = table
    return switch composition {
    case .optional(let presence, let absent): makeOptional(presence, absent)
    case .elements(let counts, let kind): makeElements(counts, kind)
    case .dictionary(let counts): makeDictionary(counts)
    case .tuple(let members, let rows): makeFields(members, rows).map { .tuple($0) }
    case .structure(let name, let version, let fields, let rows):
      makeFields(fields, rows).map { .structure(ArchiveValue.Structure(name: name, version: version, fields: $0)) }
    case .enumeration(let name, let version, let cases, let indices, let columns):
      spread(indices, columns) { index, payload in
        .enumeration(
          ArchiveValue.Enumeration(
            name: name, version: version, caseName: cases[index].name, caseIndex: index, payload: payload,
            rawValue: cases[index].rawValue.map { ArchiveValue($0) }))
      }
    case .any(let used, let indices, let columns):
      spread(indices, columns) { index, value in
        .any(ArchiveValue.Typed(value ?? .void, ArchiveType(used[index], in: table)))
      }
    case .records(let rows): take(rows).compactMap(\.first)
    }
  }

  /// Takes the last `count` columns away.
  private mutating func take(_ count: Int) -> [[ArchiveValue]] {
    let taken = Array(results.suffix(count))
    results.removeLast(taken.count)
    return taken
  }

  private mutating func makeOptional(_ presence: [UInt8], _ absent: ArchiveValue) -> [ArchiveValue] {
    let values = results.popLast() ?? []
    var isNullable = false
    if case .null = absent { isNullable = true }
    var next = 0
    return presence.map { isPresent in
      guard isPresent != 0, next < values.count else { return absent }
      next += 1
      if !isNullable { return values[next - 1] }
      switch values[next - 1] {
      case .null, .present: return .present(values[next - 1])
      default: return values[next - 1]
      }
    }
  }

  private mutating func makeElements(_ counts: [Int64], _ kind: Kind) -> [ArchiveValue] {
    let elements = results.popLast() ?? []
    var start = 0
    return counts.map { count in
      let end = min(start + Int(count), elements.count)
      defer { start = end }
      let own = Array(elements[start..<end])
      return switch kind {
      case .array: .array(own)
      case .set: .set(own)
      case .inline: .inlineArray(own)
      }
    }
  }

  private mutating func makeDictionary(_ counts: [Int64]) -> [ArchiveValue] {
    let values = results.popLast() ?? []
    let keys = results.popLast() ?? []
    var start = 0
    return counts.map { count in
      let end = min(start + Int(count), keys.count, values.count)
      defer { start = end }
      return .dictionary((start..<end).map { ArchiveValue.Entry(keys[$0], values[$0]) })
    }
  }

  private mutating func makeFields(_ members: [Property], _ rows: Int) -> [[ArchiveValue.Field]] {
    let columns = take(members.count)
    return (0..<rows).map { row in
      zip(members, columns).map { member, column in ArchiveValue.Field(member.key, column[row]) }
    }
  }

  /// Gives each row the next value of the column of its index, if that has one.
  private mutating func spread(
    _ indices: [Int64], _ columns: [Int], _ value: (Int, ArchiveValue?) -> ArchiveValue
  ) -> [ArchiveValue] {
    let values = take(columns.count)
    var place: [Int: Int] = [:]
    for (number, index) in columns.enumerated() { place[index] = number }
    var next = [Int](repeating: 0, count: columns.count)
    return indices.map { index in
      guard let column = place[Int(index)], next[column] < values[column].count else { return value(Int(index), nil) }
      next[column] += 1
      return value(Int(index), values[column][next[column] - 1])
    }
  }
}

extension ArchiveValue {
  init(_ raw: EnumCase.RawValue) {
    self =
      switch raw {
      case .text(let text): .string(text)
      case .integer(let number): .int(number)
      case .floating(let number): .double(number)
      }
  }
}
