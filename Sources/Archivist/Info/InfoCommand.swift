import ArchiveFormat
import MirrorArchive

extension Command {
  static let info = Command(
    name: "info", summary: "show what an archive is made of, and where its bytes are",
    discussion: """
      Shows the format of an archive, its roots, its types with their versions and keys, how many objects
      there are of each class, and how many bytes each part and each property takes, the largest first, and
      how they are stored.
      """,
    options: [
      .init("--all", short: "-a", "show all properties, and each part of how they are stored (default: the largest 40)"),
      .init("--json", "print one JSON object"), .color,
    ],
    examples: [
      .init("fruits.archive", "where did my megabytes go"),
      .init("--json fruits.archive | jq '.columns[0]'", "the largest property, for a script"),
      .init("- < fruits.archive", "the archive on standard input"),
    ],
    exitCodes: [(.success, "the archive could be read"), (.failure, "the archive is damaged or cannot be read")]
  ) { invocation in
    let operand = invocation.operands[0]
    try invocation.reading(operand) { input in
      // SAFETY: the bytes are counted, and not looked at.
      let progress = invocation.progress("reading the archive:", total: unsafe 2 * input.bytes.count)
      // SAFETY: the input outlives what is found out about it.
      let info = unsafe try ArchiveInfo(of: input.bytes) { progress.advance(to: $0) }
      progress.finish()
      if invocation.has("--json") {
        try invocation.output.write(InfoJSON.text(info))
      } else {
        try InfoText(info, invocation.style, showsAll: invocation.has("--all")).write(to: invocation.output)
      }
    }
    return .success
  }
}
