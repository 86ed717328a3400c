import Foundation
import Testing

/// What the README and the page about looking into archives show of the tool.
@Suite("The screens of the documentation")
struct ScreenTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  /// The lines of the blocks of text that begin with a call of the tool.
  private static func screens(of page: String) throws -> [[String]] {
    let package = tests.deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: package.appendingPathComponent(page), encoding: .utf8)
    return text.components(separatedBy: "```text\n$ swift run archivist ").dropFirst().map {
      ($0.components(separatedBy: "\n```").first ?? "").components(separatedBy: "\n")
    }
  }

  @Test(
    "The tool prints what the page says; a line of three dots stands for what is left out",
    arguments: ["README.md", "Sources/MirrorArchive/MirrorArchive.docc/Inspecting.md"])
  func screens(page: String) throws {
    let screens = try Self.screens(of: page)
    #expect(screens.count == 2)
    for screen in screens {
      let arguments = screen[0].components(separatedBy: " ").dropLast()
      let file = screen[0].components(separatedBy: " ").last ?? ""
      let path = Self.tests.appendingPathComponent("Fixtures/Screens/\(file)").path
      let outcome = try ToolProcess.run(arguments + [path])
      #expect(outcome.code == 0 && outcome.errors.isEmpty)
      var printed = outcome.output.components(separatedBy: "\n")[...]
      if printed.last == "" { printed.removeLast() }
      for (number, line) in screen.enumerated().dropFirst() where line != "…" {
        // Behind three dots the next line may stand anywhere, and else at once.
        if screen[number - 1] == "…" { printed = printed.drop { $0 != line } }
        #expect(printed.first == line, "\(page): \(screen[0])")
        printed = printed.dropFirst()
      }
      if screen.last != "…" { #expect(printed.isEmpty) }
    }
  }
}
