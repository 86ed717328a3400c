import ArchiveFormat

/// What the cursors of one archive read with.
///
/// Of an archive with a checksum for each segment the segments that are about to be read are verified, and no others: reading begins with
/// those that the next bytes lie in, and takes in more of them only if these do not suffice.
final class CursorSource {
  let values: ArchiveValues
  let types: TypeTable
  private let skipper: ColumnSkipper
  private let verifier: SegmentVerifier?
  private let pools: ByteReader?
  /// How many bytes are verified for a column whose end is not known yet.
  private static let firstWindow = 32_768

  init(_ layout: ArchiveLayout) {
    values = ArchiveValues(layout)
    types = layout.types
    skipper = ColumnSkipper(types: layout.types)
    verifier = layout.verifier
    pools = layout.pools
  }

  /// Reads something, of which only `body` finds out how long it is.
  ///
  /// - Parameter body: May be called several times, each time with more bytes. Must not draw conclusions from how many they are, except that
  ///   they do not suffice.
  func reading<Result>(_ reader: inout ByteReader, _ body: (inout ByteReader) throws -> Result) throws -> Result {
    guard let verifier else { return try body(&reader) }
    var length = Self.firstWindow
    while length < reader.remaining {
      var behind = reader
      let window = try behind.slice(length)
      try verifier.verify(window)
      var inside = window
      do {
        let result = try body(&inside)
        try reader.skip(length &- inside.remaining)
        return result
      } catch is FormatError {
        // There may be too few bytes, or really something wrong.
        length = length &<< 2
      }
    }
    try verifier.verify(reader)
    return try body(&reader)
  }

  /// Passes over a column.
  func skip(_ type: TypeID, rows: Int, depth: Int, _ reader: inout ByteReader) throws {
    var rest = rows
    while rest > 0 {
      let chunk = min(rest, maximumChunkRows)
      try reading(&reader) { try skipper.skip(type, count: chunk, depth: depth, from: &$0) }
      rest -= chunk
    }
  }

  /// Checks that the string pools are such as can be read.
  func checkPools() throws {
    guard var section = pools else { return }
    try verifier?.verify(section)
    for pool in try StringPoolSection(parsing: &section).pools {
      // One at a time.
      try located { try StringPoolReader(count: pool.count, reader: pool.reader).load(maximumLength: .max) }
    }
  }

  /// Reads at most 1,024 rows of a type without others inside.
  func scalars(_ type: TypeID, _ rows: Int, poolID: UInt64, _ reader: inout ByteReader) throws -> [ArchiveValue] {
    try located { try reading(&reader) { try values.scalars(type, rows, from: &$0, poolID: poolID) } }
  }

  private func located<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as LocatedError { throw error.error }
  }

  // MARK: Numbers

  func truths(_ rows: Int, _ reader: inout ByteReader) throws -> [UInt8] {
    try reading(&reader) { reader in
      // SAFETY: the decoder fills as many rows or throws.
      unsafe try ArchiveValueReader.filled(rows) { out throws(FormatError) in
        unsafe try BoolColumn.decode(count: rows, from: &reader, into: out)
      }
    }
  }

  private func integers(_ rows: Int, _ reader: inout ByteReader) throws -> [Int64] {
    try reading(&reader) { reader in
      // SAFETY: the decoder fills as many rows or throws.
      unsafe try ArchiveValueReader.filled(rows) { out throws(FormatError) in
        unsafe try IntegerColumn.decode(count: rows, from: &reader, into: out)
      }
    }
  }

  /// Reads the numbers of elements of rows.
  ///
  /// - Returns: For each row where its elements begin among all elements, and the number of these.
  func starts(_ rows: Int, _ reader: inout ByteReader) throws -> [Int] {
    let atCounts = reader
    var starts = [0]
    starts.reserveCapacity(rows + 1)
    var total = 0
    for count in try integers(rows, &reader) {
      guard let count = Int(exactly: count), count >= 0 else { throw atCounts.fail(.malformed, "a count is negative or too large") }
      let (sum, overflow) = total.addingReportingOverflow(count)
      guard !overflow else { throw atCounts.fail(.malformed, "a count is negative or too large") }
      total = sum
      starts.append(total)
    }
    try checkFit(total, reader)
    return starts
  }

  /// Each chunk of elements takes a byte at least.
  func checkFit(_ count: Int, _ reader: ByteReader) throws {
    guard count / maximumChunkRows <= reader.remaining else {
      throw reader.fail(.truncated, "the elements do not fit the bytes that are left")
    }
  }

  func indices(_ rows: Int, below limit: Int, _ reader: inout ByteReader) throws -> [Int] {
    let start = reader
    return try integers(rows, &reader).map { index in
      guard index >= 0 && index < Int64(limit) else { throw start.fail(.malformed, "the index \(index) is not below \(limit)") }
      return Int(index)
    }
  }
}
