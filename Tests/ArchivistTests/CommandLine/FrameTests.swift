import Foundation
import Testing
import archivist

@Suite("The command line")
struct FrameTests {
  @Test("Help names each command and each option", arguments: [["--help"], ["-h"], ["help"]]) func help(_ arguments: [String]) throws {
    let outcome = try ToolProcess.run(arguments)
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    #expect(outcome.output.hasPrefix("usage: archivist COMMAND"))
    for command in Command.all { #expect(outcome.output.contains("  \(command.name) ")) }
  }

  @Test("Help of a command has usage, options, examples and exit codes", arguments: Command.all.map(\.name))
  func commandHelp(_ name: String) throws {
    let command = try #require(Command.all.first { $0.name == name })
    let outcome = try ToolProcess.run([name, "--help"])
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    #expect(outcome.output.hasPrefix("usage: archivist \(name) [options] \(command.operands)\n"))
    for option in command.options { #expect(outcome.output.contains(option.name)) }
    for heading in ["options:", "examples:", "exit codes:"] { #expect(outcome.output.contains("\n\(heading)\n")) }
    #expect(!command.examples.isEmpty && outcome.output.contains("--help"))
    #expect(try ToolProcess.run(["help", name]).output == outcome.output)
    #expect(try ToolProcess.run([name, "-h"]).output == outcome.output)
    for line in outcome.output.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
  }

  @Test(
    "A command line that cannot be understood ends with 64, a reason and no output",
    arguments: [
      ([], "archivist: a command is needed"),
      (["frobnicate"], "archivist: unknown command 'frobnicate'\n"),
      (["--hlep"], "archivist: unknown option '--hlep'; did you mean '--help'?"),
    ] as [([String], String)])
  func usage(_ arguments: [String], _ message: String) throws {
    let outcome = try ToolProcess.run(arguments)
    #expect(outcome.code == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix(message), "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix(" --help says more\n"))
  }

  @Test("Options may have their value behind an equals sign or as the next word, and stand anywhere") func options() throws {
    let command = Command(
      name: "show", summary: "", operandCount: 1...2, discussion: "",
      options: [.init("--depth", short: "-d", value: "N", ""), .init("--json", "")], examples: [], exitCodes: []
    ) { _ in .success }
    for line in [["a", "--depth", "3", "--json"], ["--depth=3", "--json", "a"], ["-d", "3", "--json", "--", "a"]] {
      let parsed = try ParsedArguments(line[...], for: command)
      #expect(parsed.operands == ["a"] && parsed.value(of: "--depth") == "3" && parsed.has("--json"))
    }
    #expect(try ParsedArguments(["--", "--json", "-"], for: command).operands == ["--json", "-"])
    #expect(try ParsedArguments(["--depth", "-1", "x"], for: command).value(of: "--depth") == "-1")
    for line in [[], ["a", "b", "c"], ["a", "--depth"], ["a", "--json=1"], ["a", "--jsn"]] {
      #expect(throws: UsageError.self) { try ParsedArguments(line[...], for: command) }
    }
  }

  @Test("Texts from archives reach a terminal as characters alone") func texts() {
    #expect(Text.safe("plain ä 🍎") == "plain ä 🍎")
    #expect(Text.safe("a\u{1B}[2Jb\u{9B}c\u{202E}d\u{7F}\n") == "a\\u{1B}[2Jb\\u{9B}c\\u{202E}d\\u{7F}\\n")
    #expect(Text.quoted("say \"hi\\\"") == "\"say \\\"hi\\\\\\\"\"")
    #expect(Text.quoted("abcdef", limit: 3) == "\"abc\"…" && Text.quoted("abc", limit: 3) == "\"abc\"")
    #expect([0, 999, 1_000, 1_234_567].map { Text.grouped($0) } == ["0", "999", "1,000", "1,234,567"])
    #expect(Text.grouped(Int64.min) == "-9,223,372,036,854,775,808")
  }
}
