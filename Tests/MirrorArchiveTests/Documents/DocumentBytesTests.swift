import Foundation
import MirrorArchive
import Testing

@Suite("Documents: bytes")
struct DocumentBytesTests {
  static let golden: [URL] = {
    let folder = Bundle.module.bundleURL.appending(path: "Fixtures/Golden")
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "bin" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
  }()

  /// Whether the bytes are the same but for the kind of the checksum and the checksum itself, which are new where the archive is older.
  private static func isSame(_ one: Data, _ other: Data) -> Bool { contents(one) == contents(other) }

  private static func contents(_ data: Data) -> [UInt8] { data.enumerated().filter { $0.offset != 4 }.map(\.element).dropLast(8) }

  private static func difference(_ one: Data, _ other: Data) -> String {
    let place = zip(contents(one), contents(other)).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? -1
    let bytes = [one, other].map { contents($0).dropFirst(max(0, place - 8)).prefix(40).map { String($0, radix: 16) }.joined(separator: " ") }
    return "\(one.count) bytes for \(other.count), from \(place) on: \(bytes[0]) for \(bytes[1])"
  }

  @Test("There are golden archives")
  func present() { #expect(Self.golden.count >= 11) }

  @Test("A golden archive that nobody has changed is what it was when it is encoded again", arguments: golden)
  func unchanged(_ url: URL) throws {
    let data = try Data(contentsOf: url)
    let document = try ArchiveDocument(data)
    let encoded = try document.encoded()
    #expect(Self.isSame(encoded, data), "\(url.lastPathComponent): \(Self.difference(encoded, data))")
    #expect(try ArchiveDocument(contentsOf: url) == document)
    #expect(try ArchiveDocument(encoded) == document)
  }
}
