import ArchiveFormat
import Testing

/// A small repeatable generator (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

func written(_ body: (inout ByteWriter) throws -> Void) rethrows -> [UInt8] {
  var w = ByteWriter()
  try body(&w)
  return unsafe [UInt8](w.bytes)
}

/// Reads from an allocation of exactly the size of `bytes`, so that a sanitizer notices any byte read beyond.
func reading<T>(_ bytes: [UInt8], _ body: (inout ByteReader) throws -> T) rethrows -> T {
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { unsafe copy.deallocate() }
  unsafe copy.copyBytes(from: bytes)
  var r = unsafe ByteReader(UnsafeRawBufferPointer(copy))
  return try body(&r)
}

/// Reads with `body` and requires that nothing is left over.
func readingAll<T>(_ bytes: [UInt8], _ body: (inout ByteReader) throws -> T) throws -> T {
  try reading(bytes) { r in
    let result = try body(&r)
    try #require(r.remaining == 0)
    return result
  }
}

func formatError(_ body: () throws -> Void) -> FormatError? {
  do {
    try body()
    return nil
  } catch { return error as? FormatError }
}

enum Integers {
  static func encode(_ v: [Int64]) -> [UInt8] {
    written { w in unsafe v.withUnsafeBufferPointer { unsafe IntegerColumn.encode($0, into: &w) } }
  }

  static func decode(_ count: Int, _ r: inout ByteReader) throws -> [Int64] {
    unsafe try [Int64](unsafeUninitializedCapacity: count) { buffer, n in
      guard let base = buffer.baseAddress else { return }
      unsafe try IntegerColumn.decode(count: count, from: &r, into: base)
      n = count
    }
  }
}

enum Doubles {
  static func encode(_ v: [Double]) -> [UInt8] {
    written { w in unsafe v.withUnsafeBufferPointer { unsafe DoubleColumn.encode($0, into: &w) } }
  }

  static func decode(_ count: Int, _ r: inout ByteReader) throws -> [Double] {
    unsafe try [Double](unsafeUninitializedCapacity: count) { buffer, n in
      guard let base = buffer.baseAddress else { return }
      unsafe try DoubleColumn.decode(count: count, from: &r, into: base)
      n = count
    }
  }
}

enum Floats {
  static func encode(_ v: [Float]) -> [UInt8] {
    written { w in unsafe v.withUnsafeBufferPointer { unsafe FloatColumn.encode($0, into: &w) } }
  }

  static func decode(_ count: Int, _ r: inout ByteReader) throws -> [Float] {
    unsafe try [Float](unsafeUninitializedCapacity: count) { buffer, n in
      guard let base = buffer.baseAddress else { return }
      unsafe try FloatColumn.decode(count: count, from: &r, into: base)
      n = count
    }
  }
}

enum Bools {
  static func encode(_ v: [Bool]) -> [UInt8] {
    let rows: [UInt8] = v.map { $0 ? 1 : 0 }
    return written { w in unsafe rows.withUnsafeBufferPointer { unsafe BoolColumn.encode($0, into: &w) } }
  }

  static func decode(_ count: Int, _ r: inout ByteReader) throws -> [Bool] {
    unsafe try [UInt8](unsafeUninitializedCapacity: count) { buffer, n in
      guard let base = buffer.baseAddress else { return }
      unsafe try BoolColumn.decode(count: count, from: &r, into: base)
      n = count
    }.map { byte in
      try #require(byte <= 1)
      return byte == 1
    }
  }
}

enum Fixed {
  static func encode(_ bytes: [UInt8], width: Int) -> [UInt8] {
    written { w in unsafe bytes.withUnsafeBytes { unsafe FixedColumn.encode($0, width: width, into: &w) } }
  }

  static func decode(_ count: Int, width: Int, _ r: inout ByteReader) throws -> [UInt8] {
    unsafe try [UInt8](unsafeUninitializedCapacity: max(count * width, 1)) { buffer, n in
      guard let base = buffer.baseAddress else { return }
      unsafe try FixedColumn.decode(count: count, width: width, from: &r, into: base)
      n = count * width
    }
  }
}

enum Strings {
  static func encode(_ v: [[UInt8]]) -> [UInt8] {
    let lengths = v.map { Int64($0.count) }
    let contents = v.flatMap { $0 }
    return written { w in
      unsafe lengths.withUnsafeBufferPointer { lengths in
        unsafe contents.withUnsafeBytes { unsafe BytesColumn.encode(lengths: lengths, bytes: $0, into: &w) }
      }
    }
  }

  static func decode(_ count: Int, _ r: inout ByteReader) throws -> [[UInt8]] {
    var contents: [UInt8] = []
    let lengths = unsafe try [Int64](unsafeUninitializedCapacity: max(count, 1)) { buffer, n in
      guard let base = buffer.baseAddress else { return }
      contents = unsafe [UInt8](try BytesColumn.decode(count: count, from: &r, lengths: base))
      n = count
    }
    var place = 0
    return try lengths.map { length in
      try #require(length >= 0 && length <= Int64(contents.count - place))
      defer { place += Int(length) }
      return [UInt8](contents[place..<(place + Int(length))])
    }
  }
}

func assemble(
  _ types: TypeTable, pools: [UInt8] = [], roots: [(String, TypeID, [UInt8])], blocks: [(TypeID, Int, [UInt8])],
  segmentedAbove: Int = ArchiveSeal.segmentedAbove
) -> [UInt8] {
  let rootBytes = roots.flatMap { $0.2 }
  let blockBytes = blocks.flatMap { $0.2 }
  return written { w in
    unsafe pools.withUnsafeBytes { pools in
      unsafe rootBytes.withUnsafeBytes { rootBytes in
        unsafe blockBytes.withUnsafeBytes { blockBytes in
          unsafe ArchiveFrame.assemble(
            types: types, pools: pools, roots: roots.map { RootKey(key: $0.0, type: $0.1, byteCount: $0.2.count) },
            rootBytes: rootBytes, blocks: blocks.map { BlockHeader(type: $0.0, count: $0.1, byteCount: $0.2.count) },
            blockBytes: blockBytes, segmentedAbove: segmentedAbove, into: &w)
        }
      }
    }
  }
}

/// Parses a frame in exactly sized memory and hands it to `body`.
func parsing<T>(
  _ bytes: [UInt8], verification: ArchiveLayout.Verification = .whole, _ body: (ArchiveLayout) throws -> T
) throws -> T {
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { unsafe copy.deallocate() }
  unsafe copy.copyBytes(from: bytes)
  return unsafe try body(ArchiveLayout(parsing: UnsafeRawBufferPointer(copy), verification: verification))
}

func rest(_ r: ByteReader) throws -> [UInt8] {
  var r = r
  return unsafe [UInt8](try r.readBytes(r.remaining))
}
