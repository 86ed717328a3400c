/// Finds the command that is called, gives it its arguments, and reports what it throws.
package struct Tool {
  package static let name = "archivist"

  let commands: [Command]

  package init(commands: [Command]) { self.commands = commands }

  /// Runs a command line without the name of the tool in front.
  package func run(_ arguments: [String]) -> ExitCode {
    let output = Output(.standardOutput)
    let errors = Output(.standardError)
    let code: ExitCode
    do {
      code = try run(arguments, output, errors)
    } catch {
      code = report(error, nil, errors)
    }
    return code
  }

  private func run(_ arguments: [String], _ output: Output, _ errors: Output) throws -> ExitCode {
    guard let first = arguments.first else {
      throw UsageError("a command is needed: \(Text.list(commands.map(\.name), "or"))")
    }
    switch first {
    case "--help", "-h", "help":
      if first == "help", arguments.count > 1 {
        try output.write(Help.text(of: try command(arguments[1])))
      } else {
        try output.write(Help.text(of: commands))
      }
    case "--version":
      try output.write("\(Tool.name): reads archives of format version 1\n")
    default:
      return run(try command(first), arguments.dropFirst(), output, errors)
    }
    try output.flush()
    return .success
  }

  private func run(_ command: Command, _ arguments: ArraySlice<String>, _ output: Output, _ errors: Output) -> ExitCode {
    ShortenedFile.setExitCode(command.troubleCode)
    do {
      let parsed = try ParsedArguments(arguments, for: command)
      var code = ExitCode.success
      do {
        if parsed.has(Command.Option.help.name) {
          try output.write(Help.text(of: command))
        } else {
          code = try command.run(try Invocation(command, parsed, output, errors))
        }
      } catch {
        // What has been found out before the fault is still worth something.
        if !(error is OutputError) { try output.flush() }
        throw error
      }
      try output.flush()
      return code
    } catch {
      return report(error, command, errors)
    }
  }

  private func command(_ name: String) throws -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let kind = name.hasPrefix("-") ? "option" : "command"
    let known = name.hasPrefix("-") ? ["--help", "--version"] : commands.map(\.name)
    throw UsageError("unknown \(kind) '\(name)'", hint: Suggestion.text(for: name, among: known))
  }

  private func report(_ error: any Error, _ command: Command?, _ errors: Output) -> ExitCode {
    let trouble = command?.troubleCode ?? .failure
    switch error {
    case OutputError.closedPipe:
      // Who reads the output has seen enough.
      return trouble
    case let error as UsageError:
      var text = "\(Tool.name): \(error.message)"
      if let hint = error.hint { text += "; \(hint)" }
      let about = command.map { "\(Tool.name) \($0.name)" } ?? Tool.name
      errors.complain("\(Text.safe(text))\n\(about) --help says more\n")
      return .usage
    default:
      errors.complain("\(Tool.name): \(Problem(error).text)\n")
      return trouble
    }
  }
}
