import Foundation
import MirrorArchive
import Testing

/// CASES rows 14 and 15: bytes that are not an archive, or no longer one.
@Suite("Damaged archives")
struct DamageTests {
  @Test("Every sample is read back as it is", arguments: Sample.all) func intact(sample: Sample) throws {
    let data = try sample.make()
    try sample.read(data, true)
    try sample.read(data, false)
  }

  @Test("Sealing a body again gives the same archive", arguments: Sample.all) func sealing(sample: Sample) throws {
    let data = try sample.make()
    #expect(Forgery(data)?.sealed() == data)
  }

  @Test("Empty data and text are no archives") func noArchive() {
    expectError([.notAnArchive, .truncated], from: Data())
    for text in ["hello", "{}", "h", "bplist00", "<?xml version=\"1.0\"?>", String(repeating: "苹果", count: 1_000)] {
      expectError([.notAnArchive], from: Data(text.utf8))
    }
    expectError([.notAnArchive], from: Data(count: 100))
    expectError([.notAnArchive], from: Data(repeating: 0xFF, count: 100))
  }

  @Test("Random bytes are no archives") func randomBytes() {
    let seed: UInt64 = 0x5EED_0004
    var generator = SeededGenerator(seed: seed)
    for length in 0..<300 {
      let bytes = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
      #expect(throws: ArchiveError.self, "seed \(seed), \(length) bytes") {
        try KeyedUnarchiver.unarchivedObject(of: Models.Fruit.self, from: bytes)
      }
      let disguised = Data([0x4D, 0x41, 0x9E, 0x11]) + bytes
      #expect(throws: ArchiveError.self, "seed \(seed), \(length) bytes") {
        try KeyedUnarchiver.unarchivedObject(of: Models.Fruit.self, from: disguised, verifyingChecksum: false)
      }
    }
  }

  @Test("Every prefix says that the end is missing", arguments: Sample.all) func prefixes(sample: Sample) throws {
    let data = try sample.make()
    for length in 1..<data.count {
      for verifying in [true, false] {
        let error = failure(of: sample, from: data.prefix(length), verifying)
        #expect(error?.code == .truncated, "\(length) of \(data.count) bytes: \(String(describing: error))")
      }
    }
  }

  @Test("Bytes behind the end are noticed", arguments: Sample.all) func trailing(sample: Sample) throws {
    let data = try sample.make()
    for tail in [Data([0]), Data(count: 100), Data([0xFF]), data] {
      #expect(failure(of: sample, from: data + tail, true)?.code == .trailingBytes)
      #expect(failure(of: sample, from: data + tail, false)?.code == .trailingBytes)
    }
  }

  @Test("Every single bit flip is noticed", .timeLimit(.minutes(5)), arguments: Sample.all) func bitFlips(sample: Sample) throws {
    let data = try sample.make()
    for bit in 0..<data.count * 8 {
      var damaged = data
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let error = failure(of: sample, from: damaged, true)
      let expected: [ArchiveError.Code] = bit < 24 ? [.notAnArchive] : [.corrupt, .newerFormat, .truncated, .trailingBytes, .malformed]
      #expect(error.map { expected.contains($0.code) } == true, "bit \(bit): \(String(describing: error))")
      if bit >= 64, bit < data.count * 8 - 64 {
        #expect(error?.code == .corrupt, "bit \(bit): \(String(describing: error))")
      }
    }
  }

  @Test("A flipped byte in the middle says corrupt, with advice", arguments: Sample.all) func middleByte(sample: Sample) throws {
    var data = try sample.make()
    data[data.count / 2] ^= 0xFF
    let error = try #require(failure(of: sample, from: data, true))
    #expect(error.code == .corrupt && !error.message.isEmpty)
  }

  @Test("A newer format says which reader it needs, whatever follows") func newerFormat() throws {
    var data = try KeyedArchiver.archivedData(withRootObject: Models.Fruit(1))
    for version: UInt8 in [0x22, 0x33, 0xFF] {
      data[3] = version
      expectRefusal(.newerFormat, naming: ["\(version & 15)"]) { try KeyedUnarchiver.unarchivedObject(of: Models.Fruit.self, from: data) }
      expectRefusal(.newerFormat) { try KeyedUnarchiver.unarchivedObject(of: Models.Fruit.self, from: data.prefix(20)) }
    }
  }

  private func expectError(_ codes: [ArchiveError.Code], from data: Data, sourceLocation: SourceLocation = #_sourceLocation) {
    for sample in Sample.all {
      for verifying in [true, false] {
        let error = failure(of: sample, from: data, verifying)
        #expect(
          error.map { codes.contains($0.code) } == true, "\(sample.name): \(String(describing: error))", sourceLocation: sourceLocation)
      }
    }
  }

  /// The archive's own error, or nil if there was none or another.
  private func failure(of sample: Sample, from data: Data, _ verifying: Bool) -> ArchiveError? {
    do {
      try sample.read(data, verifying)
    } catch let error as ArchiveError {
      return error
    } catch {
      Issue.record(error, "not an ArchiveError")
    }
    return nil
  }
}
