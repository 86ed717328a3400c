import ArchiveFormat
import Testing

/// Parses a frame, its pools and every column of it.
private func readEverything(_ bytes: [UInt8], _ verification: ArchiveLayout.Verification) throws {
  try parsing(bytes, verification: verification) { layout in
    if var pools = layout.pools {
      try layout.verifier?.verify(pools)
      _ = try StringPoolSection(parsing: &pools)
    }
    let skipper = ColumnSkipper(types: layout.types)
    for (root, reader) in zip(layout.roots, layout.rootReaders) {
      var reader = reader
      try layout.verifier?.verify(reader)
      try skipper.skip(root.type, count: 1, from: &reader)
    }
    for (block, reader) in zip(layout.blocks, layout.blockReaders) {
      var reader = reader
      try layout.verifier?.verify(reader)
      var levels: [[Property]] = []
      var level: TypeID? = block.type
      while let type = level, case .object(_, _, let superclass, let properties)? = layout.types[type] {
        levels.append(properties)
        level = superclass
      }
      for property in levels.reversed().joined() { try skipper.skip(property.type, count: block.count, from: &reader) }
    }
  }
}

@Suite("Damaged frames throw or parse, and nothing else")
struct HostileFrameTests {
  struct Frame: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
  }

  static let frames = [
    Frame(testDescription: "simple", bytes: SampleFrames.simple), Frame(testDescription: "full", bytes: SampleFrames.full),
    Frame(testDescription: "every type", bytes: ColumnSkipperTests.everything),
    Frame(testDescription: "segmented", bytes: SampleFrames.segmented),
  ]

  @Test("whole frames are read", arguments: frames)
  func whole(frame: Frame) throws { try readEverything(frame.bytes, .whole) }

  @Test("every prefix is truncated", arguments: frames)
  func prefixes(frame: Frame) {
    let bytes = frame.bytes
    for length in 0..<bytes.count {
      for verification in [ArchiveLayout.Verification.whole, .onDemand, .none] {
        #expect(
          formatError { try readEverything([UInt8](bytes[..<length]), verification) }?.code == .truncated, "\(length)")
      }
    }
  }

  @Test("every flipped bit is noticed by the checksum or before", arguments: frames)
  func checkedFlips(frame: Frame) {
    let bytes = frame.bytes
    for place in bytes.indices where place < 200 || place % 97 == 0 || place + 100 > bytes.count {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        #expect(formatError { try readEverything(damaged, .whole) } != nil, "byte \(place), bit \(bit)")
        #expect(formatError { try readEverything(damaged, .onDemand) } != nil, "byte \(place), bit \(bit)")
      }
    }
  }

  @Test("without the checksum every flipped bit throws a format error or parses", arguments: frames)
  func uncheckedFlips(frame: Frame) {
    let bytes = frame.bytes
    for place in bytes.indices where place < 400 || place % 97 == 0 || place + 200 > bytes.count {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        _ = try? readEverything(damaged, .none)
      }
    }
  }

  @Test("without the checksum random damage throws a format error or parses", arguments: 0..<40)
  func randomDamage(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let interesting: [UInt8] = [0, 1, 7, 8, 0x7F, 0x80, 0xFF]
    for frame in Self.frames.map(\.bytes) {
      for _ in 0..<100 {
        var damaged = frame
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 5..<damaged.count, using: &generator)
          damaged[place] = interesting.randomElement(using: &generator) ?? 0
        }
        _ = try? readEverything(damaged, .none)
      }
    }
  }
}
