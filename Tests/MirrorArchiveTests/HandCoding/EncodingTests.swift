import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// A row of the shop, coded by hand.
final class HandFruit: KeyedCoding {
  let name: String
  let count: Int
  init(_ name: String, _ count: Int) {
    self.name = name
    self.count = count
  }
  init(coder: KeyedUnarchiver) throws {
    name = ""
    count = 0
  }
  func encode(with coder: KeyedArchiver) throws {
    try coder.encode(name, forKey: "name")
    try coder.encode(count, forKey: "count")
  }
}

@Suite struct EncodingTests {
  @Test func `a hand-coded root is a record of its keys`() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: HandFruit("apple", 5))
    let dump = try RecordDump(data)
    let name = "MirrorArchiveTests.HandFruit"
    #expect(dump.records[name]?.count == 1)
    let record = try #require(dump.records[name]?.first)
    #expect(record.map(\.key) == ["name", "count"])
    #expect(record.map(\.type) == [.string, .int])
    #expect(record.map(\.bytes) == [[5] + Array("apple".utf8), [10]])
  }
}
