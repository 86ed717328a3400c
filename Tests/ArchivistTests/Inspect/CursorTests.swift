import ArchiveFormat
import Foundation
import MirrorArchive
import Testing
import archivist

@Suite("Cursors")
struct CursorTests {
  /// Compares what cursors read with what is read at once.
  private func compare(_ data: Data, _ what: String) throws {
    let document = try ArchiveDocument(data)
    let (roots, objects) = try Inspected.values(data)
    #expect(roots == document.roots.map(\.value), "\(what)")
    #expect(objects.count == document.objects.count, "\(what)")
    for object in document.objects {
      try #require(objects[object.number] == object.properties.map(\.value), "\(what), object \(object.number)")
    }
  }

  @Test("All values of the golden archives are those that are read at once", arguments: Archives.golden)
  func golden(_ name: String) throws { try compare(try Archives.data(golden: name), name) }

  @Test("So are those of an archive in segments") func segmented() throws {
    try compare(try Archives.segmented(count: 8_000), "segmented")
  }

  struct Leaf: Hashable, Codable {
    var number: Int
    var name: String?
  }

  enum Choice: Hashable {
    case none
    case one(Int)
    case pair(String, Leaf)
  }

  final class Mixed: MirrorCoding {
    var lists: [[Leaf]] = []
    var table: [Int: [String?]] = [:]
    var choices: [Choice?] = []
    var maybe: Int??
    var things: [Any] = []
    var data: [Data] = []
    var others: Set<Leaf> = []
    var next: Mixed?
  }

  private func mixed(_ generator: inout SeededGenerator) -> Mixed {
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    func leaf() -> Leaf { Leaf(number: number(-9..<99), name: number(0..<3) == 0 ? nil : String(number(0..<40))) }
    let object = Mixed()
    object.lists = (0..<number(0..<9)).map { _ in (0..<number(0..<6)).map { _ in leaf() } }
    for _ in 0..<number(0..<20) { object.table[number(0..<9_999)] = (0..<number(0..<4)).map { $0 == 1 ? nil : "\($0)" } }
    object.choices = (0..<number(0..<30)).map { _ in
      [nil, Choice.none, .one(number(0..<5)), .pair("\(number(0..<9))", leaf())][number(0..<4)]
    }
    object.maybe = [nil, .some(nil), 5][number(0..<3)]
    object.things = (0..<number(0..<12)).map { _ in [1, "a", leaf(), [1.5], Choice.one(2)][number(0..<5)] as Any }
    object.data = (0..<number(0..<12)).map { _ in Data(repeating: UInt8(number(0..<256)), count: number(0..<20)) }
    object.others = Set((0..<number(0..<8)).map { _ in leaf() })
    return object
  }

  @Test("So are those of archives by chance", arguments: [1, 12, 1_100] as [Int]) func random(_ count: Int) throws {
    for seed in 0..<(count > 1_000 ? 1 : 12) as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let objects = (0..<count).map { _ in mixed(&generator) }
      for index in objects.indices.dropFirst() { objects[index - 1].next = Bool.random(using: &generator) ? objects[index] : nil }
      let archiver = KeyedArchiver(requiringSecureCoding: false)
      try archiver.encode(objects, forKey: "objects")
      try archiver.encode(objects.map(\.lists), forKey: "lists")
      try archiver.encode(objects.map(\.table), forKey: "tables")
      try compare(try archiver.encodedData, "\(count) objects, seed \(seed)")
    }
  }

  @Test("Rows are found in any order") func anyOrder() throws {
    let data = try Archives.segmented(count: 3_000)
    let document = try ArchiveDocument(data)
    try unsafe data.withUnsafeBytes { bytes in
      let archive = unsafe try ArchiveCursor(bytes)
      var generator = SeededGenerator(seed: 5)
      let list = try archive.root(0)
      guard case .array(let references)? = document.roots.first?.value else { throw Missing() }
      for _ in 0..<400 {
        let object = try #require(document.objects.randomElement(using: &generator))
        let index = Int.random(in: 0..<object.properties.count, using: &generator)
        let value = try archive.property(index, of: object.number).value()
        #expect(value == object.properties[index].value, "object \(object.number)")
        let place = Int.random(in: 0..<references.count, using: &generator)
        #expect(try list.part(place)?.value() == references[place])
      }
      #expect(try list.part(references.count) == nil)
      #expect(try list.part(-1) == nil)
      #expect(throws: (any Error).self) { try archive.objectClass(of: -1) }
      #expect(throws: (any Error).self) { try archive.property(0, of: 1 << 40) }
    }
  }

  struct Missing: Error {}

  @Test("Of an archive in segments those alone are verified that are looked at") func onDemand() throws {
    let data = try Archives.segmented()
    try unsafe data.withUnsafeBytes { bytes in
      let archive = unsafe try ArchiveCursor(bytes)
      let verifier = try #require(archive.layout.verifier)
      let atFirst = verifier.verifiedCount
      _ = try archive.property(0, of: 3 << 10).value()
      #expect(verifier.verifiedCount <= atFirst + 2 && verifier.verifiedCount * 2 < data.count / 65_536)
    }
    // What is damaged elsewhere is not noticed, and is where it is.
    var damaged = data
    damaged[data.count - 100_000] ^= 1
    let short = try Inspected.tree(damaged, .init(depth: 2, limit: 3))
    #expect(try short == Inspected.tree(data, .init(depth: 2, limit: 3)))
    #expect(throws: FormatError.self) { try Inspected.json(damaged) }
  }

  @Test("Damaged bytes are an error or other values, never anything worse") func damaged() throws {
    for name in ["anything", "collections", "records", "enums", "nested", "pools", "mixtures"] where Archives.golden.contains(name) {
      let data = try Archives.data(golden: name)
      let body = Sealed.body(of: data)
      var generator = SeededGenerator(seed: 11)
      for _ in 0..<60 {
        var forged = body
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          forged[Int.random(in: 0..<forged.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        let archive = Sealed.archive(flags: data[data.startIndex + 4], body: forged)
        let json = try? Inspected.json(archive, InspectBounds(depth: 1_000, limit: 1_000))
        if let json { #expect((try? OrderedJSON(Data(json.utf8))) != nil) }
        _ = try? Inspected.tree(archive)
      }
    }
  }
}
