import Foundation
import MirrorArchive

/// What is common to the contenders of every workload: which calls encode and decode.

func mirrorArchive<Model>(
  _ model: Model, name: String = ContenderName.mirrorArchive, difference: @escaping (Model) -> String?,
  discard: @escaping (Model) -> Void = { _ in }
) -> any Contender {
  Coder(
    name, model: model, size: \Data.count,
    encode: { try KeyedArchiver.archivedData(withRootObject: $0) },
    decode: { try KeyedUnarchiver.unarchivedObject(of: Model.self, from: $0) },
    difference: difference, discard: discard)
}

/// The same with the forms that use the caller's memory: appending to data that is emptied for each archive, and reading the bytes where they
/// are.
func mirrorArchiveInto<Model>(_ model: Model, difference: @escaping (Model) -> String?) -> any Contender {
  let message = Message()
  return Coder(
    ContenderName.mirrorArchiveInto, model: model, size: \Message.data.count,
    encode: {
      message.data.removeAll(keepingCapacity: true)
      try KeyedArchiver.archive($0, into: &message.data)
      return message
    },
    decode: { message in
      // SAFETY: the archive stays what it is during the call.
      unsafe try message.data.withUnsafeBytes { unsafe try KeyedUnarchiver.unarchivedObject(of: Model.self, from: $0) }
    },
    difference: difference)
}

/// Data that is used again and again.
private final class Message {
  var data = Data()
}

func hand<Model>(
  _ model: Model, name: String = ContenderName.hand, encode: @escaping (Model) throws -> Data,
  decode: @escaping (Data) throws -> Model, difference: @escaping (Model) -> String?, discard: @escaping (Model) -> Void = { _ in }
) -> any Contender {
  Coder(
    name, model: model, size: \Data.count, encode: encode, decode: decode, difference: difference, discard: discard,
    floor: { name == ContenderName.hand ? copy($0) : nil })
}

func json<Model: Codable>(_ model: Model, difference: @escaping (Model) -> String?) -> any Contender {
  json(model, as: Model.self, flatten: { $0 }, link: { $0 }, difference: difference)
}

/// For graphs that `Codable` cannot express: both conversions count.
func json<Model, Record: Codable>(
  _ model: Model, as _: Record.Type, flatten: @escaping (Model) -> Record, link: @escaping (Record) throws -> Model,
  difference: @escaping (Model) -> String?
) -> any Contender {
  Coder(
    ContenderName.json, model: model, size: \Data.count,
    encode: { try JSONEncoder().encode(flatten($0)) },
    decode: { try link(JSONDecoder().decode(Record.self, from: $0)) },
    difference: difference)
}

func propertyList<Model: Codable>(_ model: Model, difference: @escaping (Model) -> String?) -> any Contender {
  propertyList(model, as: Model.self, flatten: { $0 }, link: { $0 }, difference: difference)
}

/// For graphs that `Codable` cannot express: both conversions count.
func propertyList<Model, Record: Codable>(
  _ model: Model, as _: Record.Type, flatten: @escaping (Model) -> Record, link: @escaping (Record) throws -> Model,
  difference: @escaping (Model) -> String?
) -> any Contender {
  Coder(
    ContenderName.propertyList, model: model, size: \Data.count,
    encode: {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .binary
      return try encoder.encode(flatten($0))
    },
    decode: { try link(PropertyListDecoder().decode(Record.self, from: $0)) },
    difference: difference)
}

func keyedArchiver<Model: NSObject & NSSecureCoding>(_ model: Model, difference: @escaping (Model) -> String?) -> any Contender {
  Coder(
    ContenderName.keyedArchiver, model: model, size: \Data.count,
    encode: { try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true) },
    decode: {
      guard let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: Model.self, from: $0) else { throw HandError.malformed }
      return copy
    },
    difference: difference)
}

/// For arrays at the root.
func keyedArchiver<Element: NSObject & NSSecureCoding>(
  _ elements: [Element], difference: @escaping ([Element]) -> String?
) -> any Contender {
  Coder(
    ContenderName.keyedArchiver, model: elements, size: \Data.count,
    encode: { try NSKeyedArchiver.archivedData(withRootObject: NSArray(array: $0), requiringSecureCoding: true) },
    decode: {
      let root = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, Element.self], from: $0)
      guard let copy = root as? [Element] else { throw HandError.malformed }
      return copy
    },
    difference: difference)
}

/// For graphs that `NSKeyedUnarchiver` cannot read back.
func keyedArchiver<Model: NSObject & NSSecureCoding>(encodingOnly model: Model) -> any Contender {
  Coder(
    ContenderName.keyedArchiver, model: model, size: \Data.count,
    encode: { try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true) },
    decode: nil, difference: { _ in nil })
}

/// The floor of both directions: `bytes`, copied into memory allocated for it.
private func copy(_ data: Data) -> any Contender {
  let source = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 16)
  unsafe data.copyBytes(to: source)
  // SAFETY: every block is allocated with the size of `source`, and freed once, by `discard`; `source` itself lives as long as the process.
  let duplicate: (UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer = {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: $0.count, alignment: 16)
    unsafe block.copyMemory(from: UnsafeRawBufferPointer($0))
    return unsafe block
  }
  return unsafe Coder(
    ContenderName.memoryCopy, model: source, size: { $0.count }, encode: duplicate, decode: duplicate,
    difference: { unsafe $0.elementsEqual(source) ? nil : "bytes" },
    discard: { unsafe $0.deallocate() }, discardArchive: { unsafe $0.deallocate() })
}

/// As they are printed, and matched by `--filter`.
enum ContenderName {
  static let mirrorArchive = "MirrorArchive"
  /// Into and from memory of the caller's.
  static let mirrorArchiveInto = "MirrorArchive into"
  /// Beside hand-coded classes: the same properties by reflection.
  static let mirrorCoding = "MirrorCoding"
  /// MirrorArchive with classes that have changed since the archive was written.
  static let laterRelease = "later release"
  static let hand = "hand"
  static let handWithIdentity = "hand+identity"
  /// Structs that are read through a pointer, and never copied.
  static let handInPlace = "hand in place"
  static let memoryCopy = "memcpy"
  static let json = "JSONEncoder"
  static let propertyList = "PropertyListEncoder"
  static let keyedArchiver = "NSKeyedArchiver"

  static let archiveCache = "ArchiveCache"
  /// ArchiveCache that looks whether another process has stored a newer value.
  static let validatingCache = "ArchiveCache, validating"
  /// ArchiveCache for values that are not Sendable.
  static let copyingCache = "ArchiveCache, copying"
  static let plainFiles = "plain files"
  static let foundationCache = "JSON, atomic, NSCache"
  static let dictionary = "dictionary, lock"

  static let all = [
    mirrorArchive, mirrorArchiveInto, mirrorCoding, laterRelease, hand, handWithIdentity, handInPlace, memoryCopy, json, propertyList,
    keyedArchiver, archiveCache, validatingCache, copyingCache, plainFiles, foundationCache, dictionary,
  ]
}
