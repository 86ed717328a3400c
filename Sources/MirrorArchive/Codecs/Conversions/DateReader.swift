import ArchiveFormat

/// Reads numbers of seconds into dates.
final class DateReader: ColumnReader, @unchecked Sendable {
  private let seconds: ColumnReader
  private let zero: Double

  /// - Parameter zero: From when on the seconds count, in seconds since the beginning of 2001.
  init(_ codec: ValueCodec, _ seconds: ColumnReader, zero: Double) {
    self.seconds = seconds
    self.zero = zero
    super.init(codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    // SAFETY: a Date is the Double of its seconds, which was checked when its codec was made; both are trivial.
    try seconds.read(rows, &d)
    if zero == 0 { return }
    unsafe rows.visit { _, p in unsafe p.storeBytes(of: p.load(as: Double.self) + zero, as: Double.self) }
  }
}
