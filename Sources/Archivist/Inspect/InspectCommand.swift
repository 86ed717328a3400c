import ArchiveFormat
import MirrorArchive

extension Command {
  static let inspect = Command(
    name: "inspect", summary: "show the objects and values of an archive as a tree",
    discussion: """
      Shows what is in an archive, from its roots through the references. Objects are named by their class
      and their number; one that has been shown already is a reference to where it stands. Archives of any
      size can be shown: what is not shown is not read.
      """,
    options: [
      .init("--path", value: "PATH", "show what stands there alone, such as root.fruits[3].name or #1024"),
      .init("--depth", value: "N", "show N levels below a root (default: 8); with --json N levels of values in a value (default: all)"),
      .init("--limit", value: "N", "show N elements of a collection (default: 20); with --json also N objects (default: all)"),
      .init("--json", "print JSON, in which nothing is shortened unless --depth or --limit say so"), .color,
    ],
    examples: [
      .init("fruits.archive", "what is in it"),
      .init("--depth 2 --limit 5 fruits.archive", "the outlines of a large one"),
      .init("--path 'root.stalls[\"north\"].fruits[3]' fruits.archive", "a part of it"),
      .init("--json fruits.archive | jq '.objects[0]'", "an object, for a script"),
      .init("- < fruits.archive", "the archive on standard input"),
    ],
    exitCodes: [(.success, "the archive could be read"), (.failure, "the archive is damaged or cannot be read")]
  ) { invocation in
    let isJSON = invocation.has("--json")
    let bounds = InspectBounds(
      depth: try invocation.number(of: "--depth") ?? (isJSON ? .max : 8),
      limit: try invocation.number(of: "--limit") ?? (isJSON ? .max : 20))
    let path = try invocation.value(of: "--path").map(path)
    try invocation.reading(invocation.operands[0]) { input in
      // SAFETY: the input outlives the cursor.
      let archive = unsafe try ArchiveCursor(input.bytes)
      let target = try path.map { try PathSearch(archive).find($0) }
      if isJSON {
        // The layout has found five bytes at least.
        let progress = invocation.progress("reading the archive:", total: unsafe input.bytes.count)
        defer { progress.finish() }
        // Nobody needs both on one terminal.
        let shows = !invocation.output.isTerminal
        var json = InspectJSON(archive, flags: unsafe input.bytes[4], invocation.output, bounds) { if shows { progress.advance(to: $0) } }
        switch target {
        case nil: try json.write()
        case .value(let place): try json.write(value: place)
        case .object(let number): try json.write(object: number)
        }
      } else {
        var tree = InspectTree(archive, invocation.output, invocation.style, bounds)
        let label = path.map { "\($0)" } ?? ""
        switch target {
        case nil: try tree.write()
        case .value(let place): try tree.write(value: place, label: label)
        case .object(let number): try tree.write(object: number, label: label)
        }
      }
    }
    return .success
  }

  private static func path(_ text: String) throws -> ArchivePath {
    do {
      return try ArchivePath(text)
    } catch let error as ArchiveError {
      throw UsageError("'\(text)': \(error.message)")
    }
  }
}
