extension Command {
  /// The commands, in the order in which the help names them.
  package static let all: [Command] = [.inspect, .info, .verify, .diff, .hexdump]
}
