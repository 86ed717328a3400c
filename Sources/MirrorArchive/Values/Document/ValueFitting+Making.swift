extension ValueFitting {
  private mutating func take(_ count: Int) -> [ArchiveValue] {
    let taken = Array(results.suffix(count))
    results.removeLast(taken.count)
    return taken
  }

  mutating func make(_ composition: Composition) throws -> ArchiveValue {
    switch composition {
    case .optional:
      let value = results.popLast() ?? .null
      switch value {
      case .null, .present: return .present(value)
      default: return value
      }
    case .any(let type): return .any(ArchiveValue.Typed(results.popLast() ?? .void, type))
    case .array(let count): return .array(take(count))
    case .inlineArray(let count): return .inlineArray(take(count))
    case .set(let count, let location):
      let elements = take(count)
      if let twice = ArchiveValue.duplicate(in: elements) { throw fail(.duplicateKey, location, "\(twice) is there twice") }
      return .set(elements)
    case .dictionary(let count, let location):
      let parts = take(2 * count)
      let entries = (0..<count).map { ArchiveValue.Entry(parts[2 * $0], parts[2 * $0 + 1]) }
      if let twice = ArchiveValue.duplicate(in: entries.map(\.key)) {
        throw fail(.duplicateKey, location, "the key \(twice) is there twice")
      }
      return .dictionary(entries)
    case .tuple(let keys): return .tuple(zip(keys, take(keys.count)).map { ArchiveValue.Field($0, $1) })
    case .structure(var structure):
      structure.fields = zip(structure.fields, take(structure.fields.count)).map { ArchiveValue.Field($0.key, $1) }
      return .structure(structure)
    case .payload(var one):
      one.payload = results.popLast()
      return .enumeration(one)
    case .container(let members):
      return .container(zip(members, take(members.count)).map { ArchiveValue.Member($0.key, $1, $0.type) })
    }
  }
}
