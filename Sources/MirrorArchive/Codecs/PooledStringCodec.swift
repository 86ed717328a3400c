import ArchiveFormat
import ArchiveReflection

/// Strings of records that repeat: each is a place in the string pool of the records.
///
/// Used for one value at a time, where the columns of properties look at many rows to find out whether a pool is worth it.
final class PooledStringCodec: ValueCodec, @unchecked Sendable {
  static let shared = PooledStringCodec(String.self)

  /// The same for `String?`.
  static let optional: OptionalCodec = {
    let codec = OptionalCodec(String?.self)
    codec.resolve(shared)
    return codec
  }()

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID { .pooledString }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    for i in 0..<rows.count {
      // SAFETY: every row holds a String.
      let place = unsafe e.pools.current().pointee.place(of: rows[i].assumingMemoryBound(to: String.self))
      e.writer.appendZigzag(Int64(place))
    }
  }
}

/// Reads strings of records by their places in the pool.
final class PooledStringReader: ColumnReader, @unchecked Sendable {
  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    for i in 0..<rows.count {
      do {
        let string = try d.pooledString()
        // SAFETY: every row is uninitialised room for a String; a failure takes back those already made.
        unsafe rows[i].initializeMemory(as: String.self, to: string)
      } catch {
        codec.destroy(rows.slice(0, i))
        throw error
      }
    }
  }
}

/// Finds out whether the strings of one key repeat, from the first ones.
final class StringTrial {
  /// Made for the first string that is looked at: that is the second one of its key.
  private var pool: StringPool?
  private var count = 0
  private var limit = 64
  /// From this many on it is not asked any more.
  private static let largest = 1_024

  /// What is known after one more string.
  enum Verdict { case undecided, repeats, doesNotRepeat }

  func look(at string: UnsafeMutablePointer<String>) -> Verdict {
    if pool == nil { pool = StringPool() }
    _ = unsafe pool?.place(of: string)
    count += 1
    if count < limit { return .undecided }
    if (pool?.entries.count ?? 0) <= count - count / 4 { return .repeats }
    limit *= 4
    return limit > Self.largest ? .doesNotRepeat : .undecided
  }
}
