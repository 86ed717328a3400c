import ArchiveFormat

/// Neighbouring columns of plain values, copied from the objects in one pass over them.
///
/// Each column by itself touches every object of the block, and when the next one begins, the first objects have left the nearest cache again.
/// No code of the program runs between the copying and the writing of a group, so the copies stay what the objects hold.
enum GatheredColumns {
  /// From this many rows on the objects of a block are more than the nearest cache holds.
  static let firstCount = 256
  /// The rows of one step, whose objects stay there from column to column.
  private static let stepCount = 128
  /// The most bytes of one row that are copied together.
  private static let maximumStride = 64

  /// Whether there is a loop for values of so many bytes.
  static func admits(width: Int) -> Bool { [1, 2, 4, 5, 8, 9, 16].contains(width) }

  /// Finds the columns that are copied together.
  static func group(_ columns: inout [BlockColumn]) {
    var first = 0
    while first < columns.count {
      var end = first
      var bytes = 0
      while end < columns.count, columns[end].width > 0, bytes + columns[end].stride <= maximumStride {
        bytes += columns[end].stride
        end += 1
      }
      if end - first > 1 { columns[first].groupCount = end - first }
      first = max(end, first + 1)
    }
  }

  /// Copies the values of `columns` from `count` objects. Returns where the values of each column begin, in memory of the scratch.
  static func copy(
    _ columns: UnsafeBufferPointer<BlockColumn>, of objects: UnsafePointer<UnsafeMutableRawPointer>, _ count: Int, _ scratch: inout Scratch
  ) -> UnsafePointer<UnsafeMutableRawPointer> {
    // SAFETY: there is room for every value of every column.
    let copies = unsafe scratch.allocate(UnsafeMutableRawPointer.self, columns.count)
    for k in 0..<columns.count {
      unsafe copies[k] = unsafe scratch.bytes(count &* columns[k].stride, alignmentMask: 15)
    }
    var first = 0
    while first < count {
      let step = min(stepCount, count &- first)
      for k in 0..<columns.count {
        let column = unsafe columns[k]
        let target = unsafe copies[k] + first &* column.stride
        unsafe copy(objects + first, step, column.offset, column.width, to: target)
      }
      first &+= step
    }
    return unsafe UnsafePointer(copies)
  }

  private static func copy(
    _ objects: UnsafePointer<UnsafeMutableRawPointer>, _ count: Int, _ offset: Int, _ width: Int, to target: UnsafeMutableRawPointer
  ) {
    switch width {
    case 1: unsafe copy(objects, count, offset, to: target, as: UInt8.self)
    case 2: unsafe copy(objects, count, offset, to: target, as: UInt16.self)
    case 4: unsafe copy(objects, count, offset, to: target, as: UInt32.self)
    case 5: unsafe copy(objects, count, offset, to: target, withTagBehind: UInt32.self)
    case 8: unsafe copy(objects, count, offset, to: target, as: UInt64.self)
    case 9: unsafe copy(objects, count, offset, to: target, withTagBehind: UInt64.self)
    default: unsafe copy(objects, count, offset, to: target, as: SIMD2<UInt64>.self)
    }
  }

  @inline(__always)
  private static func copy<Bits: BitwiseCopyable>(
    _ objects: UnsafePointer<UnsafeMutableRawPointer>, _ count: Int, _ offset: Int, to target: UnsafeMutableRawPointer, as: Bits.Type
  ) {
    // SAFETY: every object has a value of so many bytes at the offset, and there is room for as many values.
    for i in 0..<count {
      let bits = unsafe (objects[i] + offset).loadUnaligned(as: Bits.self)
      unsafe target.storeBytes(of: bits, toByteOffset: i &* MemoryLayout<Bits>.stride, as: Bits.self)
    }
  }

  /// Values with one byte more, which says whether there is one.
  @inline(__always)
  private static func copy<Bits: BitwiseCopyable>(
    _ objects: UnsafePointer<UnsafeMutableRawPointer>, _ count: Int, _ offset: Int, to target: UnsafeMutableRawPointer,
    withTagBehind: Bits.Type
  ) {
    // SAFETY: as above; the byte behind the bits is the last one of the value.
    let width = MemoryLayout<Bits>.size
    for i in 0..<count {
      let source = unsafe objects[i] + offset
      let bits = unsafe source.loadUnaligned(as: Bits.self)
      let tag = unsafe source.load(fromByteOffset: width, as: UInt8.self)
      unsafe target.storeBytes(of: bits, toByteOffset: i &* width &* 2, as: Bits.self)
      unsafe target.storeBytes(of: tag, toByteOffset: i &* width &* 2 &+ width, as: UInt8.self)
    }
  }
}
