import Foundation
import Testing

/// The code in the comments of public symbols.
@Suite("The code in documentation comments")
struct DocCommentTests {
  @Test("Every Swift block of a comment is compiled", arguments: ["MirrorArchive", "ArchiveCache"]) func isCompiled(module: String) throws {
    let sources = PageBlocks.package.appendingPathComponent("Sources/\(module)")
    let examples = PageBlocks.package.appendingPathComponent("Tests/MirrorArchiveTests/Documentation/DocCommentExamples.swift").path
    let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }.filter {
      $0.hasSuffix(".swift")
    }
    var count = 0
    for file in files {
      let blocks = PageBlocks(comments: try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8))
      count += blocks.paragraphs.count
      #expect(try blocks.missing(in: examples).map(\.description) == [], "\(module)/\(file)")
    }
    #expect(count >= (module == "ArchiveCache" ? 11 : 38))
  }
}
