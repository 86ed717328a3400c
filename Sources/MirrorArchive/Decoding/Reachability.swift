import ArchiveFormat

/// Which blocks of objects the root leads to, through properties that this program still has.
///
/// Found in the columns of references alone, before any object is made: so an archive may hold objects of classes that are gone, together
/// with the properties that referred to them, and an object of a class that is not admitted is refused before anything of the program has run.
struct Reachability {
  private let layout: ArchiveLayout
  private let binding: Binding
  private let skipper: ColumnSkipper
  /// Per block.
  private(set) var isReached: [Bool]
  private var pending: [Int] = []

  /// - Throws: what stands in the way of a class whose objects are reached, with the path to the first one.
  /// - Complexity: O(size of the columns of references).
  init(from root: Int, _ layout: borrowing ArchiveLayout, _ binding: Binding) throws {
    self.layout = copy layout
    self.binding = binding
    skipper = ColumnSkipper(types: layout.types)
    isReached = Array(repeating: false, count: layout.blocks.count)
    try visit(layout.roots[root].type, count: 1, layout.rootReaders[root])
    while let block = pending.popLast() {
      let entry = layout.blocks[block].type.entryIndex ?? 0
      if binding.readers[entry] == nil, let columns = binding.valueEntries[entry] {
        try visitValues(block, columns)
        continue
      }
      let count = layout.blocks[block].count
      try binding.readers[layout.blocks[block].type.entryIndex ?? 0]?.columns(count: count, in: layout.blockReaders[block], skipper) {
        _, step, bytes in
        if step.isRead, layout.types.mayRefer(step.type) { try visit(step.type, count: count, bytes) }
        return true
      }
    }
  }

  /// Objects that are read as values are no objects, but what they refer to may be.
  private mutating func visitValues(_ block: Int, _ read: Set<Int>) throws {
    let count = layout.blocks[block].count
    var bytes = layout.blockReaders[block]
    for (place, column) in layout.types.columns(of: layout.blocks[block].type).enumerated() {
      let isRead = read.contains(place) && layout.types.mayRefer(column.type)
      if count >= BlockLayout.firstFramedCount {
        let framed = try bytes.slice(try bytes.readCount())
        if isRead { try visit(column.type, count: count, framed) }
      } else {
        if isRead { try visit(column.type, count: count, bytes) }
        try skipper.skip(column.type, count: count, from: &bytes)
      }
    }
  }

  private mutating func visit(_ type: TypeID, count: Int, _ bytes: ByteReader) throws {
    var bytes = bytes
    var found: [Int64] = []
    var last: Int64 = -1
    let blockCount = Int64(isReached.count)
    unsafe try skipper.visitReferences(type, count: count, from: &bytes) { chunk throws(FormatError) in
      // SAFETY: a chunk's numbers are valid until this returns, and only its own indices are used.
      for i in chunk.indices {
        let number = unsafe chunk[i]
        if number >> 10 == last { continue }
        last = number >> 10
        // What points nowhere is found when it is read.
        if number >= 0 && last < blockCount { found.append(number) }
      }
    }
    for number in found {
      let block = Int(number >> 10)
      if isReached[block] { continue }
      isReached[block] = true
      pending.append(block)
      let entry = layout.blocks[block].type.entryIndex ?? 0
      if let refusal = binding.unresolved[entry], binding.valueEntries[entry] == nil {
        var error = refusal
        error.path = ObjectPath(layout: layout, readers: binding.readers).path(of: Int(number))
        throw error
      }
    }
  }
}
