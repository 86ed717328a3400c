import ArchiveFormat
import ArchiveReflection

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
  /// The error with the path from the root to its place, as the caller sees it; errors of the program itself stay as they are.
  mutating func atTopLevel(_ error: any Error, _ root: CurrentRoot?) -> any Error {
    switch error {
    case let error as LocatedError:
      var located = error.error
      located.path = (root?.key ?? "") + error.suffix
      return located
    case let error as ObjectError:
      var located = error.error
      located.path = path(of: error.object, from: root) + error.place
      return located
    case let error as SubstitutionError:
      var located = error.error
      located.path = path(toWaiting: error.object, from: root)
      return located
    default: return error
    }
  }

  /// The path from the root to an object: who refers to it, who refers to that one, and so on back to the root.
  ///
  /// Nothing is kept for this while encoding succeeds; the graph is looked through again for each step. A path that is too long begins with
  /// the class and number of an object in the middle.
  mutating func path(of object: Int, from root: CurrentRoot?) -> String {
    path(root, place: "", current: object)
  }

  /// The path to an object that has no number yet.
  private mutating func path(toWaiting object: AnyObject, from root: CurrentRoot?) -> String {
    unsafe graph.search(forObjectAt: unsafe Unmanaged.passUnretained(object).toOpaque())
    defer { graph.endSearch() }
    if let found = findInRoot(root) { return found }
    var work = 0
    guard let owner = owner(of: nil, &work) else { return Reflection.unqualifiedName(of: type(of: object)) }
    return path(root, place: owner.place, current: owner.object)
  }

  private mutating func path(_ root: CurrentRoot?, place: String, current: Int) -> String {
    forgetDepth()
    defer { graph.endSearch() }
    var place = place
    var current = current
    var work = 0
    for _ in 0..<ObjectError.maximumHops where work < ObjectError.maximumWork {
      graph.search(for: UInt(bitPattern: current))
      if let found = findInRoot(root) ?? findInEarlierRoots(current) { return found + place }
      guard let owner = owner(of: current, &work) else { break }
      place = owner.place + place
      current = owner.object
    }
    return graph.name(of: current) + place
  }

  private mutating func findInRoot(_ root: CurrentRoot?) -> String? {
    guard let root, root.codec.traits.hasReferences, let found = search(root.codec, root.rows) else { return nil }
    return root.key + found.suffix
  }

  /// Looks through the bytes of the values at the top level that are already encoded.
  private func findInEarlierRoots(_ object: Int) -> String? {
    unsafe recorder.pointer?.pointee.roots.find(object, types.table)
  }

  /// Who refers to the object that is searched for.
  ///
  /// - Parameter number: Its number, for the bytes of records; nil if it has none.
  private mutating func owner(of number: Int?, _ work: inout Int) -> (object: Int, place: String)? {
    for index in graph.blocks.indices {
      let block = graph.blocks[index]
      work += block.count
      if let number, let records = unsafe recorder.pointer?.pointee.records(of: index) {
        if let found = unsafe records.find(number, types.table, archive: writer.bytes) { return (index << 10 | found.row, found.place) }
      }
      // SAFETY: the block's objects are alive as long as the graph is.
      let rows = unsafe Rows(pointers: block.objects, count: block.count)
      for level in block.plan.levels {
        for property in level.properties where property.codec.traits.hasReferences {
          if let found = search(property.codec, rows.advanced(by: property.offset)) {
            return (index << 10 | found.row, ".\(property.name)\(found.suffix)")
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
