import Foundation
import MirrorArchive
import Testing

/// What the structure checks are worth when the checksum says nothing: each damaged archive throws or decodes, and nothing traps.
///
/// Each test runs in a process of its own, which notes the damage before it tries it: should the process die, the note tells where.
@Suite("Structure checks", .timeLimit(.minutes(10)))
struct StructureTests {
  @Test("Every single bit flip throws or decodes when the checksum isn't verified", arguments: Sample.all.map(\.name))
  func bitFlips(name: String) async throws {
    let note = try HandOver.write(Data())
    defer { HandOver.remove(note) }
    let result = await #expect(processExitsWith: .success) { [name = name as String, note = note as String] in
      reported {
        let sample = try #require(Sample.named(name))
        let data = try sample.make()
        try StructureTests.survive(sample, note: note, count: data.count * 8) { bit in
          var damaged = data
          damaged[bit / 8] ^= 1 << UInt8(bit % 8)
          return (damaged, false)
        }
      }
    }
    reportDeath(result == nil, note)
  }

  @Test("Every byte replaced by others, sealed again, throws or decodes", arguments: Sample.all.map(\.name))
  func replacedBytes(name: String) async throws {
    let note = try HandOver.write(Data())
    defer { HandOver.remove(note) }
    let result = await #expect(processExitsWith: .success) { [name = name as String, note = note as String] in
      reported {
        let sample = try #require(Sample.named(name))
        let forgery = try #require(Forgery(sample.make()))
        let bytes: [[UInt8]] = [[], [0], [1], [2], [0x7F], [0x80], [0xFF], [0, 0], [0x80, 1], [0x40]]
        try StructureTests.survive(sample, note: note, count: forgery.body.count * bytes.count) { number in
          var forged = forgery
          let position = number / bytes.count
          forged.body.replaceSubrange(position...position, with: bytes[number % bytes.count])
          return (forged.sealed(), true)
        }
      }
    }
    reportDeath(result == nil, note)
  }

  @Test("Every byte replaced by a huge number throws or decodes, fast and in little memory", arguments: Sample.all.map(\.name))
  func hugeNumbers(name: String) async throws {
    let note = try HandOver.write(Data())
    defer { HandOver.remove(note) }
    let result = await #expect(processExitsWith: .success) { [name = name as String, note = note as String] in
      reported {
        let sample = try #require(Sample.named(name))
        let forgery = try #require(Forgery(sample.make()))
        let numbers: [UInt64] = [1 << 40, 1 << 31, 1 << 20, 65_536, 1_025, .max, .max >> 1, 1 << 63]
        let before = Resources.peakMemory()
        try StructureTests.survive(sample, note: note, count: forgery.body.count * numbers.count) { number in
          var forged = forgery
          let position = number / numbers.count
          forged.body.replaceSubrange(position...position, with: Forgery.varint(numbers[number % numbers.count]))
          return (forged.sealed(), true)
        }
        #expect(Resources.peakMemory() - before < Resources.memoryLimit)
      }
    }
    reportDeath(result == nil, note)
  }

  @Test("Random damage in several places throws or decodes", arguments: Sample.all.map(\.name))
  func randomDamage(name: String) async throws {
    let note = try HandOver.write(Data())
    defer { HandOver.remove(note) }
    let result = await #expect(processExitsWith: .success) { [name = name as String, note = note as String] in
      reported {
        let sample = try #require(Sample.named(name))
        let forgery = try #require(Forgery(sample.make()))
        try StructureTests.survive(sample, note: note, count: 3_000) { number in
          var generator = SeededGenerator(seed: UInt64(number))
          var forged = forgery
          for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let position = Int.random(in: 0..<forged.body.count, using: &generator)
            let length = min(Int.random(in: 0...4, using: &generator), forged.body.count - position)
            switch Int.random(in: 0...3, using: &generator) {
            case 0: forged.body[position] = UInt8.random(in: 0...255, using: &generator)
            case 1: forged.body.removeSubrange(position..<position + min(length, forged.body.count - 2))
            case 2: forged.body.insert(contentsOf: forged.body[position..<position + length], at: position)
            default: forged.body.swapAt(position, Int.random(in: 0..<forged.body.count, using: &generator))
            }
            if forged.body.isEmpty { forged.body = [0] }
          }
          return (forged.sealed(), true)
        }
      }
    }
    reportDeath(result == nil, note)
  }

  /// Reads `count` damaged archives. Each has to decode or to throw an `ArchiveError`, within a tenth of a second.
  static func survive(_ sample: Sample, note path: String, count: Int, damage: (Int) throws -> (data: Data, verifying: Bool)) throws {
    let note = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    for number in stride(from: 0, to: count, by: Resources.damageStride) {
      try note.seek(toOffset: 0)
      try note.write(contentsOf: Data("damage \(number) of \(count) to \(sample.name)".utf8))
      let (data, verifying) = try damage(number)
      let start = Resources.threadSeconds()
      do {
        try sample.read(data, verifying)
      } catch is ArchiveError {
        // Thrown is as good as decoded.
      } catch {
        Issue.record(error, "damage \(number) of \(count) to \(sample.name): not an ArchiveError")
      }
      let seconds = Resources.threadSeconds() - start
      #expect(seconds < Resources.limit, "damage \(number) of \(count) to \(sample.name) took \(seconds) s")
    }
  }

  private func reportDeath(_ isDead: Bool, _ note: String) {
    if isDead, let data = try? HandOver.read(note) {
      Issue.record("the process ended at \(String(decoding: data, as: UTF8.self))")
    }
  }
}
