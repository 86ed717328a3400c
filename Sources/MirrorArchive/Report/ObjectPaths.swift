import ArchiveFormat
import ArchiveReflection

/// The paths from the root to many objects of one archive: which column refers to each object first is found out once, in one pass over the
/// columns of references.
final class ObjectPaths {
  private let layout: ArchiveLayout
  private let readers: [ClassReader?]
  private let skipper: ColumnSkipper
  /// Per block and row: the block and the step of the column that refers to the object first.
  private var origins: [[Origin]]
  private var known: [Int: String] = [:]

  private enum Origin {
    case none
    case root(Int)
    case column(block: Int32, step: Int32)
  }

  init(_ layout: ArchiveLayout, _ readers: [ClassReader?]) {
    self.layout = layout
    self.readers = readers
    skipper = ColumnSkipper(types: layout.types)
    origins = layout.blocks.map { Array(repeating: .none, count: $0.count) }
    for (index, root) in layout.roots.enumerated() { visit(root.type, count: 1, layout.rootReaders[index], .root(index)) }
    for (index, block) in layout.blocks.enumerated() {
      try? readers[block.type.entryIndex ?? 0]?.columns(count: block.count, in: layout.blockReaders[index], skipper) { step, it, bytes in
        if layout.types.mayRefer(it.type) {
          visit(it.type, count: block.count, bytes, .column(block: Int32(index), step: Int32(step)))
        }
        return true
      }
    }
  }

  private func visit(_ type: TypeID, count: Int, _ bytes: ByteReader, _ origin: Origin) {
    var bytes = bytes
    // Damaged bytes have been found out before, or belong to what nobody reads; then there is no path through them.
    unsafe try? skipper.visitReferences(type, count: count, from: &bytes) { chunk throws(FormatError) in
      // SAFETY: a chunk's numbers are valid until this returns, and only its own indices are used.
      for i in chunk.indices {
        let number = unsafe chunk[i]
        guard number >= 0, number >> 10 < origins.count else { continue }
        let (block, row) = (Int(number >> 10), Int(number & 1023))
        if row < origins[block].count, case .none = origins[block][row] { origins[block][row] = origin }
      }
    }
  }

  /// The path to an object; one that is too long begins with the class and number of an object in the middle.
  func path(of object: Int) -> String {
    var places: [(object: Int, place: String)] = []
    var current = object
    var start: String?
    while start == nil, places.count < ObjectError.maximumHops {
      start = known[current]
      if start != nil { break }
      let search = ReferenceSearch(for: current, in: layout.types)
      switch origins[current >> 10][current & 1023] {
      case .none: start = name(of: current)
      case .root(let index):
        var bytes = layout.rootReaders[index]
        let found = try? search.find(layout.roots[index].type, count: 1, in: &bytes)
        start = layout.roots[index].key + (found?.place ?? "")
      case .column(let block, let step):
        guard let (row, place) = owner(Int(block), Int(step), search) else {
          start = name(of: current)
          break
        }
        places.append((current, place))
        current = Int(block) << 10 | row
      }
    }
    var path = start ?? name(of: current)
    known[current] = path
    for (object, place) in places.reversed() {
      path += place
      known[object] = path
    }
    return path
  }

  private func owner(_ block: Int, _ index: Int, _ search: ReferenceSearch) -> (row: Int, place: String)? {
    var found: (row: Int, place: String)?
    try? readers[layout.blocks[block].type.entryIndex ?? 0]?.columns(
      count: layout.blocks[block].count, in: layout.blockReaders[block], skipper
    ) { step, it, bytes in
      if step < index { return true }
      var bytes = bytes
      if let hit = try search.find(it.type, count: layout.blocks[block].count, in: &bytes) {
        found = (hit.row, (it.isRecord ? "" : ".\(it.name)") + hit.place)
      }
      return false
    }
    return found
  }

  private func name(of object: Int) -> String {
    guard let reader = readers[layout.blocks[object >> 10].type.entryIndex ?? 0] else { return "object \(object)" }
    return "\(Reflection.unqualifiedName(of: reader.plan.type))#\(object)"
  }
}
