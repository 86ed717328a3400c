import ArchiveFormat
import ArchiveReflection

/// Which rows of a column hold a value.
@safe
struct Presence {
  /// One for each row.
  let flags: UnsafeMutablePointer<UInt8>
  /// How many hold one.
  let count: Int

  /// An error of the `error.row`-th value that is there, for the row it is in.
  func moved(_ error: LocatedError, below component: String = "", rows: Int) -> LocatedError {
    let moved = unsafe error.moved(toRowAmong: flags, count: rows)
    return moved.moved(to: moved.row, below: component)
  }

  /// The same for notices.
  func moveNotices(since mark: Int, below component: String = "", rows: Int, _ d: inout DecodingState) {
    if d.notices.count == mark { return }
    var places: [Int] = []
    for i in 0..<rows where unsafe flags[i] != 0 { places.append(i) }
    d.notices.move(since: mark) { $0.move(to: places.indices.contains($0.row) ? places[$0.row] : 0, below: component) }
  }
}

extension DecodingState {
  /// Reads which rows hold a value; all of them do where that is not stored.
  mutating func presence(_ rowCount: Int, isStored: Bool) throws -> Presence {
    // SAFETY: one flag per row.
    let flags = unsafe scratch.allocate(UInt8.self, rowCount)
    if !isStored {
      unsafe flags.initialize(repeating: 1, count: rowCount)
      return unsafe Presence(flags: flags, count: rowCount)
    }
    unsafe try BoolColumn.decode(count: rowCount, from: &reader, into: flags)
    var count = 0
    for i in 0..<rowCount { count += Int(unsafe flags[i]) }
    return unsafe Presence(flags: flags, count: count)
  }
}

extension ColumnReader {
  /// Reads a column into uninitialised rows, some of which may get nothing: their flag is 0 then, and 1 for all others.
  final func readWherePossible(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    // SAFETY: there is a flag for every row.
    if let partial = self as? PartialReader {
      unsafe present.initialize(repeating: 0, count: rows.count)
      return unsafe try partial.readPartially(rows, present, &d)
    }
    try read(rows, &d)
    unsafe present.initialize(repeating: 1, count: rows.count)
  }
}
