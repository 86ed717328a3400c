import ArchiveFormat
import ArchiveReflection

/// A collection that is archived as an array: `Array`, `ContiguousArray`, `ArraySlice`.
protocol ArrayLike: RangeReplaceableCollection where Index == Int {
  /// Makes the collection from memory that `body` fills; it counts what it has initialised, also when it throws.
  static func make(count: Int, _ body: (UnsafeMutableBufferPointer<Element>, inout Int) throws -> Void) rethrows -> Self
}

extension Array: ArrayLike {
  static func make(count: Int, _ body: (UnsafeMutableBufferPointer<Element>, inout Int) throws -> Void) rethrows -> Self {
    unsafe try Array(unsafeUninitializedCapacity: count) { buffer, done in unsafe try body(buffer, &done) }
  }
}

extension ContiguousArray: ArrayLike {
  static func make(count: Int, _ body: (UnsafeMutableBufferPointer<Element>, inout Int) throws -> Void) rethrows -> Self {
    unsafe try ContiguousArray(unsafeUninitializedCapacity: count) { buffer, done in unsafe try body(buffer, &done) }
  }
}

extension ArraySlice: ArrayLike {
  static func make(count: Int, _ body: (UnsafeMutableBufferPointer<Element>, inout Int) throws -> Void) rethrows -> Self {
    unsafe try ArraySlice(Array(unsafeUninitializedCapacity: count) { buffer, done in unsafe try body(buffer, &done) })
  }
}

final class ArrayCodec<Sequence: ArrayLike>: ValueCodec, @unchecked Sendable {
  private var element: ValueCodec!
  /// The elements can be found by the known layout of `Array`'s buffer.
  private let hasKnownLayout: Bool
  private let emptyMark = NoneMark.empty(Sequence())
  /// How new arrays are made by that layout.
  private let storage: ArrayStorage?

  override init(_ type: Any.Type) {
    hasKnownLayout = ArrayLayout.isKnown && Sequence.self == [Sequence.Element].self
    storage = hasKnownLayout ? ArrayStorage(of: Sequence.Element.self) : nil
    super.init(type)
  }

  func resolve(_ element: ValueCodec) { self.element = element }

  override var children: [ValueCodec] { [element] }

  override var reach: Reach {
    if hasKnownLayout, case .word(isOptional: false) = element.reach { .elements } else { .hidden }
  }

  // What stands in `Any` counts itself.
  override var nests: Bool { !(element is AnyCodec) }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    try types.id(for: self) { .array(try element.describe(&$0)) }
  }

  private func storage(_ p: UnsafeMutableRawPointer) -> (base: UnsafeMutableRawPointer?, count: Int) {
    // SAFETY: every row holds a `Sequence`; its elements stay where they are while the row is alive and nobody writes to it.
    if hasKnownLayout {
      let (base, count) = unsafe ArrayLayout.elements(of: p, elementAlignmentMask: element.witnesses.alignmentMask)
      return unsafe (UnsafeMutableRawPointer(mutating: base), count)
    }
    return unsafe p.assumingMemoryBound(to: Sequence.self).pointee.withContiguousStorageIfAvailable { buffer in
      unsafe (UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count)
    } ?? (nil, 0)
  }

  private func forEachChunk(
    _ rows: Rows, _ e: inout EncodingState, isEncoding: Bool, _ body: (Rows, inout EncodingState) throws -> Void
  ) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: one count and one address per row.
    let counts = unsafe e.scratch.allocate(Int64.self, rows.count)
    let bases = unsafe e.scratch.allocate(UnsafeMutableRawPointer?.self, rows.count)
    var isExclusive = rows.isExclusive && hasKnownLayout && OwnerCount.isKnown && !isEncoding
    unsafe rows.visit { i, p in
      let (base, count) = unsafe storage(p)
      unsafe counts[i] = Int64(count)
      unsafe bases[i] = base
      // Two arrays may share one buffer; then what is in it is met twice.
      if isExclusive && count > 0 { isExclusive = unsafe OwnerCount.isOne(p.load(as: UnsafeRawPointer.self)) }
    }
    if isEncoding {
      unsafe Flattened.encode(counts: counts, rows: rows.count, each: DecodedSize.array(stride: element.witnesses.stride), &e)
    }
    if nests { try e.enter() }
    defer { if nests { e.leave() } }
    let stride = element.witnesses.stride
    unsafe try Flattened.forEachChunk(
      rows: rows.count, counts: counts, isExclusive: isExclusive, &e, elements: { i in unsafe (bases[i].unsafelyUnwrapped, stride) }, body)
  }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    try forEachChunk(rows, &e, isEncoding: false) { elements, e in try element.discover(elements, &e) }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    try forEachChunk(rows, &e, isEncoding: true) { elements, e in try element.encode(elements, &e) }
  }

  override var vacancy: NoneMark? { emptyMark }
  override var hasBlank: Bool { true }
  // SAFETY: the caller hands over uninitialised memory of this type.
  override func initializeBlank(_ p: UnsafeMutableRawPointer) { unsafe p.initializeMemory(as: Sequence.self, to: Sequence()) }

  override func unlink(_ rows: Rows) {
    // SAFETY: every row holds such a collection, before and after.
    unsafe rows.visit { _, p in unsafe p.assumingMemoryBound(to: Sequence.self).pointee = Sequence() }
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    guard let inner = binder.elements(of: id) else { throw binder.mismatch(id, type) }
    if inner == .reference, binder.options.unknownClasses == .reject, let storage, let reference = element as? ReferenceCodec {
      return ReferenceArrayReader(self, storage, admitted: try binder.admitted(for: reference.declared))
    }
    return try binder.reader(for: id, self) { reader, binder in
      reader.element = try binder.reader(element, inner, below: "[]")
      reader.archivedElement = inner
    } make: {
      ArrayReader<Sequence>(self, storage)
    }
  }
}

extension ArrayCodec: CollectionCodec {
  var elementCodec: ValueCodec { element }
  func wrap(taking element: UnsafeMutableRawPointer, at p: UnsafeMutableRawPointer) {
    // SAFETY: the caller hands over an element and uninitialised memory of this type.
    let only = unsafe CollectionOfOne(element.assumingMemoryBound(to: Sequence.Element.self).move())
    unsafe p.initializeMemory(as: Sequence.self, to: Sequence(only))
  }
}

private final class ArrayReader<Sequence: ArrayLike>: ColumnReader, @unchecked Sendable {
  var element: ColumnReader! {
    didSet { isPartial = element is PartialReader }
  }
  var archivedElement = TypeID.void
  /// Single elements may be left out.
  private var isPartial = false
  private let storage: ArrayStorage?

  init(_ codec: ValueCodec, _ storage: ArrayStorage?) {
    self.storage = storage
    super.init(codec)
  }

  override func unbind() { element = nil }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let noticeCount = d.notices.count
    let (counts, total) = unsafe try d.counts(rows: rows.count, each: DecodedSize.array(stride: element.codec.witnesses.stride))
    // Room for all elements is taken before the first one is read, so where they are few bytes they have to be there.
    if total / 64 > d.reader.remaining / max(1, element.codec.witnesses.stride) { try d.check(archivedElement, count: total) }
    let nests = codec.nests
    if nests { try d.enter() }
    defer { if nests { d.leave() } }
    defer { unsafe d.notices.moveElements(since: noticeCount, counts, rows: rows.count) }
    if isPartial { return unsafe try readPresent(rows, counts, total, &d) }
    var feed = ElementFeed(element, total: total, &d)
    var row = 0
    do {
      while row < rows.count {
        let count = Int(unsafe counts[row])
        // SAFETY: the row is uninitialised room for a `Sequence`; elements are counted as they are initialised.
        if count == 0 {
          // Making an array by its capacity writes a count, here into the storage that all empty arrays of the program share.
          unsafe rows[row].initializeMemory(as: Sequence.self, to: Sequence())
          row += 1
          continue
        }
        if let storage {
          unsafe try storage.make(count: count, at: rows[row]) { base, done in
            unsafe try feed.move(count, to: base, initialized: &done, &d)
          }
        } else {
          let made = unsafe try Sequence.make(count: count) { buffer, done in
            if let base = buffer.baseAddress { unsafe try feed.move(count, to: UnsafeMutableRawPointer(base), initialized: &done, &d) }
          }
          unsafe rows[row].initializeMemory(as: Sequence.self, to: made)
        }
        row += 1
      }
    } catch {
      feed.abandon()
      codec.destroy(rows.slice(0, row))
      throw unsafe Flattened.located(error, row: row, counts, rows: rows.count)
    }
  }

  /// Reads arrays of the elements that are there.
  private func readPresent(_ rows: Rows, _ counts: UnsafePointer<Int64>, _ total: Int, _ d: inout DecodingState) throws {
    var feed = PresentFeed(element, total: total, &d)
    var row = 0
    do {
      while row < rows.count {
        var sequence = Sequence()
        for _ in 0..<Int(unsafe counts[row]) {
          // SAFETY: the feed hands out initialised elements of this type, each once.
          guard let element = unsafe try feed.next(&d) else { continue }
          unsafe sequence.append(element.assumingMemoryBound(to: Sequence.Element.self).move())
        }
        // SAFETY: the row is uninitialised room for a `Sequence`.
        unsafe rows[row].initializeMemory(as: Sequence.self, to: sequence)
        row += 1
      }
    } catch {
      feed.abandon(&d)
      codec.destroy(rows.slice(0, row))
      throw unsafe Flattened.located(error, row: row, counts, rows: rows.count)
    }
  }
}
