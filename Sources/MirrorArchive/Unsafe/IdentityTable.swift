/// Object address -> object number: open addressing with linear probing over one buffer.
///
/// Addresses of live objects are never 0, so 0 marks a free place. Complexity: O(1) expected per look-up.
@safe
struct IdentityTable: ~Copyable {
  private struct Entry: BitwiseCopyable {
    var address: UInt
    var number: UInt
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var mask: Int
  private(set) var count = 0

  init() {
    mask = 31
    unsafe entries = .allocate(capacity: 32)
    unsafe entries.initialize(repeating: Entry(address: 0, number: 0), count: 32)
  }

  deinit { unsafe entries.deallocate() }

  /// The most entries that are worth keeping.
  private static let keptCapacity = 1_024

  /// Forgets everything.
  mutating func removeAll() {
    if count == 0 { return }
    count = 0
    if mask >= Self.keptCapacity {
      unsafe entries.deallocate()
      mask = 31
      unsafe entries = .allocate(capacity: 32)
    }
    unsafe entries.initialize(repeating: Entry(address: 0, number: 0), count: mask + 1)
  }

  @inline(__always)
  private static func slot(_ address: UInt, _ mask: Int) -> Int {
    // Objects are 16-byte aligned; the upper bits of the product lie the farther apart the nearer the objects are, so that neighbours hardly ever
    // meet (Fibonacci hashing, Knuth, TAOCP 3, 6.4).
    Int(truncatingIfNeeded: ((address >> 4) &* 0x9E37_79B9_7F4A_7C15) &>> UInt(truncatingIfNeeded: mask.leadingZeroBitCount))
  }

  /// The number of the object at `address`, or nil.
  @inline(__always)
  func number(of address: UInt) -> UInt? {
    var i = Self.slot(address, mask)
    while true {
      let entry = unsafe entries[i]
      if entry.address == address { return entry.number }
      if entry.address == 0 { return nil }
      i = (i &+ 1) & mask
    }
  }

  /// Where the object at `address` would be entered, or nil if it has a number.
  @inline(__always)
  func place(for address: UInt) -> Int? {
    var i = Self.slot(address, mask)
    while true {
      let entry = unsafe entries[i]
      if entry.address == address { return nil }
      if entry.address == 0 { return i }
      i = (i &+ 1) & mask
    }
  }

  /// The number of the object at `address`, or where it would be entered.
  @inline(__always)
  func find(_ address: UInt) -> (number: UInt?, place: Int) {
    var i = Self.slot(address, mask)
    while true {
      let entry = unsafe entries[i]
      if entry.address == address { return (entry.number, i) }
      if entry.address == 0 { return (nil, i) }
      i = (i &+ 1) & mask
    }
  }

  /// Writes the numbers of these objects, up to the first one that has none, whose place in the range is returned.
  @inline(never)
  func numbers(
    of references: UnsafePointer<UnsafeMutableRawPointer>, _ range: Range<Int>, into numbers: UnsafeMutablePointer<UInt32>
  ) -> Int {
    let (entries, mask) = unsafe (entries, mask)
    for i in range {
      // SAFETY: slots are masked by the size of the table.
      let address = unsafe UInt(bitPattern: references[i])
      var slot = Self.slot(address, mask)
      while unsafe entries[slot].address != address {
        if unsafe entries[slot].address == 0 { return i }
        slot = (slot &+ 1) & mask
      }
      unsafe numbers[i] = UInt32(truncatingIfNeeded: entries[slot].number)
    }
    return range.upperBound
  }

  /// Gives the object at `address` a number, at the place that was just found for it.
  @inline(__always)
  mutating func enter(_ address: UInt, number: UInt, at place: Int) {
    unsafe entries[place] = Entry(address: address, number: number)
    count &+= 1
    if count &* 2 > mask { grow() }
  }

  /// Makes room for `total` objects in all.
  mutating func reserve(_ total: Int) {
    var capacity = mask + 1
    while capacity < total &* 2 { capacity *= 2 }
    if capacity > mask + 1 { resize(capacity) }
  }

  @inline(never)
  private mutating func grow() { resize((mask + 1) * 4) }

  private mutating func resize(_ capacity: Int) {
    let old = unsafe entries
    let oldCapacity = mask + 1
    mask = capacity - 1
    unsafe entries = .allocate(capacity: capacity)
    unsafe entries.initialize(repeating: Entry(address: 0, number: 0), count: capacity)
    for j in 0..<oldCapacity {
      let entry = unsafe old[j]
      if entry.address == 0 { continue }
      var i = Self.slot(entry.address, mask)
      while unsafe entries[i].address != 0 { i = (i &+ 1) & mask }
      unsafe entries[i] = entry
    }
    unsafe old.deallocate()
  }
}
