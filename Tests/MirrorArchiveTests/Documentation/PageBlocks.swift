import Foundation

/// The Swift blocks of a page, or of the comments in a source file, to be compared with code that the tests compile.
struct PageBlocks {
  /// The package's folder.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A paragraph of a block: lines without an empty one between them.
  struct Paragraph: CustomStringConvertible {
    let block: Int
    let lines: [String]
    var description: String { "block \(block): \(lines.first ?? "")" }
  }

  let text: String
  let paragraphs: [Paragraph]

  /// - Parameter path: Where the page is, from the package's folder on.
  init(_ path: String) throws {
    self.init(text: try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8))
  }

  /// - Parameter source: Swift code with documentation comments.
  init(comments source: String) {
    let lines = source.components(separatedBy: "\n").map { line in
      let line = Self.unindented(line)
      return line.hasPrefix("/// ") ? String(line.dropFirst(4)) : line == "///" ? "" : line
    }
    self.init(text: lines.joined(separator: "\n"))
  }

  private init(text: String) {
    self.text = text
    paragraphs = Self.blocks("swift", of: text).enumerated().flatMap { block, lines in
      lines.split(separator: "").map { Paragraph(block: block + 1, lines: $0.map(Self.unindented)) }
    }
  }

  /// The lines of each fenced block of a language.
  static func blocks(_ language: String, of text: String) -> [[String]] {
    var blocks: [[String]] = []
    var isInside = false
    for line in text.components(separatedBy: "\n") {
      if line == "```" + language {
        blocks.append([])
        isInside = true
      } else if line == "```" {
        isInside = false
      } else if isInside {
        blocks[blocks.count - 1].append(line)
      }
    }
    return blocks
  }

  /// The paragraphs that do not stand, line by line and but for their indentation, in a file of code.
  func missing(in file: String) throws -> [Paragraph] {
    let code = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n").map(Self.unindented)
    return paragraphs.filter { paragraph in
      !code.indices.contains { code[$0...].starts(with: paragraph.lines) }
    }
  }

  private static func unindented(_ line: String) -> String { String(line.drop { $0 == " " }) }
}
