import ArchiveFormat
import ArchiveReflection

/// A `let` of a class with `init()`: archived where it differs from what `init()` gives.
///
/// `let kind = 5` is a constant of the program: the compiler may have put the 5 into every place that reads it, so an archive must not pretend
/// to change it. Such a property has the same bits in every fresh object; where an object has them too it is left out, and a decoded object
/// keeps what the program says today. `let id: UUID`, which an initializer sets, differs from object to object, and comes back.
final class LetCodec: ValueCodec, @unchecked Sendable {
  let inner: ValueCodec
  private let owner: any MirrorInitializable.Type
  private let offset: Int
  private let fresh = Locked<Fresh?>(nil)

  /// What fresh objects have in the property.
  private enum Fresh {
    /// The same bits in all of them. The value is never released.
    case constant(UnsafeBits)
    /// A number drawn by chance, the next of a sequence: equal bits in two objects are a coincidence then, and mean nothing.
    case varying
  }

  /// Bits of a value that lives for ever.
  @safe
  private struct UnsafeBits: @unchecked Sendable {
    let address: UnsafeMutableRawPointer
  }

  /// How many fresh objects have to agree before a property counts as a constant: a coin falls on one side so often once in 32,768 times.
  private static let probeCount = 16

  init(_ inner: ValueCodec, of owner: any MirrorInitializable.Type, offset: Int) {
    self.inner = inner
    self.owner = owner
    self.offset = offset
    super.init(inner.type)
  }

  override var children: [ValueCodec] { [inner] }

  /// A tuple of one Optional, which no type of the language has: so a reader tells it from a property that was declared Optional.
  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    try types.id(for: Self.key(type)) { types in
      if let scalar = (inner as? ScalarCodec)?.scalar.optionalOfScalar { return .tuple([Property(key: "", type: scalar)]) }
      let optional = try types.id(for: ObjectIdentifier(OpenTypes.optional(of: type))) { .optional(try inner.describe(&$0)) }
      return .tuple([Property(key: "", type: optional)])
    }
  }

  private enum Form<T> {}
  private static func key(_ type: Any.Type) -> ObjectIdentifier {
    func open<T>(_: T.Type) -> ObjectIdentifier { ObjectIdentifier(Form<T>.self) }
    return _openExistential(type, do: open)
  }

  /// The bits that fresh objects have in common, or nil. Found out when the first object of the class is encoded.
  private func constantBits() -> UnsafeRawPointer? {
    let found = fresh.withLock({ $0 }) ?? probe()
    guard case .constant(let bits) = found else { return nil }
    return unsafe UnsafeRawPointer(bits.address)
  }

  /// Runs the user's `init()`, so outside the lock; of two threads that probe at once the first one counts.
  private func probe() -> Fresh {
    let address = UnsafeMutableRawPointer.allocate(byteCount: max(witnesses.size, 1), alignment: witnesses.alignmentMask + 1)
    var found = unsafe Fresh.constant(UnsafeBits(address: address))
    for index in 0..<Self.probeCount {
      let object = owner.init() as AnyObject
      let isEqual = withExtendedLifetime(object) {
        // SAFETY: the object is one of the class whose property lies at this offset, and holds a value of this type there.
        let value = unsafe Unmanaged.passUnretained(object).toOpaque() + offset
        if index == 0 { unsafe inner.witnesses.initializeWithCopy(address, value) }
        return unsafe index == 0 || hasBits(value, UnsafeRawPointer(address))
      }
      if isEqual { continue }
      unsafe inner.witnesses.destroy(address)
      unsafe address.deallocate()
      found = .varying
      break
    }
    let result = found
    return fresh.withLock { known in
      if let known { return known }
      known = result
      return result
    }
  }

  // SAFETY: both are values of this type. Equal bits are equal values, since no reference to an object is among them.
  private func hasBits(_ p: UnsafeMutableRawPointer, _ bits: UnsafeRawPointer) -> Bool {
    unsafe UnsafeRawBufferPointer(start: p, count: witnesses.size)
      .elementsEqual(UnsafeRawBufferPointer(start: bits, count: witnesses.size))
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let presence = unsafe e.scratch.allocate(UInt8.self, rows.count)
    let pointers = unsafe e.scratch.allocate(UnsafeMutableRawPointer.self, rows.count)
    let bits = unsafe constantBits()
    var count = 0
    // SAFETY: every row holds a value of this type.
    unsafe rows.visit { i, p in
      let differs = unsafe bits.map { unsafe !hasBits(p, $0) } ?? true
      unsafe pointers[count] = p
      unsafe presence[i] = differs ? 1 : 0
      if differs { count &+= 1 }
    }
    unsafe BoolColumn.encode(UnsafeBufferPointer(start: presence, count: rows.count), into: &e.writer)
    if count == 0 { return }
    do {
      try inner.encode(unsafe Rows(pointers: pointers, count: count), &e)
    } catch let error as LocatedError {
      throw unsafe error.moved(toRowAmong: presence, count: rows.count)
    }
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    // Otherwise the property was a `var` when the archive was written.
    try binder.letPayload(of: id) == nil ? binder.reader(inner, id) : binder.letReader(inner, id)
  }
}

/// Sets the properties that the archive has; the others keep what `init()` gave.
final class LetReader: ColumnReader, @unchecked Sendable {
  let inner: ColumnReader

  init(_ inner: ColumnReader) {
    self.inner = inner
    super.init(inner.codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let presence = unsafe d.scratch.allocate(UInt8.self, rows.count)
    unsafe try BoolColumn.decode(count: rows.count, from: &d.reader, into: presence)
    for row in 0..<rows.count where unsafe presence[row] == 0 {
      throw LocatedError(
        .missingValue, row: row, offset: d.reader.offset,
        "the archive leaves out what was a constant of the program, and no initializer gives it a value; "
          + "add init() (MirrorInitializable)")
    }
    if rows.count > 0 { try inner.read(rows, &d) }
  }

  override func assignColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: one flag and one address per row.
    let presence = unsafe d.scratch.allocate(UInt8.self, rows.count)
    unsafe try BoolColumn.decode(count: rows.count, from: &d.reader, into: presence)
    let pointers = unsafe d.scratch.allocate(UnsafeMutableRawPointer.self, rows.count)
    var count = 0
    unsafe rows.visit { i, p in
      unsafe pointers[count] = p
      count &+= Int(unsafe presence[i])
    }
    if count == 0 { return }
    let notices = d.notices.count
    do {
      try inner.assign(unsafe Rows(pointers: pointers, count: count), &d)
    } catch let error as LocatedError {
      throw unsafe error.moved(toRowAmong: presence, count: rows.count)
    }
    if d.notices.count > notices { unsafe d.notices.move(since: notices, toRowsAmong: presence, count: rows.count) }
  }
}
