import ArchiveReflection

extension EncodingState {
  /// Follows references until no object is new. No recursion over references: a list of any length needs the same stack.
  ///
  /// - Parameter root: The value at the top of a graph that has one root, for paths.
  mutating func discoverAll(from root: (rows: Rows, codec: ValueCodec)? = nil) throws {
    while true {
      if graph.substitutions.isWaiting { try settleSubstitutions() }
      guard let (index, range) = graph.nextUnscanned() else { return }
      let plan = graph.blocks[index].plan
      // SAFETY: outgrown buffers are kept, so these rows stay readable while the block grows.
      let rows = unsafe Rows(pointers: graph.blocks[index].objects + range.lowerBound, count: range.count).exclusive(true)
      if plan.hasWillEncode { try plan.willEncode(rows) }
      if plan.hasRecord {
        makeRecorder()
        if let root { unsafe recorderPointer().pointee.currentRoot = CurrentRoot(rows: root.rows, codec: root.codec, key: "root") }
        try takeRecords(ofBlock: index, from: range.lowerBound, rows)
      }
      if plan.ways.isEmpty { continue }
      if graph.hasHooks { try discoverProperties(ofBlock: index, range) } else { try followProperties(ofBlock: index, range) }
    }
  }

  /// Gives numbers to the objects that the properties of these rows of a block refer to.
  mutating func discoverProperties(ofBlock index: Int, _ range: Range<Int>) throws {
    for way in graph.blocks[index].plan.ways { try discover(way, ofBlock: index, range) }
    markConditional(block: index)
  }

  private mutating func discover(_ way: ReachingWay, ofBlock index: Int, _ range: Range<Int>) throws {
    // SAFETY: outgrown buffers are kept, so these rows stay readable while the block grows.
    let rows = unsafe Rows(pointers: graph.blocks[index].objects + range.lowerBound, offset: way.offset, count: range.count)
    do {
      try way.property.codec.discover(rows.exclusive(true), &self)
    } catch let error as LocatedError {
      throw locate(error, object: UInt(index) << 10 | UInt(range.lowerBound + error.row), way.property)
    }
  }

  /// The same while no code of the program takes part: whatever is a reference is followed directly, and rows that the block gets meanwhile
  /// are looked through as well.
  private mutating func followProperties(ofBlock index: Int, _ first: Range<Int>) throws {
    let ways = graph.blocks[index].plan.ways
    var range = first
    while !range.isEmpty {
      for i in ways.indices {
        if case .hidden = ways[i].reach {
          try discover(ways[i], ofBlock: index, range)
          continue
        }
        var end: Int?
        if !graph.hasHooks {
          do {
            end = try graph.follow(i, ways[i], ofBlock: index, range, grows: ways.count == 1, admitting: &admission)
          } catch let error as LocatedError {
            throw locate(error, object: UInt(index) << 10 | UInt(error.row), ways[i].property)
          }
        }
        // Everything that has a number is listed by now.
        if end == nil { try discover(ways[i], ofBlock: index, range) }
        if let end, ways.count == 1 { graph.markScanned(end, ofBlock: index) }
      }
      if graph.hasHooks { break }
      range = graph.takeUnscanned(index)
    }
    markConditional(block: index)
  }

  private mutating func markConditional(block index: Int) {
    if !hasMetConditional { return }
    hasMetConditional = false
    graph.markConditional(block: index)
  }
}
