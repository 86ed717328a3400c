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

/// The notices of the columns that are being read, and of those that have been.
///
/// One word, which is nil as long as everything fits. Bounded: what goes beyond is counted only, so that bytes which are all exceptions do not
/// fill the memory with words about them.
struct Notices {
  static let limit = 10_000

  /// What has got as far as a property of an object, or a value of a record.
  struct Reported {
    /// The object's number; nil at the root.
    let object: Int?
    let place: String
    let notice: Notice
  }

  private final class Storage {
    var pending: [Notice] = []
    var reported: [Reported] = []
    var dropped = 0
  }

  private var storage: Storage?

  mutating func add(_ notice: Notice) {
    let storage = storage ?? Storage()
    self.storage = storage
    if storage.pending.count + storage.reported.count < Self.limit { storage.pending.append(notice) } else { storage.dropped += 1 }
  }

  /// Whether there has never been one.
  var isUnused: Bool { storage == nil }

  /// In the order of reading.
  var reported: [Reported] { storage?.reported ?? [] }
  /// How many there were beyond the limit.
  var dropped: Int { storage?.dropped ?? 0 }

  /// How many there are; what comes later can be moved together.
  @inline(__always)
  var count: Int { storage?.pending.count ?? 0 }

  /// The last one about a row.
  func last(ofRow row: Int) -> Notice? { storage?.pending.last { $0.row == row } }

  /// Translates the rows of those that came since.
  mutating func move(since mark: Int, _ translate: (inout Notice) -> Void) {
    guard let storage else { return }
    for i in storage.pending.indices[mark...] { translate(&storage.pending[i]) }
  }

  /// Translates the rows of those that came since, which are elements of all rows in order, into the rows that they are elements of.
  ///
  /// - Parameters:
  ///   - counts: How many elements each of `rows` rows has.
  ///   - isNamed: The notices have the component of the element already.
  mutating func moveElements(since mark: Int, _ counts: UnsafePointer<Int64>, rows: Int, isNamed: Bool = false) {
    if count == mark { return }
    var starts: [Int] = []
    starts.reserveCapacity(rows)
    var next = 0
    // SAFETY: the caller hands over a count for each of the rows.
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
    if self.count == mark || count < 1 { return }
    move(since: mark) { $0.move(to: $0.row / count, below: "[\($0.row % count)]") }
  }

  /// Attributes all that are pending to rows of objects.
  /// - Parameters:
  ///   - object: The number of the object that a row belongs to; nil for the root.
  ///   - place: The way from the object.
  mutating func report(place: String, _ object: (Int) -> Int?) {
    guard let storage else { return }
    for notice in storage.pending {
      storage.reported.append(Reported(object: object(notice.row), place: place + notice.suffix, notice: notice))
    }
    storage.pending.removeAll()
  }
}
