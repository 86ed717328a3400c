import ArchiveFormat
import ArchiveReflection
import Synchronization

/// A `let` of a class with `init()`: archived where it differs from what `init()` gives.
///
/// `let kind = 5` is a constant of the program: the compiler may have put the 5 into every place that reads it, so an archive must not pretend
/// to change it. Such a property has the same bits in every object, also in a fresh one; it is left out, and a decoded object keeps what the
/// program says today. `let id: UUID`, which an initializer sets, differs from object to object, and comes back.
final class LetCodec: ValueCodec, @unchecked Sendable {
  private let inner: ValueCodec
  private let owner: any MirrorInitializable.Type
  private let offset: Int
  /// The bits of the property in a fresh object. The value in it is never released.
  private let prototype = Mutex<UnsafeBits?>(nil)

  /// Bits of a value that lives for ever.
  @safe
  private struct UnsafeBits: @unchecked Sendable {
    let address: UnsafeMutableRawPointer
  }

  init(_ inner: ValueCodec, of owner: any MirrorInitializable.Type, offset: Int) {
    self.inner = inner
    self.owner = owner
    self.offset = offset
    super.init(inner.type)
  }

  override var children: [ValueCodec] { [inner] }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    if let scalar = (inner as? ScalarCodec)?.scalar.optionalOfScalar { return scalar }
    return try types.id(for: ObjectIdentifier(OpenTypes.optional(of: type))) { .optional(try inner.describe(&$0)) }
  }

  /// The bits of a fresh object's property: made when the first object of the class is encoded.
  private func bits() -> UnsafeMutableRawPointer {
    if let known = prototype.withLock({ $0 }) { return unsafe known.address }
    let address = UnsafeMutableRawPointer.allocate(byteCount: max(witnesses.size, 1), alignment: witnesses.alignmentMask + 1)
    let fresh = owner.init() as AnyObject
    // SAFETY: the object is one of the class whose property lies at this offset, and holds a value of this type there.
    withExtendedLifetime(fresh) {
      unsafe inner.witnesses.initializeWithCopy(address, Unmanaged.passUnretained(fresh).toOpaque() + offset)
    }
    let made = unsafe UnsafeBits(address: address)
    return unsafe prototype.withLock { known in
      if let known { return known }
      known = made
      return made
    }.address
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let presence = unsafe e.scratch.allocate(UInt8.self, rows.count)
    let pointers = unsafe e.scratch.allocate(UnsafeMutableRawPointer.self, rows.count)
    let bits = unsafe UnsafeRawPointer(bits())
    let size = witnesses.size
    var count = 0
    // SAFETY: every row holds a value of this size. Equal bits are equal values, since no reference to an object is among them.
    unsafe rows.visit { i, p in
      let differs = unsafe !UnsafeRawBufferPointer(start: p, count: size).elementsEqual(UnsafeRawBufferPointer(start: bits, count: size))
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
    if let payload = binder.optionalPayload(of: id), let reader = binder.attempt({ try $0.reader(inner, payload) }) {
      return LetReader(self, reader)
    }
    // The property was a `var` when the archive was written.
    return try binder.reader(inner, id)
  }
}

/// Sets the properties that the archive has; the others keep what `init()` gave.
private final class LetReader: ColumnReader, @unchecked Sendable {
  private let inner: ColumnReader

  init(_ codec: LetCodec, _ inner: ColumnReader) {
    self.inner = inner
    super.init(codec)
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
    do {
      try inner.assign(unsafe Rows(pointers: pointers, count: count), &d)
    } catch let error as LocatedError {
      throw unsafe error.moved(toRowAmong: presence, count: rows.count)
    }
  }
}
