import ArchiveFormat
import ArchiveReflection

/// One chunk of elements some of which may not be there: left out, because nothing of the archive can become such an element here.
@safe
struct PresentChunk {
  let reader: ColumnReader
  private let partial: PartialReader?
  private let stride: Int
  private let memory: UnsafeMutableRawPointer
  private let present: UnsafeMutablePointer<UInt8>
  private var next = 0
  private(set) var held = 0

  /// - Parameter capacity: At most 1,024.
  init(_ reader: ColumnReader, capacity: Int, _ d: inout DecodingState) {
    // SAFETY: room for one chunk of this type, and a flag for each element; freed with the scratch of the column that is being read.
    self.reader = reader
    partial = reader as? PartialReader
    stride = reader.codec.witnesses.stride
    unsafe memory = d.scratch.bytes(capacity &* stride, alignmentMask: reader.codec.witnesses.alignmentMask)
    unsafe present = d.scratch.allocate(UInt8.self, max(capacity, 1))
  }

  /// Reads the next `count` elements. What was there before has been taken.
  ///
  /// - Parameter first: The place of the first one among the elements of all rows, for notices.
  mutating func fill(_ count: Int, first: Int, _ d: inout DecodingState) throws {
    let mark = d.notices.count
    // SAFETY: there is room for `count` elements; those with a flag of 1 are initialised.
    let rows = unsafe Rows(base: memory, stride: stride, count: count)
    unsafe present.initialize(repeating: partial == nil ? 1 : 0, count: count)
    if let partial {
      do {
        unsafe try partial.readPartially(rows, present, &d)
      } catch {
        d.objects.holdAll()
        throw error
      }
    } else {
      try reader.read(rows, &d)
    }
    if d.notices.count > mark { d.notices.move(since: mark) { $0.move(to: first &+ $0.row, below: "") } }
    next = 0
    held = count
  }

  /// The address of the next element, which the caller moves out of; nil for one that is not there.
  mutating func take() -> UnsafeMutableRawPointer? {
    let index = next
    next &+= 1
    held &-= 1
    return unsafe present[index] != 0 ? memory + index &* stride : nil
  }

  /// The address of an element of the chunk, none of which has been taken; nil for one that is not there.
  func element(_ index: Int) -> UnsafeMutableRawPointer? {
    unsafe index < held && present[index] != 0 ? memory + index &* stride : nil
  }

  /// Destroys what was read and not taken.
  mutating func abandon(_ d: inout DecodingState) {
    d.objects.holdAll()
    while held > 0 {
      // SAFETY: an element that is there and was not taken holds a value of the codec's type.
      if let element = unsafe take() { unsafe reader.codec.witnesses.destroy(element) }
    }
  }
}

/// Reads flattened elements chunk by chunk and hands out those that are there.
@safe
struct PresentFeed {
  private var chunk: PresentChunk
  private let total: Int
  /// Elements of all rows that no chunk has brought yet.
  private var remaining: Int

  init(_ reader: ColumnReader, total: Int, _ d: inout DecodingState) {
    chunk = PresentChunk(reader, capacity: min(total, maximumChunkRows), &d)
    self.total = total
    remaining = total
  }

  /// The address of the next element, which the caller moves out of; nil for one that is not there.
  mutating func next(_ d: inout DecodingState) throws -> UnsafeMutableRawPointer? {
    if chunk.held == 0 {
      let count = min(remaining, maximumChunkRows)
      let first = total &- remaining
      do {
        try chunk.fill(count, first: first, &d)
      } catch let error as LocatedError {
        throw ElementError(error: error, place: first &+ error.row)
      }
      remaining &-= count
    }
    return unsafe chunk.take()
  }

  /// Destroys what was read and not handed out.
  mutating func abandon(_ d: inout DecodingState) { chunk.abandon(&d) }
}
