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

  /// The bytes but for the kind of the checksum and the checksum itself, which are new where the archive is older.
  static func hex(_ data: Data) -> String {
    let bytes = data.enumerated().filter { $0.offset != 4 }.map(\.element).dropLast(8)
    return bytes.map { String($0, radix: 16) }.joined(separator: " ")
  }

  @Test("There are golden archives")
  func present() { #expect(Self.golden.count >= 11) }

  @Test("A golden archive that nobody has changed is what it was when it is encoded again", arguments: golden)
  func unchanged(_ url: URL) throws {
    let data = try Data(contentsOf: url)
    let document = try ArchiveDocument(data)
    let encoded = try document.encoded()
    #expect(Self.hex(encoded) == Self.hex(data))
    #expect(try ArchiveDocument(contentsOf: url) == document)
    #expect(try ArchiveDocument(encoded) == document)
  }
}
