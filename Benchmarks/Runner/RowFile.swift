import Foundation

/// Where results are kept.
enum RowFile {
  static func read(_ path: String) throws -> [Row] {
    guard let data = FileManager.default.contents(atPath: path) else { throw Unreadable(description: "cannot read \(path)") }
    do {
      return try JSONDecoder().decode([Row].self, from: data)
    } catch {
      throw Unreadable(description: "\(path) is not a file that --json has written: \(error)")
    }
  }

  static func write(_ rows: [Row], to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try write(String(decoding: encoder.encode(rows), as: UTF8.self) + "\n", to: path)
  }

  /// - Parameter path: "-" for standard output.
  static func write(_ text: String, to path: String) throws {
    if path == "-" {
      FileHandle.standardOutput.write(Data(text.utf8))
    } else {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  private struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }
}
