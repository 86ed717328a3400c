import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension UnknownColumnWriter {
  // MARK: Scalars

  /// Writes a column of scalars with the codec of their type.
  func scalars(_ type: ArchiveType, _ values: [ArchiveValue], _ owners: [Int], _ e: inout EncodingState) throws {
    func column<T>(_: T.Type, _ value: (ArchiveValue) -> T?) throws {
      var column: [T] = []
      column.reserveCapacity(values.count)
      for (one, owner) in zip(values, owners) {
        guard let value = value(one) else { throw mismatch(type, owner) }
        column.append(value)
      }
      try write(&column, with: type.id == .pooledString ? PooledStringCodec.shared : PlanRegistry.shared.codec(for: T.self), owners, &e)
    }
    switch type.id {
    case .bool: try column(Bool.self) { if case .bool(let value) = $0 { value } else { nil } }
    case .int: try column(Int64.self) { if case .int(let value) = $0 { value } else { nil } }
    case .int8: try column(Int8.self) { if case .int8(let value) = $0 { value } else { nil } }
    case .int16: try column(Int16.self) { if case .int16(let value) = $0 { value } else { nil } }
    case .int32: try column(Int32.self) { if case .int32(let value) = $0 { value } else { nil } }
    case .int64: try column(Int64.self) { if case .int64(let value) = $0 { value } else { nil } }
    case .int128: try column(Int128.self) { if case .int128(let value) = $0 { value } else { nil } }
    case .uint: try column(UInt64.self) { if case .uint(let value) = $0 { value } else { nil } }
    case .uint8: try column(UInt8.self) { if case .uint8(let value) = $0 { value } else { nil } }
    case .uint16: try column(UInt16.self) { if case .uint16(let value) = $0 { value } else { nil } }
    case .uint32: try column(UInt32.self) { if case .uint32(let value) = $0 { value } else { nil } }
    case .uint64: try column(UInt64.self) { if case .uint64(let value) = $0 { value } else { nil } }
    case .uint128: try column(UInt128.self) { if case .uint128(let value) = $0 { value } else { nil } }
    case .float: try column(Float.self) { if case .float(let value) = $0 { value } else { nil } }
    case .double: try column(Double.self) { if case .double(let value) = $0 { value } else { nil } }
    case .cgFloat: try column(Double.self) { if case .cgFloat(let value) = $0 { value } else { nil } }
    case .decimal: try column(Decimal.self) { if case .decimal(let value) = $0 { value } else { nil } }
    case .string, .pooledString: try column(String.self) { if case .string(let value) = $0 { value } else { nil } }
    case .substring: try column(String.self) { if case .substring(let value) = $0 { value } else { nil } }
    case .character: try column(String.self) { if case .character(let value) = $0 { String(value) } else { nil } }
    case .unicodeScalar: try column(Unicode.Scalar.self) { if case .unicodeScalar(let value) = $0 { value } else { nil } }
    case .date: try column(Date.self) { if case .date(let value) = $0 { value } else { nil } }
    case .duration: try column(Duration.self) { if case .duration(let value) = $0 { value } else { nil } }
    case .data: try column(Data.self) { if case .data(let value) = $0 { value } else { nil } }
    case .uuid: try column(UUID.self) { if case .uuid(let value) = $0 { value } else { nil } }
    case .float16: try halves(type, values, owners, &e)
    case .metatype: try metatypes(type, values, owners, &e)
    case .void: empty(&e)
    default: throw mismatch(type, owners[0])
    }
  }

  private func write<T>(_ column: inout [T], with codec: ValueCodec, _ owners: [Int], _ e: inout EncodingState) throws {
    let count = column.count
    do {
      // SAFETY: the rows are the elements of the array, which stay where they are until the column is written.
      unsafe try column.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        try codec.encode(unsafe Rows(base: base, stride: MemoryLayout<T>.stride, count: count), &e)
      }
    } catch let error as LocatedError {
      throw error.moved(to: owners[min(error.row, owners.count - 1)], below: error.suffix)
    }
  }

  /// Sixteen bits each, on platforms without the type, too.
  private func halves(_ type: ArchiveType, _ values: [ArchiveValue], _ owners: [Int], _ e: inout EncodingState) throws {
    let bits = try zip(values, owners).map { value, owner in
      guard case .float16(let bits) = value else { throw mismatch(type, owner) }
      return bits.littleEndian
    }
    unsafe bits.withUnsafeBytes { unsafe FixedColumn.encode($0, width: 2, into: &e.writer) }
  }

  private func metatypes(_ type: ArchiveType, _ values: [ArchiveValue], _ owners: [Int], _ e: inout EncodingState) throws {
    integers(
      try zip(values, owners).map { value, owner in
        guard case .metatype(let described) = value else { throw mismatch(type, owner) }
        return Int64(try e.types.describe(described).rawValue)
      }, &e)
  }

  // MARK: References

  private static let codec = ReferenceCodec(AnyObject.self, declared: .anyObject)

  func references(_ values: [ArchiveValue], _ owners: [Int], _ e: inout EncodingState) throws {
    var objects: [AnyObject] = []
    objects.reserveCapacity(values.count)
    for (value, owner) in zip(values, owners) {
      guard case .reference(let number) = value, let object = contents[owner].object(number) else {
        throw LocatedError(
          .invalidValue, row: owner, "an object of class '\(contents[owner].kind.name)' has let go of what it refers to")
      }
      objects.append(object)
    }
    if !isDiscovery { return try write(&objects, with: Self.codec, owners, &e) }
    let count = objects.count
    var failed = 0
    do {
      // SAFETY: the rows are the elements of the array; what they refer to is owned by the objects whose values these are.
      unsafe try objects.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        let rows = unsafe Rows(base: base, stride: MemoryLayout<AnyObject>.stride, count: count)
        if e.graph.isSearching {
          if let row = e.graph.find(in: rows) { throw LocatedError.find(row: owners[row]) }
          return
        }
        try e.graph.reach(rows, isOpen: false, admitting: &e.admission, failedRow: &failed)
      }
    } catch let error as ArchiveError {
      throw LocatedError(error.code, row: owners[failed], error.message)
    }
  }

  // MARK: Records

  /// Records one after another, each with the values of its members.
  mutating func records(_ values: [ArchiveValue], _ owners: [Int], _ depth: Int, _ e: inout EncodingState) throws {
    let members = try zip(values, owners).map { value, owner in
      guard case .container(let members) = value else {
        throw LocatedError(.typeMismatch, row: owner, "the value is no container")
      }
      return members
    }
    if !isDiscovery {
      // The bodies are written where columns go, and then moved behind the shapes.
      let records = Records()
      for record in members { records.shapes.append(Int64(try shape(of: record, &e).rawValue)) }
      swap(&records.bytes.bytes, &e.writer)
      open.append(records)
      tasks.append(.endRecords)
    }
    for (record, owner) in zip(members, owners).reversed() { tasks.append(.body(record, owner: owner, depth: depth)) }
  }

  mutating func beginBody(_ members: [ArchiveValue.Member], _ owner: Int, _ depth: Int, _ e: inout EncodingState) {
    open.last?.start = e.writer.count
    tasks.append(.endBody(members))
    for member in members.reversed() {
      tasks.append(.column(member.type, [member.value], owners: [owner], depth: depth + 1))
      // In the order in which hand-written coding has stored it: containers are described when they end.
      if isDiscovery { tasks.append(.describe(member.type)) }
    }
  }

  mutating func endBody(_ members: [ArchiveValue.Member], _ e: inout EncodingState) throws {
    if isDiscovery {
      _ = try shape(of: members, &e)
    } else if let records = open.last {
      records.lengths.append(Int64(e.writer.count - records.start))
    }
  }

  mutating func endRecords(_ e: inout EncodingState) {
    guard let records = open.popLast() else { return }
    swap(&records.bytes.bytes, &e.writer)
    RecordColumnWriter.append(shapes: records.shapes, lengths: records.lengths, bytes: records.bytes.bytes, to: &e.writer)
  }

  /// The number of the tuple that says keys and types, which records of the same keys and types share.
  private func shape(of members: [ArchiveValue.Member], _ e: inout EncodingState) throws -> TypeID {
    e.types.shape(
      try members.map { Property(key: RecordShape.storedKey(of: $0.key), type: try e.types.describe($0.type)) })
  }
}
