import ArchiveFormat
import ArchiveReflection

/// A value that stands for another one in archives: its stored properties are what is written.
protocol Representation {
  associatedtype Value
  /// The name of `Value` in archives: the same on every platform, whatever module the type lives in there.
  static var archiveName: String { get }
  /// Whether `restored` compares the parts with each other: code of the program, if they are of the program's types.
  static var comparesParts: Bool { get }
  init(_ value: Value)
  /// The value, or nil if there is none with these properties.
  func restored() -> Value?
}

extension Representation {
  static var comparesParts: Bool { false }
}

/// Types that reflection must not look into (Foundation's, mostly), archived through a representation of simple values.
final class RepresentedCodec<R: Representation>: ValueCodec, @unchecked Sendable {
  private var inner: ValueCodec!
  /// The format's own scalar for the type, stored as the representation's single value is.
  private let scalar: TypeID?

  init(_: R.Type, scalar: TypeID? = nil) {
    self.scalar = scalar
    super.init(R.Value.self)
  }

  func resolve(_ inner: ValueCodec) { self.inner = inner }

  override var children: [ValueCodec] { [inner] }
  override var looksIntoReferences: Bool { R.comparesParts }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID { try scalar ?? inner.describe(&types) }

  private func withRepresentations(_ rows: Rows, _ e: inout EncodingState, _ body: (Rows, inout EncodingState) throws -> Void) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: the representations are destroyed before their memory is given back.
    let memory = unsafe e.scratch.bytes(rows.count &* MemoryLayout<R>.stride, alignmentMask: MemoryLayout<R>.alignment - 1)
    let values = unsafe Rows(base: memory, stride: MemoryLayout<R>.stride, count: rows.count)
    unsafe rows.visit { i, p in unsafe values[i].initializeMemory(as: R.self, to: R(p.assumingMemoryBound(to: R.Value.self).pointee)) }
    defer { inner.destroy(values) }
    try body(values, &e)
  }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    try withRepresentations(rows, &e) { values, e in try inner.discover(values, &e) }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    if !witnesses.isTrivial { e.decodedByteCount &+= rows.count &* DecodedSize.represented }
    try withRepresentations(rows, &e) { values, e in try inner.encode(values, &e) }
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    // A scalar's representation is one string.
    if scalar != nil, ![.string, .character, .substring, .pooledString].contains(id) { throw binder.mismatch(id, type) }
    return try binder.reader(for: id, self) { reader, binder in
      reader.inner = try binder.reader(inner, id)
    } make: {
      RepresentedReader<R>(self)
    }
  }
}

private final class RepresentedReader<R: Representation>: ColumnReader, @unchecked Sendable {
  var inner: ColumnReader!
  override func unbind() { inner = nil }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    if codec.looksIntoReferences && codec.traits.hasReferences { try d.requireCompleteGraph("bounds", codec.type) }
    if !codec.witnesses.isTrivial { try d.spend(rows.count, each: DecodedSize.represented) }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: readers initialise all or none of the representations; they are destroyed before their memory is given back.
    let memory = unsafe d.scratch.bytes(rows.count &* MemoryLayout<R>.stride, alignmentMask: MemoryLayout<R>.alignment - 1)
    let values = unsafe Rows(base: memory, stride: MemoryLayout<R>.stride, count: rows.count)
    try inner.read(values, &d)
    defer { inner.codec.destroy(values) }
    for i in 0..<rows.count {
      guard let value = unsafe values[i].assumingMemoryBound(to: R.self).pointee.restored() else {
        codec.destroy(rows.slice(0, i))
        // The parts are not printed: describing values that nobody has checked can trap.
        throw d.invalid("the stored parts make no valid \(codec.type)", row: i)
      }
      unsafe rows[i].initializeMemory(as: R.Value.self, to: value)
    }
  }
}
