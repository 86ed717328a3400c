import ArchiveFormat

/// The strings that repeat within one property, each written once per archive.
///
/// A string is looked for by its 16 raw bytes first: equal bytes mean the same short string or the same buffer, and the pool keeps
/// every string it has seen alive, so a buffer cannot be reused for other contents meanwhile. Contents are compared only for a
/// buffer that is new to the pool.
@safe
struct StringPool: ~Copyable {
  /// The distinct strings in the order of their places.
  private(set) var entries: [String] = []
  private var table = StringTable()
  /// Content hash and length -> place, of long strings.
  private var contents = StringTable()
  /// Strings with known contents in another buffer: kept alive for the raw comparison.
  private var aliases: [String] = []
  /// Columns to leave alone before the next try, and how many the last failure cost.
  private var pause = 0
  private var lastPause = 0

  /// Finds or makes a place for each string. False if too few repeat: then nothing has changed but the pause before the next try.
  mutating func place(_ rows: Rows, at places: UnsafeMutablePointer<Int32>) -> Bool {
    if pause > 0 {
      pause -= 1
      return false
    }
    let count = rows.count
    let before = entries.count
    if before == 0 && count >= StringSample.firstCount && !StringSample.repeats(rows) {
      waitLonger()
      return false
    }
    // New distinct values allowed: at most three quarters of the rows.
    let allowed = before + count - count / 4
    var row = 0
    while true {
      row = unsafe table.places(of: rows, from: row, into: places)
      if row == count { break }
      if entries.count >= allowed || table.count >= StringTable.maximumCount {
        giveUp(before)
        return false
      }
      // SAFETY: every row holds a String; there is room for as many places.
      unsafe places[row] = unsafe Int32(truncatingIfNeeded: enter(rows[row].assumingMemoryBound(to: String.self)))
      row &+= 1
    }
    lastPause = 0
    return true
  }

  /// Finds or makes a place for one string, whether or not strings repeat.
  @inline(__always)
  mutating func place(of string: UnsafePointer<String>) -> Int {
    // SAFETY: a String is two words; they are read as bits and never turned back into a reference.
    let (low, high) = unsafe UnsafeRawPointer(string).load(as: (UInt64, UInt64).self)
    return unsafe table.place(low, high) ?? enter(string)
  }

  /// Makes a place for a string whose raw bytes are new.
  @inline(never)
  private mutating func enter(_ string: UnsafePointer<String>) -> Int {
    // SAFETY: the bytes stay where they are as long as the string does.
    let known: Int?
    if StringLayout.isKnown, let bytes = unsafe StringLayout.bytes(of: string) {
      known = unsafe place(ofContents: bytes)
    } else {
      var copy = unsafe string.pointee
      known = copy.withUTF8 { utf8 in unsafe place(ofContents: UnsafeRawBufferPointer(utf8)) }
    }
    if known == nil { unsafe entries.append(string.pointee) } else { unsafe aliases.append(string.pointee) }
    let found = known ?? entries.count - 1
    // SAFETY: as in `place(of:)`.
    let (low, high) = unsafe UnsafeRawPointer(string).load(as: (UInt64, UInt64).self)
    table.enter(low, high, place: found)
    return found
  }

  /// The place of the string with these bytes; if there is none, they are remembered for the next one.
  private mutating func place(ofContents bytes: UnsafeRawBufferPointer) -> Int? {
    if bytes.count < 16 { return nil }  // Short strings are equal exactly if their raw bytes are.
    let hash = unsafe XXH3.hash(bytes)
    guard let candidate = contents.place(hash, UInt64(bytes.count)) else {
      contents.enter(hash, UInt64(bytes.count), place: entries.count)
      return nil
    }
    // Other contents under the same hash and length: the string gets a place of its own.
    return unsafe entries[candidate].hasBytes(bytes) ? candidate : nil
  }

  private mutating func waitLonger() {
    lastPause = min(max(1, lastPause * 2), 64)
    pause = lastPause
  }

  /// Forgets the places from `before` on and waits twice as long as the last time.
  @inline(never)
  private mutating func giveUp(_ before: Int) {
    waitLonger()
    entries.removeSubrange(before...)
    table.removePlaces(from: before)
    contents.removePlaces(from: before)
  }
}

/// The pools of one archive, one per property; which one is in use is set where a property's column begins.
@safe
struct StringPools: ~Copyable {
  private var pools: [UnsafeMutablePointer<StringPool>] = unsafe []
  private var places: [UInt64: Int] = [:]
  private var ids: [UInt64] = []
  private var id: UInt64 = 0
  /// Off while something is encoded that does not go into the archive: strings are then written out, and none is entered.
  var isOn = true

  init() {}

  deinit {
    // SAFETY: every pointer was allocated and initialised by `current`.
    for i in unsafe pools.indices {
      unsafe pools[i].deinitialize(count: 1)
      unsafe pools[i].deallocate()
    }
  }

  /// Whether no property has a pool.
  var isEmpty: Bool { ids.isEmpty }

  /// Makes the pool of the property `id` the current one.
  mutating func select(_ id: UInt64) { self.id = id }

  /// The current pool, made when the first column of strings asks for it; valid as long as this value.
  mutating func current() -> UnsafeMutablePointer<StringPool> {
    if let place = places[id] { return unsafe pools[place] }
    let pool = UnsafeMutablePointer<StringPool>.allocate(capacity: 1)
    unsafe pool.initialize(to: StringPool())
    places[id] = ids.count
    ids.append(id)
    unsafe pools.append(pool)
    return unsafe pool
  }

  /// The pools that hold strings, with their properties' ids.
  var used: [(id: UInt64, strings: [String])] {
    ids.indices.compactMap { i in
      let entries = unsafe pools[i].pointee.entries
      return entries.isEmpty ? nil : (ids[i], entries)
    }
  }

  /// The id of the pool of the `ordinal`-th property of the type-table entry `entry`; 0 is the roots' pool.
  static func id(entry: Int, ordinal: Int) -> UInt64 { 1 + (UInt64(entry) << 24 | UInt64(ordinal)) }
}
