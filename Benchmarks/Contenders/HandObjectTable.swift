import Foundation

/// Numbers objects in the order in which they are met: an open-addressing table from address to number.
///
/// The objects have to be kept alive by somebody else.
@safe
struct HandObjectTable: ~Copyable {
  private struct Entry {
    /// 0 marks a free entry: no object lives there.
    var address: UInt
    var number: Int
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity: Int
  private(set) var count = 0

  /// - Parameter expected: how many objects fit before the table grows.
  init(expected: Int) {
    var capacity = 64
    while capacity < 2 * expected {
      capacity *= 2
    }
    self.capacity = capacity
    unsafe entries = Self.allocate(capacity)
  }

  deinit {
    unsafe free(entries)
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
    // SAFETY: zero bytes are free entries, and the memory is freed where it is replaced and in `deinit`.
    unsafe calloc(capacity, MemoryLayout<Entry>.stride).bindMemory(to: Entry.self, capacity: capacity)
  }

  /// The number of `object`; equal to the former `count` when it is new.
  @inline(__always)
  mutating func number(of object: AnyObject) -> Int {
    let address = UInt(bitPattern: ObjectIdentifier(object))
    var slot = Self.slot(address, capacity)
    while true {
      // SAFETY: `slot` is below `capacity`, and half of the entries are free, so the search ends.
      let entry = unsafe entries[slot]
      if entry.address == address { return entry.number }
      if entry.address == 0 { break }
      slot = (slot &+ 1) & (capacity &- 1)
    }
    let number = count
    unsafe entries[slot] = Entry(address: address, number: number)
    count = number &+ 1
    if 2 * count > capacity { grow() }
    return number
  }

  /// Objects are aligned to 16 bytes, and follow each other: the product spreads the bits that differ.
  @inline(__always)
  private static func slot(_ address: UInt, _ capacity: Int) -> Int {
    let product = (address &>> 4) &* 0x9e37_79b9_7f4a_7c15
    return Int(truncatingIfNeeded: product &>> 32) & (capacity &- 1)
  }

  @inline(never)
  private mutating func grow() {
    let old = unsafe entries
    let oldCapacity = capacity
    capacity *= 2
    unsafe entries = Self.allocate(capacity)
    for index in 0..<oldCapacity where unsafe old[index].address != 0 {
      // SAFETY: as in `number(of:)`, with a table that is a quarter full.
      let entry = unsafe old[index]
      var slot = Self.slot(entry.address, capacity)
      while unsafe entries[slot].address != 0 {
        slot = (slot &+ 1) & (capacity &- 1)
      }
      unsafe entries[slot] = entry
    }
    unsafe free(old)
  }
}
