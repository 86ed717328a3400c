#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The tool that shows what is in an archive, for people and scripts that have none of its classes.
@main
package struct Archivist {
  static func main() {
    let code = Tool(commands: Command.all).run(Array(CommandLine.arguments.dropFirst()))
    exit(code.rawValue)
  }
}
