import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What happens if somebody shortens a file that is mapped: its last pages are gone, and looking at them raises a signal.
enum ShortenedFile {
  private static let exitCode = Atomic<Int32>(1)

  /// Says what the process then ends with.
  static func setExitCode(_ code: ExitCode) { exitCode.store(code.rawValue, ordering: .relaxed) }

  /// From now on the signal ends the process with a message, as any other file that cannot be read does.
  static func watch() {
    // SAFETY: the handler calls nothing but what may be called in one, and does not return.
    _ = signal(SIGBUS) { _ in
      let message: StaticString = "archivist: the file was shortened while it was read\n"
      _ = unsafe write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
      _exit(ShortenedFile.exitCode.load(ordering: .relaxed))
    }
  }
}
