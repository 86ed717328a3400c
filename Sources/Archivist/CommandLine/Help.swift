/// The texts that `--help` shows.
enum Help {
  static func text(of commands: [Command]) -> String {
    var text = "usage: \(Tool.name) COMMAND [options] FILE ...\n\nLooks into archives. None of their classes is needed.\n\ncommands:\n"
    text += table(commands.map { ($0.name, $0.summary) })
    text += "\noptions:\n"
    text += table([("-h, --help", "show this help, or that of a command"), ("    --version", "show what archives can be read")])
    text += """

      A FILE of - is standard input. What is wrong goes to standard error, in a line for each file:
      \(Tool.name): FILE: what is wrong (at byte N)

      exit codes:

      """
    text += table([
      ("0", "all is well"), ("1", "an archive is damaged or cannot be read; two archives differ"),
      ("2", "of diff: an archive cannot be read"), ("64", "the command line cannot be understood"),
    ])
    text += "\n\(Tool.name) COMMAND --help says more about a command.\n"
    return text
  }

  static func text(of command: Command) -> String {
    var text = "usage: \(Tool.name) \(command.name) [options] \(command.operands)\n\n\(command.discussion)\n\noptions:\n"
    text += table(
      (command.options + [.help]).map { option in
        let name = option.value.map { "\(option.name) \($0)" } ?? option.name
        return (option.short.map { "\($0), \(name)" } ?? "    \(name)", option.help)
      })
    text += "\nexamples:\n"
    for example in command.examples { text += "  \(Tool.name) \(command.name) \(example.call)\n      \(example.meaning)\n" }
    text += "\nexit codes:\n"
    text += table((command.exitCodes + [(.usage, "the command line cannot be understood")]).map { ("\($0.code.rawValue)", $0.meaning) })
    return text
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0)\(String(repeating: " ", count: width - $0.count))  \($1)\n" }.joined()
  }
}
