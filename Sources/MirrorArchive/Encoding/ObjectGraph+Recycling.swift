import ArchiveFormat

/// One graph after another in the same memory.
extension ObjectGraph {
  /// The most classes and blocks of a graph that another one begins with.
  private static let maximumKept = 64

  /// Lets go of all objects and keeps memory and what is known about classes, for another graph that is archived in the same way. Lets go of
  /// objects as the end of the graph would, so code of the program may run.
  ///
  /// - Returns: False if the graph was large or out of the ordinary; then it is of no more use.
  mutating func recycle() -> Bool {
    let isOrdinary =
      blocks.count <= Self.maximumKept && classes.count <= Self.maximumKept && substitutions.entries.isEmpty && !replacesAll
      && givenNames == nil && !blocks.contains { $0.plan.unknownClass != nil }
    if !isOrdinary { return false }
    releaseContents()
    for i in blocks.indices {
      // SAFETY: the block is forgotten below; its buffer is freed here or waits for another one.
      if unsafe blocks[i].capacity == Self.firstCapacity && spare.count < Self.maximumKept {
        unsafe spare.append(blocks[i].objects)
      } else {
        unsafe blocks[i].objects.deallocate()
      }
    }
    blocks.empty()
    if unsafe !retired.isEmpty {
      for i in unsafe retired.indices { unsafe retired[i].deallocate() }
      unsafe retired.removeAll()
    }
    hasHooks = false
    keepsNotes = true
    hasUnlisted = false
    closeBlocks()
    pending.empty()
    nextPending = 0
    current = -1
    table.removeAll()
    lastEnds.empty()
    nextEnd = 0
    expected = 0
    return true
  }

  /// Lets go of what the blocks hold beside their buffers; they must not be used any more.
  func releaseContents() {
    for i in blocks.indices {
      let block = blocks[i]
      // SAFETY: with hooks, each stored pointer is an object that was retained when it was added; notes are there for each way of the plan.
      if hasHooks {
        for row in 0..<block.count { unsafe Unmanaged<AnyObject>.fromOpaque(block.objects[row]).release() }
      }
      if let notes = unsafe block.notes {
        for way in block.plan.ways.indices { unsafe notes[way].deallocate() }
        unsafe notes.deallocate()
      }
    }
  }
}
