import Synchronization

/// Objects that one call at a time works with, kept from call to call.
///
/// Taking one and giving it back is an atomic exchange each: nobody waits for anybody. Who finds none makes one. There is room for a fixed
/// number; each key has a few places, so that calls for it may run at once.
@safe
final class Pool<Element: AnyObject>: @unchecked Sendable {
  /// Each place holds the address of an object that it owns, or 0.
  private let places: UnsafeMutablePointer<Atomic<UInt>>
  private static var count: Int { 32 }
  private static var placesPerKey: Int { 4 }

  init() {
    unsafe places = .allocate(capacity: Self.count)
    for i in 0..<Self.count { unsafe (places + i).initialize(to: Atomic(0)) }
  }

  deinit {
    for i in 0..<Self.count {
      unsafe Self.drop(places[i].load(ordering: .acquiring))
      unsafe (places + i).deinitialize(count: 1)
    }
    unsafe places.deallocate()
  }

  /// Takes an object that was given for the key and that `fits` is true for; nil if there is none.
  @inline(__always)
  func take(_ key: ObjectIdentifier, _ fits: (Element) -> Bool) -> Element? {
    for i in 0..<Self.placesPerKey {
      let place = unsafe self.place(key, i)
      if unsafe place.pointee.load(ordering: .relaxed) == 0 { continue }
      let address = unsafe place.pointee.exchange(0, ordering: .acquiring)
      guard let object = unsafe UnsafeRawPointer(bitPattern: address) else { continue }
      // SAFETY: the place owned the object, and whoever exchanges it for 0 owns it from there on.
      let element = unsafe Unmanaged<Element>.fromOpaque(object).takeRetainedValue()
      if fits(element) { return element }
      unsafe put(element, place)
    }
    return nil
  }

  /// Keeps an object that nobody works with any more for the key.
  @inline(__always)
  func give(_ element: Element, _ key: ObjectIdentifier) {
    for i in 0..<Self.placesPerKey {
      let place = unsafe self.place(key, i)
      if unsafe place.pointee.load(ordering: .relaxed) == 0 { return unsafe put(element, place) }
    }
    // What nobody has taken lately makes room.
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(element).toOpaque())
    unsafe Self.drop(place(key, 0).pointee.exchange(address, ordering: .acquiringAndReleasing))
  }

  /// Keeps an object in a place, or lets go of it if somebody was faster.
  @inline(__always)
  private func put(_ element: Element, _ place: UnsafeMutablePointer<Atomic<UInt>>) {
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(element).toOpaque())
    let (isPut, _) = unsafe place.pointee.compareExchange(expected: 0, desired: address, ordering: .releasing)
    if !isPut { Self.drop(address) }
  }

  private static func drop(_ address: UInt) {
    guard let object = unsafe UnsafeRawPointer(bitPattern: address) else { return }
    // SAFETY: the address was one that a place owned, or was to own.
    unsafe Unmanaged<Element>.fromOpaque(object).release()
  }

  @inline(__always)
  private func place(_ key: ObjectIdentifier, _ i: Int) -> UnsafeMutablePointer<Atomic<UInt>> {
    // Addresses of types end in zeros; the multiplication spreads neighbours.
    let hash = UInt(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    return unsafe places + (Int(truncatingIfNeeded: hash >> 40) &+ i) & (Self.count &- 1)
  }
}
