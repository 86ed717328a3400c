import Foundation
import MirrorArchive

/// Archives that are committed with the tests.
enum Archives {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let goldenDirectory = tests.appendingPathComponent("MirrorArchiveTests/Fixtures/Golden")

  /// The names of the golden archives.
  static let golden: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: goldenDirectory.path))?.filter { $0.hasSuffix(".bin") }
    .map { String($0.dropLast(4)) }.sorted() ?? []

  /// The archives of the test vectors, with their names, and what every reader refuses them for.
  static let vectors: [(name: String, data: Data, refusal: String?)] = {
    let file = tests.appendingPathComponent("ArchivistTests/Fixtures/Vectors/vectors.json")
    guard let list = try? JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]] else { return [] }
    return list.compactMap { vector in
      guard let name = vector["name"] as? String, let hexadecimal = (vector["hex"] as? String)?.utf8 else { return nil }
      let digits = hexadecimal.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
      let data = Data(stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
      return (name, data, vector["refused"] as? String)
    }
  }()

  static func path(golden name: String) -> String { goldenDirectory.appendingPathComponent("\(name).bin").path }

  static func data(golden name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(golden: name))) }
}

extension Archives {
  final class Sample: MirrorCoding {
    var name = ""
    var number = 0
    var weight = 0.0
    var next: Sample?

    override class var archiveRules: ArchiveRules { ArchiveRules(name: "Sample") }
  }

  /// An archive of many objects, whose seal has a checksum for each of its segments.
  static func segmented(count: Int = 20_000) throws -> Data {
    var generator = SeededGenerator(seed: 7)
    let samples = (0..<count).map { index in
      let sample = Sample()
      sample.name = "\(UInt64.random(in: 0..<1_000_000, using: &generator)) of \(index)"
      sample.number = Int.random(in: 0..<1 << 40, using: &generator)
      sample.weight = Double.random(in: 0..<1, using: &generator)
      return sample
    }
    for index in samples.indices.dropLast() { samples[index].next = samples[index + 1] }
    let archiver = KeyedArchiver(requiringSecureCoding: true)
    try archiver.encode(samples, forKey: "samples")
    return try archiver.encodedData
  }
}
