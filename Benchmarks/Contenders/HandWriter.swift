import Foundation

/// The output of the hand-written coders: one growing raw buffer, written through a moving pointer.
///
/// `reserve` is called once a row with the most that the row can need; the writes after it do not check again.
@safe
struct HandWriter: ~Copyable {
  /// The most bytes a variable-length integer takes.
  static let maximumVarint = 10

  private var base: UnsafeMutableRawPointer
  private var cursor: UnsafeMutableRawPointer
  private var limit: UnsafeMutableRawPointer

  init(capacity: Int) {
    let capacity = max(capacity, 64)
    // SAFETY: the buffer belongs to this value until `finish` gives it to the `Data`, which frees it.
    unsafe base = malloc(capacity)
    unsafe cursor = unsafe base
    unsafe limit = unsafe base + capacity
  }

  @inline(__always)
  mutating func reserve(_ count: Int) {
    if unsafe limit - cursor < count { grow(count) }
  }

  @inline(never)
  private mutating func grow(_ count: Int) {
    let used = unsafe cursor - base
    let capacity = max(2 * (unsafe limit - base), used + count)
    // SAFETY: `base` came from malloc, and everything below `cursor` is initialised.
    unsafe base = realloc(base, capacity)
    unsafe cursor = unsafe base + used
    unsafe limit = unsafe base + capacity
  }

  @inline(__always)
  mutating func byte(_ value: UInt8) {
    // SAFETY: the caller has reserved the space, here and in the writes below.
    unsafe cursor.storeBytes(of: value, as: UInt8.self)
    unsafe cursor += 1
  }

  @inline(__always)
  mutating func raw<Value: BitwiseCopyable>(_ value: Value) {
    unsafe cursor.storeBytes(of: value, as: Value.self)
    unsafe cursor += MemoryLayout<Value>.size
  }

  @inline(__always)
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      byte(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    byte(UInt8(truncatingIfNeeded: rest))
  }

  /// Small negative numbers stay small.
  @inline(__always)
  mutating func signed(_ value: Int) {
    varint(UInt64(bitPattern: Int64((value &<< 1) ^ (value &>> 63))))
  }

  /// Length and bytes; needs `maximumVarint + text.utf8.count` bytes reserved.
  @inline(__always)
  mutating func string(_ text: String) {
    let count = text.utf8.count
    varint(UInt64(count))
    let target = unsafe cursor
    let copied: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { source in
      if let start = source.baseAddress { unsafe target.copyMemory(from: start, byteCount: source.count) }
    }
    if copied == nil {
      unsafe UnsafeMutableRawBufferPointer(start: target, count: count).copyBytes(from: text.utf8)
    }
    unsafe cursor += count
  }

  /// As `string`, and reserves for itself: for rows with more strings than one would like to add up.
  @inline(__always)
  mutating func reservedString(_ text: String) {
    reserve(Self.maximumVarint + text.utf8.count)
    string(text)
  }

  /// Count and values; needs `(1 + numbers.count) * maximumVarint` bytes reserved.
  @inline(__always)
  mutating func numbers(_ numbers: [Int]) {
    varint(UInt64(numbers.count))
    for number in numbers { signed(number) }
  }

  /// The values of an array as they lie in memory.
  mutating func bulk<Value: BitwiseCopyable>(_ values: [Value]) {
    unsafe values.withUnsafeBytes { source in
      reserve(source.count)
      if let start = source.baseAddress { unsafe cursor.copyMemory(from: start, byteCount: source.count) }
      unsafe cursor += source.count
    }
  }

  /// Room for a number that is known later, and where it is.
  mutating func placeholder() -> Int {
    reserve(MemoryLayout<UInt32>.size)
    let position = unsafe cursor - base
    raw(UInt32(0))
    return position
  }

  mutating func fill(_ position: Int, with value: UInt32) {
    // SAFETY: `position` came from `placeholder`, which wrote as many bytes there.
    unsafe base.storeBytes(of: value, toByteOffset: position, as: UInt32.self)
  }

  consuming func finish() -> Data {
    unsafe Data(bytesNoCopy: base, count: cursor - base, deallocator: .free)
  }
}
