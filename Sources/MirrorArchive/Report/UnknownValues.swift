import ArchiveFormat

/// The values of one block's objects that the program has no property for: read when somebody asks.
final class UnknownValues: @unchecked Sendable {
  private enum State {
    case unread(() throws -> [[String: ArchiveValue]])
    case read([[String: ArchiveValue]])
    case failed(any Error)
  }

  private let state: Locked<State>

  /// - Parameter read: Gives the values of all objects of the block; called once at most, and not after `close`.
  init(_ read: @escaping () throws -> [[String: ArchiveValue]]) { state = Locked(.unread(read)) }

  func values(ofRow row: Int) throws -> [String: ArchiveValue] {
    try state.withLock { state in
      if case .unread(let read) = state {
        do { state = .read(try read()) } catch { state = .failed(error) }
      }
      switch state {
      case .read(let rows): return row < rows.count ? rows[row] : [:]
      case .failed(let error): throw error
      case .unread: return [:]
      }
    }
  }

  /// The bytes are about to go. Who has kept a context may still ask.
  /// - Parameter isShared: Whether somebody has.
  func close(isShared: Bool) {
    state.withLock { state in
      guard case .unread(let read) = state else { return }
      if !isShared {
        state = .read([])
        return
      }
      do { state = .read(try read()) } catch { state = .failed(error) }
    }
  }
}

extension ClassReader {
  /// Runs `body` with what the archive has of a block's objects beyond their properties, if there is such a thing.
  func withUnknownValues<R>(ofBlock block: Int, _ layout: ArchiveLayout, _ body: (UnknownValues?) throws -> R) rethrows -> R {
    if facts.unknown.isEmpty { return try body(nil) }
    var unknown = UnknownValues {
      try self.unknownValues(count: layout.blocks[block].count, in: layout.blockReaders[block], ArchiveValues(layout))
    }
    defer { unknown.close(isShared: !isKnownUniquelyReferenced(&unknown)) }
    return try body(unknown)
  }
}
