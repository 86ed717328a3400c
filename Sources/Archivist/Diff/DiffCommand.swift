import MirrorArchive

extension Command {
  static let diff = Command(
    name: "diff", summary: "show in what two archives differ", operands: "FILE FILE", operandCount: 2...2,
    discussion: """
      Walks over the values of two archives from their roots, and shows each difference with its path: what
      has changed (a line with ->), what only the first archive has (-), what only the second one has (+).
      Elements of arrays are compared by their position, entries of dictionaries by their key, elements of
      sets by their value. The numbers of objects do not matter, but which references lead to the same object
      does. Behind the values come differences between the descriptions of types.
      """,
    options: [
      .init("--quiet", short: "-q", "say nothing: the exit code is the answer"),
      .init("--json", "print an array of objects with path, change, old and new"), .color,
    ],
    examples: [
      .init("old.archive new.archive", "root.fruits[3].name: \"apple\" -> \"pear\""),
      .init("--quiet old.archive new.archive && echo same", "ask a script's question"),
      .init("old.archive - < new.archive", "compare with standard input"),
    ],
    exitCodes: [(.success, "they say the same"), (.failure, "they differ"), (.trouble, "an archive is damaged or cannot be read")],
    troubleCode: .trouble
  ) { invocation in
    let names = invocation.operands
    if names[0] == "-" && names[1] == "-" { throw UsageError("only one of the two can be standard input") }
    let old = try invocation.reading(names[0]) { try Side($0) }
    let new = try invocation.reading(names[1]) { try Side($0) }
    var printer = DifferencePrinter(invocation)
    var comparison = Comparison(old, new)
    try comparison.run { try printer.show($0) }
    try printer.finish()
    return printer.count == 0 ? .success : .failure
  }
}

/// Writes differences.
private struct DifferencePrinter {
  private let output: Output
  private let style: Style
  private let isJSON: Bool
  private let isQuiet: Bool
  private(set) var count = 0

  init(_ invocation: Invocation) {
    output = invocation.output
    style = invocation.style
    isQuiet = invocation.has("--quiet")
    isJSON = !isQuiet && invocation.has("--json")
  }

  mutating func show(_ difference: Difference) throws {
    count += 1
    if isQuiet { return }
    if isJSON {
      var members: [(String, JSON)] = [("path", .string(difference.path)), ("change", .string(difference.change.rawValue))]
      if let old = difference.old { members.append(("old", .string(old))) }
      if let new = difference.new { members.append(("new", .string(new))) }
      return try output.write("\(count == 1 ? "[" : ",\n ")\(JSON.object(members).text)")
    }
    let path = Text.safe(difference.path)
    let old = difference.old.map { Text.safe($0) } ?? ""
    let new = difference.new.map { Text.safe($0) } ?? ""
    switch difference.change {
    case .changed:
      try output.write("\(style.paint(path, .key)): \(style.paint(old, .removed)) -> \(style.paint(new, .added))\n")
    case .removed: try output.write(style.paint("- \(path): \(old)", .removed) + "\n")
    case .added: try output.write(style.paint("+ \(path): \(new)", .added) + "\n")
    }
  }

  func finish() throws {
    if isJSON { try output.write(count == 0 ? "[]\n" : "]\n") }
  }
}
