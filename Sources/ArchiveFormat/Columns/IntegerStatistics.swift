/// What one pass over a chunk of integers tells about how to store it.
struct IntegerStatistics {
  /// The smallest value, counted from the first value around the circle of 64-bit numbers.
  ///
  /// Counting from the first value makes unsigned numbers on both sides of 2^63 neighbours.
  var base: Int64
  /// The distance from `base` to the farthest value.
  var range: UInt64
  var minimumDelta: Int64
  /// The distance between the smallest and the largest difference of neighbours.
  var deltaRange: UInt64
  /// The number of runs of equal values.
  var runs: Int

  /// Looks at `count` values, of which there must be one at least.
  @inline(__always) init<Value: ColumnInteger>(_ values: UnsafePointer<Value>, _ count: Int) {
    // SAFETY: indices stay below `count`, which is at least 1.
    let first = unsafe Int64(values[0])
    var low: Int64 = 0
    var high: Int64 = 0
    var lowDelta = Int64.max
    var highDelta = Int64.min
    var changes = 0
    var previous = first
    var i = 1
    // A column whose first values neither rise evenly nor repeat hardly ever does later: then only the range is of interest.
    let sampled = min(count, Self.sampleCount)
    var end = sampled
    while true {
      while i < end {
        let value = unsafe Int64(values[i])
        let distance = value &- first
        let delta = value &- previous
        low = min(low, distance)
        high = max(high, distance)
        lowDelta = min(lowDelta, delta)
        highDelta = max(highDelta, delta)
        changes &+= delta == 0 ? 0 : 1
        previous = value
        i &+= 1
      }
      if end == count { break }
      let width = BitPacking.width(of: UInt64(bitPattern: high &- low))
      let deltaWidth = BitPacking.width(of: UInt64(bitPattern: highDelta &- lowDelta))
      let isMonotonic = lowDelta >= 0 || highDelta <= 0
      if !isMonotonic && deltaWidth &* 8 > width &* 7 && (changes &+ 1) &* 3 > sampled {
        let seemsSmall = first &+ low >= 0 && first &+ high < 1 << 15
        let rest = unsafe IntegerRange.of(values + i, count &- i, from: Value(truncatingIfNeeded: first), seemsSmall: seemsSmall)
        low = min(low, rest.low)
        high = max(high, rest.high)
        (lowDelta, highDelta, changes) = (.min, .max, count)
        break
      }
      end = count
    }
    base = first &+ low
    range = UInt64(bitPattern: high &- low)
    minimumDelta = count > 1 ? lowDelta : 0
    deltaRange = count > 1 ? UInt64(bitPattern: highDelta &- lowDelta) : 0
    runs = changes &+ 1
  }

  private static let sampleCount = 64
}

/// How the payload of an integer chunk is stored: its encoding byte.
package enum IntegerEncoding: UInt8 {
  /// One zigzag varint: the value of all rows.
  case constant = 0
  /// A zigzag varint, the base, and one byte per row to add to it.
  case offset8 = 1
  /// A zigzag varint, the base, and two bytes per row to add to it.
  case offset16 = 2
  /// A zigzag varint, the base, and four bytes per row to add to it.
  case offset32 = 3
  /// Eight bytes per row.
  case raw = 4
  /// A zigzag varint, the base, a byte with a width of 1...57, and that many bits per row to add to the base.
  case packed = 5
  /// Two zigzag varints, the first value and the smallest difference, a byte with a width of 0...57, and for each further
  /// row that many bits: what its difference exceeds the smallest by.
  case delta = 6
  /// A varint, the number of runs, and for each run its length as a varint and its value as a zigzag varint.
  case runs = 7

  /// Picks the encoding for `values`.
  ///
  /// The smallest wins, but whole bytes decode faster than packed bits, so anything else has to save 15 % of their size.
  @inline(__always)
  static func choose<Value: ColumnInteger>(_ values: UnsafePointer<Value>, _ count: Int, _ s: IntegerStatistics) -> IntegerEncoding {
    if s.range == 0 { return .constant }
    let width = BitPacking.width(of: s.range)
    let baseLength = varintLength(zigzagEncoded(s.base))
    var best: IntegerEncoding
    var size: Int
    switch width {
    case ...8: (best, size) = (.offset8, baseLength &+ count)
    case ...16: (best, size) = (.offset16, baseLength &+ count &* 2)
    case ...32: (best, size) = (.offset32, baseLength &+ count &* 4)
    default: (best, size) = (.raw, count &* 8)
    }
    // What has to be undercut: 85 % of the whole bytes, then whatever did.
    var limit = size &* 85 / 100
    if width <= BitPacking.maximumPackedWidth {
      size = baseLength &+ 1 &+ BitPacking.byteCount(count, width: width)
      if size <= limit { (best, limit) = (.packed, size &- 1) }
    }
    let deltaWidth = BitPacking.width(of: s.deltaRange)
    if deltaWidth <= BitPacking.maximumPackedWidth {
      size = unsafe varintLength(zigzagEncoded(Int64(values[0]))) &+ varintLength(zigzagEncoded(s.minimumDelta)) &+ 1
      size &+= BitPacking.byteCount(count &- 1, width: deltaWidth)
      if size <= limit { (best, limit) = (.delta, size &- 1) }
    }
    // Shorter runs hardly ever win, and finding out what they take costs more than everything else here.
    if s.runs &* 3 <= count {
      size = unsafe runsSize(values, count, s.runs, limit: limit)
      if size <= limit { best = .runs }
    }
    return best
  }

  /// The exact size of the run-length payload, or any number above `limit`.
  private static func runsSize<Value: ColumnInteger>(_ values: UnsafePointer<Value>, _ count: Int, _ runs: Int, limit: Int) -> Int {
    var size = varintLength(UInt64(truncatingIfNeeded: runs))
    var start = 0
    while start < count && size <= limit {
      let value = unsafe values[start]
      var end = start &+ 1
      while unsafe end < count && values[end] == value { end &+= 1 }
      size &+= varintLength(UInt64(truncatingIfNeeded: end &- start)) &+ varintLength(zigzagEncoded(Int64(value)))
      start = end
    }
    return size
  }
}
