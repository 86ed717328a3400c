import ArchiveFormat
import ArchiveReflection

/// Writes columns of values without types, as the codecs of their types have written them, or finds the objects that they refer to in the same
/// order.
///
/// A list of tasks stands in for recursion: values may be nested deeply.
struct UnknownColumnWriter {
  enum Task {
    case column(ArchiveType, [ArchiveValue], owners: [Int], depth: Int)
    /// What hand-written coding has stored, of one object.
    case body([ArchiveValue.Member], owner: Int, depth: Int)
    case describe(ArchiveType)
    case endBody([ArchiveValue.Member])
    case endRecords
  }

  /// A column of records whose bodies are being written where columns go.
  final class Records {
    var shapes: [Int64] = []
    var lengths: [Int64] = []
    var start = 0
    /// The bodies, or while they are written what stands in front of them.
    let bytes = RecordBlock.Spliced()
  }

  /// Per row of the property: the object whose value it is.
  let contents: [UnknownContent]
  let isDiscovery: Bool
  /// The next one last.
  var tasks: [Task] = []
  /// The columns of records that are being written, the innermost last.
  var open: [Records] = []

  /// As deep as values are read.
  static let maximumDepth = ArchiveValueReader.maximumDepth

  init(contents: [UnknownContent], isDiscovery: Bool) {
    self.contents = contents
    self.isDiscovery = isDiscovery
  }

  /// Writes the column of a property, one value per row.
  mutating func run(_ type: ArchiveType, _ values: [ArchiveValue], _ e: inout EncodingState) throws {
    tasks = [.column(type, values, owners: Array(values.indices), depth: 0)]
    do {
      while let task = tasks.popLast() {
        switch task {
        case .column(let type, let values, let owners, let depth): try column(type, values, owners, depth, &e)
        case .body(let members, let owner, let depth): beginBody(members, owner, depth, &e)
        case .describe(let type): _ = try e.types.describe(type)
        case .endBody(let members): try endBody(members, &e)
        case .endRecords: endRecords(&e)
        }
      }
    } catch {
      while let records = open.popLast() { swap(&records.bytes.bytes, &e.writer) }
      throw error
    }
  }

  /// - Parameters:
  ///   - values: At most 1,024.
  ///   - owners: Per value the row of the property that it belongs to.
  private mutating func column(
    _ type: ArchiveType, _ values: [ArchiveValue], _ owners: [Int], _ depth: Int, _ e: inout EncodingState
  ) throws {
    if values.isEmpty { return }
    let types = type.table.types
    if isDiscovery && !types.mayRefer(type.id) { return }
    guard depth <= Self.maximumDepth else {
      throw LocatedError(.nestingTooDeep, row: owners[0], "values are nested more than \(Self.maximumDepth) deep")
    }
    if let wrapped = types.optionalPayload(of: type.id) {
      return optional(ArchiveType(wrapped, in: type.table), values, owners, absent: .null, depth, &e)
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
    case .array(let element):
      let elements = try parts(values, owners, type) { $0.arrayValue }
      counts(elements, &e)
      flattened(inner(element), elements, owners, depth)
    case .set(let element):
      let elements = try parts(values, owners, type) { $0.arrayValue }.map { sorted($0, by: inner(element), \.self, &e) }
      counts(elements, &e)
      flattened(inner(element), elements, owners, depth)
    case .inlineArray(let element, let count):
      let elements = try parts(values, owners, type) { value in value.arrayValue.flatMap { $0.count == count ? $0 : nil } }
      if count == 0 { return empty(&e) }
      flattened(inner(element), elements, owners, depth)
    case .dictionary(let key, let value): try dictionaries(type, inner(key), inner(value), values, owners, depth, &e)
    case .tuple(let members):
      if types.isLetForm(members), let payload = types.optionalPayload(of: members[0].type) {
        return optional(inner(payload), values, owners, absent: .constant, depth, &e)
      }
      let fields = try parts(values, owners, type) { if case .tuple(let fields) = $0 { fields } else { nil } }
      try self.members(members, of: type, fields, owners, depth, &e)
    case .structure(_, _, let members):
      let fields = try parts(values, owners, type) { if case .structure(let structure) = $0 { structure.fields } else { nil } }
      try self.members(members, of: type, fields, owners, depth, &e)
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
    // SAFETY: no byte of an empty buffer is looked at.
    if !isDiscovery { unsafe FixedColumn.encode(UnsafeRawBufferPointer(start: nil, count: 0), width: 0, into: &e.writer) }
  }

  func integers(_ numbers: [Int64], _ e: inout EncodingState) {
    // SAFETY: the buffer is used while the array lends it.
    if !isDiscovery { unsafe numbers.withUnsafeBufferPointer { unsafe IntegerColumn.encode($0, into: &e.writer) } }
  }

  private func counts<Part>(_ parts: [[Part]], _ e: inout EncodingState) { integers(parts.map { Int64($0.count) }, &e) }

  // MARK: Values made of values

  private mutating func optional(
    _ wrapped: ArchiveType, _ values: [ArchiveValue], _ owners: [Int], absent: ArchiveValue, _ depth: Int, _ e: inout EncodingState
  ) {
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
    // SAFETY: as above.
    if !isDiscovery { unsafe presence.withUnsafeBufferPointer { unsafe BoolColumn.encode($0, into: &e.writer) } }
    tasks.append(.column(wrapped, present, owners: presentOwners, depth: depth + 1))
  }

  private mutating func flattened(_ element: ArchiveType, _ elements: [[ArchiveValue]], _ owners: [Int], _ depth: Int) {
    let all = Array(elements.joined())
    let allOwners = zip(elements, owners).flatMap { Array(repeating: $1, count: $0.count) }
    for start in stride(from: 0, to: all.count, by: maximumChunkRows).reversed() {
      let chunk = start..<min(start + maximumChunkRows, all.count)
      tasks.append(.column(element, Array(all[chunk]), owners: Array(allOwners[chunk]), depth: depth + 1))
    }
  }

  private mutating func dictionaries(
    _ type: ArchiveType, _ key: ArchiveType, _ value: ArchiveType, _ values: [ArchiveValue], _ owners: [Int], _ depth: Int,
    _ e: inout EncodingState
  ) throws {
    let entries = try parts(values, owners, type) { if case .dictionary(let entries) = $0 { entries } else { nil } }
      .map { sorted($0, by: key, \.key, &e) }
    counts(entries, &e)
    let all = Array(entries.joined())
    let allOwners = zip(entries, owners).flatMap { Array(repeating: $1, count: $0.count) }
    for start in stride(from: 0, to: all.count, by: maximumChunkRows).reversed() {
      let chunk = start..<min(start + maximumChunkRows, all.count)
      tasks.append(.column(value, all[chunk].map(\.value), owners: Array(allOwners[chunk]), depth: depth + 1))
      tasks.append(.column(key, all[chunk].map(\.key), owners: Array(allOwners[chunk]), depth: depth + 1))
    }
  }

  private mutating func members(
    _ members: [Property], of type: ArchiveType, _ fields: [[ArchiveValue.Field]], _ owners: [Int], _ depth: Int,
    _ e: inout EncodingState
  ) throws {
    if members.isEmpty { return empty(&e) }
    for (fields, owner) in zip(fields, owners) where fields.count != members.count { throw mismatch(type, owner) }
    for (index, member) in members.enumerated().reversed() {
      tasks.append(.column(ArchiveType(member.type, in: type.table), fields.map { $0[index].value }, owners: owners, depth: depth + 1))
    }
  }

  private mutating func enumerations(
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
    for (index, column) in payloads.sorted(by: { $0.key > $1.key }) {
      guard let payload = cases[index].payload else { continue }
      tasks.append(.column(ArchiveType(payload, in: type.table), column.values, owners: column.owners, depth: depth + 1))
    }
  }

  private mutating func any(_ values: [ArchiveValue], _ owners: [Int], _ depth: Int, _ e: inout EncodingState) throws {
    var groups: [(type: ArchiveType, values: [ArchiveValue], owners: [Int])] = []
    var indices: [Int64] = []
    for (value, owner) in zip(values, owners) {
      guard case .any(let typed) = value else {
        throw LocatedError(.typeMismatch, row: owner, "the value has no type, which it needs in Any")
      }
      let known = groups.firstIndex { $0.type.isIdentical(to: typed.type) }
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
    for group in groups.reversed() { tasks.append(.column(group.type, group.values, owners: group.owners, depth: depth + 1)) }
  }
}
