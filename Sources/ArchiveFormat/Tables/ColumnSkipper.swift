/// Passes over columns by their type alone.
///
/// A reader that has no use for a property needs to know where it ends, and a reader that is about to trust an archive can
/// check the structure of every column before any object exists.
package struct ColumnSkipper {
  private let types: TypeTable

  package init(types: TypeTable) { self.types = types }

  /// Passes over the values of `count` rows.
  ///
  /// More than 1,024 rows are chunks of 1,024, each with all columns of the type, and a shorter last one. Records are passed over by their
  /// lengths: what is in them is not looked at.
  ///
  /// - Parameter depth: how many types these values are nested in.
  /// - Throws: `truncated`, `malformed`, or `limitExceeded` beyond 1,600 types in types: three for each of the 512 levels that
  ///   an archiver nests values, as in an array of an enum of tuples.
  /// - Complexity: O(bytes) steps of at most 1,024 rows each.
  package func skip(_ type: TypeID, count: Int, depth: Int = 0, from r: inout ByteReader) throws(FormatError) {
    // Most properties are of such a type, and a walk has much to carry along.
    if type.isLeaf, 1...maximumChunkRows ~= count, depth <= ColumnWalk.maximumDepth {
      return try ColumnWalk.passScalar(type, count, &r)
    }
    var walk = ColumnWalk(types: types, looksAtReferences: false)
    unsafe try walk.run(type, count, depth, &r) { _ in }
  }

  /// Passes over the values of `count` rows and hands every object number in them to `body`, in the order of the bytes and in chunks of up
  /// to 1,024.
  ///
  /// These are the columns of references and of classes, in whatever the values hold them, records included. Whether objects of these numbers
  /// exist is not checked.
  ///
  /// - Parameters:
  ///   - depth: how many types these values are nested in.
  ///   - body: gets numbers that are valid until it returns. What it throws ends the visit.
  /// - Throws: as `skip` does, and also for what is wrong inside of records.
  /// - Complexity: O(bytes) steps of at most 1,024 rows each.
  package func visitReferences(
    _ type: TypeID, count: Int, depth: Int = 0, from r: inout ByteReader,
    _ body: (UnsafeBufferPointer<Int64>) throws(FormatError) -> Void
  ) throws(FormatError) {
    var walk = ColumnWalk(types: types, looksAtReferences: true)
    unsafe try walk.run(type, count, depth, &r, body)
  }
}
