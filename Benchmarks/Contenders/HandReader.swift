import Foundation

/// What a hand-written decoder throws.
enum HandError: Error {
  case truncated
  case malformed
}

/// The input of the hand-written coders: a moving pointer that never passes the end.
@safe
struct HandReader: ~Copyable {
  private var cursor: UnsafeRawPointer
  private let end: UnsafeRawPointer

  private init(_ bytes: UnsafeRawBufferPointer) throws(HandError) {
    guard let start = bytes.baseAddress else { throw .truncated }
    // SAFETY: both pointers stay inside `bytes`, which outlives the reader: it lives within `withUnsafeBytes`.
    unsafe cursor = unsafe start
    unsafe end = unsafe start + bytes.count
  }

  /// Runs `body` on the bytes of `data`, all of which it has to read.
  @inline(__always)
  static func read<Result>(_ data: Data, _ body: (inout HandReader) throws -> Result) throws -> Result {
    try unsafe data.withUnsafeBytes { bytes in
      var reader = try unsafe HandReader(bytes)
      let result = try body(&reader)
      try reader.finish()
      return result
    }
  }

  var remaining: Int {
    @inline(__always) get { unsafe end - cursor }
  }

  @inline(__always)
  mutating func byte() throws(HandError) -> UInt8 {
    guard remaining >= 1 else { throw .truncated }
    let value = unsafe cursor.load(as: UInt8.self)
    unsafe cursor += 1
    return value
  }

  @inline(__always)
  mutating func raw<Value: BitwiseCopyable>(as type: Value.Type) throws(HandError) -> Value {
    guard remaining >= MemoryLayout<Value>.size else { throw .truncated }
    let value = unsafe cursor.loadUnaligned(as: type)
    unsafe cursor += MemoryLayout<Value>.size
    return value
  }

  @inline(__always)
  mutating func varint() throws(HandError) -> UInt64 {
    let first = try byte()
    if first < 0x80 { return UInt64(first) }
    return try longVarint(UInt64(first & 0x7f))
  }

  @inline(__always)
  private mutating func longVarint(_ low: UInt64) throws(HandError) -> UInt64 {
    var value = low
    var shift: UInt64 = 7
    while true {
      let next = try byte()
      value |= UInt64(next & 0x7f) &<< shift
      if next < 0x80 { return value }
      shift &+= 7
      if shift > 63 { throw .malformed }
    }
  }

  @inline(__always)
  mutating func signed() throws(HandError) -> Int {
    let value = try varint()
    return Int(Int64(bitPattern: (value &>> 1) ^ (0 &- (value & 1))))
  }

  @inline(__always)
  mutating func signed<Number: FixedWidthInteger>(as type: Number.Type) throws(HandError) -> Number {
    guard let number = Number(exactly: try signed()) else { throw .malformed }
    return number
  }

  /// A number of rows that take at least `minimumSize` bytes each, so that a false count cannot reserve memory.
  @inline(__always)
  mutating func count(minimumSize: Int) throws(HandError) -> Int {
    let value = try varint()
    guard value <= UInt64(remaining / minimumSize) else { throw .truncated }
    return Int(value)
  }

  /// A count and as many rows.
  @inline(__always)
  mutating func rows<Row>(minimumSize: Int, _ row: (inout HandReader) throws(HandError) -> Row) throws(HandError) -> [Row] {
    let count = try count(minimumSize: minimumSize)
    var rows: [Row] = []
    rows.reserveCapacity(count)
    for _ in 0..<count {
      rows.append(try row(&self))
    }
    return rows
  }

  /// A count and as many numbers.
  @inline(__always)
  mutating func numbers() throws(HandError) -> [Int] {
    let count = try count(minimumSize: 1)
    if count == 0 { return [] }
    var numbers: [Int] = []
    numbers.reserveCapacity(count)
    for _ in 0..<count { numbers.append(try signed()) }
    return numbers
  }

  @inline(__always)
  mutating func string() throws(HandError) -> String {
    let value = try varint()
    guard value <= UInt64(remaining) else { throw .truncated }
    let count = Int(value)
    let bytes = unsafe UnsafeRawBufferPointer(start: cursor, count: count)
    unsafe cursor += count
    // For short strings two to five times as fast as `String(validating:as:)`, with the same verdict; swift-foundation decodes JSON with it.
    guard let text = unsafe String._tryFromUTF8(bytes.bindMemory(to: UInt8.self)) else { throw .malformed }
    return text
  }

  /// `count` values as they lie in memory.
  mutating func bulk<Value: BitwiseCopyable>(_ count: Int, of type: Value.Type) throws(HandError) -> [Value] {
    guard count >= 0, count <= remaining / MemoryLayout<Value>.stride else { throw .truncated }
    let size = count * MemoryLayout<Value>.stride
    let source = unsafe cursor
    unsafe cursor += size
    return unsafe [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let target = buffer.baseAddress { unsafe UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: size) }
      initialized = count
    }
  }

  /// As many new objects as the number says that `HandWriter.placeholder` made room for.
  @inline(__always)
  mutating func objects<Object>(minimumSize: Int, _ make: () -> Object) throws(HandError) -> ContiguousArray<Object> {
    let count = Int(try raw(as: UInt32.self))
    guard count <= remaining / minimumSize else { throw .truncated }
    var objects = ContiguousArray<Object>()
    objects.reserveCapacity(count)
    for _ in 0..<count {
      objects.append(make())
    }
    return objects
  }

  /// A count and as many numbers of `objects`.
  @inline(__always)
  mutating func references<Object>(to objects: ContiguousArray<Object>) throws(HandError) -> [Object] {
    let count = try count(minimumSize: 1)
    if count == 0 { return [] }
    var result: [Object] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      let number = try varint()
      guard number < UInt64(objects.count) else { throw .malformed }
      result.append(objects[Int(number)])
    }
    return result
  }

  /// A number that counts from 1, or 0 for nil.
  @inline(__always)
  mutating func optionalReference<Object>(to objects: [Object]) throws(HandError) -> Object? {
    let number = try varint()
    if number == 0 { return nil }
    guard number <= UInt64(objects.count) else { throw .malformed }
    return objects[Int(number) - 1]
  }

  /// `count` flags of a byte each, every one of them 0 or 1: anything else would not be a `Bool`.
  mutating func flags(_ count: Int) throws(HandError) -> [Bool] {
    guard count <= remaining else { throw .truncated }
    let all = unsafe UnsafeRawBufferPointer(start: cursor, count: count).reduce(0) { $0 | $1 }
    guard all <= 1 else { throw .malformed }
    return try bulk(count, of: Bool.self)
  }

  func finish() throws(HandError) {
    guard remaining == 0 else { throw .malformed }
  }
}
