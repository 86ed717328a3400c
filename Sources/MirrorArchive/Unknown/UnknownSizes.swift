import ArchiveFormat

/// What values of archived types become in the memory of the program that has their types, reckoned as its reader does.
///
/// A program that has the types says what its archives become; nobody but this can say it of values that a document was given.
extension TypeTable {
  /// About the bytes of a value where it stands.
  func stride(of type: TypeID) -> Int {
    // Types may be made of each other so often that nobody could count it.
    var budget = 1_024
    return stride(of: type, depth: 0, &budget)
  }

  private func stride(of type: TypeID, depth: Int, _ budget: inout Int) -> Int {
    budget -= 1
    if budget < 0 || depth > 64 { return 64 }
    if let wrapped = optionalPayload(of: type) { return stride(of: wrapped, depth: depth + 1, &budget) &+ 8 }
    func sum(_ members: [Property]) -> Int { members.reduce(0) { min($0 &+ stride(of: $1.type, depth: depth + 1, &budget), 1 << 20) } }
    switch self[type] {
    case .array, .set, .dictionary, .object, .optional: return 8
    case .inlineArray(let element, let count):
      let (bytes, overflow) = stride(of: element, depth: depth + 1, &budget).multipliedReportingOverflow(by: count)
      return overflow ? 1 << 20 : min(bytes, 1 << 20)
    case .tuple(let members), .structure(_, _, let members): return sum(members)
    case .enumeration(_, _, let cases):
      return (cases.map { $0.payload.map { stride(of: $0, depth: depth + 1, &budget) } ?? 0 }.max() ?? 0) &+ 8
    case nil: return Self.scalarStride(type)
    }
  }

  private static func scalarStride(_ type: TypeID) -> Int {
    switch type {
    case .bool, .int8, .uint8, .void: 1
    case .int16, .uint16, .float16: 2
    case .int32, .uint32, .float, .unicodeScalar: 4
    case .string, .pooledString, .character, .data, .uuid, .int128, .uint128, .duration: 16
    case .substring, .any: 32
    case .decimal: 20
    case .record: 64
    default: 8
    }
  }
}

extension EncodingState {
  /// Counts values of a property or at the top level.
  mutating func meter(_ type: ArchiveType, rows: Int) {
    if metersValues { decodedByteCount &+= rows &* type.table.types.stride(of: type.id) }
  }

  /// Counts the storage of collections.
  mutating func meter(collections: Int, of elements: Int, _ type: ArchiveType, isHashed: Bool) {
    if !metersValues { return }
    let stride = type.table.types.stride(of: type.id)
    let each = isHashed ? DecodedSize.hashTable(stride: stride) : DecodedSize.array(stride: stride)
    decodedByteCount &+= collections &* DecodedSize.collectionOverhead &+ elements &* each
  }

  /// Counts values that lie in boxes of their own: in `Any`, in an indirect enum.
  mutating func meter(boxes: Int, _ type: ArchiveType) {
    if metersValues { decodedByteCount &+= boxes &* DecodedSize.box(type.table.types.stride(of: type.id)) }
  }
}
