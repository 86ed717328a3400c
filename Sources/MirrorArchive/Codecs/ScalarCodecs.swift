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

  override var isPlain: Bool { true }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: each case reads rows of exactly its own type; the elements of an array are read where they are.
    switch width {
    case .int8: unsafe IntegerColumn.encode(narrow(rows, &e) { (value: Int8) in Int32(value) }, into: &e.writer)
    case .int16: unsafe IntegerColumn.encode(narrow(rows, &e) { (value: Int16) in Int32(value) }, into: &e.writer)
    case .uint8: unsafe IntegerColumn.encode(narrow(rows, &e) { (value: UInt8) in Int32(value) }, into: &e.writer)
    case .uint16: unsafe IntegerColumn.encode(narrow(rows, &e) { (value: UInt16) in Int32(value) }, into: &e.writer)
    case .unicodeScalar:
      unsafe IntegerColumn.encode(narrow(rows, &e) { (value: UInt32) in Int32(truncatingIfNeeded: value) }, into: &e.writer)
    case .int32: unsafe IntegerColumn.encode(rows.values(Int32.self, &e.scratch), into: &e.writer)
    case .int64, .uint64:
      if rows.count == 1 { return unsafe IntegerColumn.encodeOne(rows[0].load(as: Int64.self), into: &e.writer) }
      unsafe IntegerColumn.encode(rows.values(Int64.self, &e.scratch), into: &e.writer)
    case .uint32:
      let values = unsafe e.scratch.allocate(Int64.self, rows.count)
      unsafe rows.gather(UInt32.self, into: values) { Int64($0) }
      unsafe IntegerColumn.encode(UnsafeBufferPointer(start: values, count: rows.count), into: &e.writer)
    }
  }

  /// The rows with more bits; released with the caller's scratch.
  @inline(__always)
  private func narrow<Value: BitwiseCopyable>(
    _ rows: Rows, _ e: inout EncodingState, _ widen: (Value) -> Int32
  ) -> UnsafeBufferPointer<Int32> {
    // SAFETY: there is room for every row.
    let values = unsafe e.scratch.allocate(Int32.self, rows.count)
    unsafe rows.gather(Value.self, into: values) { widen($0) }
    return unsafe UnsafeBufferPointer(start: values, count: rows.count)
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
    // SAFETY: each row has room for the type of its case; integers are trivial.
    switch width {
    case .int8: try Self.read(rows, &d, as: Int8.self)
    case .int16: try Self.read(rows, &d, as: Int16.self)
    case .int32: try Self.read(rows, &d, as: Int32.self)
    case .uint8: try Self.read(rows, &d, as: UInt8.self)
    case .uint16: try Self.read(rows, &d, as: UInt16.self)
    case .uint32: try Self.readWide(rows, &d, as: UInt32.self)
    case .int64, .uint64:
      if rows.count == 1 { return unsafe rows[0].storeBytes(of: try IntegerColumn.decodeOne(from: &d.reader), as: Int64.self) }
      if let target = unsafe rows.contiguous(stride: 8) {
        return unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: target.assumingMemoryBound(to: Int64.self))
      }
      let values = unsafe d.scratch.allocate(Int64.self, rows.count)
      unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: values)
      unsafe rows.visit { i, p in unsafe p.storeBytes(of: values[i], as: Int64.self) }
    case .unicodeScalar:
      let values = unsafe d.scratch.allocate(Int64.self, rows.count)
      unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: values)
      for i in 0..<rows.count {
        let value = unsafe values[i]
        guard let bits = UInt32(exactly: value), Unicode.Scalar(bits) != nil else {
          throw d.invalid("\(value) is not a Unicode scalar value", row: i)
        }
      }
      unsafe rows.visit { i, p in unsafe p.storeBytes(of: UInt32(truncatingIfNeeded: values[i]), as: UInt32.self) }
    }
  }

  /// Reads values of at most 32 bits: most chunks say in their head that their values have no more.
  @inline(__always)
  private static func read<T: FixedWidthInteger & BitwiseCopyable>(_ rows: Rows, _ d: inout DecodingState, as: T.Type) throws {
    // SAFETY: there is room for every row, here or in the scratch; an Int32 is read straight to its place.
    let target = unsafe T.self == Int32.self ? rows.contiguous(stride: 4) : nil
    let values = unsafe target?.assumingMemoryBound(to: Int32.self) ?? d.scratch.allocate(Int32.self, rows.count)
    guard unsafe try IntegerColumn.decodeNarrow(count: rows.count, from: &d.reader, into: values) else {
      return try readWide(rows, &d, as: T.self)
    }
    if unsafe target == nil { unsafe try scatter(values, rows, &d, as: T.self) }
  }

  @inline(__always)
  private static func readWide<T: FixedWidthInteger & BitwiseCopyable>(_ rows: Rows, _ d: inout DecodingState, as: T.Type) throws {
    // SAFETY: there is room for every row.
    let values = unsafe d.scratch.allocate(Int64.self, rows.count)
    unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: values)
    unsafe try scatter(values, rows, &d, as: T.self)
  }

  /// Checks that every value fits before the first one is stored.
  @inline(__always)
  private static func scatter<Value: FixedWidthInteger & BitwiseCopyable, T: FixedWidthInteger & BitwiseCopyable>(
    _ values: UnsafePointer<Value>, _ rows: Rows, _ d: inout DecodingState, as: T.Type
  ) throws {
    if Value.bitWidth > T.bitWidth || Value.isSigned != T.isSigned {
      var wrong: Value = 0
      // SAFETY: indices stay below the number of rows.
      for i in 0..<rows.count { unsafe wrong |= Value(truncatingIfNeeded: T(truncatingIfNeeded: values[i])) ^ values[i] }
      if wrong != 0 {
        for i in 0..<rows.count where unsafe T(exactly: values[i]) == nil {
          throw unsafe d.invalid("\(values[i]) does not fit \(T.self)", row: i)
        }
      }
    }
    // SAFETY: every row has room for a `T`.
    if let target = unsafe rows.contiguous(stride: MemoryLayout<T>.stride) {
      let out = unsafe target.assumingMemoryBound(to: T.self)
      for i in 0..<rows.count { unsafe out[i] = T(truncatingIfNeeded: values[i]) }
      return
    }
    unsafe rows.visit { i, p in unsafe p.storeBytes(of: T(truncatingIfNeeded: values[i]), as: T.self) }
  }
}

/// `Double`, and the types whose one stored value is a `Double`.
final class DoubleCodec: ScalarCodec, @unchecked Sendable {
  override var isPlain: Bool { true }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: every row holds one Double (`CGFloat` and `Date` have that layout; it is checked when their codecs are made).
    unsafe DoubleColumn.encode(rows.values(Double.self, &e.scratch), into: &e.writer)
  }

  override func reader() -> ColumnReader { DoubleReader(self) }
}

private final class DoubleReader: ColumnReader, @unchecked Sendable {
  override func assignColumn(_ rows: Rows, _ d: inout DecodingState) throws { try readColumn(rows, &d) }

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
  override var isPlain: Bool { true }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: every row holds one Float.
    unsafe FloatColumn.encode(rows.values(Float.self, &e.scratch), into: &e.writer)
  }

  override func reader() -> ColumnReader { FloatReader(self) }
}

private final class FloatReader: ColumnReader, @unchecked Sendable {
  override func assignColumn(_ rows: Rows, _ d: inout DecodingState) throws { try readColumn(rows, &d) }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    // SAFETY: every row has room for one Float; Floats are trivial.
    if let target = unsafe rows.contiguous(stride: 4) {
      return unsafe try FloatColumn.decode(count: rows.count, from: &d.reader, into: target.assumingMemoryBound(to: Float.self))
    }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let values = unsafe d.scratch.allocate(Float.self, rows.count)
    unsafe try FloatColumn.decode(count: rows.count, from: &d.reader, into: values)
    unsafe rows.visit { i, p in unsafe p.storeBytes(of: values[i], as: Float.self) }
  }
}

/// `Bool`: the format checks that only 0 and 1 come back.
final class BoolCodec: ScalarCodec, @unchecked Sendable {
  override var isPlain: Bool { true }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: every row holds one Bool, which is a byte of 0 or 1.
    unsafe BoolColumn.encode(rows.values(UInt8.self, &e.scratch), into: &e.writer)
  }

  override func reader() -> ColumnReader { BoolReader(self) }
}

private final class BoolReader: ColumnReader, @unchecked Sendable {
  override func assignColumn(_ rows: Rows, _ d: inout DecodingState) throws { try readColumn(rows, &d) }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    // SAFETY: every row has room for one Bool; the column holds only 0 and 1.
    if let target = unsafe rows.contiguous(stride: 1) {
      return unsafe try BoolColumn.decode(count: rows.count, from: &d.reader, into: target.assumingMemoryBound(to: UInt8.self))
    }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
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
