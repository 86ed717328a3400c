#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Output that could not be written.
package enum OutputError: Error, CustomStringConvertible {
  /// Whoever reads it has gone.
  case closedPipe
  case failed(String)

  package var description: String {
    switch self {
    case .closedPipe: "the pipe is closed"
    case .failed(let reason): "the output could not be written: \(reason)"
    }
  }
}

/// Standard output or standard error, written in large pieces.
package final class Output {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private static let capacity = 65_536

  package enum Stream { case standardOutput, standardError }

  package init(_ stream: Stream) {
    descriptor = stream == .standardOutput ? STDOUT_FILENO : STDERR_FILENO
    buffer.reserveCapacity(Self.capacity)
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// Output that stays in memory.
  package static func memory() -> Output { Output(descriptor: -1) }

  /// What stays in memory, or is still waiting.
  package var text: String { String(decoding: buffer, as: UTF8.self) }

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Adds a text; `flush` makes sure that it is written.
  ///
  /// - Throws: `OutputError`.
  package func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Adds bytes.
  package func write(_ bytes: some Sequence<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Writes what is still waiting.
  ///
  /// - Throws: `OutputError`.
  package func flush() throws {
    if descriptor < 0 { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    var done = 0
    while done < buffer.count {
      // SAFETY: the call reads what the buffer has from there on.
      let n = unsafe buffer.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          unsafe Darwin.write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
        #elseif canImport(Musl)
          unsafe Musl.write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
        #else
          unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
        #endif
      }
      if n >= 0 {
        done += n
      } else if errno == EAGAIN {
        // Somebody has made the stream one that does not wait.
        var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // SAFETY: one descriptor is asked about, as the count says.
        _ = unsafe poll(&wish, 1, -1)
      } else if errno != EINTR {
        throw errno == EPIPE ? OutputError.closedPipe : OutputError.failed(Failure.reason(errno))
      }
    }
  }

  /// Writes a text at once; if that fails nobody can be told.
  package func complain(_ text: String) {
    try? write(text)
    try? flush()
  }
}
