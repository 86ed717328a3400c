import ArchiveFormat

extension GraphSession {
  /// Reads a value in the way that most of them are read: `init(coder:)` asks for the next key in order, for the same type as for the last
  /// object, and the value refers to nothing.
  ///
  /// Does nothing that `value(_:at:key:)` would not do, without asking again what is known, and without counting owners.
  /// - Returns: Nil if there is more to it.
  @inline(__always)
  func plainValue<T>(_: T.Type, forKey key: String) throws -> T? {
    if isRefusing || isBusy || depth == 0 { return nil }
    let cursor = unsafe cursors.top
    let position = unsafe cursor.pointee.position
    guard unsafe position < cursor.pointee.slotCount && cursor.pointee.starts == nil else { return nil }
    // SAFETY: the cursor's shape keeps the slots alive, and each slot's reader; the cursor stays where it is while no other one is opened, and
    // no other one is while the session is busy.
    let slot = unsafe cursor.pointee.plainSlots + position
    guard unsafe slot.pointee.type == ObjectIdentifier(T.self) && slot.pointee.key == key, let reader = unsafe slot.pointee.reader
    else { return nil }
    isBusy = true
    defer { isBusy = false }
    unsafe state.reader = cursor.pointee.next
    unsafe state.poolID = cursor.pointee.poolID
    state.forgetDepth()
    do {
      return unsafe try withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { buffer -> T? in
        guard let base = buffer.baseAddress else { return nil }
        let row = unsafe Rows(base: UnsafeMutableRawPointer(base), stride: MemoryLayout<T>.stride, count: 1)
        unsafe try reader._withUnsafeGuaranteedRef { try $0.read(row, &state) }
        unsafe cursor.pointee.position = position &+ 1
        unsafe cursor.pointee.next = state.reader
        if state.notices.count > 0 { reportNotices(key, in: cursors[cursors.count - 1]) }
        if unsafe position &+ 1 == cursor.pointee.slotCount && state.reader.remaining > 0 {
          unsafe base.deinitialize(count: 1)
          throw leftOver("the last key")
        }
        return unsafe base.move()
      }
    } catch {
      throw located(error, key, in: cursors[cursors.count - 1])
    }
  }

  /// The error about bytes that nothing accounts for.
  @inline(never)
  func leftOver(_ place: String) -> LocatedError {
    LocatedError(.malformed, row: 0, offset: state.reader.offset, "\(state.reader.remaining) bytes are left over behind \(place)")
  }
}
