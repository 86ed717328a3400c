#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A call of the system that failed.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The call.
  package let call: FileSystem.Call
  /// The file or directory that it was about.
  package let path: String
  /// The system's number for the reason: `errno`.
  package let number: Int32

  package init(_ call: FileSystem.Call, _ path: String, _ number: Int32) {
    self.call = call
    self.path = path
    self.number = number
  }

  package var description: String { "\(call) of '\(path)': \(reason)" }

  private var reason: String {
    var buffer = [CChar](repeating: 0, count: 256)
    // SAFETY: the call stays within the buffer and ends the text with a zero.
    if unsafe strerror_r(number, &buffer, buffer.count) == 0 {
      return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    return "error \(number)"
  }

  /// Nothing is there, or what should be a directory on the way is something else.
  package var meansAbsence: Bool { number == ENOENT || number == ENOTDIR }
}
