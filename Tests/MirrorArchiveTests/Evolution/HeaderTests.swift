import Foundation
import MirrorArchive
import Testing

@Suite("What an archive says about itself")
struct HeaderTests {
  @Test("Types, keys, roots and numbers of objects") func header() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Models.family())
    let header = try KeyedUnarchiver.header(of: data)
    #expect(header.formatVersion == 1 && header.minimumReaderVersion == 1 && header.isReadable)
    #expect(header.byteCount == data.count)
    #expect(header.roots.map(\.key) == ["root"])
    #expect(header.roots.map(\.typeName) == ["MirrorArchiveTests.Models.Family"])
    let heir = try #require(header.types.first { $0.name == "MirrorArchiveTests.Models.Heir" })
    #expect(heir.kind == .class && heir.superclass == "MirrorArchiveTests.Models.Base" && heir.objectCount == 2)
    #expect(heir.propertyKeys == ["id", "box"])
    let base = try #require(header.types.first { $0.name == "MirrorArchiveTests.Models.Base" })
    #expect(base.superclass == nil && base.objectCount == 2 && base.propertyKeys == ["id", "tags"])
    #expect(header.objectCount == 1 + 4 + 4 + 2)
  }

  @Test("Structs and enums are among the types") func values() throws {
    let header = try KeyedUnarchiver.header(of: try KeyedArchiver.archivedData(withRootObject: Models.Shapes()))
    let plain = try #require(header.types.first { $0.name.hasSuffix("Enums.Plain") })
    #expect(plain.kind == .enumeration && Set(plain.propertyKeys) == ["north", "west", "east", "south"])
    let pairs = try KeyedUnarchiver.header(of: try KeyedArchiver.archivedData(withRootObject: Pair(first: 1, second: "x")))
    #expect(pairs.types.first?.kind == .structure && pairs.types.first?.propertyKeys == ["first", "second"])
    #expect(pairs.roots.first?.typeName.contains("Pair") == true && pairs.objectCount == 0)
  }

  @Test("Roots of every kind") func roots() throws {
    let archiver = KeyedArchiver()
    try archiver.encode(5, forKey: "number")
    try archiver.encode(Models.Fruit(1), forKey: "fruit")
    try archiver.encode(Models.Fruit?.none, forKey: "nothing")
    try archiver.encode(["a": [1.5]], forKey: "table")
    let header = try KeyedUnarchiver.header(of: try archiver.encodedData)
    let names = Dictionary(uniqueKeysWithValues: header.roots.map { ($0.key, $0.typeName) })
    #expect(names["number"] == "Int" && names["table"] == "[String: [Double]]")
    #expect(names["fruit"] == "MirrorArchiveTests.Models.Fruit")
    #expect(names["nothing"] == "an object?")
  }

  final class Versioned: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "Versioned", version: 7) }
    var versions: [UInt64?] = []
    init() {}
    init(coder: KeyedUnarchiver) throws {
      versions = ["Versioned", "MirrorArchiveTests.Models.Fruit", "Nobody"].map { coder.version(forClassName: $0) }
    }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(Models.Fruit(1), forKey: "fruit") }
  }

  @Test("Hand-coded classes ask for the versions of archived classes before they read") func versions() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Versioned())
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Versioned.self, from: data).versions == [7, 0, nil])
    let header = try KeyedUnarchiver.header(of: data)
    #expect(header.types.first { $0.name == "Versioned" }?.version == 7)
    #expect(header.roots.first?.version == 7 && header.roots.first?.typeName == "Versioned")
    #expect(header.types.first { $0.name == "Versioned" }?.propertyKeys == [])
  }

  @Test("Of a newer format only the versions and the size are known", arguments: [0x22, 0x32, 0xFF] as [UInt8])
  func newer(version: UInt8) throws {
    var data = try KeyedArchiver.archivedData(withRootObject: Models.Fruit(1))
    data[3] = version
    for data in [data, data.prefix(8), data + Data(count: 9)] {
      let header = try KeyedUnarchiver.header(of: data)
      #expect(!header.isReadable && header.formatVersion == Int(version >> 4) && header.minimumReaderVersion == Int(version & 15))
      #expect(header.byteCount == data.count && header.types.isEmpty && header.roots.isEmpty && header.objectCount == 0)
    }
  }

  @Test("Garbage throws") func garbage() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Models.Fruit(1))
    expectRefusal(.notAnArchive) { try KeyedUnarchiver.header(of: Data("hello, world, this is text".utf8)) }
    expectRefusal(.truncated) { try KeyedUnarchiver.header(of: Data()) }
    expectRefusal(.truncated) { try KeyedUnarchiver.header(of: data.prefix(3)) }
    expectRefusal(.truncated) { try KeyedUnarchiver.header(of: data.dropLast(1)) }
    expectRefusal(.trailingBytes) { try KeyedUnarchiver.header(of: data + [0]) }
    var damaged = data
    damaged[data.count / 2] ^= 1
    expectRefusal(.corrupt) { try KeyedUnarchiver.header(of: damaged) }
  }

  @Test("Of a file, however large, and without any object") func file() throws {
    let directory = try TemporaryDirectory()
    let url = URL(fileURLWithPath: directory.file("fruits"))
    let fruits = (0..<20_000).map { Models.Fruit($0) }
    try KeyedArchiver.archive(fruits, to: url)
    let header = try KeyedUnarchiver.header(contentsOf: url)
    #expect(header.objectCount == 20_000 && header.roots.first?.typeName == "[an object]")
    #expect(header == (try KeyedUnarchiver.header(of: try Data(contentsOf: url))))
    expectRefusal(.fileError) { try KeyedUnarchiver.header(contentsOf: URL(fileURLWithPath: directory.file("none"))) }
  }

  @Test("Damaged tables throw, and never trap", arguments: Sample.all) func fuzzed(sample: Sample) throws {
    let data = try sample.make()
    var random = SeededGenerator(seed: 0x48EA)
    for round in 0..<300 {
      guard var forgery = Forgery(data) else { return }
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        forgery.body[Int.random(in: 0..<forgery.body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        let header = try KeyedUnarchiver.header(of: forgery.sealed())
        #expect(header.isReadable, "seed 0x48EA, round \(round)")
        _ = header.roots.map(\.typeName)
      } catch is ArchiveError {}
      do {
        _ = "\(try ArchiveDocument(of: forgery.sealed()).objects.map { "\($0.properties.map(\.value))" }.joined().count)"
      } catch is ArchiveError {}
    }
  }
}
