import ArchiveFormat
import ArchiveReflection

/// What arrays, sets and dictionaries share: a column of counts, then the elements of all rows flattened into chunks of 1,024.
enum Flattened {
  /// Addresses of up to 1,024 elements at a time, over all rows in order.
  ///
  /// `elements` yields the address of the first element, the count and the stride of one row.
  @inline(__always)
  static func forEachChunk(
    rows: Int, counts: UnsafePointer<Int64>, isExclusive: Bool = false, _ e: inout EncodingState,
    elements: (Int) -> (base: UnsafeMutableRawPointer, stride: Int),
    _ body: (Rows, inout EncodingState) throws -> Void
  ) throws {
    var total = 0
    for i in 0..<rows { total &+= Int(unsafe counts[i]) }
    if total == 0 { return }
    // SAFETY: `pointers` holds at most one chunk; rows are visited in order, so every address is of a live element.
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let pointers = unsafe e.scratch.allocate(UnsafeMutableRawPointer.self, min(total, maximumChunkRows))
    var filled = 0
    var chunkStart = (row: 0, element: 0)
    func locate(_ error: LocatedError, _ start: (row: Int, element: Int)) -> LocatedError {
      var row = start.row
      var element = start.element + error.row
      while row < rows, element >= Int(unsafe counts[row]) {
        element -= Int(unsafe counts[row])
        row += 1
      }
      return error.moved(to: min(row, rows - 1), below: "[\(element)]")
    }
    for i in 0..<rows {
      let count = Int(unsafe counts[i])
      if count == 0 { continue }
      let (base, stride) = unsafe elements(i)
      var next = 0
      while next < count {
        do {
          if filled == 0 && count &- next >= maximumChunkRows {
            // A chunk that lies wholly in one row needs no pointers.
            chunkStart = (i, next)
            unsafe try body(Rows(base: base + next &* stride, stride: stride, count: maximumChunkRows).exclusive(isExclusive), &e)
            next &+= maximumChunkRows
            continue
          }
          if filled == 0 { chunkStart = (i, next) }
          let step = min(count &- next, maximumChunkRows &- filled)
          for j in 0..<step { unsafe pointers[filled &+ j] = base + (next &+ j) &* stride }
          filled &+= step
          next &+= step
          if filled == maximumChunkRows {
            filled = 0
            try body(unsafe Rows(pointers: pointers, count: maximumChunkRows).exclusive(isExclusive), &e)
          }
        } catch let error as LocatedError {
          throw locate(error, chunkStart)
        }
      }
    }
    if filled > 0 {
      do {
        try body(unsafe Rows(pointers: pointers, count: filled).exclusive(isExclusive), &e)
      } catch let error as LocatedError {
        throw locate(error, chunkStart)
      }
    }
  }

  /// Writes the column of counts.
  ///
  /// - Parameter size: the bytes that each element counts with.
  static func encode(counts: UnsafePointer<Int64>, rows: Int, each size: Int, _ e: inout EncodingState) {
    var total = 0
    for i in 0..<rows { unsafe total &+= Int(truncatingIfNeeded: counts[i]) }
    e.decodedByteCount &+= rows &* DecodedSize.collectionOverhead &+ total &* size
    unsafe IntegerColumn.encode(UnsafeBufferPointer(start: counts, count: rows), into: &e.writer)
  }
}

/// An error about an element, by its place among the elements of all rows.
struct ElementError: Error {
  let error: LocatedError
  let place: Int
  /// How the element is called in a path; nil for its place in its row.
  var component: String?
}

extension Flattened {
  /// The error as one about a row: the one that was being put together, or the one that the element belongs to.
  static func located(_ error: any Error, row: Int, _ counts: UnsafePointer<Int64>, rows: Int) -> any Error {
    switch error {
    case let error as LocatedError: return error.moved(to: row, below: "")
    case let error as ElementError:
      var element = error.place
      for row in 0..<rows {
        let count = Int(unsafe counts[row])
        if element < count { return error.error.moved(to: row, below: error.component ?? "[\(element)]") }
        element -= count
      }
      return error.error.moved(to: row, below: "")
    default: return error
    }
  }
}

/// Reads flattened elements chunk by chunk and hands them out in order.
///
/// Elements of at most one chunk are held; long runs are read straight into their final memory. Notices about elements come with the element's
/// place among those of all rows.
@safe
struct ElementFeed {
  /// One flattened column: how it is read, and the memory of the current chunk.
  private let reader: ColumnReader
  private let stride: Int
  private let memory: UnsafeMutableRawPointer
  private var start = 0
  private var held = 0
  /// Elements of all rows, and those of them that no chunk has brought yet.
  private let total: Int
  private var remaining: Int

  init(_ reader: ColumnReader, total: Int, _ d: inout DecodingState) {
    // SAFETY: room for one chunk of this type; freed with the scratch of the column that is being read.
    self.reader = reader
    stride = reader.codec.witnesses.stride
    unsafe memory = d.scratch.bytes(min(total, maximumChunkRows) &* stride, alignmentMask: reader.codec.witnesses.alignmentMask)
    self.total = total
    remaining = total
  }

  /// Moves the next `count` elements to uninitialised `target`. `initialized` counts what is there, also when this throws.
  mutating func move(_ count: Int, to target: UnsafeMutableRawPointer, initialized: inout Int, _ d: inout DecodingState) throws {
    let witnesses = reader.codec.witnesses
    while initialized < count {
      if held == 0 {
        let chunk = min(remaining, maximumChunkRows)
        if chunk <= count &- initialized {
          // SAFETY: the whole chunk belongs to this row.
          unsafe try read(Rows(base: target + initialized &* stride, stride: stride, count: chunk), &d)
          remaining &-= chunk
          initialized &+= chunk
          continue
        }
        unsafe try read(Rows(base: memory, stride: stride, count: chunk), &d)
        remaining &-= chunk
        start = 0
        held = chunk
      }
      let step = min(held, count &- initialized)
      if witnesses.isBitwiseTakable {
        unsafe (target + initialized &* stride).copyMemory(from: memory + start &* stride, byteCount: step &* stride)
      } else {
        for j in 0..<step {
          unsafe witnesses.initializeWithTake(target + (initialized &+ j) &* stride, memory + (start &+ j) &* stride)
        }
      }
      start &+= step
      held &-= step
      initialized &+= step
    }
  }

  /// The address of the next element, which the caller moves out of.
  mutating func next(_ d: inout DecodingState) throws -> UnsafeMutableRawPointer {
    if held == 0 {
      let chunk = min(remaining, maximumChunkRows)
      unsafe try read(Rows(base: memory, stride: stride, count: chunk), &d)
      remaining &-= chunk
      start = 0
      held = chunk
    }
    held &-= 1
    start &+= 1
    return unsafe memory + (start &- 1) &* stride
  }

  private func read(_ rows: Rows, _ d: inout DecodingState) throws {
    let first = total &- remaining
    do {
      let mark = d.notices.count
      try reader.read(rows, &d)
      if d.notices.count > mark { d.notices.move(since: mark) { $0.move(to: first &+ $0.row, below: "") } }
    } catch let error as LocatedError {
      throw ElementError(error: error, place: first &+ error.row)
    }
  }

  /// Destroys what was read and not handed out.
  mutating func abandon() {
    reader.codec.destroy(unsafe Rows(base: memory + start &* stride, stride: stride, count: held))
    held = 0
  }
}

/// Reads and checks a column of counts: none negative, and together paid for by the bytes that are left and by what the archive may become.
extension DecodingState {
  mutating func counts(rows: Int, each size: Int) throws -> (counts: UnsafeMutablePointer<Int64>, total: Int) {
    let counts = unsafe scratch.allocate(Int64.self, rows)
    unsafe try IntegerColumn.decode(count: rows, from: &reader, into: counts)
    var total = 0
    let limit = reader.remaining.multipliedReportingOverflow(by: maximumChunkRows)
    for i in 0..<rows {
      let (sum, overflow) = total.addingReportingOverflow(Int(truncatingIfNeeded: unsafe counts[i]))
      if unsafe counts[i] < 0 || overflow { throw malformed("a count of elements is negative or too large", row: i) }
      total = sum
    }
    if total > (limit.overflow ? Int.max : limit.partialValue) {
      throw malformed("\(total) elements are declared, which the \(reader.remaining) bytes that are left cannot hold", row: 0)
    }
    try spend(rows, each: DecodedSize.collectionOverhead)
    try spend(total, each: size)
    return unsafe (counts, total)
  }
}
