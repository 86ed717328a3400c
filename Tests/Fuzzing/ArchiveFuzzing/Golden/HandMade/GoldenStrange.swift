import ArchiveFormat
import Foundation
import MirrorArchive

/// What the format has and no Swift type becomes: only a reader without types gets it.
enum GoldenStrange {
  static let archive = GoldenArchive("strange", isMadeByHand: true, make: make, isRight: isRight)

  @Sendable private static func make() -> Data {
    var archive = HandMade()
    let empty = archive.type(.tuple([]))
    _ = archive.type(.tuple([Property(key: "b", type: .bool)]))
    let first = archive.type(.object(name: "golden.First", version: 0, superclass: nil, properties: []))
    let second = archive.type(.object(name: "golden.Second", version: 0, superclass: first, properties: []))
    // Classes as values.
    archive.addRoot("class", .metatype, zigzag(first))
    archive.addRoot("optional classes", archive.type(.array(TypeID(61))), [4, 1, 0] + zigzag(second))
    let classes = archive.type(.array(.metatype))
    for form in IntegerForm.all(from: Int64(first.rawValue)) { archive.addRoot("class \(form.name)", classes, [16] + form.bytes) }
    // References that say their class.
    let references = archive.type(.array(first))
    archive.addRoot("typed reference", first, [0])
    for form in IntegerForm.all() { archive.addRoot("typed reference \(form.name)", references, [16] + form.bytes) }
    // An Optional of a scalar with an entry, and tuples without members.
    archive.addRoot("optional", archive.type(.array(archive.type(.optional(.int)))), [4, 1, 0, 10])
    archive.addRoot("tuple", empty, [0])
    archive.addRoot("tuples", archive.type(.array(empty)), [18, 0])
    // A pool of more strings than a chunk has, all but the last six of them empty.
    archive.pools = [1, 0, 134, 8, 0, 0, 0, 1, 1, 1, 1, 1, 1] + Array("uvwxyz".utf8)
    archive.addRoot("pool in chunks", archive.type(.array(.string)), [16, 1, 1, 0xFC, 0x0F, 0, 2, 3, 4, 5, 6, 7, 1])
    archive.addBlock(first, 2, [[0]])
    // Shapes and lengths of records.
    for (shapes, lengths) in zip(IntegerForm.all(from: Int64(empty.rawValue)), IntegerForm.all()) {
      let bodies = lengths.values.filter { $0 == 1 }.map { _ in UInt8(1) }
      let record = Property(key: "$keys", type: .record)
      let type = archive.type(.object(name: "golden.\(shapes.name)", version: 0, superclass: nil, properties: [record]))
      archive.addBlock(type, 8, [shapes.bytes + [0] + lengths.bytes + bodies])
    }
    return archive.data(isSegmented: true)
  }

  private static func zigzag(_ type: TypeID) -> [UInt8] { written { $0.appendZigzag(Int64(type.rawValue)) } }

  @Sendable private static func isRight(_ data: Data) throws -> Bool {
    let contents = try ArchiveDocument(of: data)
    let roots = Dictionary(uniqueKeysWithValues: contents.roots.map { ($0.key, $0.value) })
    let (first, second) = ("golden.First.self", "golden.Second.self")
    let areClasses = IntegerForm.all().allSatisfy { form in
      guard case .array(let values)? = roots["class \(form.name)"] else { return false }
      return values.map { "\($0)" } == form.values.map { $0 == 0 ? first : second }
    }
    let areReferences = IntegerForm.all().allSatisfy { form in
      roots["typed reference \(form.name)"] == .array(form.values.map { .reference(Int($0)) })
    }
    let areRecords = IntegerForm.all().enumerated().allSatisfy { index, form in
      let objects = contents.objects.filter { $0.number >> 10 == index + 1 }
      return objects.map(\.className) == [String](repeating: "golden.\(form.name)", count: 8)
        && zip(objects, form.values).allSatisfy { object, value in
          guard case .container(let members)? = object.properties.first?.value else { return false }
          return members.map(\.key) == (value == 0 ? [] : ["b"]) && members.map(\.value) == (value == 0 ? [] : [.bool(true)])
        }
    }
    guard case .array(let optional)? = roots["optional classes"] else { return false }
    return areClasses && areReferences && areRecords && roots.count == 25 && contents.objects.count == 74
      && roots["class"].map { "\($0)" } == first && optional.map { "\($0)" } == [second, "nil"] && roots["typed reference"] == .reference(0)
      && roots["optional"] == .array([.int(5), .null]) && roots["tuple"] == .tuple([])
      && roots["pool in chunks"] == .array(["", "u", "v", "w", "x", "y", "z", ""].map { .string($0) })
      && roots["tuples"] == .array([ArchiveValue](repeating: .tuple([]), count: 9))
  }
}
