extension TypeTable {
  /// Reads and checks a table.
  ///
  /// Every type it mentions exists, names are UTF-8, keys of structures and classes are not empty, superclasses are classes
  /// and form no cycle, no value contains itself.
  ///
  /// - Parameter limit: the most entries to accept.
  /// - Throws: `truncated`, `malformed`, or `limitExceeded` for more entries than `limit`.
  /// - Complexity: O(bytes of the table).
  package init(from r: inout ByteReader, limit: Int = 65_536) throws(FormatError) {
    let start = r
    let count = try Self.readEntryCount(&r, limit: limit)
    entries = []
    // The count is bounded by the bytes, but an entry in memory is much larger than a byte.
    entries.reserveCapacity(min(count, 1024))
    for _ in 0..<count { entries.append(try Self.readEntry(&r)) }
    try check(start)
    summary = TypeSummary(of: entries)
  }

  /// Passes over a table without understanding it and returns its exact bytes.
  ///
  /// - Throws: `truncated`, `malformed` or `limitExceeded`, but a table that passes may still be malformed.
  package static func readExtent(_ r: inout ByteReader, limit: Int = 65_536) throws(FormatError) -> UnsafeRawBufferPointer {
    var start = r
    for _ in 0..<(try readEntryCount(&r, limit: limit)) { try skipEntry(&r) }
    return unsafe try start.readBytes(start.remaining &- r.remaining)
  }

  private static func readEntryCount(_ r: inout ByteReader, limit: Int) throws(FormatError) -> Int {
    let start = r
    let count = try r.readCount()
    guard count <= limit else { throw start.fail(.limitExceeded, "\(count) types are more than the \(limit) allowed") }
    guard count <= r.remaining else { throw start.fail(.truncated, "\(count) types do not fit the bytes that are left") }
    return count
  }
}

/// The parts of an entry's first byte.
private struct EntryHead {
  enum Kind { case optional, array, set, dictionary, inlineArray, tuple, structure, enumeration, object }
  var kind: Kind
  var hasVersion = false
  var hasSuperclass = false
  /// The number of members; 0 for the kinds without.
  var count = 0
  /// How the cases of an enumeration say their raw values; nil if they have none.
  var rawForm: RawForm?

  @inline(__always) init(_ r: inout ByteReader) throws(FormatError) {
    let start = r
    var tag = try r.readByte()
    if let form = RawForm(rawValue: tag) {
      rawForm = form
      tag = try r.readByte()
      guard (EntryTag.enumeration..<EntryTag.structure).contains(tag) else {
        throw start.fail(.malformed, "raw values of something that is no enumeration")
      }
    }
    switch tag {
    case EntryTag.optional: kind = .optional
    case EntryTag.array: kind = .array
    case EntryTag.set: kind = .set
    case EntryTag.dictionary: kind = .dictionary
    case EntryTag.inlineArray: kind = .inlineArray
    case EntryTag.tuple..<EntryTag.enumeration:
      kind = .tuple
      count = try Self.readCount(tag, EntryTag.fourBits, &r)
    case EntryTag.enumeration..<EntryTag.structure:
      kind = .enumeration
      hasVersion = tag & EntryTag.enumerationVersion != 0
      count = try Self.readCount(tag, EntryTag.fourBits, &r)
    case EntryTag.structure..<EntryTag.object:
      kind = .structure
      hasVersion = tag & EntryTag.structureVersion != 0
      count = try Self.readCount(tag, EntryTag.fiveBits, &r)
    case EntryTag.object...:
      kind = .object
      hasVersion = tag & EntryTag.objectVersion != 0
      hasSuperclass = tag & EntryTag.objectSuperclass != 0
      count = try Self.readCount(tag, EntryTag.fiveBits, &r)
    default: throw start.fail(.malformed, "unknown kind of type")
    }
  }

  @inline(__always) private static func readCount(_ tag: UInt8, _ mask: UInt8, _ r: inout ByteReader) throws(FormatError) -> Int {
    let short = tag & mask
    let start = r
    let count = short == mask ? try r.readCount() : Int(short)
    guard count <= r.remaining else { throw start.fail(.truncated, "\(count) members do not fit the bytes that are left") }
    return count
  }
}

/// The parts of a property's first byte.
private struct PropertyHead {
  var type: TypeID
  var keyLength: Int

  @inline(__always) init(_ r: inout ByteReader) throws(FormatError) {
    let tag = try r.readByte()
    if let common = PropertyTag.commonType(tag >> 4) { type = common } else { type = try r.readTypeID() }
    let short = Int(tag & 15)
    keyLength = short == 0 ? try r.readCount() : short
  }
}

extension TypeTable {
  private static func readEntry(_ r: inout ByteReader) throws(FormatError) -> TypeEntry {
    let head = try EntryHead(&r)
    switch head.kind {
    case .optional: return .optional(try r.readTypeID())
    case .array: return .array(try r.readTypeID())
    case .set: return .set(try r.readTypeID())
    case .dictionary:
      let key = try r.readTypeID()
      return .dictionary(key: key, value: try r.readTypeID())
    case .inlineArray:
      let element = try r.readTypeID()
      return .inlineArray(element, count: try r.readCount())
    case .tuple: return .tuple(try readProperties(head.count, &r, namesRequired: false))
    case .structure:
      let (name, version) = try readName(head, &r)
      return .structure(name: name, version: version, fields: try readProperties(head.count, &r, namesRequired: true))
    case .enumeration:
      let (name, version) = try readName(head, &r)
      var cases = try readCases(head.count, &r)
      if let form = head.rawForm { try form.decode(into: &cases, &r) }
      return .enumeration(name: name, version: version, cases: cases)
    case .object:
      let (name, version) = try readName(head, &r)
      let superclass = head.hasSuperclass ? try r.readTypeID() : nil
      let properties = try readProperties(head.count, &r, namesRequired: true)
      return .object(name: name, version: version, superclass: superclass, properties: properties)
    }
  }

  private static func readName(_ head: EntryHead, _ r: inout ByteReader) throws(FormatError) -> (String, UInt64) {
    let length = try r.readCount()
    let name = try r.readString(length)
    return (name, head.hasVersion ? try r.readVarint() : 0)
  }

  private static func readProperties(
    _ count: Int, _ r: inout ByteReader, namesRequired: Bool
  ) throws(FormatError) -> [Property] {
    var properties: [Property] = []
    properties.reserveCapacity(min(count, 256))
    for _ in 0..<count {
      let start = r
      let head = try PropertyHead(&r)
      guard head.keyLength > 0 || !namesRequired else { throw start.fail(.malformed, "the key of a property is empty") }
      properties.append(Property(key: try r.readString(head.keyLength), type: head.type))
    }
    return properties
  }

  private static func readCases(_ count: Int, _ r: inout ByteReader) throws(FormatError) -> [EnumCase] {
    var cases: [EnumCase] = []
    cases.reserveCapacity(min(count, 256))
    for _ in 0..<count {
      let head = try r.readCount()
      let name = try r.readString(head >> 1)
      cases.append(EnumCase(name: name, payload: head & 1 == 0 ? nil : try r.readTypeID()))
    }
    return cases
  }

  private static func skipEntry(_ r: inout ByteReader) throws(FormatError) {
    let head = try EntryHead(&r)
    switch head.kind {
    case .optional, .array, .set: _ = try r.readVarint()
    case .dictionary, .inlineArray:
      _ = try r.readVarint()
      _ = try r.readVarint()
    case .tuple: try skipProperties(head.count, &r)
    case .structure, .object:
      try skipName(head, &r)
      if head.hasSuperclass { _ = try r.readVarint() }
      try skipProperties(head.count, &r)
    case .enumeration:
      try skipName(head, &r)
      for _ in 0..<head.count {
        let caseHead = try r.readCount()
        try r.skip(caseHead >> 1)
        if caseHead & 1 != 0 { _ = try r.readVarint() }
      }
      if let form = head.rawForm { try form.skip(count: head.count, &r) }
    }
  }

  private static func skipName(_ head: EntryHead, _ r: inout ByteReader) throws(FormatError) {
    let length = try r.readCount()
    try r.skip(length)
    if head.hasVersion { _ = try r.readVarint() }
  }

  private static func skipProperties(_ count: Int, _ r: inout ByteReader) throws(FormatError) {
    for _ in 0..<count {
      let head = try PropertyHead(&r)
      try r.skip(head.keyLength)
    }
  }
}
