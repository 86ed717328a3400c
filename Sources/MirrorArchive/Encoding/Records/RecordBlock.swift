import ArchiveFormat
import ArchiveReflection

/// What the hand-coded objects of one block have handed over so far: the future contents of a record column.
final class RecordBlock {
  /// Nil for the values at the top level.
  let recording: ClassRecording?
  /// The bodies one after another, without what is deferred. While they are being added to, the archive's own bytes are here and these
  /// are where columns go.
  var bytes = ByteWriter(capacity: 128)
  private(set) var shapes: [Int64] = []
  private(set) var lengths: [Int64] = []
  var deferred: [DeferredValue] = []
  private var isEncoded = false
  private var bodiesStart = 0

  init(_ recording: ClassRecording?) { self.recording = recording }

  /// Ends a row whose body takes `length` bytes.
  func endRow(shape: TypeID, length: Int) {
    shapes.append(Int64(shape.rawValue))
    lengths.append(Int64(length))
  }

  var rowCount: Int { lengths.count }
  var byteCount: Int { bytes.count }

  /// Appends the column of all rows. Deferred values are known by now.
  ///
  /// The bodies are kept only there from now on.
  func encode(_ e: inout EncodingState) throws {
    if !deferred.isEmpty { try splice(&e) }
    RecordColumnWriter.append(shapes: shapes, lengths: lengths, bytes: bytes, to: &e.writer)
    isEncoded = true
    bytes = ByteWriter()
  }

  /// Tells where the column that has just been written ends in the archive's own bytes.
  func noteEnd(_ end: Int) { bodiesStart = end - Int(lengths.reduce(0, +)) }

  /// Puts everything that was deferred in its place.
  func splice(_ e: inout EncodingState) throws {
    let (lengths, spliced) = try spliced(&e)
    self.lengths = lengths
    swap(&bytes, &spliced.bytes)
    deferred = []
  }

  /// Finds where these records refer to an object.
  ///
  /// - Parameter archive: The archive's own bytes.
  func find(_ object: Int, _ types: TypeTable, archive: UnsafeRawBufferPointer) -> (row: Int, place: String)? {
    let search = ReferenceSearch(for: object, in: types)
    let gaps = Set(deferred.map(\.row))
    // SAFETY: the bodies follow one another from the start on.
    let bodies = unsafe isEncoded ? UnsafeRawBufferPointer(rebasing: archive[bodiesStart...]) : bytes.bytes
    var start = 0
    for row in shapes.indices {
      let end = start + Int(lengths[row])
      guard end <= bodies.count else { return nil }
      if gaps.contains(row) {
        // Nobody can tell where a value begins behind one that is missing.
      } else if case .tuple(let members)? = types[TypeID(UInt32(truncatingIfNeeded: shapes[row]))] {
        let body = unsafe UnsafeRawBufferPointer(rebasing: bodies[start..<end])
        if let place = unsafe Self.find(search, members, body) { return (row, place) }
      }
      start = end
    }
    return nil
  }

  private static func find(_ search: ReferenceSearch, _ members: [Property], _ body: UnsafeRawBufferPointer) -> String? {
    var reader = unsafe ByteReader(body)
    for member in members {
      guard let found = try? search.find(member.type, count: 1, in: &reader) else { continue }
      return "." + member.key + found.place
    }
    return nil
  }
}
