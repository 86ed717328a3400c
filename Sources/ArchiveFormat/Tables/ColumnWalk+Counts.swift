/// The counts and indices that say how many rows the columns inside have.
extension ColumnWalk {
  /// Reads the counts of `count` rows and adds them up.
  func readTotal(_ count: Int, _ r: inout ByteReader) throws(FormatError) -> Int {
    let start = r
    let total = unsafe try withUnsafeTemporaryAllocation(of: Int64.self, capacity: count) { buffer throws(FormatError) -> Int64 in
      guard let counts = buffer.baseAddress else { return 0 }
      unsafe try IntegerColumn.decode(count: count, from: &r, into: counts)
      var total: Int64 = 0
      for i in 0..<count {
        let each = unsafe counts[i]
        guard each >= 0 else { throw start.fail(.malformed, "a count is negative") }
        let (sum, overflow) = total.addingReportingOverflow(each)
        guard !overflow else { throw tooMany(start) }
        total = sum
      }
      return total
    }
    // Each chunk of 1,024 takes a byte at least.
    guard total / Int64(maximumChunkRows) <= Int64(r.remaining), let total = Int(exactly: total) else { throw tooMany(start) }
    return total
  }

  /// Reads `count` indices below `limit` and returns those that occur, in ascending order, with the number of their rows.
  ///
  /// Costs O(rows) and not O(limit): the number of cases of an enumeration comes from the archive too.
  func readHistogram(
    _ count: Int, below limit: Int, _ r: inout ByteReader
  ) throws(FormatError) -> [(index: Int, rows: Int)] {
    let start = r
    return unsafe try withUnsafeTemporaryAllocation(
      of: Int64.self, capacity: count
    ) { buffer throws(FormatError) -> [(index: Int, rows: Int)] in
      guard let indices = buffer.baseAddress else { return [] }
      unsafe try IntegerColumn.decode(count: count, from: &r, into: indices)
      var ascending = true
      var previous: Int64 = 0
      for i in 0..<count {
        let index = unsafe indices[i]
        guard index >= 0 && index < Int64(limit) else { throw start.fail(.malformed, "the index \(index) is not below \(limit)") }
        ascending = ascending && index >= previous
        previous = index
      }
      var rows = unsafe UnsafeMutableBufferPointer(start: indices, count: count)
      if !ascending {
        if limit <= count { return unsafe Self.counted(rows, limit) }
        unsafe rows.sort()
      }
      var result: [(index: Int, rows: Int)] = []
      var first = 0
      while first < count {
        let index = unsafe rows[first]
        var end = first + 1
        while unsafe end < count && rows[end] == index { end += 1 }
        result.append((index: Int(index), rows: end - first))
        first = end
      }
      return result
    }
  }

  private static func counted(_ rows: UnsafeMutableBufferPointer<Int64>, _ limit: Int) -> [(index: Int, rows: Int)] {
    var counts = [Int](repeating: 0, count: limit)
    for i in 0..<rows.count { unsafe counts[Int(rows[i])] += 1 }
    return counts.enumerated().compactMap { $1 > 0 ? (index: $0, rows: $1) : nil }
  }
}
