import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a column of one scalar type into values of another, as long as each one stays the same number.
///
/// The column is read as what it is, all of it; then one loop makes numbers of the values and another one values of the numbers.
final class ConvertingReader: ColumnReader, @unchecked Sendable {
  private let stored: ColumnReader
  private let source: any ExactScalar.Type
  private let target: any ExactScalar.Type
  private let storedName: String

  /// Nil if values of the archived type `id` are never converted to the codec's type.
  init?(from id: TypeID, to codec: ScalarCodec, _ binder: Binder) throws {
    guard let source = Self.types[id], let target = Self.types[codec.scalar], source.family.converts(to: target.family),
      let stored = try PlanRegistry.shared.codec(for: source) as? ScalarCodec
    else { return nil }
    self.stored = id == .pooledString ? PooledStringReader(stored) : stored.reader()
    self.source = source
    self.target = target
    storedName = binder.types.describe(id)
    super.init(codec)
  }

  /// The scalars that are converted, by the type they have in memory.
  private static let types: [TypeID: any ExactScalar.Type] = {
    var types: [TypeID: any ExactScalar.Type] = [
      .bool: Bool.self, .int: Int.self, .int8: Int8.self, .int16: Int16.self, .int32: Int32.self, .int64: Int64.self, .int128: Int128.self,
      .uint: UInt.self, .uint8: UInt8.self, .uint16: UInt16.self, .uint32: UInt32.self, .uint64: UInt64.self, .uint128: UInt128.self,
      .double: Double.self, .float: Float.self, .cgFloat: Double.self, .decimal: Decimal.self, .string: String.self,
      .pooledString: String.self,
    ]
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      types[.float16] = Float16.self
    #endif
    return types
  }()

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
    if let row = unsafe source.export(memory, count: rows.count, into: numbers) ?? target.store(numbers, in: rows) {
      func show<Value: ExactScalar>(_: Value.Type) -> String { unsafe values[row].assumingMemoryBound(to: Value.self).pointee.shown }
      throw d.invalid("the archive holds the \(storedName) \(show(source)), which is not exactly a value of \(codec.type)", row: row)
    }
  }
}
