import ArchiveFormat
import ArchiveReflection

/// Writes columns of values without types, as the codecs of their types have written them, or finds the objects that they refer to in the same
/// order.
struct UnknownColumnWriter {
  /// Per row of the property: the object whose value it is.
  let contents: [UnknownContent]
  let isDiscovery: Bool

  /// As deep as an archiver nests values.
  private static let maximumDepth = EncodingState.maximumDepth

  /// - Parameters:
  ///   - values: At most 1,024.
  ///   - owners: Per value the row of the property that it belongs to.
  func write(_ type: ArchiveType, _ values: [ArchiveValue], _ owners: [Int], depth: Int, _ e: inout EncodingState) throws {
    if values.isEmpty { return }
    let types = type.table.types
    if isDiscovery && !types.mayRefer(type.id) { return }
    guard depth <= Self.maximumDepth else {
      throw LocatedError(.nestingTooDeep, row: owners[0], "values are nested more than \(Self.maximumDepth) deep")
    }
    if let wrapped = types.optionalPayload(of: type.id) {
      return try optional(ArchiveType(wrapped, in: type.table), values, owners, absent: .null, depth, &e)
    }
    if type.id.isScalar {
      switch type.id {
      case .any: return try any(values, owners, depth, &e)
      case .record: return try records(values, owners, depth, &e)
      case .reference: return try references(values, owners, &e)
      default: return try scalars(type, values, owners, &e)
      }
    }
    func inner(_ id: TypeID) -> ArchiveType { ArchiveType(id, in: type.table) }
    switch types[type.id] {
    case .array(let element), .set(let element):
      let elements = try parts(values, owners, type) { $0.arrayValue }
      try counts(elements, &e)
      try flattened(inner(element), elements, owners, depth, &e)
    case .inlineArray(let element, let count):
      let elements = try parts(values, owners, type) { value in value.arrayValue.flatMap { $0.count == count ? $0 : nil } }
      if count == 0 { return empty(&e) }
      try flattened(inner(element), elements, owners, depth, &e)
    case .dictionary(let key, let value): try dictionaries(type, inner(key), inner(value), values, owners, depth, &e)
    case .tuple(let members):
      if types.isLetForm(members), let payload = types.optionalPayload(of: members[0].type) {
        return try optional(inner(payload), values, owners, absent: .constant, depth, &e)
      }
      let fields = try parts(values, owners, type) { if case .tuple(let fields) = $0 { fields } else { nil } }
      try write(members, of: type, fields, owners, depth, &e)
    case .structure(_, _, let members):
      let fields = try parts(values, owners, type) { if case .structure(let structure) = $0 { structure.fields } else { nil } }
      try write(members, of: type, fields, owners, depth, &e)
    case .enumeration(_, _, let cases): try enumerations(type, cases, values, owners, depth, &e)
    case .object: try references(values, owners, &e)
    case nil, .optional: throw mismatch(type, owners[0])
    }
  }

  func mismatch(_ type: ArchiveType, _ row: Int) -> LocatedError {
    LocatedError(.typeMismatch, row: row, "the value is no \(type)")
  }

  /// What each value is made of.
  private func parts<Part>(
    _ values: [ArchiveValue], _ owners: [Int], _ type: ArchiveType, _ parts: (ArchiveValue) -> [Part]?
  ) throws -> [[Part]] {
    try zip(values, owners).map { value, owner in
      guard let found = parts(value) else { throw mismatch(type, owner) }
      return found
    }
  }

  /// Every chunk of something without content is a zero byte.
  func empty(_ e: inout EncodingState) {
    if !isDiscovery { unsafe FixedColumn.encode(UnsafeRawBufferPointer(start: nil, count: 0), width: 0, into: &e.writer) }
  }

  func integers(_ numbers: [Int64], _ e: inout EncodingState) {
    if !isDiscovery { unsafe numbers.withUnsafeBufferPointer { unsafe IntegerColumn.encode($0, into: &e.writer) } }
  }

  private func counts<Part>(_ parts: [[Part]], _ e: inout EncodingState) throws { integers(parts.map { Int64($0.count) }, &e) }

  // MARK: Values made of values

  private func optional(
    _ wrapped: ArchiveType, _ values: [ArchiveValue], _ owners: [Int], absent: ArchiveValue, _ depth: Int, _ e: inout EncodingState
  ) throws {
    var presence: [UInt8] = []
    var present: [ArchiveValue] = []
    var presentOwners: [Int] = []
    var isNullable = false
    if case .null = absent { isNullable = true }
    for (value, owner) in zip(values, owners) {
      switch value {
      case .null where isNullable, .constant where !isNullable: presence.append(0)
      case .present(let inner) where isNullable:
        presence.append(1)
        present.append(inner)
        presentOwners.append(owner)
      default:
        presence.append(1)
        present.append(value)
        presentOwners.append(owner)
      }
    }
    if !isDiscovery { unsafe presence.withUnsafeBufferPointer { unsafe BoolColumn.encode($0, into: &e.writer) } }
    try write(wrapped, present, presentOwners, depth: depth + 1, &e)
  }

  private func flattened(
    _ element: ArchiveType, _ elements: [[ArchiveValue]], _ owners: [Int], _ depth: Int, _ e: inout EncodingState
  ) throws {
    let all = Array(elements.joined())
    let allOwners = zip(elements, owners).flatMap { Array(repeating: $1, count: $0.count) }
    for start in stride(from: 0, to: all.count, by: maximumChunkRows) {
      let chunk = start..<min(start + maximumChunkRows, all.count)
      try write(element, Array(all[chunk]), Array(allOwners[chunk]), depth: depth + 1, &e)
    }
  }

  private func dictionaries(
    _ type: ArchiveType, _ key: ArchiveType, _ value: ArchiveType, _ values: [ArchiveValue], _ owners: [Int], _ depth: Int,
    _ e: inout EncodingState
  ) throws {
    let entries = try parts(values, owners, type) { if case .dictionary(let entries) = $0 { entries } else { nil } }
    try counts(entries, &e)
    let all = Array(entries.joined())
    let allOwners = zip(entries, owners).flatMap { Array(repeating: $1, count: $0.count) }
    for start in stride(from: 0, to: all.count, by: maximumChunkRows) {
      let chunk = start..<min(start + maximumChunkRows, all.count)
      try write(key, all[chunk].map(\.key), Array(allOwners[chunk]), depth: depth + 1, &e)
      try write(value, all[chunk].map(\.value), Array(allOwners[chunk]), depth: depth + 1, &e)
    }
  }

  private func write(
    _ members: [Property], of type: ArchiveType, _ fields: [[ArchiveValue.Field]], _ owners: [Int], _ depth: Int,
    _ e: inout EncodingState
  ) throws {
    if members.isEmpty { return empty(&e) }
    for (fields, owner) in zip(fields, owners) where fields.count != members.count { throw mismatch(type, owner) }
    for (index, member) in members.enumerated() {
      try write(ArchiveType(member.type, in: type.table), fields.map { $0[index].value }, owners, depth: depth + 1, &e)
    }
  }

  private func enumerations(
    _ type: ArchiveType, _ cases: [EnumCase], _ values: [ArchiveValue], _ owners: [Int], _ depth: Int, _ e: inout EncodingState
  ) throws {
    var indices: [Int64] = []
    var payloads: [Int: (values: [ArchiveValue], owners: [Int])] = [:]
    for (value, owner) in zip(values, owners) {
      guard case .enumeration(let one) = value, cases.indices.contains(one.caseIndex),
        (cases[one.caseIndex].payload == nil) == (one.payload == nil)
      else { throw mismatch(type, owner) }
      indices.append(Int64(one.caseIndex))
      guard let payload = one.payload else { continue }
      payloads[one.caseIndex, default: ([], [])].values.append(payload)
      payloads[one.caseIndex, default: ([], [])].owners.append(owner)
    }
    integers(indices, &e)
    for (index, column) in payloads.sorted(by: { $0.key < $1.key }) {
      guard let payload = cases[index].payload else { continue }
      try write(ArchiveType(payload, in: type.table), column.values, column.owners, depth: depth + 1, &e)
    }
  }

  private func any(_ values: [ArchiveValue], _ owners: [Int], _ depth: Int, _ e: inout EncodingState) throws {
    var groups: [(type: ArchiveType, values: [ArchiveValue], owners: [Int])] = []
    var indices: [Int64] = []
    for (value, owner) in zip(values, owners) {
      guard case .any(let typed) = value else {
        throw LocatedError(.typeMismatch, row: owner, "the value has no type, which it needs in Any")
      }
      let known = groups.firstIndex { $0.type.id == typed.type.id && $0.type.table === typed.type.table }
      let group = known ?? groups.count
      if known == nil { groups.append((typed.type, [], [])) }
      groups[group].values.append(typed.value)
      groups[group].owners.append(owner)
      indices.append(Int64(group))
    }
    if !isDiscovery {
      e.writer.appendVarint(UInt64(groups.count))
      for group in groups {
        let id = try e.types.exactly { try $0.describe(group.type) }
        e.writer.appendVarint(UInt64(id.rawValue))
      }
    }
    integers(indices, &e)
    for group in groups { try write(group.type, group.values, group.owners, depth: depth + 1, &e) }
  }
}
