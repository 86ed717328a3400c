extension Command {
  /// The commands, in the order in which the help names them.
  package static let all: [Command] = [.info, .verify, .diff, .hexdump]
}
