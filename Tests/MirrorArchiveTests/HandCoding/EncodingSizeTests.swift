import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// Many keys, many shapes: each is dealt with once, and nothing is looked through again for each.
@Suite("Hand-coded objects in number") struct EncodingSizeTests {
  @Test func `an object has any number of keys`() throws {
    let count = 30_000
    let (taken, _) = try record { coder in for i in 0..<count { try coder.encode(i, forKey: "k\(i)") } }
    #expect(taken.count == count)
    #expect(taken[12_345].key == "k12345")
    #expect(taken[3].bytes == [6])
    expectRefusal(.duplicateKey, at: "root.k7") {
      try record { coder in
        for i in 0..<count { try coder.encode(i, forKey: "k\(i)") }
        try coder.encode(0, forKey: "k7")
      }
    }
  }

  @Test func `every object may have keys of its own`() throws {
    let count = 5_000
    let objects = (0..<count).map { i in Scripted { try $0.encode(i, forKey: "k\(i)") } }
    let dump = try RecordDump(KeyedArchiver.archivedData(withRootObject: objects))
    let records = try #require(dump.records[Scripted.archiveName])
    #expect(records.count == count)
    #expect(records[4_999].map(\.key) == ["k4999"])
    #expect(records[5][0].bytes == [10])
  }

  @Test func `shapes are told apart by order, types and keys`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    let keys = ["a", "b", "c", "d", "e"]
    var expected: [[(String, Bool)]] = []
    for _ in 0..<2_000 {
      expected.append(
        keys.shuffled(using: &generator).prefix(Int.random(in: 0...5, using: &generator)).map { ($0, .random(using: &generator)) })
    }
    let objects = expected.map { row in
      Scripted { coder in
        for (key, isText) in row { if isText { try coder.encode(key, forKey: key) } else { try coder.encode(row.count, forKey: key) } }
      }
    }
    let dump = try RecordDump(KeyedArchiver.archivedData(withRootObject: objects))
    let records = try #require(dump.records[Scripted.archiveName])
    for (row, record) in zip(expected, records) {
      #expect(record.map(\.key) == row.map(\.0), "seed \(seed)")
      for (value, (key, isText)) in zip(record, row) where !isText {
        #expect(value.type == .int && value.bytes == [UInt8(row.count * 2)], "\(key), seed \(seed)")
      }
    }
    let shapes = Set(expected.map { row in row.map { "\($0.0)\($0.1)" }.joined(separator: ",") })
    let tuples = dump.types.entries.filter { if case .tuple = $0 { true } else { false } }
    #expect(tuples.count >= shapes.count, "seed \(seed)")
    #expect(Set(tuples.map { "\($0)" }).count == tuples.count, "a shape stands twice, seed \(seed)")
  }

  @Test func `an archive has any number of keys`() throws {
    let archiver = KeyedArchiver()
    for i in 0..<5_000 { try archiver.encode(HandFruit("f\(i)", i), forKey: "k\(i)") }
    let dump = try RecordDump(archiver.encodedData)
    #expect(dump.roots.count == 5_000)
    #expect(dump.records["MirrorArchiveTests.HandFruit"]?.count == 5_000)
  }
}
