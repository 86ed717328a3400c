/// Raw bytes of strings -> place: open addressing with linear probing.
///
/// What is probed is an index that leads to the keys, which lie one after another. So a look-up of one of a few hundred strings finds everything
/// in the nearest cache, although the index is sparse enough for nearly every first probe to be right.
///
/// Complexity: O(1) expected per look-up.
@safe
struct StringTable: ~Copyable {
  /// Three words for each string: its own two, and its place. The first three stand for none: no string consists of zeros, and none of the
  /// lengths that stand in for strings is 0.
  private var keys: UnsafeMutablePointer<UInt64>
  /// Where keys begin among those words; 0 for none.
  private var index: UnsafeMutablePointer<UInt32>
  private var mask: Int
  /// Words there is room for, and words in use.
  private var capacity: Int
  private var used = stride

  private static let stride = 3
  private static let firstCapacity = 32
  /// Places in the index for each key that there is room for.
  private static let sparseness = 4
  /// The most strings that are entered.
  static let maximumCount = 1 << 30

  init() {
    // SAFETY: the first key is initialised here, all others when they are entered.
    capacity = Self.firstCapacity * Self.stride
    unsafe keys = .allocate(capacity: capacity)
    unsafe keys.initialize(repeating: 0, count: Self.stride)
    mask = Self.firstCapacity * Self.sparseness - 1
    unsafe index = .allocate(capacity: mask + 1)
    unsafe index.initialize(repeating: 0, count: mask + 1)
  }

  deinit {
    unsafe keys.deallocate()
    unsafe index.deallocate()
  }

  /// How many strings have been entered.
  var count: Int { used / Self.stride - 1 }

  @inline(__always)
  private static func slot(_ low: UInt64, _ high: UInt64, _ mask: Int) -> Int {
    // Fibonacci hashing of both words (Knuth, TAOCP 3, 6.4). The upper bits of the product are the ones in which every byte of a string has a say.
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: ((low ^ (high &* factor)) &* factor) &>> UInt64(truncatingIfNeeded: mask.leadingZeroBitCount))
  }

  /// Where the key with these words begins; 0 if there is none.
  @inline(__always)
  private static func find(
    _ low: UInt64, _ high: UInt64, _ keys: UnsafeMutablePointer<UInt64>, _ index: UnsafeMutablePointer<UInt32>, _ mask: Int
  ) -> Int {
    // SAFETY: slots are masked by the size of the index, which holds nothing but beginnings of keys.
    var at = slot(low, high, mask)
    var key = unsafe Int(index[at])
    while unsafe (keys[key] != low || keys[key &+ 1] != high) && key != 0 {
      at = (at &+ 1) & mask
      key = unsafe Int(index[at])
    }
    return key
  }

  /// The place of the string with these raw words, or nil.
  @inline(__always)
  func place(_ low: UInt64, _ high: UInt64) -> Int? {
    let key = unsafe Self.find(low, high, keys, index, mask)
    return unsafe key == 0 ? nil : Int(truncatingIfNeeded: keys[key &+ 2])
  }

  /// Writes the places of the strings in these rows from `first` on, up to the first string that has none, whose row is returned.
  @inline(never)
  func places(of rows: Rows, from first: Int, into out: UnsafeMutablePointer<Int32>) -> Int {
    // Copies of which nobody has the address stay in registers.
    let (keys, index, mask) = unsafe (keys, index, mask)
    return unsafe rows.visit(from: first) { i, p in
      // SAFETY: a String is two words; they are read as bits and never turned back into a reference. There is room for as many places as rows.
      let (low, high) = unsafe p.load(as: (UInt64, UInt64).self)
      let key = unsafe Self.find(low, high, keys, index, mask)
      if key == 0 { return false }
      unsafe out[i] = unsafe Int32(truncatingIfNeeded: keys[key &+ 2])
      return true
    }
  }

  /// Enters a string that has no place yet.
  mutating func enter(_ low: UInt64, _ high: UInt64, place: Int) {
    if used == capacity { grow() }
    // SAFETY: there is room for one more key.
    unsafe (keys + used).initialize(to: low)
    unsafe (keys + used + 1).initialize(to: high)
    unsafe (keys + used + 2).initialize(to: UInt64(truncatingIfNeeded: place))
    insert(used)
    used &+= Self.stride
  }

  /// Forgets all places from `end` on.
  mutating func removePlaces(from end: Int) {
    let last = used
    used = Self.stride
    // SAFETY: keys move to the front, behind which nothing is read any more.
    for key in Swift.stride(from: used, to: last, by: Self.stride) where unsafe Int(truncatingIfNeeded: keys[key + 2]) < end {
      for word in 0..<Self.stride { unsafe keys[used + word] = keys[key + word] }
      used += Self.stride
    }
    unsafe index.update(repeating: 0, count: mask + 1)
    fillIndex()
  }

  private func insert(_ key: Int) {
    // SAFETY: as in `find`; there are more slots than keys.
    var at = unsafe Self.slot(keys[key], keys[key &+ 1], mask)
    while unsafe index[at] != 0 { at = (at &+ 1) & mask }
    unsafe index[at] = UInt32(truncatingIfNeeded: key)
  }

  private func fillIndex() {
    for key in Swift.stride(from: Self.stride, to: used, by: Self.stride) { insert(key) }
  }

  @inline(never)
  private mutating func grow() {
    // SAFETY: all keys move to a larger buffer, and the index is made from them again.
    let newKeys = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 4)
    unsafe newKeys.initialize(from: keys, count: used)
    unsafe keys.deallocate()
    unsafe index.deallocate()
    unsafe keys = unsafe newKeys
    capacity *= 4
    mask = (mask + 1) * 4 - 1
    unsafe index = .allocate(capacity: mask + 1)
    unsafe index.initialize(repeating: 0, count: mask + 1)
    fillIndex()
  }
}
