import ArchiveFormat

/// The strings that repeat within one property, each written once per archive.
///
/// A string is looked for by its 16 raw bytes first: equal bytes mean the same short string or the same buffer, and the pool keeps
/// every string it has seen alive, so a buffer cannot be reused for other contents meanwhile. Contents are compared only for a
/// buffer that is new to the pool.
struct StringPool {
  private struct Slot {
    var low: UInt64 = 0
    var high: UInt64 = 0
    var place: Int32 = -1
  }

  /// The distinct strings in the order of their places.
  private(set) var entries: [String] = []
  private var slots: [Slot] = []
  private var used = 0
  /// Content hash -> places of long strings.
  private var contents: [UInt64: [Int32]] = [:]
  /// Strings with known contents in another buffer: kept alive for the raw comparison.
  private var aliases: [String] = []
  /// Columns to leave alone before the next try, and how many the last failure cost.
  private var pause = 0
  private var lastPause = 0

  var isUsed: Bool { !entries.isEmpty }

  /// Finds or makes a place for each string. False if too few repeat: then nothing has changed but the pause before the next try.
  mutating func place(count: Int, at places: UnsafeMutablePointer<Int64>, _ string: (Int) -> UnsafeMutablePointer<String>) -> Bool {
    if pause > 0 {
      pause -= 1
      return false
    }
    let before = entries.count
    // New distinct values allowed: at most three quarters of the rows.
    let allowed = count - count / 4
    for i in 0..<count {
      // SAFETY: a String is two words; they are read as bits and never turned back into a reference.
      let (low, high) = unsafe UnsafeRawPointer(string(i)).loadUnaligned(as: (UInt64, UInt64).self)
      if (used + 1) * 2 > slots.count { grow() }
      let mask = slots.count - 1
      var at = Self.hash(low, high) & mask
      while slots[at].place >= 0, slots[at].low != low || slots[at].high != high { at = (at + 1) & mask }
      if slots[at].place < 0 {
        if entries.count - before >= allowed { return giveUp(before) }
        slots[at] = unsafe Slot(low: low, high: high, place: newPlace(for: string(i).pointee))
        used += 1
      }
      unsafe places[i] = Int64(slots[at].place)
    }
    lastPause = 0
    return true
  }

  @inline(__always)
  private static func hash(_ low: UInt64, _ high: UInt64) -> Int {
    let mixed = (low ^ (high &* 0x9E37_79B9_7F4A_7C15)) &* 0xC2B2_AE3D_27D4_EB4F
    return Int(truncatingIfNeeded: mixed >> 32)
  }

  private mutating func newPlace(for string: String) -> Int32 {
    var string = string
    let place = Int32(entries.count)
    let known: Int32? = string.withUTF8 { utf8 in
      if utf8.count < 16 { return nil }  // Short strings are equal exactly if their raw bytes are.
      let key = unsafe XXHash64.hash(UnsafeRawBufferPointer(utf8))
      for candidate in contents[key] ?? [] {
        if unsafe entries[Int(candidate)].utf8.elementsEqual(utf8) { return candidate }
      }
      contents[key, default: []].append(place)
      return nil
    }
    if let known {
      aliases.append(string)
      return known
    }
    entries.append(string)
    return place
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: Slot(), count: max(64, old.count * 4))
    for slot in old where slot.place >= 0 { insert(slot) }
  }

  private mutating func insert(_ slot: Slot) {
    let mask = slots.count - 1
    var at = Self.hash(slot.low, slot.high) & mask
    while slots[at].place >= 0 { at = (at + 1) & mask }
    slots[at] = slot
  }

  /// Forgets the places from `before` on and waits twice as long as the last time.
  private mutating func giveUp(_ before: Int) -> Bool {
    lastPause = min(max(1, lastPause * 2), 64)
    pause = lastPause
    entries.removeSubrange(before...)
    let old = slots
    slots = Array(repeating: Slot(), count: before == 0 ? 64 : old.count)
    used = 0
    for slot in old where slot.place >= 0 && slot.place < before {
      insert(slot)
      used += 1
    }
    for (key, places) in contents {
      let kept = places.filter { $0 < before }
      contents[key] = kept.isEmpty ? nil : kept
    }
    return false
  }
}

/// The pools of one archive, one per property; which one is in use is set where a property's column begins.
struct StringPools {
  private var pools: [StringPool] = []
  private var ids: [UInt64: Int] = [:]
  private var order: [UInt64] = []
  private var current = 0

  /// Makes the pool of the property `id` the current one.
  mutating func select(_ id: UInt64) {
    if let known = ids[id] {
      current = known
    } else {
      current = pools.count
      ids[id] = current
      order.append(id)
      pools.append(StringPool())
    }
  }

  mutating func place(count: Int, at places: UnsafeMutablePointer<Int64>, _ string: (Int) -> UnsafeMutablePointer<String>) -> Bool {
    unsafe pools[current].place(count: count, at: places, string)
  }

  /// The pools that hold strings, with their properties' ids.
  var used: [(id: UInt64, strings: [String])] {
    zip(order, pools).compactMap { $1.isUsed ? ($0, $1.entries) : nil }
  }

  /// The id of the pool of the `ordinal`-th property of the type-table entry `entry`; 0 is the roots' pool.
  static func id(entry: Int, ordinal: Int) -> UInt64 { 1 + UInt64(entry) << 24 | UInt64(ordinal) }
}
