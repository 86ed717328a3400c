/// What the references of one property of a block's objects lead to, noted while the graph is looked through: so nothing has to be looked up
/// a second time when the column is written, and neither the objects nor their arrays are touched again.
@safe
struct ReferenceNotes {
  /// The numbers of the objects, in the order of the column; `none` for nil.
  var numbers = NumberTape()
  /// For arrays, how many numbers each row has.
  var lengths = NumberTape()

  static let none = UInt32.max
  /// The last block whose objects have numbers that fit.
  static let lastBlock = 1 << 22 - 2

  func deallocate() {
    numbers.deallocate()
    lengths.deallocate()
  }
}

/// Numbers one after another in memory that grows.
@safe
struct NumberTape {
  private var base: UnsafeMutablePointer<UInt32>?
  private(set) var count = 0
  private var capacity = 0

  /// Where the next `more` numbers go.
  @inline(__always)
  mutating func room(for more: Int) -> UnsafeMutablePointer<UInt32> {
    if let base = unsafe base, count &+ more <= capacity { return unsafe base + count }
    return unsafe grow(count &+ more)
  }

  /// Counts the numbers that were put there.
  @inline(__always)
  mutating func advance(by more: Int) { count &+= more }

  @inline(never)
  private mutating func grow(_ needed: Int) -> UnsafeMutablePointer<UInt32> {
    // SAFETY: the first `count` numbers are initialised, and move.
    let larger = max(needed, capacity * 2, 8)
    let new = UnsafeMutablePointer<UInt32>.allocate(capacity: larger)
    if let base = unsafe base {
      unsafe new.initialize(from: base, count: count)
      unsafe base.deallocate()
    }
    unsafe base = unsafe new
    capacity = larger
    return unsafe new + count
  }

  /// The numbers `start ..< start + count`, as they are encoded.
  func copy(_ start: Int, _ count: Int, to target: UnsafeMutablePointer<Int64>) {
    guard let base = unsafe base else { return }
    // SAFETY: whoever asks stays within `count`, and has room for as many.
    for i in 0..<count { unsafe target[i] = Int64(base[start &+ i]) }
  }

  /// All numbers, if none needs more than 31 bits.
  var narrow: UnsafeBufferPointer<Int32>? {
    guard let base = unsafe base else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    // SAFETY: the first `count` numbers are initialised; the same bits mean the same without a sign as with one.
    var bits: UInt32 = 0
    for i in 0..<count { unsafe bits |= base[i] }
    if bits >> 31 != 0 { return nil }
    return unsafe UnsafeBufferPointer(start: UnsafeRawPointer(base).assumingMemoryBound(to: Int32.self), count: count)
  }

  func deallocate() { unsafe base?.deallocate() }
}
