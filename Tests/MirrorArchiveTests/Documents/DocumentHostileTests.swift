import ArchiveFuzzing
import Foundation
import MirrorArchive
import Testing

@Suite("Documents: damaged archives")
struct DocumentHostileTests {
  @Test("Whatever can be read can be encoded again and read, or an error says why not", arguments: GoldenArchive.all)
  func damaged(_ golden: GoldenArchive) throws {
    let whole = try golden.make()
    if whole.count > 20_000 { return }
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      var data = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        // Behind the head, whose lengths would not fit any more.
        let place = Int.random(in: min(7, data.count - 1)..<data.count, using: &generator)
        data[place] = UInt8.random(in: 0...255, using: &generator)
      }
      do {
        let document = try ArchiveDocument(of: data, verifyingChecksum: false)
        let encoded = try document.encoded()
        let again = try ArchiveDocument(encoded)
        let isStable = try again.encoded() == encoded
        #expect(isStable, "\(golden.name), seed \(seed)")
        #expect(again.roots.map(\.key) == document.roots.map(\.key), "\(golden.name), seed \(seed)")
      } catch is ArchiveError {
        continue
      }
    }
  }

  @Test("What is edited in damaged archives fits or is refused", arguments: GoldenArchive.all.prefix(11))
  func edited(_ golden: GoldenArchive) throws {
    let whole = try golden.make()
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let literals: [ArchiveValue] = [nil, 1, -1, 2.5, "text", [], [1, "a"], ["x": 1], true, .reference(0), .void, .present(nil), .constant]
    for _ in 0..<10 {
      var data = whole
      let place = Int.random(in: min(7, data.count - 1)..<data.count, using: &generator)
      data[place] = UInt8.random(in: 0...255, using: &generator)
      guard var document = try? ArchiveDocument(of: data, verifyingChecksum: false) else { continue }
      for object in document.objects.prefix(20) {
        for property in object.properties {
          let path = ArchivePath(.object(object.number), [.key(property.key)])
          for literal in literals { try? document.set(literal, at: path) }
          try? document.append(1, to: "\(path)")
          try? document.insert("a", at: "\(path)[0]")
          _ = try? document.remove(at: "\(path)[0]")
        }
      }
      _ = try? document.redirectReferences(from: 1, to: 0)
      do {
        let encoded = try document.encoded()
        let isStable = try ArchiveDocument(encoded).encoded() == encoded
        #expect(isStable, "\(golden.name), seed \(seed)")
      } catch let error as ArchiveError {
        #expect(error.code != .typeMismatch, "\(golden.name), seed \(seed): \(error)")
      }
    }
  }
}
