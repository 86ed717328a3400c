import MirrorArchive

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The bytes of a file, or all that standard input has.
@safe package final class Input {
  /// As messages call it.
  package let name: String
  /// Valid as long as this object.
  package let bytes: UnsafeRawBufferPointer
  /// A file that is mapped; nil if the bytes are this object's own.
  private let file: MappedFile?

  package static func name(of operand: String) -> String { operand == "-" ? "standard input" : operand }

  /// Opens a file; `-` is standard input. Regular files are mapped, and anything else (pipes, terminals) is read to its end.
  ///
  /// - Throws: `Problem`.
  package init(_ operand: String) throws {
    name = Self.name(of: operand)
    if operand == "-" {
      file = nil
      unsafe bytes = try Self.read(STDIN_FILENO)
      return
    }
    guard !operand.isEmpty, !operand.utf8.contains(0) else { throw Problem(message: "no such file") }
    var status = stat()
    // SAFETY: the call fills the status or says that it did not.
    if unsafe stat(operand, &status) != 0 { throw Problem(message: Failure.reason(errno)) }
    if status.st_mode & S_IFMT == S_IFDIR { throw Problem(message: "a directory, and no archive") }
    if status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
      if unsafe access(operand, R_OK) != 0 { throw Problem(message: Failure.reason(errno)) }
      let mapped = try MappedFile(operand)
      ShortenedFile.watch()
      file = mapped
      unsafe bytes = mapped.bytes
      return
    }
    file = nil
    let descriptor = unsafe open(operand, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw Problem(message: Failure.reason(errno)) }
    defer { close(descriptor) }
    unsafe bytes = try Self.read(descriptor)
  }

  /// Reads to the end.
  private static func read(_ descriptor: Int32) throws -> UnsafeRawBufferPointer {
    var status = stat()
    // A regular file says how long it is, so that it need not be copied while it grows in memory.
    let isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    var capacity = isRegular ? max(65_536, Int(status.st_size) + 1) : 65_536
    // SAFETY: owned here until it is handed over or freed.
    guard var memory = unsafe malloc(capacity) else { throw Problem(message: Failure.reason(ENOMEM)) }
    var count = 0
    while true {
      if count == capacity {
        capacity *= 2
        guard let larger = unsafe realloc(memory, capacity) else {
          unsafe free(memory)
          throw Problem(message: Failure.reason(ENOMEM))
        }
        unsafe memory = larger
      }
      // SAFETY: so many bytes are free behind those that have been read.
      #if canImport(Darwin)
        let n = unsafe Darwin.read(descriptor, memory + count, capacity - count)
      #elseif canImport(Musl)
        let n = unsafe Musl.read(descriptor, memory + count, capacity - count)
      #else
        let n = unsafe Glibc.read(descriptor, memory + count, capacity - count)
      #endif
      if n == 0 { return unsafe UnsafeRawBufferPointer(start: memory, count: count) }
      if n > 0 {
        count += n
      } else if errno != EINTR {
        let reason = Failure.reason(errno)
        unsafe free(memory)
        throw Problem(message: reason)
      }
    }
  }

  deinit {
    // SAFETY: made by `malloc`, and nobody looks at the bytes once this object is gone.
    if file == nil { unsafe free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
  }
}

/// What the system says about a call that failed.
enum Failure {
  static func reason(_ number: Int32) -> String {
    // SAFETY: a text of the C library's own, valid until this thread asks for the next one.
    if let text = unsafe strerror(number) { return unsafe String(cString: text) }
    return "error \(number)"
  }
}
