package import ArchiveFormat

/// A stretch of bytes and what it means.
package struct Annotation: Equatable, Sendable {
  /// From the beginning of the archive.
  package var offset: Int
  package var length: Int
  /// How deep the meaning is nested in that of the bytes in front.
  package var depth: Int
  /// In words; empty if nobody wants to read it.
  package var meaning: String
}

/// What an archive is made of, roughly.
package enum Part: Hashable, Sendable, CaseIterable {
  case head
  case types
  case pools
  /// The object table and the root table.
  case tables
  /// The values at the top level.
  case roots
  case blocks
  case filling
  case seal
}

/// How a chunk of a column is stored.
package enum Encoding: String, Hashable, Sendable, Comparable {
  case plain, constant, raw
  case offset8 = "8-bit offsets"
  case offset16 = "16-bit offsets"
  case offset32 = "32-bit offsets"
  case packed, deltas, runs
  case allFalse = "all false"
  case allTrue = "all true"
  case bits, decimal, pooled, numbered

  package static func < (a: Encoding, b: Encoding) -> Bool { a.rawValue < b.rawValue }
}

/// Where a column that is not part of another one stands.
package enum Column: Hashable, Sendable {
  /// The value of a root.
  case root(Int)
  /// The property with this ordinal of the blocks of the class in this entry of the type table.
  case property(entry: Int, ordinal: Int)
}

/// Who is told what the bytes of an archive mean: in their order, and each byte once.
package protocol AnatomySink {
  /// Whether the meanings are to be put in words, and plain columns to be told row by row.
  var wantsWords: Bool { get }

  /// Whether anything between two offsets is of interest; blocks without it are passed over.
  func wants(from start: Int, to end: Int) -> Bool

  mutating func annotate(_ annotation: Annotation) throws

  /// What follows belongs to this part of the archive.
  mutating func begin(_ part: Part) throws

  /// The types have been read: all that follows can be understood.
  mutating func typesAreKnown(_ types: TypeTable) throws

  /// The objects of a block follow.
  mutating func begin(block index: Int, _ block: BlockHeader, bytes: ByteReader) throws

  /// What follows are the rows of this column, and what stands around them.
  mutating func begin(_ column: Column, type: TypeID, rows: Int) throws

  /// A chunk of a column without other columns in it follows. Called in front of it, so that it can be read more closely.
  mutating func begin(chunk: Chunk) throws

  /// It was stored this way, and took so many bytes.
  mutating func end(chunk: Chunk, encoding: Encoding, byteCount: Int)
}

/// 1...1,024 rows of a column without other columns in it.
package struct Chunk {
  package var type: TypeID
  package var rows: Int
  package var label: Labels.Label
  /// The pool of its strings; 0 is that of the roots.
  package var poolID: UInt64
  /// At its first byte.
  package var bytes: ByteReader
}

extension AnatomySink {
  package var wantsWords: Bool { false }
  package func wants(from start: Int, to end: Int) -> Bool { true }
  package mutating func begin(_ part: Part) throws {}
  package mutating func typesAreKnown(_ types: TypeTable) throws {}
  package mutating func begin(block index: Int, _ block: BlockHeader, bytes: ByteReader) throws {}
  package mutating func begin(_ column: Column, type: TypeID, rows: Int) throws {}
  package mutating func begin(chunk: Chunk) throws {}
  package mutating func end(chunk: Chunk, encoding: Encoding, byteCount: Int) {}
}
