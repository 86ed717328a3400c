import ArchiveFormat
import MirrorArchive

/// Checks the values of each column that it is told of, before the walk passes over them.
struct VerifySink: AnatomySink {
  var check: ValueCheck
  private let types: TypeTable
  private let roots: [RootKey]
  private var block: (index: Int, count: Int)?
  private var column: Column?
  private let progress: (Int) -> Void
  private let byteCount: Int

  /// - Parameter progress: See `Verification`.
  init(_ layout: ArchiveLayout, _ progress: @escaping (Int) -> Void) throws {
    check = try ValueCheck(layout)
    byteCount = layout.byteCount
    types = layout.types
    roots = layout.roots
    self.progress = progress
  }

  /// What is being looked at; nil in front of the first column.
  var place: String? {
    switch column {
    case nil: return nil
    case .root(let index): return "root \(Text.quoted(roots[index].key, limit: 40))"
    case .property(let entry, let ordinal):
      let columns = types.columns(ofClass: entry)
      guard columns.indices.contains(ordinal), let block, let name = types.name(ofEntry: entry) else { return nil }
      let first = block.index << 10
      let objects = block.count == 1 ? "\(name)#\(first)" : "\(name)#\(first)...#\(first + block.count - 1)"
      return "\(objects).\(columns[ordinal].property.key)"
    }
  }

  mutating func annotate(_ annotation: Annotation) { progress(byteCount &+ annotation.offset) }

  mutating func begin(_ part: Part) { column = nil }

  mutating func begin(block index: Int, _ block: BlockHeader, bytes: ByteReader) { self.block = (index, block.count) }

  mutating func begin(_ column: Column, type: TypeID, rows: Int) { self.column = column }

  mutating func begin(chunk: Chunk) throws { try check(chunk) }
}
