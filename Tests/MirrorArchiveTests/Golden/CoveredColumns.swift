import ArchiveFormat
import ArchiveFuzzing

/// The encodings of the columns of one value and of all columns in them, each with what it is that they hold.
@safe struct CoveredColumns {
  private(set) var found: Set<String> = []
  private let buffer: UnsafeRawBufferPointer
  /// What the column is that the next numbers belong to.
  private var enclosing = TypeID.void

  init(_ buffer: UnsafeRawBufferPointer) { unsafe self.buffer = unsafe buffer }

  static let integerNames = [
    "constant", "offsets of 1 byte", "offsets of 2 bytes", "offsets of 4 bytes", "raw", "packed", "deltas", "runs",
  ]

  mutating func add(_ span: ColumnMap.Span, _ types: TypeTable) throws {
    // SAFETY: the spans are of these bytes.
    var r = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: buffer[span.range]))
    switch span.role {
    case .chunk(let type, let rows):
      enclosing = type
      try addChunk(type, rows, &r, types)
      if rows == maximumChunkRows { found.insert("full chunk") }
    case .presence(let rows): try addTruth("presence", rows, &r)
    case .integers(let rows):
      try addIntegers(Self.meaning(of: enclosing, types), rows, &r)
      if enclosing == .record {
        // SAFETY: the column goes on behind the shapes.
        r = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: buffer[span.range.upperBound...]))
        try addLengths("length of a record", rows, &r)
      }
    case .typeList: found.insert(span.range.count > 2 ? "Any of several types" : "Any of one type")
    case .body: found.insert(span.range.isEmpty ? "empty record" : "record")
    }
  }

  /// What the numbers in a column of a type say.
  private static func meaning(of type: TypeID, _ types: TypeTable) -> String {
    switch type {
    case .any: return "type in Any"
    case .record: return "shape"
    default: break
    }
    switch types[type] {
    case .array, .set: return "number of elements"
    case .dictionary: return "number of entries"
    case .enumeration: return "case"
    default: return "typed reference"
    }
  }

  // MARK: By type

  private static let scalars = [
    "Bool", "Int", "Double", "String", "reference", "Date", "Data", "UUID", "Float", "Int32", "UInt8", "Int8", "Int16", "Int64", "UInt",
    "UInt16", "UInt32", "UInt64", "Int128", "UInt128", "Float16", "Decimal", "Character", "Any", "CGFloat", "Substring", "Unicode.Scalar",
    "Void", "Duration", "class", "record", "pooled String",
  ]

  private mutating func addChunk(_ type: TypeID, _ rows: Int, _ r: inout ByteReader, _ types: TypeTable) throws {
    if type.wrappedScalar != nil { found.insert("Optional by number") }
    guard type.isScalar else { return addEntry(type, rows, types) }
    let name = Self.scalars[Int(type.rawValue)]
    switch type {
    case .any, .record: found.insert("\(name) \(rows < firstEncodedRowCount ? "plain" : "in chunks")")
    case .void: found.insert("Void \(rows < firstEncodedRowCount ? "plain" : "in chunks")")
    case .bool: try addTruth(name, rows, &r)
    case .double, .date, .cgFloat: try addDoubles(name, rows, &r)
    case .float, .float16, .uuid, .decimal: try addNamed(name, ["constant", "raw"], rows, &r)
    case .string, .character, .substring, .data: try addStrings(name, rows, &r)
    case .int128, .uint128, .duration:
      var low = r
      try IntegerColumn.skip(count: rows, from: &low)
      try addIntegers("\(name), high half", rows, &r)
      try addIntegers("\(name), low half", rows, &low)
    default: try addIntegers(name, rows, &r)
    }
  }

  private mutating func addEntry(_ type: TypeID, _ rows: Int, _ types: TypeTable) {
    let many = rows < firstEncodedRowCount ? "plain" : "in chunks"
    switch types[type] {
    case .inlineArray(_, 0): found.insert("inline array without elements \(many)")
    case .tuple(let members) where members.isEmpty: found.insert("tuple without members \(many)")
    case .structure(_, _, let members) where members.isEmpty: found.insert("structure without members \(many)")
    default: break
    }
  }

  // MARK: By encoding

  private mutating func addNamed(_ kind: String, _ names: [String], _ rows: Int, _ r: inout ByteReader) throws {
    if rows < firstEncodedRowCount { found.insert("\(kind) plain") } else { found.insert("\(kind) \(names[Int(try r.readByte())])") }
  }

  private mutating func addIntegers(_ kind: String, _ rows: Int, _ r: inout ByteReader) throws {
    let start = r
    try addNamed(kind, Self.integerNames, rows, &r)
    r = start
    guard rows >= firstEncodedRowCount, try r.readByte() == 6 else { return }
    (_, _) = (try r.readVarint(), try r.readVarint())
    if try r.readByte() == 0 { found.insert("\(kind) in steps") }
  }

  private mutating func addTruth(_ kind: String, _ rows: Int, _ r: inout ByteReader) throws {
    try addNamed(kind, ["all false", "all true", "bits"], rows, &r)
  }

  private mutating func addDoubles(_ kind: String, _ rows: Int, _ r: inout ByteReader) throws {
    let start = r
    try addNamed(kind, ["constant", "raw", "decimal"], rows, &r)
    r = start
    guard rows >= firstEncodedRowCount, try r.readByte() == 2 else { return }
    found.insert("scale \(try r.readByte())")
    try addIntegers("digits", rows, &r)
  }

  private mutating func addStrings(_ kind: String, _ rows: Int, _ r: inout ByteReader) throws {
    var head = r
    try addNamed(kind, ["lengths", "pooled", "numbered"], rows, &head)
    guard rows >= firstEncodedRowCount else { return }
    switch try r.readByte() {
    case BytesColumn.pooledEncoding: try addIntegers("place in a pool", rows, &r)
    case BytesColumn.numberedEncoding:
      for part in ["front", "end"] {
        let length = Int(try r.readByte())
        found.insert("numbered, \(part) \(length == 0 ? "empty" : length > 127 ? "long" : "short")")
        try r.skip(length)
      }
      found.insert(try r.readByte() == 0 ? "numbered, digits as needed" : "numbered, fixed digits")
      try addIntegers("number of a string", rows, &r)
    default: try addIntegers("length", rows, &r)
    }
  }

  private mutating func addLengths(_ kind: String, _ rows: Int, _ r: inout ByteReader) throws {
    guard rows >= firstEncodedRowCount else { return }
    try r.skip(1)
    try addIntegers(kind, rows, &r)
  }
}
