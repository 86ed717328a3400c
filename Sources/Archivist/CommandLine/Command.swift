/// One of the things that the tool can do: what it is called with, what its help says, and the work itself.
package struct Command: Sendable {
  package var name: String
  /// What it does, in a few words without a full stop: a line of the tool's help.
  package var summary: String
  /// What stands behind the options in the usage line, such as `FILE`.
  package var operands: String
  /// How many operands there may be.
  package var operandCount: ClosedRange<Int>
  /// Paragraphs of the help.
  package var discussion: String
  /// The options, without `--help`, which every command has.
  package var options: [Option]
  package var examples: [Example]
  package var exitCodes: [(code: ExitCode, meaning: String)]
  /// What the tool ends with if the command throws an error that is none of the command line's.
  package var troubleCode: ExitCode
  package var run: @Sendable (Invocation) throws -> ExitCode

  package init(
    name: String, summary: String, operands: String = "FILE", operandCount: ClosedRange<Int> = 1...1, discussion: String,
    options: [Option] = [], examples: [Example], exitCodes: [(code: ExitCode, meaning: String)], troubleCode: ExitCode = .failure,
    run: @escaping @Sendable (Invocation) throws -> ExitCode
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.operandCount = operandCount
    self.discussion = discussion
    self.options = options
    self.examples = examples
    self.exitCodes = exitCodes
    self.troubleCode = troubleCode
    self.run = run
  }

  /// A call that the help shows.
  package struct Example: Sendable {
    /// What stands behind the name of the tool and the command.
    package var call: String
    package var meaning: String

    package init(_ call: String, _ meaning: String) {
      self.call = call
      self.meaning = meaning
    }
  }

  /// An option of a command.
  package struct Option: Sendable {
    /// With its dashes, such as `--depth`.
    package var name: String
    /// With its dash, such as `-q`; nil for none.
    package var short: String?
    /// What stands for its value in the help, such as `N`; nil for an option that is there or not.
    package var value: String?
    package var help: String

    package init(_ name: String, short: String? = nil, value: String? = nil, _ help: String) {
      self.name = name
      self.short = short
      self.value = value
      self.help = help
    }

    package static let help = Option("--help", short: "-h", "show this help")
    /// For every command that colours what it prints.
    package static let color = Option(
      "--color", value: "WHEN", "auto (the default: on a terminal, unless NO_COLOR is set), always, never")
  }
}

/// What the tool ends with.
package struct ExitCode: Hashable, Sendable {
  package let rawValue: Int32

  package init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// All is well, and the answer is yes.
  package static let success = ExitCode(0)
  /// The answer is no: the archive is damaged, cannot be read, differs from the other.
  package static let failure = ExitCode(1)
  /// Of commands whose 1 says something else: the answer could not be found.
  package static let trouble = ExitCode(2)
  /// The command line cannot be understood.
  package static let usage = ExitCode(64)
}
