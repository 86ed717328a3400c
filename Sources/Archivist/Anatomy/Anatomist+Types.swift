import ArchiveFormat
import MirrorArchive

/// The type table, entry by entry and member by member.
extension Anatomist {
  mutating func typeTable() throws {
    try sink.begin(.types)
    // Read twice: once as every reader does, which finds out whether all fits together, so that the second time nothing can be wrong.
    var whole = reader
    types = try TypeTable(from: &whole)
    try sink.typesAreKnown(types)
    knowObjects()
    var start = reader
    _ = try reader.readCount()
    try emit(from: start, 0, words ? "the type table has \(Text.count(types.entries.count, "entry", "entries"))" : "")
    guard words else {
      start = reader
      try reader.skip(whole.offset &- reader.offset)
      return try emit(from: start, 0, "")
    }
    for (index, entry) in types.entries.enumerated() { try self.entry(entry, index) }
  }

  private mutating func entry(_ entry: TypeEntry, _ index: Int) throws {
    let start = reader
    let tag = try reader.readByte()
    let title = "entry \(index), type \(TypeID(entry: index).rawValue): "
    switch entry {
    case .optional(let type): try parts(start, 1, title + "optional of \(types.describe(type))")
    case .array(let type): try parts(start, 1, title + "array of \(types.describe(type))")
    case .set(let type): try parts(start, 1, title + "set of \(types.describe(type))")
    case .dictionary(let key, let value):
      try parts(start, 2, title + "dictionary of \(types.describe(key)) to \(types.describe(value))")
    case .inlineArray(let type, let count): try parts(start, 2, title + "inline array of \(count) times \(types.describe(type))")
    case .tuple(let members):
      try count(tag, EntryTag.fourBits)
      try emit(from: start, 1, title + "tuple of \(Text.count(members.count, "member"))")
      try self.members(members)
    case .structure(let name, let version, let fields):
      try count(tag, EntryTag.fiveBits)
      try emit(from: start, 1, title + "structure, \(Text.count(fields.count, "member"))")
      try named(name, tag & EntryTag.structureVersion != 0 ? version : nil)
      try members(fields)
    case .object(let name, let version, let superclass, let properties):
      try count(tag, EntryTag.fiveBits)
      try emit(from: start, 1, title + "class, \(Text.count(properties.count, "property", "properties"))")
      try named(name, tag & EntryTag.objectVersion != 0 ? version : nil)
      if let superclass {
        let start = reader
        _ = try reader.readVarint()
        try emit(from: start, 2, "superclass: \(types.describe(superclass))")
      }
      try members(properties)
    case .enumeration(let name, let version, let cases): try enumeration(start, tag, title, name, version, cases)
    }
  }

  private mutating func enumeration(
    _ start: ByteReader, _ tag: UInt8, _ title: String, _ name: String, _ version: UInt64, _ cases: [EnumCase]
  ) throws {
    let form = RawForm(rawValue: tag)
    if let form { try emit(from: start, 1, title + Self.text(form)) }
    let head = reader
    let tag = form == nil ? tag : try reader.readByte()
    try count(tag, EntryTag.fourBits)
    try emit(from: form == nil ? start : head, 1, (form == nil ? title : "") + "enumeration, \(Text.count(cases.count, "case"))")
    try named(name, tag & EntryTag.enumerationVersion != 0 ? version : nil)
    for one in cases {
      let start = reader
      try reader.skip(try reader.readCount() >> 1)
      if one.payload != nil { _ = try reader.readVarint() }
      try emit(from: start, 2, "case \(Text.quoted(one.name))" + (one.payload.map { " with a payload: \(types.describe($0))" } ?? ""))
    }
    for one in cases {
      let start = reader
      switch (form, one.rawValue) {
      case (.texts?, .text(let text)?):
        try reader.skip(try reader.readCount())
        try emit(from: start, 2, "raw value of \(Text.quoted(one.name)): \(Text.quoted(text))")
      case (.integers?, .integer(let number)?):
        _ = try reader.readVarint()
        try emit(from: start, 2, "raw value of \(Text.quoted(one.name)): \(number)")
      case (.floating?, .floating(let number)?):
        try reader.skip(8)
        try emit(from: start, 2, "raw value of \(Text.quoted(one.name)): \(number)")
      default: break
      }
    }
  }

  private static func text(_ form: RawForm) -> String {
    switch form {
    case .names: "raw values, the names of the cases"
    case .ordinals: "raw values, 0, 1, 2 and so on"
    case .texts: "raw values, texts"
    case .integers: "raw values, integers"
    case .floating: "raw values, floating point"
    }
  }

  /// An entry that has so many numbers behind its first byte.
  private mutating func parts(_ start: ByteReader, _ count: Int, _ meaning: String) throws {
    for _ in 0..<count { _ = try reader.readVarint() }
    try emit(from: start, 1, meaning)
  }

  private mutating func count(_ tag: UInt8, _ mask: UInt8) throws { if tag & mask == mask { _ = try reader.readCount() } }

  /// - Parameter version: Nil if the entry has none.
  private mutating func named(_ name: String, _ version: UInt64?) throws {
    var start = reader
    try reader.skip(try reader.readCount())
    try emit(from: start, 2, "name \(Text.quoted(name))")
    guard let version else { return }
    start = reader
    _ = try reader.readVarint()
    try emit(from: start, 2, "version \(version)")
  }

  private mutating func members(_ members: [Property]) throws {
    for member in members {
      let start = reader
      let tag = try reader.readByte()
      if tag >> 4 == PropertyTag.escape { _ = try reader.readVarint() }
      try reader.skip(tag & 15 == 0 ? try reader.readCount() : Int(tag & 15))
      try emit(from: start, 2, "\(Text.quoted(member.key)): \(types.describe(member.type))")
    }
  }
}
