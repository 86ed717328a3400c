import ArchiveFormat
import ArchiveReflection

/// A value of a record that can't be written before the whole graph is known, because it says whether something else archives an object.
struct DeferredValue {
  enum Content {
    /// A reference that is kept if its target has a number in the end.
    case conditional(AnyObject)
    /// A value with weak or unowned references somewhere inside.
    case value(ValueBox)
    /// A nested container that holds deferred values: how long it is follows from them.
    case container(Container)
  }

  struct Container {
    var shape: TypeID
    /// Where its body ends in the bytes of the block.
    var end: Int
    /// Where the deferred values inside it end in the list of all.
    var lastIndex: Int
  }

  let row: Int
  /// Where it belongs in the bytes of the block.
  let position: Int
  /// The place below the object, such as `.position.x`.
  let place: String
  var content: Content
}

/// A copy of a value, kept until it is written.
@safe
final class ValueBox {
  let codec: ValueCodec
  private let memory: UnsafeMutableRawPointer

  /// - Parameter value: A value of the codec's type.
  init(copying value: UnsafeRawPointer, _ codec: ValueCodec) {
    self.codec = codec
    let witnesses = codec.witnesses
    unsafe memory = .allocate(byteCount: max(witnesses.stride, 1), alignment: witnesses.alignmentMask + 1)
    // SAFETY: the memory is as large and aligned as the type asks.
    unsafe witnesses.initializeWithCopy(memory, value)
  }

  deinit {
    codec.destroy(rows)
    unsafe memory.deallocate()
  }

  /// The value as a column of one row.
  var rows: Rows { unsafe Rows(base: memory, stride: codec.witnesses.stride, count: 1) }
}

extension RecordBlock {
  /// The bodies with everything that was deferred in its place.
  func spliced(_ e: inout EncodingState) throws -> (lengths: [Int64], bytes: Spliced) {
    var lengths = self.lengths
    let result = Spliced()
    swap(&result.bytes, &e.writer)
    defer { swap(&result.bytes, &e.writer) }
    var next = 0
    var start = 0
    for row in self.lengths.indices {
      let end = start + Int(self.lengths[row])
      var last = next
      while last < deferred.count, deferred[last].row == row { last += 1 }
      let before = e.writer.count
      try splice(next..<last, from: start, to: end, &e)
      lengths[row] = Int64(e.writer.count - before)
      next = last
      start = end
    }
    return (lengths, result)
  }

  private func splice(_ entries: Range<Int>, from start: Int, to end: Int, _ e: inout EncodingState) throws {
    var at = start
    var next = entries.lowerBound
    while next < entries.upperBound {
      let entry = deferred[next]
      next += 1
      // SAFETY: positions ascend and lie within the block's bytes, which nobody changes any more.
      unsafe e.writer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes.bytes[at..<entry.position]))
      at = entry.position
      do {
        switch entry.content {
        case .conditional(let object): ConditionalReferenceCodec.encode(object, &e)
        case .value(let box): try box.codec.encode(box.rows, &e)
        case .container(let container):
          let outer = Spliced()
          swap(&outer.bytes, &e.writer)
          defer {
            swap(&outer.bytes, &e.writer)
            RecordColumnWriter.appendRow(shape: container.shape, bytes: outer.bytes, to: &e.writer)
          }
          try splice(next..<container.lastIndex, from: at, to: container.end, &e)
          at = container.end
          next = container.lastIndex
        }
      } catch let error as LocatedError {
        throw error.moved(to: entry.row, below: entry.place)
      }
    }
    unsafe e.writer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes.bytes[at..<end]))
  }

  /// Bytes in a box, which can be swapped while others are written.
  final class Spliced {
    var bytes = ByteWriter()
  }
}

/// The bytes of columns of records.
enum RecordColumnWriter {
  static func append(shapes: [Int64], lengths: [Int64], bytes: borrowing ByteWriter, to writer: inout ByteWriter) {
    // SAFETY: both lists have an element per row; the bodies are not changed meanwhile.
    unsafe shapes.withUnsafeBufferPointer { shapes in
      unsafe lengths.withUnsafeBufferPointer { lengths in
        unsafe RecordColumn.encode(shapes: shapes, lengths: lengths, bytes: bytes.bytes, into: &writer)
      }
    }
  }

  /// A column of one row.
  static func appendRow(shape: TypeID, bytes: borrowing ByteWriter, to writer: inout ByteWriter) {
    writer.appendZigzag(Int64(shape.rawValue))
    writer.appendVarint(UInt64(bytes.count))
    unsafe writer.append(contentsOf: bytes.bytes)
  }

  /// Makes a column of one row of the body that was written from `start` on.
  static func wrapRow(shape: TypeID, from start: Int, in writer: inout ByteWriter) {
    writer.insertVarint(UInt64(writer.count - start), at: start)
    writer.insertVarint(zigzagEncoded(Int64(shape.rawValue)), at: start)
  }
}
