import ArchiveFuzzing
import Foundation
import MirrorArchive
import Testing

@Suite("Documents: bytes")
struct DocumentBytesTests {
  /// Those that hold weak references, which are archived as strong ones, or that no archiver has written.
  private static let differing: Set<String> = ["graph", "family"]

  @Test("What the archiver writes is the same when nobody has changed it and it is encoded again", arguments: GoldenArchive.all)
  func unchanged(_ golden: GoldenArchive) throws {
    let data = try golden.make()
    let document = try ArchiveDocument(data)
    let encoded = try document.encoded()
    let isSame = encoded == data
    #expect(isSame || golden.isMadeByHand || Self.differing.contains(golden.name), "\(golden.name): \(Self.difference(encoded, data))")
    if !golden.isMadeByHand { #expect(try golden.isRight(encoded)) }
    #expect(try ArchiveDocument(encoded).encoded() == encoded)
  }

  @Test("Archives of earlier builds say the same when they are encoded again", arguments: GoldenArchive.all)
  func earlier(_ golden: GoldenArchive) throws {
    let url = Bundle.module.bundleURL.appending(path: "Fixtures/Golden/\(golden.name).bin")
    let data = try Data(contentsOf: url)
    let document = try ArchiveDocument(data)
    #expect(try ArchiveDocument(contentsOf: url) == document)
    let encoded = try document.encoded()
    if !golden.isMadeByHand { #expect(try golden.isRight(encoded)) }
    if !golden.isMadeByHand && !Self.differing.contains(golden.name) { #expect(try ArchiveDocument(encoded) == document) }
  }

  @Test("Archives of every kind are the same when they are encoded again", arguments: Sample.all)
  func samples(_ sample: Sample) throws {
    let data = try sample.make()
    let encoded = try ArchiveDocument(data).encoded()
    let hasWeak = sample.name == "a cyclic graph"
    #expect(encoded == data || hasWeak, "\(sample.name): \(Self.difference(encoded, data))")
    try sample.read(encoded, true)
  }

  private static func difference(_ one: Data, _ other: Data) -> String {
    let place = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? -1
    let bytes = [one, other].map { $0.dropFirst(max(0, place - 8)).prefix(40).map { String($0, radix: 16) }.joined(separator: " ") }
    return "\(one.count) bytes for \(other.count), from \(place) on: \(bytes[0]) for \(bytes[1])"
  }
}
