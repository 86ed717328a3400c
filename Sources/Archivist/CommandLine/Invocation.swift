/// One call of a command: its arguments, and where its output goes.
package struct Invocation {
  package let command: Command
  package let arguments: ParsedArguments
  package let output: Output
  package let errors: Output
  /// How what goes to the output is coloured.
  package let style: Style

  init(_ command: Command, _ arguments: ParsedArguments, _ output: Output, _ errors: Output) throws {
    self.command = command
    self.arguments = arguments
    self.output = output
    self.errors = errors
    let when = arguments.value(of: Command.Option.color.name)
    style = try Style(when: when, isTerminal: output.isTerminal)
  }

  package var operands: [String] { arguments.operands }

  package func has(_ name: String) -> Bool { arguments.has(name) }

  package func value(of name: String) -> String? { arguments.value(of: name) }

  /// The value of an option that is a number.
  ///
  /// - Throws: `UsageError` if it is none, or below `minimum`.
  package func number(of name: String, atLeast minimum: Int = 0) throws -> Int? {
    guard let text = value(of: name) else { return nil }
    guard let number = Int(text), number >= minimum else {
      throw UsageError("'\(text)' is no number for \(name): a whole number of at least \(minimum) is needed")
    }
    return number
  }

  /// Opens what an operand names and hands it over.
  ///
  /// - Throws: `Problem` with the name of the file, whatever `body` throws; what concerns output or command line as it is.
  package func reading<Result>(_ operand: String, _ body: (Input) throws -> Result) throws -> Result {
    do {
      let input = try Input(operand)
      return try withExtendedLifetime(input) { try body(input) }
    } catch let error as OutputError {
      throw error
    } catch let error as UsageError {
      throw error
    } catch {
      throw Problem(error, file: Input.name(of: operand))
    }
  }

  /// Says on standard error what is wrong with a file, for commands that go on with the next one.
  package func complain(_ problem: Problem) { errors.complain("\(Tool.name): \(problem.text)\n") }

  /// What shows on a terminal how far work on so many bytes is, once it has taken a second.
  ///
  /// - Parameter whileWriting: Whether output is written meanwhile; if that goes to a terminal it shows the progress itself.
  package func progress(_ what: String, total: Int, whileWriting: Bool = false) -> Progress {
    Progress(what, total: total, on: whileWriting && output.isTerminal ? nil : errors)
  }
}
