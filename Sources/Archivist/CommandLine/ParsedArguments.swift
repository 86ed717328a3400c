/// The options and operands of a command line.
package struct ParsedArguments {
  package private(set) var operands: [String] = []
  private var values: [String: String] = [:]

  /// Takes arguments apart: `--name`, `--name value`, `--name=value`, `-n`, operands between them; behind `--` there are operands alone.
  ///
  /// - Parameter arguments: Those behind the name of the command.
  /// - Throws: `UsageError`.
  package init(_ arguments: ArraySlice<String>, for command: Command) throws {
    let options = command.options + [.help]
    var rest = arguments
    var areOptionsOver = false
    while let argument = rest.popFirst() {
      if areOptionsOver || argument == "-" || !argument.hasPrefix("-") {
        operands.append(argument)
      } else if argument == "--" {
        areOptionsOver = true
      } else {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = options.first(where: { $0.name == parts[0] || $0.short == parts[0] }) else {
          throw UsageError(
            "unknown option '\(parts[0])' of \(command.name)", hint: Suggestion.text(for: parts[0], among: options.map(\.name)))
        }
        if let value = option.value {
          guard let text = parts.count > 1 ? parts[1] : rest.popFirst() else {
            throw UsageError("the option \(option.name) needs a value: \(option.name) \(value)")
          }
          values[option.name] = text
        } else {
          guard parts.count == 1 else { throw UsageError("the option \(option.name) takes no value") }
          values[option.name] = ""
        }
      }
    }
    if has(Command.Option.help.name) { return }
    let count = command.operandCount
    guard operands.count >= count.lowerBound else { throw UsageError("\(command.name) needs \(command.operands)") }
    guard operands.count <= count.upperBound else {
      throw UsageError("'\(operands[count.upperBound])' is one argument too many: \(command.name) takes \(command.operands)")
    }
  }

  /// Whether the option is there.
  package func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option; nil if it is not there.
  package func value(of name: String) -> String? { values[name] }
}
