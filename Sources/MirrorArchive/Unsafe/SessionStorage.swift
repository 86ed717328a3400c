/// What changes while a graph comes about.
///
/// The properties go without the run-time check for overlapping accesses, which would be the larger part of what a small object costs: no access
/// lasts while code of the program makes objects, and calls that come in from code that runs during one nevertheless (a `hash(into:)`, a
/// `deinit`) are turned away by `isBusy`.
@safe
class SessionStorage {
  /// The records that are being read, the innermost last; the first is the root's.
  final let cursors = CursorStack()
  private let stateMemory: UnsafeMutablePointer<DecodingState>
  @exclusivity(unchecked) private var storedBlocks: [GraphSession.Block?]
  @exclusivity(unchecked) private var storedCallTypes: [Any.Type] = []
  @exclusivity(unchecked) private var storedUnfilled: [Int] = []
  @exclusivity(unchecked) private var storedWanted: [Int64] = []
  @exclusivity(unchecked) private var storedCallbacks: [GraphSession.Callback] = []
  @exclusivity(unchecked) private var storedFailures: [Int64: any Error] = [:]
  @exclusivity(unchecked) private var storedDepth: Int = 0
  @exclusivity(unchecked) private var storedIsCompleting: Bool = false
  @exclusivity(unchecked) private var storedHasDelegate: Bool = false
  @exclusivity(unchecked) private var storedIsBusy: Bool = false
  @exclusivity(unchecked) private var storedFailure: (any Error)?
  @exclusivity(unchecked) private var storedIsRefusing: Bool = false

  init(_ state: consuming DecodingState, blockCount: Int) {
    unsafe stateMemory = .allocate(capacity: 1)
    unsafe stateMemory.initialize(to: state)
    unsafe storedBlocks = Array(repeating: nil, count: blockCount)
  }

  deinit {
    // SAFETY: allocated and initialised above.
    unsafe stateMemory.deinitialize(count: 1)
    unsafe stateMemory.deallocate()
  }

  // SAFETY: see above; each access is over before the next one begins.

  /// What the readers of columns carry along.
  final var state: DecodingState {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(stateMemory) }
    @inline(__always) unsafeMutableAddress { unsafe stateMemory }
  }

  /// Per block: what is known about it; nil until it is reached.
  final var blocks: [GraphSession.Block?] {
    @inline(__always) _read { yield unsafe storedBlocks }
    @inline(__always) _modify { yield unsafe &storedBlocks }
  }

  /// What the current call admits behind `Any` and protocols.
  final var callTypes: [Any.Type] {
    @inline(__always) _read { yield unsafe storedCallTypes }
    @inline(__always) _modify { yield unsafe &storedCallTypes }
  }

  /// Blocks whose objects exist and have not been filled.
  final var unfilled: [Int] {
    @inline(__always) _read { yield unsafe storedUnfilled }
    @inline(__always) _modify { yield unsafe &storedUnfilled }
  }

  /// Hand-coded objects that properties of reflected objects refer to.
  final var wanted: [Int64] {
    @inline(__always) _read { yield unsafe storedWanted }
    @inline(__always) _modify { yield unsafe &storedWanted }
  }

  /// References that are delivered when the graph is complete.
  final var callbacks: [GraphSession.Callback] {
    @inline(__always) _read { yield unsafe storedCallbacks }
    @inline(__always) _modify { yield unsafe &storedCallbacks }
  }

  /// Objects that could not be made, with the reason.
  final var failures: [Int64: any Error] {
    @inline(__always) _read { yield unsafe storedFailures }
    @inline(__always) _modify { yield unsafe &storedFailures }
  }

  /// How many `init(coder:)` are running inside each other.
  final var depth: Int {
    @inline(__always) _read { yield unsafe storedDepth }
    @inline(__always) _modify { yield unsafe &storedDepth }
  }

  /// Whether a graph is being completed for a call from outside.
  final var isCompleting: Bool {
    @inline(__always) _read { yield unsafe storedIsCompleting }
    @inline(__always) _modify { yield unsafe &storedIsCompleting }
  }

  /// Whether somebody is shown every object.
  final var hasDelegate: Bool {
    @inline(__always) _read { yield unsafe storedHasDelegate }
    @inline(__always) _modify { yield unsafe &storedHasDelegate }
  }

  /// Something of the session is in use: no call may come in.
  final var isBusy: Bool {
    @inline(__always) _read { yield unsafe storedIsBusy }
    @inline(__always) _modify { yield unsafe &storedIsBusy }
  }

  /// The first error that left the graph in pieces.
  final var failure: (any Error)? {
    @inline(__always) _read { yield unsafe storedFailure }
    @inline(__always) _modify { yield unsafe &storedFailure }
  }

  /// Some reason stands against every further call.
  final var isRefusing: Bool {
    @inline(__always) _read { yield unsafe storedIsRefusing }
    @inline(__always) _modify { yield unsafe &storedIsRefusing }
  }
}
