import ArchiveFormat
import ArchiveReflection

/// `InlineArray`: its elements, flattened, in chunks of 1,024.
final class InlineArrayCodec: ValueCodec, @unchecked Sendable {
  let count: Int
  private var element: ValueCodec!

  init(_ type: Any.Type, count: Int) {
    self.count = count
    super.init(type)
  }

  func resolve(_ element: ValueCodec) { self.element = element }

  override var children: [ValueCodec] { [element] }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    try types.id(for: self) { .inlineArray(try element.describe(&$0), count: count) }
  }

  private func forEachChunk(_ rows: Rows, _ e: inout EncodingState, _ body: (Rows, inout EncodingState) throws -> Void) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let counts = unsafe e.scratch.allocate(Int64.self, rows.count)
    // SAFETY: every row holds `count` elements, one stride apart.
    for i in 0..<rows.count { unsafe counts[i] = Int64(count) }
    let stride = element.witnesses.stride
    unsafe try Flattened.forEachChunk(
      rows: rows.count, counts: counts, isExclusive: rows.isExclusive, &e, elements: { i in unsafe (rows[i], stride) }, body)
  }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    try forEachChunk(rows, &e) { elements, e in try element.discover(elements, &e) }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    if count == 0 { return unsafe FixedColumn.encode(UnsafeRawBufferPointer(start: nil, count: 0), width: 0, into: &e.writer) }
    try forEachChunk(rows, &e) { elements, e in try element.encode(elements, &e) }
  }

  override func unlink(_ rows: Rows) {
    // SAFETY: every row holds `count` elements, one stride apart.
    unsafe rows.visit { _, p in unsafe element.unlink(Rows(base: p, stride: element.witnesses.stride, count: count)) }
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    guard case .inlineArray(let inner, let found) = binder.types[id], found == count else { throw binder.mismatch(id, type) }
    return try binder.reader(for: id, self) { reader, binder in
      reader.element = try binder.reader(element, inner, below: "[]")
    } make: {
      InlineArrayReader(self, count: count)
    }
  }
}

private final class InlineArrayReader: ColumnReader, @unchecked Sendable {
  var element: ColumnReader!
  override func unbind() { element = nil }
  let count: Int

  init(_ codec: InlineArrayCodec, count: Int) {
    self.count = count
    super.init(codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    if count == 0 { return try FixedColumn.skip(count: rows.count, width: 0, from: &d.reader) }
    let (total, overflow) = rows.count.multipliedReportingOverflow(by: count)
    if overflow || total / maximumChunkRows > d.reader.remaining {
      throw d.malformed("\(rows.count) inline arrays of \(count) elements do not fit the bytes that are left", row: 0)
    }
    let noticeCount = d.notices.count
    defer { d.notices.moveElements(since: noticeCount, each: count) }
    var feed = ElementFeed(element, total: total, &d)
    var row = 0
    var done = 0
    do {
      while row < rows.count {
        done = 0
        // SAFETY: the row is uninitialised room for `count` elements.
        if count > 0 { unsafe try feed.move(count, to: rows[row], initialized: &done, &d) }
        row += 1
      }
    } catch {
      feed.abandon()
      codec.destroy(rows.slice(0, row))
      if done > 0 { element.codec.destroy(unsafe Rows(base: rows[row], stride: element.codec.witnesses.stride, count: done)) }
      if let error = error as? ElementError { throw error.error.moved(to: error.place / count, below: "[\(error.place % count)]") }
      throw error
    }
  }
}
