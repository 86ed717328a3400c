package import ArchiveFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the values of one archive without types of the program.
///
/// Reading never makes an object and runs no code of the program. The bytes of the archive have to outlive it.
package final class ArchiveValues {
  let types: TypeTable
  let table: ArchiveType.Table
  /// How many objects each block has.
  private let counts: [Int]
  private var pools: [UInt64: StringPoolReader] = [:]
  /// The pools until the first string of one is asked for.
  private var unreadPools: ByteReader?
  private let verifier: SegmentVerifier?
  /// What the archive may still become, in bytes.
  private var allowance: Int
  private let maximumStringLength: Int

  package init(_ layout: borrowing ArchiveLayout, _ limits: KeyedUnarchiver.Limits = KeyedUnarchiver.Limits()) {
    allowance = limits.allowance(forLength: layout.byteCount)
    maximumStringLength = limits.maximumStringLength
    types = layout.types
    table = ArchiveType.Table(layout.types)
    counts = layout.blocks.map(\.count)
    unreadPools = layout.pools
    verifier = layout.verifier
  }

  /// Reads columns that stand alone, without pools.
  ///
  /// - Parameters:
  ///   - counts: How many objects the blocks have that references may lead to.
  ///   - length: The bytes of the columns, in proportion to which they may become memory.
  package init(types: TypeTable, objectCounts counts: [Int], length: Int) {
    let limits = KeyedUnarchiver.Limits()
    allowance = limits.allowance(forLength: length)
    maximumStringLength = limits.maximumStringLength
    self.types = types
    table = ArchiveType.Table(types)
    self.counts = counts
    verifier = nil
  }

  /// Reads a column of `count` rows and moves behind it.
  ///
  /// - Parameters:
  ///   - type: The archived type of the values.
  ///   - count: The number of rows; more than 1,024 are several chunks.
  ///   - reader: At the column, in bytes that have been verified.
  ///   - poolID: The property whose strings these are; see `StringPools.id`.
  /// - Throws: `ArchiveError` with the code `truncated`, `malformed`, `limitExceeded` (beyond 1,600 types in types) or `invalidValue`.
  /// - Complexity: O(bytes) steps of at most 1,024 values each; memory likewise.
  package func values(_ type: TypeID, count: Int, from reader: inout ByteReader, poolID: UInt64) throws -> [ArchiveValue] {
    do {
      var values = ArchiveValueReader(self, reader, poolID: poolID)
      let read = try values.run(type, count, self)
      reader = values.reader
      return read
    } catch let error as FormatError {
      throw ArchiveError(error)
    } catch let error as LocatedError {
      throw error.error
    }
  }

  /// Takes the place of `count` values off what the archive may become.
  ///
  /// - Parameter isComposite: Whether each has parts of its own.
  func spend(_ count: Int, isComposite: Bool, at reader: ByteReader) throws(FormatError) {
    // About what values with types take: whatever the archiver writes can be read without types too.
    let size = isComposite ? 24 : 8
    let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
    if overflow || bytes > allowance {
      throw reader.fail(
        .limitExceeded, "the archive becomes more than the bytes that maximumExpansion and maximumDecodedByteCount allow for its length")
    }
    allowance -= bytes
  }

  /// Whether there is an object with this number.
  func hasObject(_ number: Int64) -> Bool {
    guard number >= 0, let block = Int(exactly: number >> 10), block < counts.count else { return false }
    return Int(number & 1023) < counts[block]
  }

  // MARK: Scalars

  /// Reads at most 1,024 rows of a scalar type that has no columns of other types inside.
  package func scalars(_ type: TypeID, _ rows: Int, from r: inout ByteReader, poolID: UInt64) throws -> [ArchiveValue] {
    switch type {
    case .bool:
      let values: [UInt8] = unsafe try filled(rows, &r) { out, r throws(FormatError) in
        unsafe try BoolColumn.decode(count: rows, from: &r, into: out)
      }
      return values.map { .bool($0 != 0) }
    case .int: return try integers(rows, &r).map { .int($0) }
    case .int64: return try integers(rows, &r).map { .int64($0) }
    case .uint: return try integers(rows, &r).map { .uint(UInt64(bitPattern: $0)) }
    case .uint64: return try integers(rows, &r).map { .uint64(UInt64(bitPattern: $0)) }
    case .int8: return try narrow(Int8.self, rows, &r) { .int8($0) }
    case .int16: return try narrow(Int16.self, rows, &r) { .int16($0) }
    case .int32: return try narrow(Int32.self, rows, &r) { .int32($0) }
    case .uint8: return try narrow(UInt8.self, rows, &r) { .uint8($0) }
    case .uint16: return try narrow(UInt16.self, rows, &r) { .uint16($0) }
    case .uint32: return try narrow(UInt32.self, rows, &r) { .uint32($0) }
    case .unicodeScalar:
      return try checked(integers(rows, &r), r) { number in
        UInt32(exactly: number).flatMap(Unicode.Scalar.init).map { .unicodeScalar($0) }
      }
    case .metatype:
      return try checked(integers(rows, &r), r) { number in
        guard let raw = UInt32(exactly: number), types.isValueType(TypeID(raw)) else { return nil }
        return .metatype(ArchiveType(TypeID(raw), in: table))
      }
    case .reference:
      return try checked(integers(rows, &r), r, .malformed) { number in hasObject(number) ? .reference(Int(number)) : nil }
    case .int128, .uint128, .duration: return try wide(type, rows, &r)
    case .double, .cgFloat, .date:
      let values: [Double] = unsafe try filled(rows, &r) { out, r throws(FormatError) in
        unsafe try DoubleColumn.decode(count: rows, from: &r, into: out)
      }
      return values.map {
        switch type {
        case .date: .date(Date(timeIntervalSinceReferenceDate: $0))
        case .cgFloat: .cgFloat($0)
        default: .double($0)
        }
      }
    case .float:
      let values: [Float] = unsafe try filled(rows, &r) { out, r throws(FormatError) in
        unsafe try FloatColumn.decode(count: rows, from: &r, into: out)
      }
      return values.map { .float($0) }
    case .float16:
      return unsafe try fixed(2, rows, &r) { bytes in unsafe .float16(UInt16(littleEndian: bytes.loadUnaligned(as: UInt16.self))) }
    case .uuid: return unsafe try fixed(16, rows, &r) { bytes in unsafe .uuid(bytes.loadUnaligned(as: UUID.self)) }
    case .decimal: return try decimals(rows, &r)
    case .void:
      try FixedColumn.skip(count: rows, width: 0, from: &r)
      return Array(repeating: .void, count: rows)
    case .data: return try data(rows, &r)
    case .string: return try strings(rows, &r, poolID).map { .string($0) }
    case .substring: return try strings(rows, &r, poolID).map { .substring($0) }
    case .character:
      return try strings(rows, &r, poolID).map {
        guard $0.count == 1, let character = $0.first else { throw invalid("'\($0)' is not one character", r) }
        return .character(character)
      }
    case .pooledString:
      let places = try integers(rows, &r)
      let pool = try pool(poolID, r)
      return try places.map { .string(try string(at: $0, in: pool, r)) }
    default: throw r.fail(.malformed, "type \(type.rawValue) is not a type of values")
    }
  }

  private func filled<T>(
    _ rows: Int, _ r: inout ByteReader, _ body: (UnsafeMutablePointer<T>, inout ByteReader) throws(FormatError) -> Void
  ) throws(FormatError) -> [T] {
    unsafe try ArchiveValueReader.filled(rows) { out throws(FormatError) in unsafe try body(out, &r) }
  }

  private func integers(_ rows: Int, _ r: inout ByteReader) throws(FormatError) -> [Int64] {
    // SAFETY: the decoder fills as many rows or throws.
    unsafe try filled(rows, &r) { out, r throws(FormatError) in unsafe try IntegerColumn.decode(count: rows, from: &r, into: out) }
  }

  private func narrow<T: FixedWidthInteger>(
    _: T.Type, _ rows: Int, _ r: inout ByteReader, _ value: (T) -> ArchiveValue
  ) throws -> [ArchiveValue] {
    try checked(integers(rows, &r), r) { T(exactly: $0).map(value) }
  }

  private func checked(
    _ numbers: [Int64], _ r: ByteReader, _ code: ArchiveError.Code = .invalidValue, _ value: (Int64) -> ArchiveValue?
  ) throws -> [ArchiveValue] {
    try numbers.map { number in
      guard let value = value(number) else {
        throw ArchiveError(code, offset: r.offset, message: "\(number) is no value of the archived type")
      }
      return value
    }
  }

  private func wide(_ type: TypeID, _ rows: Int, _ r: inout ByteReader) throws -> [ArchiveValue] {
    let high = try integers(rows, &r)
    let low = try integers(rows, &r)
    return zip(high, low).map { high, low in
      let bits = UInt128(UInt64(bitPattern: high)) << 64 | UInt128(UInt64(bitPattern: low))
      return switch type {
      case .uint128: .uint128(bits)
      case .int128: .int128(Int128(truncatingIfNeeded: bits))
      default: .duration(Duration(attoseconds: Int128(truncatingIfNeeded: bits)))
      }
    }
  }

  private func fixed(
    _ width: Int, _ rows: Int, _ r: inout ByteReader, _ value: (UnsafeRawPointer) -> ArchiveValue
  ) throws -> [ArchiveValue] {
    let bytes: [UInt8] = unsafe try ArchiveValueReader.filled(rows &* width) { out throws(FormatError) in
      // SAFETY: the decoder fills as many bytes or throws.
      unsafe try FixedColumn.decode(count: rows, width: width, from: &r, into: UnsafeMutableRawPointer(out))
    }
    return unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return [] }
      return (0..<rows).map { unsafe value(base + $0 &* width) }
    }
  }

  private func decimals(_ rows: Int, _ r: inout ByteReader) throws -> [ArchiveValue] {
    let form = (try PlanRegistry.shared.codec(for: Decimal.self) as? FixedCodec)?.form
    var fault: String?
    let values = unsafe try fixed(MemoryLayout<Decimal>.size, rows, &r) { bytes in
      // SAFETY: the bytes are copied to memory of that size, and checked, before they become a Decimal.
      unsafe withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Decimal>.size, alignment: MemoryLayout<Decimal>.alignment) { own in
        guard let base = own.baseAddress else { return .void }
        unsafe base.copyMemory(from: bytes, byteCount: MemoryLayout<Decimal>.size)
        if let wrong = unsafe form?.restore(base) {
          fault = wrong
          return .void
        }
        return unsafe .decimal(base.load(as: Decimal.self))
      }
    }
    if let fault { throw invalid(fault, r) }
    return values
  }

  private func data(_ rows: Int, _ r: inout ByteReader) throws -> [ArchiveValue] {
    var bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    let lengths: [Int64] = unsafe try filled(rows, &r) { out, r throws(FormatError) in
      // SAFETY: the decoder fills as many lengths, which add up to the bytes, or throws.
      unsafe bytes = try BytesColumn.decode(count: rows, from: &r, lengths: out)
    }
    return lengths.map { length in
      defer { unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Int(length))) }
      return unsafe .data(Data(UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(length)))))
    }
  }

  // MARK: Strings

  private func strings(_ rows: Int, _ r: inout ByteReader, _ poolID: UInt64) throws -> [String] {
    if rows >= firstEncodedRowCount {
      var start = r
      switch try start.readByte() {
      case BytesColumn.pooledEncoding:
        r = start
        let places = try integers(rows, &r)
        let pool = try pool(poolID, r)
        return try places.map { try string(at: $0, in: pool, r) }
      case BytesColumn.numberedEncoding:
        r = start
        return try numberedStrings(rows, &r)
      default: break
      }
    }
    var bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    let lengths: [Int64] = unsafe try filled(rows, &r) { out, r throws(FormatError) in
      // SAFETY: the decoder fills as many lengths, which add up to the bytes, or throws.
      unsafe bytes = try BytesColumn.decode(count: rows, from: &r, lengths: out)
    }
    return unsafe try strings(lengths, bytes, r)
  }

  private func numberedStrings(_ rows: Int, _ r: inout ByteReader) throws -> [String] {
    let numbered = try NumberedStrings(from: &r)
    let text = UnsafeMutableRawPointer.allocate(byteCount: numbered.maximumByteCount(rows), alignment: 1)
    defer { unsafe text.deallocate() }
    var bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    let lengths: [Int64] = unsafe try filled(rows, &r) { out, r throws(FormatError) in
      // SAFETY: the decoder fills as many lengths, which add up to the bytes, or throws.
      unsafe bytes = try numbered.decode(count: rows, from: &r, lengths: out, text: text)
    }
    return unsafe try strings(lengths, bytes, r)
  }

  private func strings(_ lengths: [Int64], _ bytes: UnsafeRawBufferPointer, _ r: ByteReader) throws -> [String] {
    var rest = unsafe bytes
    return try lengths.map { length in
      guard let string = unsafe StringPoolReader.string(UnsafeRawBufferPointer(rebasing: rest.prefix(Int(length)))) else {
        throw invalid("the string is not valid UTF-8", r)
      }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(length)))
      return string
    }
  }

  private func pool(_ id: UInt64, _ r: ByteReader) throws -> StringPoolReader {
    if var section = unreadPools {
      unreadPools = nil
      try verifier?.verify(section)
      for pool in try StringPoolSection(parsing: &section).pools {
        pools[pool.id] = StringPoolReader(count: pool.count, reader: pool.reader)
      }
    }
    guard let pool = pools[id] else { throw r.fail(.malformed, "the string pool of this property is missing") }
    if !pool.isLoaded {
      try spend(pool.count, isComposite: false, at: r)
      try pool.load(maximumLength: maximumStringLength)
    }
    return pool
  }

  private func string(at place: Int64, in pool: StringPoolReader, _ r: ByteReader) throws -> String {
    guard let place = Int(exactly: place), pool.strings.indices.contains(place) else {
      throw r.fail(.malformed, "string \(place) is not in the property's pool")
    }
    return pool.strings[place]
  }

  private func invalid(_ message: String, _ r: ByteReader) -> ArchiveError {
    ArchiveError(.invalidValue, offset: r.offset, message: message)
  }
}
