import ArchiveFormat

/// Columns of references whose numbers were noted when the objects were found. The bytes are those that the property's codec would write.
extension EncodingState {
  /// Writes the column of one property of a block, if everything about it was noted.
  mutating func encodeNoted(_ way: ReachingWay, _ index: Int, of block: ObjectGraph.Block) -> Bool {
    guard graph.keepsNotes, let notes = unsafe block.notes else { return false }
    // SAFETY: there is an entry for each way of the block's plan, and nobody adds to it any more.
    let noted = unsafe notes[index]
    switch way.reach {
    case .word(let isOptional):
      if noted.numbers.count != block.count { return false }
      if isOptional { encodeOptional(noted.numbers) } else { encode(noted.numbers) }
    case .elements:
      if noted.lengths.count != block.count { return false }
      decodedByteCount &+= block.count &* DecodedSize.collectionOverhead &+ noted.numbers.count &* MemoryLayout<UInt>.stride
      encode(noted.lengths)
      encode(noted.numbers)
    case .hidden: return false
    }
    return true
  }

  private mutating func encode(_ numbers: NumberTape) {
    let mark = scratch.mark()
    defer { scratch.release(mark) }
    // Nearly all numbers have 31 bits.
    if let narrow = unsafe numbers.narrow {
      for start in stride(from: 0, to: narrow.count, by: maximumChunkRows) {
        let end = min(start + maximumChunkRows, narrow.count)
        unsafe IntegerColumn.encode(UnsafeBufferPointer(rebasing: narrow[start..<end]), into: &writer)
      }
      return
    }
    // SAFETY: there is room for the numbers of one chunk.
    let chunk = unsafe scratch.allocate(Int64.self, min(numbers.count, maximumChunkRows))
    for start in stride(from: 0, to: numbers.count, by: maximumChunkRows) {
      let count = min(maximumChunkRows, numbers.count - start)
      unsafe numbers.copy(start, count, to: chunk)
      unsafe IntegerColumn.encode(UnsafeBufferPointer(start: chunk, count: count), into: &writer)
    }
  }

  private mutating func encodeOptional(_ numbers: NumberTape) {
    let mark = scratch.mark()
    defer { scratch.release(mark) }
    // SAFETY: there is a place for every row; the present ones move to the front.
    let count = numbers.count
    let values = unsafe scratch.allocate(Int64.self, count)
    let presence = unsafe scratch.allocate(UInt8.self, count)
    unsafe numbers.copy(0, count, to: values)
    var present = 0
    for i in 0..<count {
      let value = unsafe values[i]
      let isPresent = value != Int64(ReferenceNotes.none)
      unsafe values[present] = value
      unsafe presence[i] = isPresent ? 1 : 0
      present &+= isPresent ? 1 : 0
    }
    unsafe BoolColumn.encode(UnsafeBufferPointer(start: presence, count: count), into: &writer)
    unsafe IntegerColumn.encode(UnsafeBufferPointer(start: values, count: present), into: &writer)
  }
}
