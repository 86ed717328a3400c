import ArchiveFormat
import ArchiveReflection

/// A reader that may have nothing for single rows: a case that is unknown, a value that cannot be converted, an object that is not made.
///
/// Where a row holds a value already, it keeps it. Uninitialised rows get the fallback; without one they are an error. Collections ask for
/// the rows themselves and leave out those that have nothing.
@safe
class PartialReader: ColumnReader, @unchecked Sendable {
  /// Initialises a row that has nothing; nil if there is no value for that.
  @unsafe var fallback: ((UnsafeMutableRawPointer) -> Void)?

  /// Whether rows that hold a value already keep it where the archive has none for them. A reference that has to be there does not.
  var keepsValues: Bool { true }

  /// Whether an Optional around such a row becomes nil.
  var becomesNil: Bool { false }

  /// Reads one column into uninitialised rows: initialises those whose flag it sets to 1, or throws and leaves none initialised. It adds a
  /// notice for every other row. All flags are 0 before.
  func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    preconditionFailure("every partial reader reads")
  }

  /// Why a row without a value is an error where nothing can stand in its place.
  func absence(row: Int, _ d: inout DecodingState) -> LocatedError {
    LocatedError(
      .missingValue, row: row, offset: d.reader.offset, "nothing in the archive can become the \(codec.type) here, which has no default")
  }

  final override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    if rows.count == 0 { return unsafe try readPartially(rows, flags(1, &d), &d) }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: one flag per row; rows with a flag of 1 hold a value, the others do not.
    let present = unsafe flags(rows.count, &d)
    unsafe try readPartially(rows, present, &d)
    guard let row = (0..<rows.count).first(where: { unsafe present[$0] == 0 }) else { return }
    if let fallback = unsafe fallback {
      unsafe rows.visit { i, p in if unsafe present[i] == 0 { unsafe fallback(p) } }
      return
    }
    unsafe destroy(rows, present, &d)
    throw absence(row: row, &d)
  }

  final override func assignColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    if rows.count == 0 { return unsafe try readPartially(rows, flags(1, &d), &d) }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let witnesses = codec.witnesses
    // SAFETY: one flag per row, and temporary rows as large and as aligned as the type asks; those with a flag of 1 are moved out.
    let present = unsafe flags(rows.count, &d)
    let memory = unsafe d.scratch.bytes(rows.count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
    let values = unsafe Rows(base: memory, stride: witnesses.stride, count: rows.count)
    unsafe try readPartially(values, present, &d)
    if !keepsValues, let row = (0..<rows.count).first(where: { unsafe present[$0] == 0 }) {
      unsafe destroy(values, present, &d)
      throw absence(row: row, &d)
    }
    // As in `ColumnReader`.
    if codec.traits.hasReferences { d.objects.holdAll() }
    unsafe rows.visit { i, p in if unsafe present[i] != 0 { unsafe witnesses.assignWithTake(p, values[i]) } }
  }

  private func flags(_ count: Int, _ d: inout DecodingState) -> UnsafeMutablePointer<UInt8> {
    let present = unsafe d.scratch.allocate(UInt8.self, count)
    unsafe present.initialize(repeating: 0, count: count)
    return unsafe present
  }

  /// Destroys the rows that hold a value.
  final func destroy(_ rows: Rows, _ present: UnsafePointer<UInt8>, _ d: inout DecodingState) {
    d.objects.holdAll()  // Before what was read is given up.
    if codec.witnesses.isTrivial { return }
    // SAFETY: rows with a flag of 1 hold a value of this codec's type.
    unsafe rows.visit { i, p in if unsafe present[i] != 0 { unsafe codec.witnesses.destroy(p) } }
  }
}
