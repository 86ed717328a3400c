package import ArchiveFormat
import MirrorArchive

/// What an archive is made of, and where its bytes are.
package struct ArchiveInfo {
  /// How a part of a column is stored in some of its chunks.
  package struct Storage: Equatable {
    /// The name of the part in the column; empty for the column itself.
    package var part: String
    package var encoding: Encoding
    package var chunkCount: Int
    package var byteCount: Int
  }

  /// The values of one property of all objects of a class, or the value of a root.
  package struct ColumnInfo {
    package var column: Column
    package var type: TypeID
    package var byteCount = 0
    package var rowCount = 0
    /// The largest first.
    package var storage: [Storage] = []
  }

  package var layout: ArchiveLayout
  package var flags: UInt8
  package var byteCount: Int
  /// For each entry of the type table.
  package var objectCounts: [Int]
  /// For each entry of the type table: the bytes of the blocks of its objects.
  package var blockByteCounts: [Int]
  package var parts: [(part: Part, byteCount: Int)]
  /// The largest first.
  package var columns: [ColumnInfo]

  package var types: TypeTable { layout.types }
  package var objectCount: Int { objectCounts.reduce(0, +) }

  /// Goes over an archive.
  ///
  /// - Parameters:
  ///   - bytes: The archive, which has to outlive what is made.
  ///   - progress: Called with a number that rises to twice that of the bytes.
  /// - Throws: `FormatError` if it is damaged.
  /// - Complexity: O(bytes). Memory for a chunk of 1,024 rows and what the tables say.
  package init(of bytes: UnsafeRawBufferPointer, progress: @escaping (Int) -> Void = { _ in }) throws {
    // SAFETY: the bytes are the caller's, who keeps them meanwhile.
    layout = unsafe try ArchiveLayout.verified(bytes, progress)
    byteCount = bytes.count
    var anatomist = unsafe Anatomist(bytes, InfoSink(byteCount: bytes.count, progress))
    try anatomist.run()
    flags = anatomist.flags
    objectCounts = [Int](repeating: 0, count: anatomist.types.entries.count)
    blockByteCounts = objectCounts
    for block in anatomist.blocks {
      guard let entry = block.type.entryIndex else { continue }
      objectCounts[entry] += block.count
      blockByteCounts[entry] += block.byteCount
    }
    let sink = anatomist.sink
    parts = Part.allCases.compactMap { part in sink.parts[part].map { (part, $0) } }
    let (labels, types) = (anatomist.labels, anatomist.types)
    columns = sink.columns.map { found in
      var info = found.info
      for (key, value) in found.storage {
        var part = labels.text(key.label, types) { _ in "" }
        if part.hasPrefix(", ") { part.removeFirst(2) }
        // Records of several shapes may have the same key.
        if let index = info.storage.firstIndex(where: { $0.part == part && $0.encoding == key.encoding }) {
          info.storage[index].chunkCount += value.chunks
          info.storage[index].byteCount += value.bytes
        } else {
          info.storage.append(Storage(part: part, encoding: key.encoding, chunkCount: value.chunks, byteCount: value.bytes))
        }
      }
      info.storage.sort { a, b in
        a.byteCount != b.byteCount ? a.byteCount > b.byteCount : a.part != b.part ? a.part < b.part : a.encoding < b.encoding
      }
      return info
    }
    // Stable: those of the same size as they stand in the archive.
    let order = columns.indices.sorted { a, b in
      columns[a].byteCount != columns[b].byteCount ? columns[a].byteCount > columns[b].byteCount : a < b
    }
    columns = order.map { columns[$0] }
  }

  /// A column in words, such as `Fruit.name`.
  package func name(_ column: Column) -> String {
    switch column {
    case .root(let index): return "root \(Text.quoted(layout.roots[index].key, limit: 40))"
    case .property(let entry, let ordinal):
      let key = property(entry, ordinal)?.key ?? ""
      return "\(types.name(ofEntry: entry) ?? "").\(key)"
    }
  }

  func property(_ entry: Int, _ ordinal: Int) -> Property? {
    let columns = types.columns(ofClass: entry)
    return columns.indices.contains(ordinal) ? columns[ordinal].property : nil
  }
}

/// Adds up bytes.
struct InfoSink: AnatomySink {
  struct Key: Hashable {
    var label: Labels.Label
    var encoding: Encoding
  }

  struct Found {
    var info: ArchiveInfo.ColumnInfo
    var storage: [Key: (chunks: Int, bytes: Int)] = [:]
  }

  private(set) var parts: [Part: Int] = [:]
  private(set) var columns: [Found] = []
  private var indices: [Column: Int] = [:]
  private var part = Part.head
  /// The column that is being looked at; nil for none.
  private var index: Int?
  private let byteCount: Int
  private let progress: (Int) -> Void

  init(byteCount: Int, _ progress: @escaping (Int) -> Void) {
    self.byteCount = byteCount
    self.progress = progress
  }

  mutating func begin(_ part: Part) {
    self.part = part
    index = nil
  }

  mutating func begin(block index: Int, _ block: BlockHeader, bytes: ByteReader) { self.index = nil }

  mutating func begin(_ column: Column, type: TypeID, rows: Int) {
    let place: Int
    if let known = indices[column] {
      place = known
    } else {
      place = columns.count
      columns.append(Found(info: ArchiveInfo.ColumnInfo(column: column, type: type)))
      indices[column] = place
    }
    columns[place].info.rowCount += rows
    index = place
  }

  mutating func annotate(_ annotation: Annotation) {
    parts[part, default: 0] += annotation.length
    if let index { columns[index].info.byteCount += annotation.length }
    progress(byteCount &+ annotation.offset)
  }

  mutating func end(chunk: Chunk, encoding: Encoding, byteCount: Int) {
    guard let index else { return }
    columns[index].storage[Key(label: chunk.label, encoding: encoding), default: (0, 0)].chunks += 1
    columns[index].storage[Key(label: chunk.label, encoding: encoding), default: (0, 0)].bytes += byteCount
  }
}
