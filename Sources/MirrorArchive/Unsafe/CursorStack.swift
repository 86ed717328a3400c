/// The records that are being read, the innermost on top: in memory of their own, so that a value moves its cursor on without copying it.
@safe
final class CursorStack {
  @exclusivity(unchecked) private var base: UnsafeMutablePointer<RecordCursor>
  @exclusivity(unchecked) private var capacity = 16
  @exclusivity(unchecked) private var depth = 0

  init() { unsafe base = .allocate(capacity: 16) }

  deinit {
    unsafe base.deinitialize(count: depth)
    unsafe base.deallocate()
  }

  // SAFETY: the first `depth` elements are initialised; the session counts what it opens and closes, and asks for no others.

  var count: Int { unsafe depth }

  subscript(i: Int) -> RecordCursor {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(base + i) }
    @inline(__always) unsafeMutableAddress { unsafe base + i }
  }

  /// The innermost one, of which there has to be one.
  var top: UnsafeMutablePointer<RecordCursor> {
    @inline(__always) get { unsafe base + (depth &- 1) }
  }

  func append(_ cursor: consuming RecordCursor) {
    if unsafe depth == capacity { grow() }
    unsafe (base + depth).initialize(to: cursor)
    unsafe depth += 1
  }

  /// Leaves records, down to where `count` of them are open.
  func close(to count: Int) {
    if unsafe count >= depth { return }
    let closed = unsafe depth - count
    unsafe depth = count
    unsafe (base + count).deinitialize(count: closed)
  }

  @inline(never)
  private func grow() {
    let larger = unsafe UnsafeMutablePointer<RecordCursor>.allocate(capacity: capacity * 2)
    unsafe larger.moveInitialize(from: base, count: depth)
    unsafe base.deallocate()
    unsafe base = unsafe larger
    unsafe capacity *= 2
  }
}
