/// Raw bytes of strings -> place: open addressing with linear probing over one buffer.
///
/// Complexity: O(1) expected per look-up.
@safe
struct StringTable: ~Copyable {
  private struct Slot: BitwiseCopyable {
    var low: UInt64 = 0
    var high: UInt64 = 0
    /// -1: free.
    var place = -1
  }

  private var slots: UnsafeMutablePointer<Slot>
  private var mask: Int
  private(set) var count = 0

  init() {
    mask = 127
    unsafe slots = .allocate(capacity: 128)
    unsafe slots.initialize(repeating: Slot(), count: 128)
  }

  deinit { unsafe slots.deallocate() }

  /// The place of the string with these raw words, or nil.
  @inline(__always)
  func place(_ low: UInt64, _ high: UInt64) -> Int? {
    // Multiplicative hashing of both words (Knuth, TAOCP 3, 6.4).
    var at = Int(truncatingIfNeeded: ((low ^ (high &* 0x9E37_79B9_7F4A_7C15)) &* 0xC2B2_AE3D_27D4_EB4F) >> 32) & mask
    while true {
      // SAFETY: `at` is masked by the size of the buffer.
      let slot = unsafe slots + at
      if unsafe slot.pointee.low == low && slot.pointee.high == high { return unsafe slot.pointee.place }
      if unsafe slot.pointee.place < 0 { return nil }
      at = (at &+ 1) & mask
    }
  }

  /// Enters a string that has no place yet.
  mutating func enter(_ low: UInt64, _ high: UInt64, place: Int) {
    if (count &+ 1) &* 2 > mask { grow() }
    insert(Slot(low: low, high: high, place: place))
    count &+= 1
  }

  /// Forgets all places from `end` on.
  mutating func removePlaces(from end: Int) {
    let old = unsafe slots
    let last = mask
    if end == 0 { mask = 127 }
    unsafe slots = .allocate(capacity: mask + 1)
    unsafe slots.initialize(repeating: Slot(), count: mask + 1)
    count = 0
    if end > 0 {
      for i in 0...last where unsafe old[i].place >= 0 && old[i].place < end {
        unsafe insert(old[i])
        count &+= 1
      }
    }
    unsafe old.deallocate()
  }

  private func insert(_ slot: Slot) {
    var at = Int(truncatingIfNeeded: ((slot.low ^ (slot.high &* 0x9E37_79B9_7F4A_7C15)) &* 0xC2B2_AE3D_27D4_EB4F) >> 32) & mask
    while unsafe slots[at].place >= 0 { at = (at &+ 1) & mask }
    unsafe slots[at] = slot
  }

  private mutating func grow() {
    let old = unsafe slots
    let capacity = mask + 1
    mask = capacity * 4 - 1
    unsafe slots = .allocate(capacity: capacity * 4)
    unsafe slots.initialize(repeating: Slot(), count: capacity * 4)
    for i in 0..<capacity where unsafe old[i].place >= 0 { unsafe insert(old[i]) }
    unsafe old.deallocate()
  }
}
