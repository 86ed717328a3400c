/// Where the values of one column lie: one address per row, or a run of equally spaced values.
///
/// A column codec never knows whether it works on properties of objects (one pointer per object plus the property's offset)
/// or on the elements of an array (base and stride); it asks for row `i` and gets an address.
@safe
struct Rows {
  /// One base address per row; nil for a run of equally spaced values.
  private let pointers: UnsafePointer<UnsafeMutableRawPointer>?
  private let base: UnsafeMutableRawPointer?
  private let stride: Int
  private let offset: Int
  let count: Int
  /// Nobody else holds what these rows lie in, so a strong reference in them is met once.
  private(set) var isExclusive = false

  // SAFETY: whoever makes `Rows` keeps the memory behind it alive and typed as the codec expects while the column is worked on.

  /// Rows that are a property at `offset` bytes in each of the objects (or structs) at `pointers`.
  init(pointers: UnsafePointer<UnsafeMutableRawPointer>, offset: Int = 0, count: Int) {
    unsafe self.pointers = pointers
    unsafe self.base = nil
    self.stride = 0
    self.offset = offset
    self.count = count
  }

  /// Rows that lie one after another, `stride` bytes apart.
  init(base: UnsafeMutableRawPointer, stride: Int, offset: Int = 0, count: Int) {
    unsafe self.pointers = nil
    unsafe self.base = unsafe base + offset
    self.stride = stride
    self.offset = 0
    self.count = count
  }

  private init(
    pointers: UnsafePointer<UnsafeMutableRawPointer>?, base: UnsafeMutableRawPointer?, stride: Int, offset: Int, count: Int,
    _ isExclusive: Bool
  ) {
    unsafe self.pointers = pointers
    unsafe self.base = base
    self.stride = stride
    self.offset = offset
    self.count = count
    self.isExclusive = isExclusive
  }

  /// The same rows, known to be met once.
  func exclusive(_ isExclusive: Bool) -> Rows {
    var copy = self
    copy.isExclusive = isExclusive
    return copy
  }

  /// The address of row `i`.
  @inline(__always)
  subscript(i: Int) -> UnsafeMutableRawPointer {
    if let pointers = unsafe pointers { return unsafe pointers[i] + offset }
    return unsafe base.unsafelyUnwrapped + i &* stride
  }

  /// The same rows, `bytes` further into each: a field of each value.
  @inline(__always)
  func advanced(by bytes: Int) -> Rows {
    if let pointers = unsafe pointers {
      return unsafe Rows(pointers: pointers, base: nil, stride: 0, offset: offset + bytes, count: count, isExclusive)
    }
    return unsafe Rows(pointers: nil, base: base.unsafelyUnwrapped + bytes, stride: stride, offset: 0, count: count, isExclusive)
  }

  /// The rows `start ..< start + count`.
  @inline(__always)
  func slice(_ start: Int, _ count: Int) -> Rows {
    if let pointers = unsafe pointers {
      return unsafe Rows(pointers: pointers + start, base: nil, stride: 0, offset: offset, count: count, isExclusive)
    }
    return unsafe Rows(pointers: nil, base: base.unsafelyUnwrapped + start &* stride, stride: stride, offset: 0, count: count, isExclusive)
  }

  /// The one contiguous run of these rows, when each value directly follows the one before it; a single row always is one.
  @inline(__always)
  func contiguous(stride wanted: Int) -> UnsafeMutableRawPointer? {
    if count == 1 { return unsafe self[0] }
    return unsafe pointers == nil && stride == wanted ? base : nil
  }

  /// Reads every row as a `Value` and writes what `transform` makes of it.
  @inline(__always)
  func gather<Value, Out: BitwiseCopyable>(
    _: Value.Type, into out: UnsafeMutablePointer<Out>, _ transform: (borrowing Value) -> Out
  ) {
    if let pointers = unsafe pointers {
      for i in 0..<count { unsafe out[i] = transform((pointers[i] + offset).assumingMemoryBound(to: Value.self).pointee) }
    } else {
      var p = unsafe base.unsafelyUnwrapped
      for i in 0..<count {
        unsafe out[i] = transform(p.assumingMemoryBound(to: Value.self).pointee)
        unsafe p += stride
      }
    }
  }

  /// The rows as one run of values: where they lie if they do so one after another, else gathered in the scratch.
  @inline(__always)
  func values<Value: BitwiseCopyable>(_: Value.Type, _ scratch: inout Scratch) -> UnsafeBufferPointer<Value> {
    // SAFETY: the caller vouches for the type of the rows; there is room for every row.
    if let start = unsafe contiguous(stride: MemoryLayout<Value>.stride) {
      return unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: Value.self), count: count)
    }
    let values = unsafe scratch.allocate(Value.self, count)
    unsafe gather(Value.self, into: values) { $0 }
    return unsafe UnsafeBufferPointer(start: values, count: count)
  }

  /// Calls `body` with each row's number and address.
  @inline(__always)
  func visit(_ body: (Int, UnsafeMutableRawPointer) throws -> Void) rethrows {
    if let pointers = unsafe pointers {
      for i in 0..<count { unsafe try body(i, pointers[i] + offset) }
    } else {
      var p = unsafe base.unsafelyUnwrapped
      for i in 0..<count {
        unsafe try body(i, p)
        unsafe p += stride
      }
    }
  }

  /// Calls `body` with each row's number and address from `first` on, as long as it returns true. Returns the row for which it did not, or
  /// the number of rows.
  @inline(__always)
  func visit(from first: Int, while body: (Int, UnsafeMutableRawPointer) -> Bool) -> Int {
    var i = first
    if let pointers = unsafe pointers {
      while unsafe i < count && body(i, pointers[i] + offset) { i &+= 1 }
    } else {
      var p = unsafe base.unsafelyUnwrapped + i &* stride
      while unsafe i < count && body(i, p) {
        i &+= 1
        unsafe p += stride
      }
    }
    return i
  }
}
