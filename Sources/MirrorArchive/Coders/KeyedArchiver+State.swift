import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// When the archiver may be used, and with what.
extension KeyedArchiver {
  /// The encoding to work on, made on first use.
  ///
  /// - Throws: `finished`, `reentrant`, or again the error that has ended the encoding.
  func open() throws -> UnsafeMutablePointer<EncodingState> {
    if let failure { throw failure }
    switch phase {
    case .recording: break
    case .ready: try prepare()
    case .busy:
      throw ArchiveError(
        .reentrant, message: "the archiver is at work; values are handed to it in encode(with:) and encodeExtras(with:) alone")
    case .finished: throw ArchiveError(.finished, message: "the archiver has finished; make another one for another archive")
    }
    guard let state = unsafe state else { throw ArchiveError(.finished, message: "this archiver belongs to a call that has ended") }
    return unsafe state
  }

  /// Makes the state, and tells it what may have been set since the last value.
  private func prepare() throws {
    if unsafe state == nil {
      do {
        if !allowedTypes.isEmpty { try AllowList.check(allowedTypes) }
        let universe = requiresSecureCoding ? try PlanRegistry.shared.universe(of: allowedTypes) : nil
        let state = UnsafeMutablePointer<EncodingState>.allocate(capacity: 1)
        unsafe state.initialize(to: EncodingState(universe: universe))
        unsafe state.pointee.recorder.fill(Recorder(self, owned: false))
        unsafe state.pointee.graph.keepObjects()
        unsafe self.state = unsafe state
      } catch {
        failure = error
        throw error
      }
    }
    guard let state = unsafe state else { return }
    unsafe state.pointee.graph.replacesAll = state.pointee.graph.replacesAll || delegate != nil
    unsafe state.pointee.sortsKeys = outputFormatting.contains(.sortedKeys)
    unsafe state.pointee.byteLimit = maximumByteCount ?? Int.max
    handOverNames()
  }

  /// Tells the state what to call classes from now on.
  func handOverNames() {
    guard let state = unsafe state, phase != .busy else { return }
    if classNames.isEmpty, unsafe state.pointee.types.givenNames == nil { return }
    let names = unsafe state.pointee.types.givenNames ?? GivenNames()
    names.set(classNames)
    unsafe state.pointee.types.givenNames = names
    unsafe state.pointee.graph.givenNames = names
  }

  /// Frees the state, and with it the objects that were kept alive for it.
  func dropState() {
    guard isIndependent, let state = unsafe state else { return }
    // SAFETY: made by `prepare`; nobody works on it any more.
    unsafe self.state = nil
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Does one thing at the top level. An error in it ends the encoding.
  func atTopLevel<Result>(_ body: () throws -> Result) throws -> Result {
    phase = .busy
    do {
      let result = try body()
      phase = .ready
      return result
    } catch {
      failure = failure ?? error
      phase = .ready
      dropState()
      throw error
    }
  }

  /// Does one thing inside a record. An error in it ends the encoding, even if the caller goes on.
  func inRecord(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      failure = failure ?? error
      throw error
    }
  }

  /// Lets code of the program hand values over. The state is used by nobody else meanwhile.
  func record(_ state: UnsafeMutablePointer<EncodingState>, _ body: () throws -> Void) throws {
    let before = (phase, unsafe self.state)
    unsafe self.state = unsafe state
    phase = .recording
    defer {
      phase = unsafe before.0
      unsafe self.state = unsafe before.1
    }
    try inRecord(body)
    if let failure { throw failure }
  }
}
