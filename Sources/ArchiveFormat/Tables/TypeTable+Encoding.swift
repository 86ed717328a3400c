/// The first byte of an entry: what it is, whether optional parts follow, and how many members it has if that fits.
///
/// | byte | entry |
/// |---|---|
/// | 1vsc cccc | object; v: a version follows, s: a superclass follows, c: 0...30 properties, 31: a count follows |
/// | 01vc cccc | structure |
/// | 001v cccc | enumeration; c: 0...14 cases, 15: a count follows |
/// | 0001 cccc | tuple |
/// | 0000 0001...0101 | optional, array, set, dictionary, inline array |
/// | 0000 0110...1010 | an enumeration with raw values: a `RawForm`, and the enumeration follows |
package enum EntryTag {
  package static let optional: UInt8 = 1
  package static let array: UInt8 = 2
  package static let set: UInt8 = 3
  package static let dictionary: UInt8 = 4
  package static let inlineArray: UInt8 = 5
  package static let tuple: UInt8 = 0x10
  package static let enumeration: UInt8 = 0x20
  package static let enumerationVersion: UInt8 = 0x10
  package static let structure: UInt8 = 0x40
  package static let structureVersion: UInt8 = 0x20
  package static let object: UInt8 = 0x80
  package static let objectVersion: UInt8 = 0x40
  package static let objectSuperclass: UInt8 = 0x20
  /// The largest value of a four-bit or five-bit count, which says that the count follows as a varint.
  package static let fourBits: UInt8 = 0x0F
  package static let fiveBits: UInt8 = 0x1F
}

/// The first byte of a property: a common type in the high four bits and the length of its key in the low four.
package enum PropertyTag {
  /// The types with a number of their own; 15 says that the type follows as a varint.
  package static func commonType(_ index: UInt8) -> TypeID? {
    switch index {
    case 0...9: TypeID(UInt32(index))
    case 10: TypeID.string.optionalOfScalar
    case 11: TypeID.int.optionalOfScalar
    case 12: TypeID.double.optionalOfScalar
    case 13: TypeID.reference.optionalOfScalar
    case 14: TypeID.date.optionalOfScalar
    default: nil
    }
  }

  static func index(of type: TypeID) -> UInt8 {
    if type.rawValue <= 9 { return UInt8(truncatingIfNeeded: type.rawValue) }
    guard let wrapped = type.wrappedScalar else { return escape }
    switch wrapped {
    case .string: return 10
    case .int: return 11
    case .double: return 12
    case .reference: return 13
    case .date: return 14
    default: return escape
    }
  }

  package static let escape: UInt8 = 15
}

extension TypeTable {
  /// Writes the number of entries and the entries.
  package func encode(into w: inout ByteWriter) {
    w.appendVarint(UInt64(entries.count))
    for entry in entries { Self.encode(entry, into: &w) }
  }

  private static func encode(_ entry: TypeEntry, into w: inout ByteWriter) {
    switch entry {
    case .optional(let wrapped): encode(EntryTag.optional, [wrapped], into: &w)
    case .array(let element): encode(EntryTag.array, [element], into: &w)
    case .set(let element): encode(EntryTag.set, [element], into: &w)
    case .dictionary(let key, let value): encode(EntryTag.dictionary, [key, value], into: &w)
    case .inlineArray(let element, let count):
      encode(EntryTag.inlineArray, [element], into: &w)
      w.appendVarint(UInt64(max(count, 0)))
    case .tuple(let elements):
      encodeTag(EntryTag.tuple, count: elements.count, escape: EntryTag.fourBits, into: &w)
      for element in elements { encode(element, into: &w) }
    case .structure(let name, let version, let fields):
      let flags = version == 0 ? 0 : EntryTag.structureVersion
      encodeTag(EntryTag.structure | flags, count: fields.count, escape: EntryTag.fiveBits, into: &w)
      encode(name, version, into: &w)
      for field in fields { encode(field, into: &w) }
    case .enumeration(let name, let version, let cases):
      let form = RawForm(of: cases)
      if let form { w.append(form.rawValue) }
      let flags = version == 0 ? 0 : EntryTag.enumerationVersion
      encodeTag(EntryTag.enumeration | flags, count: cases.count, escape: EntryTag.fourBits, into: &w)
      encode(name, version, into: &w)
      for enumCase in cases { encode(enumCase, into: &w) }
      if let form { form.encode(cases, into: &w) }
    case .object(let name, let version, let superclass, let properties):
      let flags = (version == 0 ? 0 : EntryTag.objectVersion) | (superclass == nil ? 0 : EntryTag.objectSuperclass)
      encodeTag(EntryTag.object | flags, count: properties.count, escape: EntryTag.fiveBits, into: &w)
      encode(name, version, into: &w)
      if let superclass { w.appendVarint(UInt64(superclass.rawValue)) }
      for property in properties { encode(property, into: &w) }
    }
  }

  private static func encode(_ tag: UInt8, _ types: [TypeID], into w: inout ByteWriter) {
    w.append(tag)
    for type in types { w.appendVarint(UInt64(type.rawValue)) }
  }

  private static func encodeTag(_ tag: UInt8, count: Int, escape: UInt8, into w: inout ByteWriter) {
    if count < Int(escape) {
      w.append(tag | UInt8(truncatingIfNeeded: count))
    } else {
      w.append(tag | escape)
      w.appendVarint(UInt64(count))
    }
  }

  private static func encode(_ name: String, _ version: UInt64, into w: inout ByteWriter) {
    w.appendVarint(UInt64(name.utf8.count))
    w.append(name)
    if version != 0 { w.appendVarint(version) }
  }

  private static func encode(_ property: Property, into w: inout ByteWriter) {
    let index = PropertyTag.index(of: property.type)
    let length = property.key.utf8.count
    let shortLength = length <= 15 ? UInt8(truncatingIfNeeded: length) : 0
    w.append(index << 4 | shortLength)
    if index == PropertyTag.escape { w.appendVarint(UInt64(property.type.rawValue)) }
    if shortLength == 0 { w.appendVarint(UInt64(length)) }
    w.append(property.key)
  }

  private static func encode(_ enumCase: EnumCase, into w: inout ByteWriter) {
    w.appendVarint(UInt64(enumCase.name.utf8.count) << 1 | (enumCase.payload == nil ? 0 : 1))
    w.append(enumCase.name)
    if let payload = enumCase.payload { w.appendVarint(UInt64(payload.rawValue)) }
  }
}

extension ByteWriter {
  /// Appends the UTF-8 of `string` without its length.
  package mutating func append(_ string: String) {
    var string = string
    string.withUTF8 { unsafe append(contentsOf: UnsafeRawBufferPointer($0)) }
  }
}
