import ArchiveFormat
import ArchiveReflection

/// `Optional`, nested ones too: a column of presence, then the column of the values that are there.
///
/// A present value lies where the Optional lies (a single-payload enum keeps its payload at offset 0), so nothing is copied.
final class OptionalCodec: ValueCodec, @unchecked Sendable {
  var wrapped: ValueCodec! { unsafe storedWrapped }
  /// Where nil can be told from the bits alone.
  private var mark: NoneMark? { unsafe storedMark }
  // SAFETY: written before the plan is published, by one thread, and only read from then on.
  @exclusivity(unchecked) private var storedWrapped: ValueCodec?
  @exclusivity(unchecked) private var storedMark: NoneMark?

  func resolve(_ wrapped: ValueCodec) {
    unsafe storedWrapped = wrapped
    unsafe storedMark = NoneMark.find(wrapped: wrapped.witnesses, optionalSize: witnesses.size)
  }

  override var children: [ValueCodec] { [wrapped] }

  // What is inside may be known later than the Optional.
  override var isPlain: Bool { unsafe storedWrapped?.isPlain ?? false }

  override var reach: Reach {
    if case .word(isOptional: false) = wrapped.reach, case .word(offset: 0, none: 0)? = mark { .word(isOptional: true) } else { .hidden }
  }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    if let wrapped = wrapped as? ScalarCodec, let short = wrapped.scalar.optionalOfScalar { return short }
    if wrapped is ReferenceCodec, !types.isExact { return .optionalReference }
    return try types.id(for: self) { .optional(try wrapped.describe(&$0)) }
  }

  /// The rows that hold a value. Fills `presence` if it is given.
  @inline(__always)
  private func present(_ rows: Rows, _ scratch: inout Scratch, _ presence: UnsafeMutablePointer<UInt8>?) -> Rows {
    // SAFETY: every row holds an Optional of this type.
    let pointers = unsafe scratch.allocate(UnsafeMutableRawPointer.self, rows.count)
    var count = 0
    // SAFETY: a mark lies within the Optional.
    switch mark {
    case .word(let offset, let none):
      unsafe rows.visit { i, p in
        let isSome = unsafe p.load(fromByteOffset: offset, as: UInt.self) != none
        unsafe pointers[count] = p
        count &+= isSome ? 1 : 0
        unsafe presence?[i] = isSome ? 1 : 0
      }
    case .byte(let offset, let none):
      unsafe rows.visit { i, p in
        let isSome = unsafe p.load(fromByteOffset: offset, as: UInt8.self) != none
        unsafe pointers[count] = p
        count &+= isSome ? 1 : 0
        unsafe presence?[i] = isSome ? 1 : 0
      }
    case nil:
      let witnesses = wrapped.witnesses
      unsafe rows.visit { i, p in
        let isSome = unsafe witnesses.isSome(p)
        unsafe pointers[count] = p
        count &+= isSome ? 1 : 0
        unsafe presence?[i] = isSome ? 1 : 0
      }
    }
    if count == rows.count { return rows }
    return unsafe Rows(pointers: pointers, count: count).exclusive(rows.isExclusive)
  }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let values = unsafe present(rows, &e.scratch, nil)
    if values.count == 0 { return }
    do {
      try wrapped.discover(values, &e)
    } catch let error as LocatedError {
      throw relocate(error, rows)
    }
  }

  /// Whether a row holds a value.
  @inline(__always) @unsafe
  private func isSome(_ p: UnsafeMutableRawPointer) -> Bool {
    // SAFETY: the caller says that the row holds an Optional of this type, within which a mark lies.
    switch mark {
    case .word(let offset, let none): return unsafe p.load(fromByteOffset: offset, as: UInt.self) != none
    case .byte(let offset, let none): return unsafe p.load(fromByteOffset: offset, as: UInt8.self) != none
    case nil: return unsafe wrapped.witnesses.isSome(p)
    }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    if rows.count == 1, !e.graph.substitutions.hasNothing {
      let isSome = unsafe isSome(rows[0])
      BoolColumn.encodeOne(isSome, into: &e.writer)
      if isSome { try wrapped.encode(rows, &e) }
      return
    }
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let presence = unsafe e.scratch.allocate(UInt8.self, rows.count)
    var values = unsafe present(rows, &e.scratch, presence)
    // Objects that nothing is archived for are nil where that is possible.
    if e.graph.substitutions.hasNothing, wrapped is ReferenceCodec { values = unsafe archived(rows, presence, &e) }
    unsafe BoolColumn.encode(UnsafeBufferPointer(start: presence, count: rows.count), into: &e.writer)
    if values.count == 0 { return }
    do {
      try wrapped.encode(values, &e)
    } catch let error as LocatedError {
      throw relocate(error, rows)
    }
  }

  /// Those of the present objects that something is archived for.
  private func archived(_ rows: Rows, _ presence: UnsafeMutablePointer<UInt8>, _ e: inout EncodingState) -> Rows {
    // SAFETY: a present row holds one strong reference, which is one word.
    let pointers = unsafe e.scratch.allocate(UnsafeMutableRawPointer.self, rows.count)
    var count = 0
    unsafe rows.visit { i, p in
      guard unsafe presence[i] != 0 else { return }
      unsafe presence[i] = unsafe e.graph.isNothing(p.load(as: UnsafeRawPointer.self)) ? 0 : 1
      unsafe pointers[count] = p
      count += unsafe Int(presence[i])
    }
    return unsafe Rows(pointers: pointers, count: count)
  }

  /// The row of the `error.row`-th present value.
  private func relocate(_ error: LocatedError, _ rows: Rows) -> LocatedError {
    var seen = -1
    for i in 0..<rows.count where unsafe wrapped.witnesses.isSome(rows[i]) {
      seen += 1
      if seen == error.row { return error.moved(to: i, below: "") }
    }
    return error
  }

  override var vacancy: NoneMark? { mark }
  override var hasBlank: Bool { true }
  // SAFETY: the caller hands over uninitialised memory of this type.
  override func initializeBlank(_ p: UnsafeMutableRawPointer) { unsafe wrapped.witnesses.storeNone(p) }

  override func unlink(_ rows: Rows) {
    // SAFETY: every row holds an Optional of this type, before and after.
    unsafe rows.visit { _, p in
      unsafe witnesses.destroy(p)
      unsafe wrapped.witnesses.storeNone(p)
    }
  }

  /// How many Optionals there are around the innermost value.
  var levels: Int {
    var levels = 1
    var inner = wrapped
    while let optional = inner as? OptionalCodec {
      levels += 1
      inner = optional.wrapped
    }
    return levels
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    let levels = self.levels
    let archivedLevels = binder.optionalLevels(of: id, limit: levels + 1)
    guard archivedLevels >= levels, let inner = binder.optionalPayload(of: id) else {
      if let skipping = try skippingReader(id, hasPresence: false, &binder) { return skipping }
      // An archived T where T? is declared, T itself being Optional or not.
      return try binder.reader(for: id, self) { reader, binder in
        reader.wrapped = try reportingMismatch(of: id, &binder) { try $0.reader(wrapped, id) }
      } make: {
        PresentReader(self)
      }
    }
    if archivedLevels > levels { return try makeRequiredReader(id, inner, &binder) }
    if let skipping = try skippingReader(inner, hasPresence: true, &binder) { return skipping }
    return try binder.reader(for: id, self) { reader, binder in
      reader.wrapped = try binder.reader(wrapped, inner)
    } make: {
      OptionalReader(self)
    }
  }
}

final class OptionalReader: ColumnReader, @unchecked Sendable {
  // SAFETY: written while the reader is bound, by one thread, and only read from then on, until nobody reads with it any more.
  @exclusivity(unchecked) private var storedWrapped: ColumnReader?
  var wrapped: ColumnReader! {
    get { unsafe storedWrapped }
    set { unsafe storedWrapped = newValue }
  }
  override func unbind() { wrapped = nil }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    if rows.count == 1 { return try readOne(rows, &d) }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: payloads are read into the Optionals' own memory (offset 0), all or none; then each row gets its tag.
    let presence = unsafe d.scratch.allocate(UInt8.self, rows.count)
    unsafe try BoolColumn.decode(count: rows.count, from: &d.reader, into: presence)
    let pointers = unsafe d.scratch.allocate(UnsafeMutableRawPointer.self, rows.count)
    var count = 0
    unsafe rows.visit { i, p in
      unsafe pointers[count] = p
      count &+= Int(unsafe presence[i])
    }
    if count > 0 {
      let notices = d.notices.count
      do {
        try wrapped.read(count == rows.count ? rows : unsafe Rows(pointers: pointers, count: count), &d)
      } catch let error as LocatedError {
        throw unsafe error.moved(toRowAmong: presence, count: rows.count)
      }
      if d.notices.count > notices { unsafe d.notices.move(since: notices, toRowsAmong: presence, count: rows.count) }
    }
    let witnesses = wrapped.codec.witnesses
    // Where a word of the payload tells, a payload is its own tag.
    if case .word(let offset, let none)? = codec.vacancy {
      if count == rows.count { return }
      if codec.witnesses.size == MemoryLayout<UInt>.size {
        unsafe rows.visit { i, p in if unsafe presence[i] == 0 { unsafe p.storeBytes(of: none, as: UInt.self) } }
      } else if codec.witnesses.size == 2 * MemoryLayout<UInt>.size {
        unsafe rows.visit { i, p in
          if unsafe presence[i] == 0 {
            unsafe p.storeBytes(of: (0, 0), as: (UInt, UInt).self)
            unsafe p.storeBytes(of: none, toByteOffset: offset, as: UInt.self)
          }
        }
      } else {
        unsafe rows.visit { i, p in if unsafe presence[i] == 0 { unsafe witnesses.storeNone(p) } }
      }
    } else if case .byte(let offset, _)? = codec.vacancy, offset == witnesses.size {
      // The byte behind the payload is the tag: that of one value is that of all.
      var some: UInt8?
      unsafe rows.visit { i, p in
        if unsafe presence[i] == 0 {
          unsafe witnesses.storeNone(p)
        } else if let some {
          unsafe p.storeBytes(of: some, toByteOffset: offset, as: UInt8.self)
        } else {
          unsafe witnesses.storeSome(p)
          some = unsafe p.load(fromByteOffset: offset, as: UInt8.self)
        }
      }
    } else {
      unsafe rows.visit { i, p in
        if unsafe presence[i] != 0 { unsafe witnesses.storeSome(p) } else { unsafe witnesses.storeNone(p) }
      }
    }
  }
  /// The same for one row, whose payload is in the only row there is.
  private func readOne(_ rows: Rows, _ d: inout DecodingState) throws {
    // SAFETY: as above.
    if try BoolColumn.decodeOne(from: &d.reader) {
      try wrapped.read(rows, &d)
      if case .word? = codec.vacancy { return }
      unsafe wrapped.codec.witnesses.storeSome(rows[0])
    } else {
      unsafe wrapped.codec.witnesses.storeNone(rows[0])
    }
  }
}
