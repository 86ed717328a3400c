import ArchiveFormat
import ArchiveReflection

/// Counts keys that are not equal to themselves.
///
/// NaN is one: all of them have the same hash, and none is found again, so that a table of n of them takes n² steps to fill. A few are all that
/// an honest collection has.
struct OddKeys<Key: Hashable> {
  private let isPossible: Bool
  private var count = 0

  /// - Parameter isPossible: Whether keys of this type are worth a look; see `isPossible`.
  @inline(__always)
  init(_ isPossible: Bool) { self.isPossible = isPossible }

  /// Whether there may be such keys. Those of most dictionaries and sets are known to be equal to themselves.
  static var isPossible: Bool {
    !(Key.self == String.self || Key.self == Int.self || Key.self is any BinaryInteger.Type || Key.self is AnyClass)
  }

  /// How many one dictionary or set may have.
  static var maximum: Int { 64 }

  /// Whether there are too many with this one.
  @inline(__always)
  mutating func isTooMany(_ key: Key) -> Bool { isPossible && exceeds(key) }

  /// Throws if a reader would refuse a set or a dictionary with these keys.
  ///
  /// - Parameter row: Where it stands.
  static func check(_ keys: some Sequence<Key>, _ what: String, row: Int) throws {
    var odd = OddKeys(true)
    for key in keys where odd.exceeds(key) {
      throw LocatedError(.limitExceeded, row: row, "more than \(maximum) \(what) are not equal to themselves, like NaN")
    }
  }

  private mutating func exceeds(_ key: Key) -> Bool {
    if key == key { return false }
    count &+= 1
    return count > Self.maximum
  }
}

extension DecodingState {
  mutating func tooManyOddKeys(_ what: String, row: Int) -> LocatedError {
    objects.holdAll()
    return LocatedError(
      .limitExceeded, row: row, offset: reader.offset, "more than \(OddKeys<Int>.maximum) \(what) are not equal to themselves, like NaN")
  }
}

/// What it costs to hash strings that stand in an archive once and are keys many times.
///
/// Each use of a long key takes time in proportion to its length, whether it is a new string or not, so it counts towards what the archive
/// becomes. The writer reckons the same.
enum KeyText {
  /// Up to this many bytes a key counts as nothing beyond its place in the table.
  static let freeLength = 15

  static func cost(_ text: String) -> Int {
    let length = text.utf8.count
    return length > freeLength ? length : 0
  }
}

extension EncodingState {
  /// Encodes keys of dictionaries, or elements of sets.
  @inline(__always)
  mutating func encodeKeys(_ rows: Rows, as codec: ValueCodec) throws {
    keyDepth &+= 1
    defer { keyDepth &-= 1 }
    try codec.encode(rows, &self)
  }

  /// Counts what pooled strings cost their reader, if they are keys.
  mutating func reckonKeys(_ rows: Rows) {
    if keyDepth == 0 { return }
    // SAFETY: every row holds a String.
    unsafe rows.visit { _, p in decodedByteCount &+= KeyText.cost(unsafe p.assumingMemoryBound(to: String.self).pointee) }
  }
}

extension DecodingState {
  /// Reads keys of dictionaries.
  @inline(__always)
  mutating func readKeys(_ rows: Rows, by reader: ColumnReader) throws {
    keyDepth &+= 1
    defer { keyDepth &-= 1 }
    try reader.read(rows, &self)
  }
}
