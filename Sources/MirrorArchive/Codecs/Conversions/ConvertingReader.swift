import ArchiveFormat
import ArchiveReflection

/// Reads a column of one scalar type into values of another, as long as each one stays the same number.
///
/// The column is read as what it is, all of it; then one loop makes numbers of the values and another one values of the numbers.
final class ConvertingReader: ColumnReader, @unchecked Sendable {
  private let stored: ColumnReader
  private let source: any ExactScalar.Type
  private let target: any ExactScalar.Type
  private let storedName: String
  private let zero: Double

  /// Nil if values of the archived type `id` are never converted to the codec's type.
  init?(from id: TypeID, to codec: ScalarCodec, _ binder: Binder) throws {
    guard let source = ScalarTypes.all[id], let target = ScalarTypes.all[codec.scalar], source.family.converts(to: target.family),
      let stored = try PlanRegistry.shared.codec(for: source) as? ScalarCodec
    else { return nil }
    self.stored = id == .pooledString ? PooledStringReader(stored) : stored.reader()
    self.source = source
    self.target = target
    storedName = binder.types.describe(id)
    zero = 0
    super.init(codec)
  }

  /// Reads dates as numbers of seconds; nil if the codec's type is no number.
  ///
  /// - Parameter zero: From when on the seconds count, in seconds since the beginning of 2001.
  init?(fromDatesTo codec: ScalarCodec, zero: Double) throws {
    guard let target = ScalarTypes.all[codec.scalar], ExactFamily.floating.converts(to: target.family), target.family != .text,
      let stored = try PlanRegistry.shared.codec(for: Double.self) as? ScalarCodec
    else { return nil }
    self.stored = stored.reader()
    source = Double.self
    self.target = target
    storedName = "Date"
    self.zero = zero
    super.init(codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    if rows.count == 0 { return }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: room for every row's stored value and its number; the values are destroyed before their memory is given back.
    let witnesses = stored.codec.witnesses
    let memory = unsafe d.scratch.bytes(rows.count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
    let values = unsafe Rows(base: memory, stride: witnesses.stride, count: rows.count)
    let numbers = unsafe d.scratch.allocate(ExactNumber.self, rows.count)
    try stored.read(values, &d)
    defer { stored.codec.destroy(values) }
    // SAFETY: what is shifted are Doubles.
    if zero != 0 { unsafe values.visit { _, p in unsafe p.storeBytes(of: p.load(as: Double.self) - zero, as: Double.self) } }
    if let row = unsafe source.export(memory, count: rows.count, into: numbers) ?? target.store(numbers, in: rows) {
      func show<Value: ExactScalar>(_: Value.Type) -> String { unsafe values[row].assumingMemoryBound(to: Value.self).pointee.shown }
      throw d.invalid("the archive holds the \(storedName) \(show(source)), which is not exactly a value of \(codec.type)", row: row)
    }
  }
}
