import Foundation
import Testing

/// Another process, which plays a part of `CacheTorture`.
final class Child {
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// What a process said until it ended.
  struct Outcome {
    fileprivate(set) var wrongs: [String] = []
    fileprivate(set) var notes: [String] = []
    fileprivate(set) var counts: [String: Int] = [:]
    /// The last version that was stored of each key.
    fileprivate(set) var stored: [Int: Int] = [:]
    /// The exit code; nil if a signal has ended it.
    fileprivate(set) var code: Int32?
    fileprivate(set) var signal: Int32?
  }

  private static let starting = NSLock()

  private var process: pid_t = 0
  private let output: Int32
  private var received: [UInt8] = []
  private let name: String
  private var isOver = false

  /// The program: it lies where the tests lie.
  static let program: String = {
    #if os(Linux)
      let tests = Bundle.main.executableURL
    #else
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    #endif
    return tests?.deletingLastPathComponent().appendingPathComponent("CacheTorture").path ?? "CacheTorture"
  }()

  /// Starts a process.
  ///
  /// - Parameter launcher: A program and its arguments that start the process in their turn.
  init(_ part: String, _ arguments: [String: Any], launcher: [String] = []) throws {
    name = part
    let words = launcher + [Self.program, part] + arguments.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    // A process that starts between the two calls would keep the pipe open.
    Self.starting.lock()
    defer { Self.starting.unlock() }
    var ends: [Int32] = [0, 0]
    if unsafe pipe(&ends) != 0 { throw Failure(description: "no pipe: error \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    #if os(Linux)
      var actions = unsafe posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    // SAFETY: the actions are made, used and given back here; the words live until the call is over, and a nil stands behind them.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
    let result = unsafe posix_spawnp(&process, words[0], &actions, nil, &pointers, environ)
    for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    unsafe posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    if result != 0 {
      isOver = true
      throw Failure(description: "'\(words[0])' does not start: error \(result)")
    }
  }

  deinit {
    close(output)
    if !isOver {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  /// Waits until the process says something, or ends.
  func waitForAnything() { if received.isEmpty { _ = receive() } }

  func send(_ signal: Int32) { kill(process, signal) }

  /// Waits until a process that `SIGSTOP` was sent to has stopped; false if it has ended.
  func waitUntilStopped() -> Bool {
    for _ in 0..<2_000 {
      #if os(Linux)
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
          let state = text.split(separator: ")").last?.split(separator: " ").first
        else { return false }
        if state == "T" { return true }
        if state == "Z" { return false }
        usleep(500)
      #else
        usleep(2_000)
        return true
      #endif
    }
    return false
  }

  /// Waits for the end of the process, and reads what it has said.
  func finish() -> Outcome {
    while receive() {}
    var status: Int32 = 0
    // SAFETY: the call writes the status.
    while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
    isOver = true
    var outcome = Outcome()
    if status & 0x7f == 0 { outcome.code = status >> 8 & 0xff } else { outcome.signal = status & 0x7f }
    for line in String(decoding: received, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      switch words.first {
      case "ack":
        if words.count == 3, let key = Int(words[1]), let version = Int(words[2]) { outcome.stored[key] = version }
      case "count":
        if let number = words.last.flatMap({ Int($0) }) { outcome.counts[words.dropFirst().dropLast().joined(separator: " ")] = number }
      case "wrong": outcome.wrongs.append(name + ": " + line.dropFirst(6))
      case "note": outcome.notes.append(name + ": " + line.dropFirst(5))
      default: outcome.wrongs.append(name + " says: " + line)
      }
    }
    return outcome
  }

  /// Waits for the end of a process that has nothing to complain of.
  func finishWell(sourceLocation: SourceLocation = #_sourceLocation) -> Outcome {
    let outcome = finish()
    #expect(outcome.wrongs.isEmpty, "\(outcome.wrongs.count) wrongs", sourceLocation: sourceLocation)
    for wrong in outcome.wrongs.prefix(5) { Issue.record("\(wrong)", sourceLocation: sourceLocation) }
    #expect(
      outcome.code == 0, "\(name) ended with code \(outcome.code ?? -1), signal \(outcome.signal ?? 0)", sourceLocation: sourceLocation)
    return outcome
  }

  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      // SAFETY: the call stays within the buffer.
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(output, $0.baseAddress, $0.count) }
      if count == -1 && errno == EINTR { continue }
      if count <= 0 { return false }
      received += buffer[..<count]
      return true
    }
  }
}
