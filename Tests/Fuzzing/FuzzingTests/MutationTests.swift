import ArchiveFuzzing
import Foundation
import Testing

/// Archives that are damaged along their structure, and sealed again: each decodes or throws.
///
/// `MIRROR_ARCHIVE_MUTATIONS` in the environment says how many of each seed there are; by default few.
@Suite("Structural damage", .timeLimit(.minutes(60)))
struct MutationTests {
  private static let count = ProcessInfo.processInfo.environment["MIRROR_ARCHIVE_MUTATIONS"].flatMap { Int($0) } ?? 40
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  private static func seeds() throws -> [Seeds.Seed] {
    try Seeds.make(for: .structure) { name in
      try Data(contentsOf: folder.deletingLastPathComponent().appending(path: "MirrorArchiveTests/Fixtures/Golden/\(name).bin"))
    }
  }

  @Test("What is changed along the structure decodes or throws") func mutations() throws {
    let seeds = try Self.seeds()
    for (index, seed) in seeds.enumerated() {
      for number in 0..<Self.count {
        let generatorSeed = UInt64(index) << 32 | UInt64(number)
        let donor = seeds[number % seeds.count]
        let input = ArchiveMutator.mutate(input: Array(seed.bytes), donor: Array(donor.bytes), seed: generatorSeed)
        do throws(FuzzFailure) { try FuzzTarget.structure.run(Data(input)) } catch {
          Issue.record("\(seed.name) with seed \(generatorSeed) and \(donor.name): \(error)")
        }
      }
    }
  }

  @Test("A mutation is the same from the same seed, and mostly another archive with a right seal") func sameness() throws {
    let seed = try #require(try Self.seeds().first { $0.name == "collections" })
    var changed = 0
    for number in 0..<100 {
      let one = ArchiveMutator.mutate(input: Array(seed.bytes), donor: nil, seed: UInt64(number))
      #expect(one == ArchiveMutator.mutate(input: Array(seed.bytes), donor: nil, seed: UInt64(number)), "seed \(number)")
      if one != Array(seed.bytes) { changed += 1 }
    }
    #expect(changed > 80)
  }
}
