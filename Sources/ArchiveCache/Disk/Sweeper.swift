import Dispatch
import MirrorArchive

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Says when the disk is swept.
///
/// By what this process has written, and not by the clock or what the program is doing: at a twentieth of the limits in the background, and at a
/// tenth, if that has not helped, by whoever writes. Processes that end long before that sweep as well: each begins at a chance point of the way.
final class Sweeper: Sendable {
  private struct State {
    var byteCount: Int64
    var count: Int
    var isScheduled = false
  }

  private enum Need { case nothing, soon, now }

  private let sweep: Sweep
  private let state: Locked<State>
  /// Held by the thread that sweeps.
  private let turn = Locked(0)
  private let process = getpid()
  private let byteInterval: Int64
  private let countInterval: Int
  private let report: @Sendable (Sweep.Outcome) -> Void

  /// - Parameters:
  ///   - headStart: How much of the way to a sweep is done already, from 0 to 1.
  ///   - report: Told what came of a sweep, while nothing is locked.
  init(_ sweep: Sweep, headStart: Double, report: @escaping @Sendable (Sweep.Outcome) -> Void) {
    self.sweep = sweep
    self.report = report
    byteInterval = max(1, sweep.maximumByteCount / 10)
    countInterval = sweep.maximumCount.map { max(1, $0 / 10) } ?? Int.max / 4
    state = Locked(State(byteCount: Int64(Double(byteInterval) * headStart), count: 0))
  }

  /// Notes that an entry was written, and sweeps if it is time.
  func wrote(_ size: Int64) {
    // The child of a fork has no threads but the one that made it.
    let isChild = getpid() != process
    let need: Need = state.withLock { state in
      state.byteCount &+= Sweep.space(size)
      state.count += 1
      if state.byteCount >= byteInterval || state.count >= countInterval { return .now }
      guard state.byteCount >= byteInterval / 2 || state.count >= (countInterval + 1) / 2, !state.isScheduled, !isChild else {
        return .nothing
      }
      state.isScheduled = true
      return .soon
    }
    switch need {
    case .nothing: break
    case .now: _ = try? run(isNeeded: true, isChild: isChild)
    case .soon: DispatchQueue.global(qos: .utility).async { [weak self] in _ = try? self?.run(isNeeded: false, isChild: false) }
    }
  }

  /// Sweeps later, when a program that ends soon is over.
  func schedule(after seconds: Int) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
      _ = try? self?.force(lookingForExpired: true, patience: 0)
    }
  }

  /// Sweeps in the background what was thrown away.
  func emptyTrash() {
    let directory = sweep.tier.directory
    if getpid() != process { return directory.emptyTrash() }
    DispatchQueue.global(qos: .utility).async { directory.emptyTrash() }
  }

  /// Sweeps, whether or not it is time.
  ///
  /// - Parameter patience: How often to wait for 10 ms while another process, or another cache of this one, is sweeping.
  /// - Returns: nil if somebody else goes on sweeping.
  func force(lookingForExpired: Bool, patience: Int) throws(SystemError) -> Sweep.Outcome? {
    for attempt in 0...patience {
      if attempt > 0 { usleep(10_000) }
      if let outcome = try inTurn(getpid() != process, { () throws(SystemError) in try start(lookingForExpired: lookingForExpired) }) {
        report(outcome)
        return outcome
      }
    }
    return nil
  }

  private func run(isNeeded: Bool, isChild: Bool) throws(SystemError) {
    let outcome = try inTurn(isChild) { () throws(SystemError) -> Sweep.Outcome? in
      // Somebody else may have done it while this thread was waiting.
      let isDue = state.withLock { state in
        isNeeded ? state.byteCount >= byteInterval || state.count >= countInterval : state.isScheduled
      }
      // Who has written all that it may waits for another process's sweep, lest it be a tenth of the limits ahead of that one again and again.
      return isDue ? try start(lookingForExpired: false, patience: isNeeded ? Self.writersPatience : 0) : nil
    }
    if let outcome { report(outcome) }
  }

  private func inTurn(_ isChild: Bool, _ body: () throws(SystemError) -> Sweep.Outcome?) throws(SystemError) -> Sweep.Outcome? {
    // Whoever had the turn in the parent of a fork never gives it back here.
    if isChild { return try body() }
    let result = turn.withLock { _ -> Result<Sweep.Outcome?, SystemError> in
      do throws(SystemError) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// How often a writer waits for 2 ms while another process is sweeping. One that was stopped in the middle of it must not stop everybody.
  private static let writersPatience = 125

  private func start(lookingForExpired: Bool, patience: Int = 0) throws(SystemError) -> Sweep.Outcome? {
    // What is written while the scan goes on may not be seen by it, and counts for the next one. What was written before counts until the sweep
    // is over, or writers would be a tenth of the limits ahead of a slow one before they wait for it.
    let before = state.withLock { $0 }
    // Where another process sweeps, it may have passed what this one wrote: half of the way is done already. So it is where the disk refuses.
    var rest = (byteCount: min(before.byteCount, byteInterval / 2), count: min(before.count, countInterval / 2))
    defer {
      state.withLock { state in
        state.byteCount &-= before.byteCount &- rest.byteCount
        state.count -= before.count - rest.count
        state.isScheduled = false
      }
    }
    var outcome = try sweep.run(lookingForExpired: lookingForExpired)
    var attempts = 0
    while outcome == nil, attempts < patience {
      usleep(2_000)
      attempts += 1
      outcome = try sweep.run(lookingForExpired: lookingForExpired)
    }
    if outcome != nil { rest = (0, 0) }
    return outcome
  }
}
