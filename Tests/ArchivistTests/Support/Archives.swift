import Foundation

/// Archives that are committed with the tests.
enum Archives {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let goldenDirectory = tests.appendingPathComponent("MirrorArchiveTests/Fixtures/Golden")

  /// The names of the golden archives.
  static let golden: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: goldenDirectory.path))?.filter { $0.hasSuffix(".bin") }
    .map { String($0.dropLast(4)) }.sorted() ?? []

  static func path(golden name: String) -> String { goldenDirectory.appendingPathComponent("\(name).bin").path }

  static func data(golden name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(golden: name))) }
}
