/// Something about single values that was read in another way than it was written, on its way from a column to the report.
///
/// Like a `LocatedError` it begins with the row of a column; containers translate the row and put their own component in front.
struct Notice: Sendable {
  enum Kind: Sendable {
    /// A value was altered: lenient decoding made something of it.
    case altered
    /// A value could not be used, and the default stands in its place.
    case keptDefault
    /// A case of an enum that this program does not have.
    case unknownCase
    /// An object of an unknown class was left out.
    case leftOut
    /// An object of an unknown class is kept as an `UnknownObject`.
    case keptUnknown
  }

  let kind: Kind
  let message: String
  private(set) var row: Int
  private(set) var suffix = ""

  init(_ kind: Kind, row: Int, _ message: String) {
    self.kind = kind
    self.row = row
    self.message = message
  }

  /// The same for the row `row` of the enclosing column, below `component`.
  mutating func move(to row: Int, below component: String) {
    self.row = row
    suffix = component + suffix
  }
}

/// The notices of a column that is being read.
///
/// Bounded: what goes beyond is counted only, so that bytes which are all exceptions do not fill the memory with words about them.
struct Notices {
  static let limit = 10_000

  private(set) var all: [Notice] = []
  private(set) var dropped = 0

  mutating func add(_ notice: Notice) {
    if all.count < Self.limit { all.append(notice) } else { dropped += 1 }
  }

  /// How many there are; what comes later can be moved together.
  var count: Int { all.count }

  /// Translates the rows of those that came since.
  mutating func move(since mark: Int, _ translate: (inout Notice) -> Void) {
    for i in all.indices[mark...] { translate(&all[i]) }
  }

  /// Translates the rows of those that came since, which are elements of all rows in order, into the rows that they are elements of.
  ///
  /// - Parameters:
  ///   - counts: How many elements each of `rows` rows has.
  ///   - isNamed: The notices have the component of the element already.
  mutating func moveElements(since mark: Int, _ counts: UnsafePointer<Int64>, rows: Int, isNamed: Bool = false) {
    if all.count == mark { return }
    var starts: [Int] = []
    starts.reserveCapacity(rows)
    var next = 0
    for row in 0..<rows {
      starts.append(next)
      next &+= Int(unsafe counts[row])
    }
    move(since: mark) { notice in
      // The last row that begins at or in front of the element, and has elements.
      var (low, high) = (0, rows)
      while low + 1 < high {
        let middle = (low + high) / 2
        if starts[middle] <= notice.row { low = middle } else { high = middle }
      }
      notice.move(to: low, below: isNamed ? "" : "[\(notice.row - (low < rows ? starts[low] : 0))]")
    }
  }

  /// The same for rows that have `count` elements each.
  mutating func moveElements(since mark: Int, each count: Int) {
    if all.count == mark || count < 1 { return }
    move(since: mark) { $0.move(to: $0.row / count, below: "[\($0.row % count)]") }
  }

  /// Takes all that came since, when they have got as far as the property of an object.
  mutating func take(since mark: Int) -> [Notice] {
    let taken = Array(all[mark...])
    all.removeSubrange(mark...)
    return taken
  }
}
