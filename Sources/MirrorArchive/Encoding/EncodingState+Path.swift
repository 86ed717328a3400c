/// An error in a property of one object, before anybody has asked how that object is reached from the root.
struct ObjectError: Error {
  var error: ArchiveError
  /// The object's number.
  let object: Int
  /// The place below the object, such as `.fruits[3]`.
  let place: String

  /// How many objects a path is followed back through, and how much may be looked through for it: a path is worth an error message, not minutes.
  static let maximumHops = 64
  static let maximumWork = 4_000_000
}

extension EncodingState {
  /// The path from the root to an object: who refers to it, who refers to that one, and so on back to the root.
  ///
  /// Nothing is kept for this while encoding succeeds; the graph is looked through again for each step. A path that is too long begins with
  /// the class and number of an object in the middle.
  mutating func path(of object: Int, from root: Rows, _ codec: ValueCodec) -> String {
    forgetDepth()
    defer { graph.endSearch() }
    var place = ""
    var current = object
    var work = 0
    for _ in 0..<ObjectError.maximumHops where work < ObjectError.maximumWork {
      graph.search(for: UInt(bitPattern: current))
      if codec.traits.hasReferences, let found = search(codec, root) { return "root" + found.suffix + place }
      guard let owner = owner(&work) else { break }
      place = owner.place + place
      current = owner.object
    }
    return graph.name(of: current) + place
  }

  private mutating func owner(_ work: inout Int) -> (object: Int, place: String)? {
    for index in graph.blocks.indices {
      let block = graph.blocks[index]
      work += block.count
      // SAFETY: the block's objects are alive as long as the graph is.
      let rows = unsafe Rows(pointers: block.objects, count: block.count)
      for level in block.plan.levels {
        for property in level.properties where property.codec.traits.hasReferences {
          if let found = search(property.codec, rows.advanced(by: property.offset)) {
            return (index << 10 | found.row, ".\(property.key)\(found.suffix)")
          }
        }
      }
    }
    return nil
  }

  /// Where in these rows the object that is searched for is referred to.
  private mutating func search(_ codec: ValueCodec, _ rows: Rows) -> (row: Int, suffix: String)? {
    do {
      try codec.discover(rows, &self)
    } catch let error as LocatedError where error.isFind {
      return (error.row, error.suffix)
    } catch {
      // What cannot be looked through is not on the path.
    }
    return nil
  }
}
