import Synchronization

/// Something that a test turns on and off while other threads look at it.
final class Switch: Sendable {
  private let state = Atomic(false)
  var isOn: Bool {
    get { state.load(ordering: .sequentiallyConsistent) }
    set { state.store(newValue, ordering: .sequentiallyConsistent) }
  }
}
