import ArchiveFormat
import MirrorArchive

extension Command {
  static let verify = Command(
    name: "verify", summary: "check that archives are sound, to the last byte", operands: "FILE ...", operandCount: 1...Int.max,
    discussion: """
      Compares each archive with its checksums, then reads all of it: types, columns, numbers that have to
      fit their types, texts that have to be UTF-8, references that have to lead to an object, bytes that
      belong to nothing. Says of each archive that it is ok, or what its first fault is and where. Not
      looked at: what only the classes know, and whether the keys of a dictionary differ.
      """,
    options: [.init("--quiet", short: "-q", "say nothing of archives that are sound")],
    examples: [
      .init("fruits.archive", "fruits.archive: ok, 1,024 bytes, 12 objects, 0.00 s"),
      .init("--quiet backup/*.archive || echo damaged", "check many"),
      .init("- < fruits.archive", "check standard input"),
    ],
    exitCodes: [(.success, "all archives are sound"), (.failure, "an archive is damaged or cannot be read")]
  ) { invocation in
    var code = ExitCode.success
    for operand in invocation.operands {
      do {
        let start = ContinuousClock.now
        let verification = try invocation.reading(operand) { input in
          // SAFETY: the input outlives what looks at its bytes.
          let progress = invocation.progress("verifying \(Text.safe(input.name)):", total: unsafe 2 * input.bytes.count)
          defer { progress.finish() }
          return unsafe try Verification(of: input.bytes) { progress.advance(to: $0) }
        }
        if invocation.has("--quiet") { continue }
        let time = start.duration(to: .now)
        try invocation.output.write("\(Text.safe(Input.name(of: operand))): ok, \(verification.text), \(Self.seconds(time)) s\n")
        try invocation.output.flush()
      } catch let problem as Problem {
        invocation.complain(problem)
        code = .failure
      }
    }
    return code
  }

  /// With two decimals.
  private static func seconds(_ duration: Duration) -> String {
    let hundredths = duration.components.seconds * 100 + duration.components.attoseconds / 10_000_000_000_000_000
    let rest = hundredths % 100
    return "\(Text.grouped(hundredths / 100)).\(rest < 10 ? "0" : "")\(rest)"
  }
}
