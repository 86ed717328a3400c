import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A codec whose type is one of the format's scalars. It is archived as that scalar, and read from others where numbers can be converted.
class ScalarCodec: ValueCodec, @unchecked Sendable {
  let scalar: TypeID

  init(_ type: Any.Type, _ scalar: TypeID) {
    self.scalar = scalar
    super.init(type)
  }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID { scalar }

  final override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    if id == scalar { return reader() }
    // The same bits under two names.
    if (id == .double && scalar == .cgFloat) || (id == .cgFloat && scalar == .double) { return reader() }
    if scalar == .string, let reader = textReader(id) { return reader }
    guard let converting = try ConvertingReader(from: id, to: self, binder) else { throw binder.mismatch(id, type) }
    return converting
  }

  /// A reader for what is archived as text; nil for other types.
  final func textReader(_ id: TypeID) -> ColumnReader? {
    switch id {
    case .string, .character, .substring: reader()
    case .pooledString: PooledStringReader(self)
    default: nil
    }
  }

  // Strings and bytes override this; all other scalars are trivial, and zero is one of their values.
  override var hasBlank: Bool { witnesses.isTrivial }
  override func initializeBlank(_ p: UnsafeMutableRawPointer) {
    // SAFETY: the caller hands over uninitialised memory of this type.
    unsafe p.initializeMemory(as: UInt8.self, repeating: 0, count: witnesses.size)
  }

  /// A reader for the one archived form.
  func reader() -> ColumnReader { preconditionFailure("every scalar codec makes readers") }
}

/// Integers of up to 64 bits: gathered into 64-bit rows, whatever their width in memory.
final class IntegerCodec: ScalarCodec, @unchecked Sendable {
  enum Width { case int8, int16, int32, int64, uint8, uint16, uint32, uint64, unicodeScalar }
  let width: Width

  init(_ type: Any.Type, _ scalar: TypeID, _ width: Width) {
    self.width = width
    super.init(type, scalar)
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: `values` has room for every row; each case reads rows of exactly its own type.
    let values = unsafe e.scratch.allocate(Int64.self, rows.count)
    switch width {
    case .int8: unsafe rows.gather(Int8.self, into: values) { Int64($0) }
    case .int16: unsafe rows.gather(Int16.self, into: values) { Int64($0) }
    case .int32: unsafe rows.gather(Int32.self, into: values) { Int64($0) }
    case .int64: unsafe rows.gather(Int64.self, into: values) { $0 }
    case .uint8: unsafe rows.gather(UInt8.self, into: values) { Int64($0) }
    case .uint16: unsafe rows.gather(UInt16.self, into: values) { Int64($0) }
    case .uint32, .unicodeScalar: unsafe rows.gather(UInt32.self, into: values) { Int64($0) }
    case .uint64: unsafe rows.gather(UInt64.self, into: values) { Int64(bitPattern: $0) }
    }
    unsafe IntegerColumn.encode(UnsafeBufferPointer(start: values, count: rows.count), into: &e.writer)
  }

  override func reader() -> ColumnReader { IntegerReader(self) }
}

private final class IntegerReader: ColumnReader, @unchecked Sendable {
  let width: IntegerCodec.Width

  init(_ codec: IntegerCodec) {
    width = codec.width
    super.init(codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: `values` has room for every row, and each row for the type of its case; integers are trivial.
    if width == .int64, let target = unsafe rows.contiguous(stride: 8) {
      return unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: target.assumingMemoryBound(to: Int64.self))
    }
    let values = unsafe d.scratch.allocate(Int64.self, rows.count)
    unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: values)
    switch width {
    case .int8: unsafe try Self.scatter(values, rows, &d, as: Int8.self)
    case .int16: unsafe try Self.scatter(values, rows, &d, as: Int16.self)
    case .int32: unsafe try Self.scatter(values, rows, &d, as: Int32.self)
    case .int64: unsafe rows.visit { i, p in unsafe p.storeBytes(of: values[i], as: Int64.self) }
    case .uint8: unsafe try Self.scatter(values, rows, &d, as: UInt8.self)
    case .uint16: unsafe try Self.scatter(values, rows, &d, as: UInt16.self)
    case .uint32: unsafe try Self.scatter(values, rows, &d, as: UInt32.self)
    case .uint64: unsafe rows.visit { i, p in unsafe p.storeBytes(of: values[i], as: Int64.self) }
    case .unicodeScalar:
      for i in 0..<rows.count {
        let value = unsafe values[i]
        guard let bits = UInt32(exactly: value), Unicode.Scalar(bits) != nil else {
          throw d.invalid("\(value) is not a Unicode scalar value", row: i)
        }
      }
      unsafe rows.visit { i, p in unsafe p.storeBytes(of: UInt32(truncatingIfNeeded: values[i]), as: UInt32.self) }
    }
  }

  /// Checks that every value fits before the first one is stored.
  @inline(__always)
  private static func scatter<T: FixedWidthInteger & BitwiseCopyable>(
    _ values: UnsafePointer<Int64>, _ rows: Rows, _ d: inout DecodingState, as: T.Type
  ) throws {
    var bad = false
    for i in 0..<rows.count { unsafe bad = bad != (Int64(truncatingIfNeeded: T(truncatingIfNeeded: values[i])) != values[i]) || bad }
    if bad {
      for i in 0..<rows.count where unsafe T(exactly: values[i]) == nil {
        throw unsafe d.invalid("\(values[i]) does not fit \(T.self)", row: i)
      }
    }
    unsafe rows.visit { i, p in unsafe p.storeBytes(of: T(truncatingIfNeeded: values[i]), as: T.self) }
  }
}

/// `Double`, and the types whose one stored value is a `Double`.
final class DoubleCodec: ScalarCodec, @unchecked Sendable {
  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    // SAFETY: every row holds one Double (`CGFloat` and `Date` have that layout; it is checked when their codecs are made).
    if let values = unsafe rows.contiguous(stride: 8) {
      return unsafe DoubleColumn.encode(
        UnsafeBufferPointer(start: values.assumingMemoryBound(to: Double.self), count: rows.count), into: &e.writer)
    }
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let values = unsafe e.scratch.allocate(Double.self, rows.count)
    unsafe rows.gather(Double.self, into: values) { $0 }
    unsafe DoubleColumn.encode(UnsafeBufferPointer(start: values, count: rows.count), into: &e.writer)
  }

  override func reader() -> ColumnReader { DoubleReader(self) }
}

private final class DoubleReader: ColumnReader, @unchecked Sendable {
  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    // SAFETY: every row has room for one Double; Doubles are trivial.
    if let target = unsafe rows.contiguous(stride: 8) {
      return unsafe try DoubleColumn.decode(count: rows.count, from: &d.reader, into: target.assumingMemoryBound(to: Double.self))
    }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let values = unsafe d.scratch.allocate(Double.self, rows.count)
    unsafe try DoubleColumn.decode(count: rows.count, from: &d.reader, into: values)
    unsafe rows.visit { i, p in unsafe p.storeBytes(of: values[i], as: Double.self) }
  }
}

/// `Float`, bit for bit.
final class FloatCodec: ScalarCodec, @unchecked Sendable {
  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: every row holds one Float.
    let values = unsafe e.scratch.allocate(Float.self, rows.count)
    unsafe rows.gather(Float.self, into: values) { $0 }
    unsafe FloatColumn.encode(UnsafeBufferPointer(start: values, count: rows.count), into: &e.writer)
  }

  override func reader() -> ColumnReader { FloatReader(self) }
}

private final class FloatReader: ColumnReader, @unchecked Sendable {
  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: every row has room for one Float; Floats are trivial.
    let values = unsafe d.scratch.allocate(Float.self, rows.count)
    unsafe try FloatColumn.decode(count: rows.count, from: &d.reader, into: values)
    unsafe rows.visit { i, p in unsafe p.storeBytes(of: values[i], as: Float.self) }
  }
}

/// `Bool`: the format checks that only 0 and 1 come back.
final class BoolCodec: ScalarCodec, @unchecked Sendable {
  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: every row holds one Bool.
    let values = unsafe e.scratch.allocate(UInt8.self, rows.count)
    unsafe rows.gather(Bool.self, into: values) { $0 ? 1 : 0 }
    unsafe BoolColumn.encode(UnsafeBufferPointer(start: values, count: rows.count), into: &e.writer)
  }

  override func reader() -> ColumnReader { BoolReader(self) }
}

private final class BoolReader: ColumnReader, @unchecked Sendable {
  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: every row has room for one Bool; the column holds only 0 and 1.
    let values = unsafe d.scratch.allocate(UInt8.self, rows.count)
    unsafe try BoolColumn.decode(count: rows.count, from: &d.reader, into: values)
    unsafe rows.visit { i, p in unsafe p.storeBytes(of: values[i], as: UInt8.self) }
  }
}

/// Trivial values of a fixed width that travel as their little-endian bytes: `UUID`, `Float16`, `Decimal`, `Void`.
final class FixedCodec: ScalarCodec, @unchecked Sendable {
  /// What is between the bytes of a value in memory and those in the archive.
  @safe
  struct Form: Sendable {
    /// Changes bytes as they lie in memory into those of the archive, in place.
    let export: @Sendable (UnsafeMutableRawPointer) -> Void
    /// Changes them back; says what is wrong with them, or nil.
    let restore: @Sendable (UnsafeMutableRawPointer) -> String?
  }

  let form: Form?

  init(_ type: Any.Type, _ scalar: TypeID, form: Form? = nil) {
    self.form = form
    super.init(type, scalar)
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: every row holds a trivial value of `width` bytes.
    let width = witnesses.size
    let values = unsafe e.scratch.bytes(rows.count &* width, alignmentMask: 15)
    unsafe rows.visit { i, p in unsafe (values + i &* width).copyMemory(from: p, byteCount: width) }
    if let form {
      for i in 0..<rows.count { unsafe form.export(values + i &* width) }
    }
    unsafe FixedColumn.encode(UnsafeRawBufferPointer(start: values, count: rows.count &* width), width: width, into: &e.writer)
  }

  override func reader() -> ColumnReader { FixedReader(self) }
}

private final class FixedReader: ColumnReader, @unchecked Sendable {
  let form: FixedCodec.Form?

  init(_ codec: FixedCodec) {
    form = codec.form
    super.init(codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: every row has room for `width` bytes; the bytes are checked before they become a value.
    let width = codec.witnesses.size
    let values = unsafe d.scratch.bytes(rows.count &* width, alignmentMask: 15)
    unsafe try FixedColumn.decode(count: rows.count, width: width, from: &d.reader, into: values)
    if let form {
      for i in 0..<rows.count {
        if let fault = unsafe form.restore(values + i &* width) { throw d.invalid(fault, row: i) }
      }
    }
    unsafe rows.visit { i, p in unsafe p.copyMemory(from: values + i &* width, byteCount: width) }
  }
}

/// 128-bit integers and `Duration`: a column of high words and a column of low words.
final class WideIntegerCodec: ScalarCodec, @unchecked Sendable {
  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: every row holds two little-endian 64-bit words, the low one first.
    let values = unsafe e.scratch.allocate(Int64.self, rows.count)
    for word in [8, 0] {
      unsafe rows.visit { i, p in unsafe values[i] = p.loadUnaligned(fromByteOffset: word, as: Int64.self) }
      unsafe IntegerColumn.encode(UnsafeBufferPointer(start: values, count: rows.count), into: &e.writer)
    }
  }

  override func reader() -> ColumnReader { WideIntegerReader(self) }
}

private final class WideIntegerReader: ColumnReader, @unchecked Sendable {
  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: every row has room for two words; any two words are a valid 128-bit integer.
    let high = unsafe d.scratch.allocate(Int64.self, rows.count)
    let low = unsafe d.scratch.allocate(Int64.self, rows.count)
    unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: high)
    unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: low)
    unsafe rows.visit { i, p in
      unsafe p.storeBytes(of: low[i], toByteOffset: 0, as: Int64.self)
      unsafe p.storeBytes(of: high[i], toByteOffset: 8, as: Int64.self)
    }
  }
}

extension TypeID {
  /// An optional reference to an object.
  static var optionalReference: TypeID { TypeID(rawValue: TypeID.reference.rawValue + 32) }
}
