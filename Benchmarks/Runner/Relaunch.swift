import Foundation

/// Figures from a debug build would be wrong by a factor of ten to a hundred, so a debug build measures nothing: it builds and becomes the
/// release build.
enum Relaunch {
  static func inRelease(_ arguments: ArraySlice<String>) throws -> Never {
    guard let root = packageRoot() else {
      throw Failure("cannot find the package to build in release; run `swift run -c release Benchmarks`")
    }
    writeToStandardError("Benchmarks: this is a debug build; building and running the release build instead\n")
    // A directory of its own: the SwiftPM that started this process may still hold the lock of the usual one.
    let scratch = root.appendingPathComponent(".build/benchmarks").path
    let build = Process()
    build.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    build.arguments = [
      "swift", "build", "-c", "release", "--product", "Benchmarks", "--package-path", root.path, "--scratch-path", scratch,
    ]
    // Standard output is for the figures.
    build.standardOutput = FileHandle.standardError
    try build.run()
    build.waitUntilExit()
    switch build.terminationStatus {
    case 0: break
    case 127: throw Failure("no swift on the PATH to build in release with; debug figures would mean nothing, so none are printed")
    default: throw Failure("the release build failed; debug figures would mean nothing, so none are printed")
    }
    try become(scratch + "/release/Benchmarks", arguments)
  }

  /// The directory with Package.swift above this file or, when the sources have moved, above the executable.
  static func packageRoot() -> URL? {
    let executable = Bundle.main.executablePath ?? CommandLine.arguments[0]
    for start in [#filePath, executable] {
      var directory = URL(fileURLWithPath: start).deletingLastPathComponent()
      while directory.path != "/" {
        let manifest = directory.appendingPathComponent("Package.swift").path
        let entry = directory.appendingPathComponent("Benchmarks/main.swift").path
        if FileManager.default.fileExists(atPath: manifest), FileManager.default.fileExists(atPath: entry) { return directory }
        directory = directory.deletingLastPathComponent()
      }
    }
    return nil
  }

  /// Replaces this process: the exit code and the signals are those of the release build.
  private static func become(_ path: String, _ arguments: ArraySlice<String>) throws -> Never {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    // SAFETY: null-terminated array of null-terminated strings; on success nothing of this process is left to free them.
    unsafe execv(path, &pointers)
    throw Failure("cannot run \(path): \(unsafe String(cString: strerror(errno)))")
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }
}
